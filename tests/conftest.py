"""What all tests share: the photographs, and the rule that nothing is skipped unseen where everything must run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings

ROOT: Final = Path(__file__).resolve().parent.parent
PHOTOS: Final = ROOT.parent / "shared" / "photos"

NO_SKIPS: Final = "MOURNIVAL_NO_SKIPS"
"""Set in the environment, it makes the run fail if a test was skipped for a reason other than these."""
_MAY_BE_MISSING: Final = ("the photographs are not here",)

settings.register_profile("patient", deadline=None)  # a busy computer is no fault
settings.load_profile("patient")


@pytest.fixture(scope="session")
def photos() -> Path:
    """The folder of photographs beside the project; skips where they are not."""
    if not PHOTOS.is_dir():
        pytest.skip(f"the photographs are not here ({PHOTOS})")
    return PHOTOS


def _browser_is_here() -> bool:
    """Debian's Chromium, or the one that ``playwright install chromium`` fetches."""
    if Path("/usr/bin/chromium").exists():
        return True
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path).exists()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests are skipped, and say so, where there is no browser."""
    browser_tests = [item for item in items if {"page", "browser"} & set(getattr(item, "fixturenames", ()))]
    if browser_tests and not _browser_is_here():
        for item in browser_tests:
            item.add_marker(pytest.mark.skip(reason="no browser is here: install chromium"))


def _wrongly_skipped(config: pytest.Config) -> list[str]:
    if not os.environ.get(NO_SKIPS):
        return []
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None:
        return []
    reports = reporter.stats.get("skipped", [])
    reasons = [(report.nodeid, report.longrepr[2] if report.longrepr else "no reason") for report in reports]
    return [f"{test}: {why}" for test, why in reasons if not any(allowed in why for allowed in _MAY_BE_MISSING)]


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Nothing may be skipped where everything must run."""
    if _wrongly_skipped(session.config) and session.exitstatus == 0:
        session.exitstatus = 1


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name the tests that should have run."""
    for line in _wrongly_skipped(config):
        terminalreporter.write_line(f"skipped, but must run here: {line}", red=True)
