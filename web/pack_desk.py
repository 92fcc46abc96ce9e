"""Learning one's own pack on the page: spreads are laid before the camera and taken one by one, then it is learned.

The work is done in a thread of its own, on networks of its own, one thing after the other; the page asks how it stands.
Meanwhile the table's cards are no game.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import cv2
import numpy as np

from assistant.cards import PACK, Card
from assistant.told import tell, words_of
from vision.pack_shelf import ANY, PackError, PackShelf
from vision.recogniser import Image, Recogniser
from web.languages import _, _n
from web.pack_enrolment import Enrolment
from web.wording import again

if TYPE_CHECKING:
    from vision.enrolment import Learned
    from vision.onnx_recogniser import OnnxRecogniser

HOLD_S: Final = 20.0
"""For so long after the page last asked the table's cards are no game."""
MOST_PICTURES: Final = 16
_MARGIN: Final = 0.25

NO_CARD: Final = tell("no card was seen in this picture: lay them flat, with room between them and light on them")
NOTHING: Final[Mapping[str, Any]] = {"packs": [], "in_use": None, "busy": "", "trouble": "", "making": None}
"""How it stands where no camera follows the table."""

log = logging.getLogger("mournival")


class NotNow(ValueError):
    """What is asked can't be done as things stand; one line."""


class Reads(Protocol):
    """Whoever watches the table, as far as the pack is concerned (``web.table_watch.TableWatch``)."""

    def read_with(self, recogniser: Recogniser) -> None: ...
    def hold(self, seconds: float) -> None: ...


@dataclass(slots=True)
class _Work:
    """A pack in the making, with the pictures that were taken of it."""

    enrolment: Enrolment
    images: list[Image]
    learned: Learned | None = None


