"""The browser: Debian's Chromium where it is there, else Playwright's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

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


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """How the browser is started; it reaches nothing but the page."""
    own = {"executable_path": str(CHROMIUM)} if CHROMIUM.exists() else {}
    return {"headless": True, "args": list(FLAGS), **own}
