"""A program with a page for each test, and the browser: Debian's Chromium where it is there, else Playwright's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, expect

from tests.web.let_in import OpenTable
from tests.web.opened_pages import Opened
from tests.web.served import PATIENCE_S, Served

CHROMIUM: Final = Path("/usr/bin/chromium")
FLAGS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
)

expect.set_options(timeout=PATIENCE_S * 1000)


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """How the browser is started; it reaches nothing but the page."""
    own = {"executable_path": str(CHROMIUM)} if CHROMIUM.exists() else {}
    return {"headless": True, "args": list(FLAGS), **own}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """The program with a page and a session of its own, without a camera."""
    program = Served(tmp_path)
    yield program
    program.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[OpenTable]:
    """The program with its door open to guests; a deal has begun."""
    held = OpenTable(tmp_path)
    held.begin()
    yield held
    held.close()


@pytest.fixture
def opened(browser: Browser, served: Served) -> Iterator[Opened]:
    """Opens pages of ``served``."""
    pages = Opened(browser, served)
    yield pages
    pages.close()
