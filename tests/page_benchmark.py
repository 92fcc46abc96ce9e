"""How heavy the table's page is, how soon it is there, and how soon an action reaches eight open ones.

``make bench-page`` prints the figures for this machine.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, Response, expect, sync_playwright

from tests.web.conftest import CHROMIUM, FLAGS
from tests.web.served import Served
from tests.web.staged_pages import playing

PAGES: Final = 8
LOADS: Final = 5
ACTIONS: Final = ("3 mate TS TC", "4 mate 8D 8H", "1 mate AC AS AH AD", "2 mate 3C 3D")
LIVE: Final = ("/picture.jpg", "/api/stream")
"""What comes while the page is open, and isn't the page."""
_USEFUL: Final = """
window.useful = new Promise((done) => {
  const look = () => {
    if (document.querySelector("#pool [data-card]")) setTimeout(() => done(performance.now()));
    else requestAnimationFrame(look);
  };
  look();
});
"""
_WATCH: Final = """() => {
  window.changed = [];
  const watch = new MutationObserver(() => window.changed.push(performance.timeOrigin + performance.now()));
  watch.observe(document.getElementById("last"), { childList: true, characterData: true, subtree: true });
}"""


def weights(browser: Browser, url: str) -> Mapping[str, int]:
    """Bytes of everything that the page at ``url`` fetches in an empty browser, by path; without the live picture and
    news."""
    context = browser.new_context()
    page = context.new_page()
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(url)
    expect(page.locator("#headline")).not_to_have_text("One moment")
    page.wait_for_load_state("load")
    paths = [(urlsplit(answer.url).path, answer) for answer in answers]
    found = {path: len(answer.body()) for path, answer in paths if path not in LIVE}
    context.close()
    return found


def first_paints(browser: Browser, url: str) -> tuple[list[float], list[float]]:
    """Milliseconds from the request to the first paint, and to the cards on the table, of several empty browsers."""
    first, useful = [], []
    for _ in range(LOADS):
        context = browser.new_context(viewport={"width": 1366, "height": 768})
        page = context.new_page()
        page.add_init_script(_USEFUL)
        page.goto(url)
        useful.append(float(page.evaluate("window.useful")))
        paints = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
        page.wait_for_function(f"({paints}) > 0")
        first.append(float(page.evaluate(paints)))
        context.close()
    return first, useful


def open_pages(browser: Browser, url: str, count: int) -> list[Page]:
    """So many pages, each in a browser of its own, that show the table."""
    pages = []
    for _ in range(count):
        page = browser.new_context(viewport={"width": 1366, "height": 768}).new_page()
        page.goto(url)
        expect(page.locator("#headline")).not_to_have_text("One moment")
        pages.append(page)
    return pages


def arrivals(pages: list[Page], table: Served) -> list[list[float]]:
    """For each action, milliseconds from before it was written down to when each page showed it."""
    for page in pages:
        page.evaluate(_WATCH)
    found = []
    for place, line in enumerate(ACTIONS):
        began = time.time() * 1000
        table.act(line)
        for page in pages:
            page.wait_for_function("(count) => window.changed.length > count", arg=place)
        found.append([float(page.evaluate("window.changed.at(-1)")) - began for page in pages])
        time.sleep(0.5)
    return found


def main() -> None:
    """Print the figures."""
    own = {"executable_path": str(CHROMIUM)} if CHROMIUM.exists() else {}
    with sync_playwright() as play, tempfile.TemporaryDirectory() as folder:
        browser = play.chromium.launch(headless=True, args=list(FLAGS), **own)  # type: ignore[arg-type]
        table = Served(Path(folder))
        try:
            playing(table)
            parts = weights(browser, table.url)
            print(f"weight without the picture: {sum(parts.values()) / 1000:.0f} kB in {len(parts)} files")
            first, useful = first_paints(browser, table.url)
            print(f"first paint: {_figures(first)}; with the cards: {_figures(useful)}")
            found = arrivals(open_pages(browser, table.url, PAGES), table)
            print(f"an action on all of {PAGES} pages after: {_figures([max(times) for times in found])}")
        finally:
            table.close()
            browser.close()


def _figures(times: list[float]) -> str:
    return f"{statistics.median(times):.0f} ms (worst of {len(times)}: {max(times):.0f} ms)"


if __name__ == "__main__":
    main()
