"""The pictures of the page that the README shows: the demo's deal is followed, and the page is looked at on the way.

``make screenshots`` writes them to ``web/screenshots``. The cards are read from the recording's own truth; all else is
the program as it is.
"""

from __future__ import annotations

import io
import json
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.web.conftest import CHROMIUM, FLAGS
from tests.web.demo_script import Script, TimedSource
from tests.web.served import RECORD, Served
from web.api import Eye
from web.cli.run import demo_table
from web.live import Board
from web.open_session import OpenSession
from web.pictures import Pictures
from web.table_watch import TableWatch, Watched

FOLDER: Final = Path(__file__).resolve().parent.parent / "web" / "screenshots"
LAPTOP: Final = (1366, 768)
PHONE: Final = (390, 844)
MIDDLE_S: Final = 59.8
"""Seconds into the recording: Agnes lies down with three twos, and nobody has called it yet (C3)."""
PATIENCE_MS: Final = 300_000
DONE: Final = 10
"""Actions up to then."""
SEAT: Final = 3
QUALITY: Final = 78


def _hand_is_told(page: Page) -> None:
    played = {card for action in RECORD.actions[:DONE] if action.seat == SEAT for card in action.cards}
    for card in RECORD.setup.hands[SEAT]:
        if card in played:
            continue
        page.click(f"#grid [data-card='{card}']")
    page.click("#tell")
    expect(page.locator("#advice .ranked li").first).to_be_visible(timeout=60_000)


def _setup_is_there(page: Page) -> None:
    expect(page.locator("#outlines .card").first).to_be_visible()


def _picture_is_there(page: Page) -> None:
    expect(page.locator("#live")).to_be_visible()
    expect(page.locator("#outlines .card").first).to_be_visible()


class Gallery:
    """Takes pictures of the pages of one table."""

    def __init__(self, browser: Browser, served: Served, folder: Path) -> None:
        self._browser, self._served, self._folder = browser, served, folder

    def take(
        self,
        name: str,
        size: tuple[int, int],
        ready: Callable[[Page], None],
        path: str = "/",
        view: dict[str, str] | None = None,
    ) -> None:
        """A picture of the page at ``path``, once it is ``ready``, in the ``view`` that its browser keeps."""
        self._freshen(name)
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", locale="en-GB"
        )
        page = context.new_page()
        page.goto(self._served.url + path)
        if view:
            page.evaluate(
                "view => Object.entries(view).forEach(([k, v]) => localStorage.setItem(`view-${k}`, v))", view
            )
            page.reload()
        expect(page.locator("h1, #headline").last).not_to_have_text("One moment")
        ready(page)
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_timeout(700)
        self._freshen(f"{name}, ready")
        if page.locator("#age").count():
            expect(page.locator("#age")).to_be_empty()
        with Image.open(io.BytesIO(page.screenshot())) as shot:
            shot.convert("RGB").save(self._folder / f"{name}.webp", quality=QUALITY, method=6)
        context.close()

    def _freshen(self, name: str) -> None:
        """The recording is held; its picture is as new as it would be if it ran."""
        view = json.loads(self._served.board.newer(0)["view"].text)
        self._served.board.post("view", view | {"for": name}, ages=True)


def main() -> None:
    """Follow the demo and take the pictures."""
    FOLDER.mkdir(exist_ok=True)
    script, table, goes_on = Script(), demo_table(1.0), threading.Event()

    def hold(t: float) -> None:
        if t >= MIDDLE_S:
            goes_on.wait()

    def eye(session: OpenSession, board: Board, pictures: Pictures) -> Eye:
        watched = Watched(lambda: TimedSource(script, after=hold), "Demo table", live=False, speed=1000.0)
        watch = TableWatch(watched, session, script, board, pictures, layout=table.layout)
        watch.start()
        return watch

    own = {"executable_path": str(CHROMIUM)} if CHROMIUM.exists() else {}
    with sync_playwright() as play, tempfile.TemporaryDirectory() as folder:
        browser = play.chromium.launch(headless=True, args=list(FLAGS), **own)  # type: ignore[arg-type]
        served = Served(Path(folder), eye=eye)
        try:
            waiting = browser.new_page()
            waiting.goto(served.url)
            expect(waiting.locator("#claims [data-claim='C3']")).to_be_visible(timeout=PATIENCE_MS)
            gallery = Gallery(browser, served, FOLDER)
            gallery.take("wide", LAPTOP, _picture_is_there)
            gallery.take("dark", LAPTOP, _picture_is_there, view={"scheme": "dark", "suits": "four"})
            gallery.take("large", LAPTOP, _picture_is_there, view={"type": "large"})
            gallery.take("phone", PHONE, _picture_is_there)
            gallery.take("my-hand", PHONE, _hand_is_told, path=f"/seat/{SEAT}")
            gallery.take("set-up", LAPTOP, _setup_is_there, path="/setup")
            goes_on.set()
            expect(waiting.locator("#headline")).to_have_text("The pot is settled", timeout=PATIENCE_MS)
            gallery.take("settlement", LAPTOP, _picture_is_there)
        finally:
            goes_on.set()
            watch = served.app.extensions["mournival"].eye
            watch.stop()
            served.close()
            browser.close()
    sizes = {picture.name: picture.stat().st_size for picture in sorted(FOLDER.glob("*.webp"))}
    print(f"{sizes}\n{sum(sizes.values()) / 1000:.0f} kB in {FOLDER}")


if __name__ == "__main__":
    main()