class PackDesk:
    """Where a pack is learned and chosen. Thread-safe. ``load`` loads networks that nobody else uses."""

    def __init__(self, data: Path, load: Callable[[], OnnxRecogniser], watch: Reads) -> None:
        self._shelf = PackShelf(data)
        self._load = load
        self._watch = watch
        self._mutex = threading.RLock()
        self._networks: OnnxRecogniser | None = None
        self._work: _Work | None = None
        self._busy = ""
        self._trouble = ""

    def state(self) -> dict[str, Any]:
        """How it stands, as the page shows it."""
        with self._mutex:
            work = self._work
            if work is not None:
                self._watch.hold(HOLD_S)
            return {
                "packs": [self._about(name) for name in self._shelf.names()],
                "in_use": self._shelf.in_use(),
                "busy": self._busy,
                "trouble": again(self._trouble),
                "making": None if work is None else self._making(work),
            }

    def begin(self, name: str) -> None:
        """Begin a pack of this name. Raises PackError."""
        clean = " ".join(name.split())
        self._shelf.check(clean)
        with self._mutex:
            self._must_be_idle()
            self._watch.hold(HOLD_S)
            self._do(_("Getting ready"), lambda: self._prepare(clean))

    def take(self, image: Image) -> None:
        """Take in a picture of a spread."""
        with self._mutex:
            work = self._at_work()
            if len(work.images) >= MOST_PICTURES:
                raise NotNow(_("So many pictures are enough: learn the pack now."))
            self._do(_("Looking at the picture"), lambda: self._look(work, image))

    def forget_last(self) -> None:
        """Leave out the picture that was taken last."""
        with self._mutex:
            work = self._at_work()
            work.enrolment.forget_last()
            work.images = work.images[: len(work.enrolment.files)]
            work.learned = None

    def learn(self) -> None:
        """Learn the pack from what was shown and told."""
        with self._mutex:
            work = self._at_work()
            if not work.images:
                raise NotNow(_("Take a picture first."))
            self._do(_("Learning"), lambda: self._learn(work))

    def answer(self, number: int, card: Card | None) -> None:
        """The card of this number is this one; None: it is to be left out."""
        with self._mutex:
            work = self._at_work()
            if not 0 <= number < len(work.enrolment.seen):
                raise NotNow(_("This card is not there any more."))
            if not work.enrolment.answer(number, card):
                raise NotNow(_("This card was already named in the same picture."))
            if work.learned is not None and all(one in work.enrolment.told for one in work.learned.doubtful):
                self._do(_("Learning"), lambda: self._learn(work))

    def keep(self, use: bool) -> None:
        """Keep what was learned, and read with it from now on if ``use``. Raises PackError."""
        with self._mutex:
            work = self._at_work()
            if work.learned is None:
                raise NotNow(_("The pack is not learned yet."))
            self._shelf.save(work.learned.pack, work.enrolment.about(work.learned))
            name, self._work = work.enrolment.name, None
            self._watch.hold(0.0)
        if use:
            self.use(name)

    def leave(self) -> None:
        """Forget the pack in the making."""
        with self._mutex:
            self._work, self._trouble = None, ""
            self._watch.hold(0.0)

    def use(self, name: str) -> None:
        """Read with this pack from now on, ``any`` for none of one's own. Raises PackError."""
        with self._mutex:
            self._must_be_idle()
            self._shelf.use(name)
            self._do(_("Changing the pack"), lambda: self._read_with(name))

    def crop(self, number: int) -> bytes | None:
        """A card as it was seen, as a JPEG."""
        with self._mutex:
            work = self._work
            if work is None or not 0 <= number < len(work.enrolment.seen):
                return None
            seen = work.enrolment.seen[number]
            image = work.images[seen.picture]
        quad = np.asarray(seen.place.quad, np.float64)
        low, high = quad.min(axis=0), quad.max(axis=0)
        margin = _MARGIN * (high - low)
        left, top = np.maximum(low - margin, 0).astype(int)
        right, bottom = np.minimum(high + margin, (image.shape[1], image.shape[0])).astype(int)
        done, data = cv2.imencode(".jpg", image[top:bottom, left:right], [cv2.IMWRITE_JPEG_QUALITY, 85])
        return data.tobytes() if done else None

    # In the thread

    def _do(self, what: str, work: Callable[[], None]) -> None:
        self._must_be_idle()
        self._busy, self._trouble = what, ""
        threading.Thread(target=self._done, args=(work,), name="pack", daemon=True).start()

    def _done(self, work: Callable[[], None]) -> None:
        trouble: str = ""
        try:
            work()
        except ValueError as error:  # too few cards, a pack that can't be read: one line each
            trouble = words_of(error)
        except Exception:
            log.exception("Learning a pack failed")
            trouble = tell("this failed; it is written to the log: try again with other pictures")
        with self._mutex:
            self._busy, self._trouble = "", trouble

    def _prepare(self, name: str) -> None:
        networks = self._networks or self._load()
        with self._mutex:
            self._networks = networks
            self._work = _Work(Enrolment(name, networks), [])

    def _look(self, work: _Work, image: Image) -> None:
        seen = work.enrolment.look(f"picture {len(work.images) + 1}", image)
        with self._mutex:
            work.learned = None
            if seen:
                work.images.append(image)
            else:
                work.enrolment.forget_last()
        if not seen:
            raise NotNow(NO_CARD)

    def _learn(self, work: _Work) -> None:
        learned = work.enrolment.learn()
        with self._mutex:
            work.learned = learned

    def _read_with(self, name: str) -> None:
        networks = self._load()
        pack = None if name == ANY else self._shelf.load(name, networks.namers)
        self._watch.read_with(networks.knowing(pack))

    # What the page shows

    def _at_work(self) -> _Work:
        self._must_be_idle()
        if self._work is None:
            raise NotNow(_("No pack is being learned: begin one."))
        self._watch.hold(HOLD_S)
        return self._work

    def _must_be_idle(self) -> None:
        if self._busy:
            raise NotNow(_("One moment: the last step is not done yet."))

    def _about(self, name: str) -> dict[str, Any]:
        try:
            about = self._shelf.about(name)
        except PackError as error:
            return {"name": name, "text": again(words_of(error)), "good": False}
        text = _(
            "{cards} cards; of {known} read at sight {before} were right before and {after} are now.",
            cards=about.cards,
            known=about.known,
            before=about.before,
            after=about.after,
        )
        return {"name": name, "text": text, "good": True}

    def _making(self, work: _Work) -> dict[str, Any]:
        enrolment, learned = work.enrolment, work.learned
        shown = enrolment.shown()
        counts = [len(enrolment.in_picture(picture)) for picture in range(len(enrolment.files))]
        doubtful = () if learned is None else learned.doubtful
        guesses = () if learned is None else learned.guesses
        return {
            "name": enrolment.name,
            "pictures": counts,
            "shown": len(shown) if learned is None else len(learned.learned),
            "missing": [str(card) for card in PACK if card not in (shown if learned is None else learned.learned)],
            "learned": None if learned is None else self._figures(learned),
            "doubtful": [
                {"number": number, "guesses": [str(card) for card in guesses[number]]}
                for number in doubtful
                if number not in enrolment.told
            ],
        }

    def _figures(self, learned: Learned) -> dict[str, Any]:
        text = _n(
            "Read right at sight, without having learned from itself: {before} of {n} card before, {after} now.",
            "Read right at sight, each without having learned from itself: {before} of {n} cards before, {after} now.",
            learned.known,
            before=learned.before,
            after=learned.after,
        )
        return {"known": learned.known, "before": learned.before, "after": learned.after, "text": text}
