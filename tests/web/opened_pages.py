"""Pages opened in a real browser, and what they complain of."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.web.served import Served

STICKING_OUT: Final = """() => [...document.querySelectorAll("main *")].filter((one) => !one.closest("svg"))
.filter((one) =>
  one.getBoundingClientRect().right > innerWidth + 1
  || (getComputedStyle(one).display !== "inline" && one.scrollWidth > one.clientWidth + 1)
).map((one) => `${one.tagName} ${one.className}: ${one.textContent}`)"""
"""What of a page is wider than its place."""


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
