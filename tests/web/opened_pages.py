"""Pages opened in a real browser, and what they complain of."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.web.served import PATIENCE_S, Served

STICKING_OUT: Final = """() => [...document.querySelectorAll("main *")]
.filter((one) => !one.closest("svg, .for-readers, details:not([open]) > :not(summary)"))
.filter((one) =>
  one.getBoundingClientRect().right > innerWidth + 1
  || (getComputedStyle(one).display !== "inline" && one.scrollWidth > one.clientWidth + 1)
).map((one) => `${one.tagName} ${one.className}: ${one.textContent}`)"""
"""What of a page is wider than its place."""

OVERLAPPING: Final = """wanted => {
  const all = [...document.querySelectorAll(wanted)];
  const named = all.map((one) => [one.textContent || one.nextSibling.textContent, one.getBoundingClientRect()]);
  const apart = (a, b) => a.left > b.right - 1 || b.left > a.right - 1 || a.top > b.bottom - 1 || b.top > a.bottom - 1;
  return named.flatMap(([name, box], at) =>
    named.slice(at + 1).filter(([, other]) => !apart(box, other)).map(([other]) => `${name} / ${other}`));
}"""
"""What lies over something else, of what is asked for."""

OUTSIDE: Final = """wanted => {
  const frame = document.querySelector("#frame").getBoundingClientRect();
  const outside = (box) =>
    box.left < frame.left || box.right > frame.right || box.top < frame.top || box.bottom > frame.bottom;
  const all = [...document.querySelectorAll(wanted)].filter((one) => outside(one.getBoundingClientRect()));
  return all.map((one) => one.id || one.textContent);
}"""
"""What isn't within the picture, of what is asked for."""

CUT_OFF: Final = """wanted => [...document.querySelectorAll(wanted)].filter((one) => {
  const [box, place] = [one.getBoundingClientRect(), one.parentElement.getBoundingClientRect()];
  const wide = getComputedStyle(one).display !== "inline" && one.scrollWidth > one.clientWidth + 1;
  return wide || box.bottom > place.bottom + 1 || box.right > place.right + 1;
}).map((one) => one.id)"""
"""What can't be read whole, of what is asked for."""


class Opened:
    """Pages of one program; whatever they complain of is kept."""

    def __init__(self, browser: Browser, served: Served) -> None:
        self._browser, self._served = browser, served
        self.complaints: list[str] = []
        self.asked: set[str] = set()
        self._contexts: list[BrowserContext] = []

    def __call__(self, width: int = 1440, height: int = 900, path: str = "") -> Page:
        """A page in a browser of its own."""
        context = self._browser.new_context(viewport={"width": width, "height": height})
        context.set_default_timeout(PATIENCE_S * 1000)
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: self.complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.asked.add(request.url))
        page.goto(self._served.url + path)
        expect(page.locator("#headline")).not_to_have_text("One moment")
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()
