"""Hints for the seats' pages, worked out in a thread of their own: no page waits long for them."""

from __future__ import annotations

import logging
import threading
import traceback
from collections.abc import Set
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as StillBusy
from typing import Final, NamedTuple

import numpy as np

from assistant.games.game import GameError, InvalidInput, Position
from assistant.hints import SAMPLES, hints_for
from assistant.hints.hint import Hint
from assistant.told import tell
from web.own_hands import MOST, Asker

log = logging.getLogger("mournival")

SEED: Final = 0
"""One and the same, so that a hint does not change while nothing happens."""


class _Wanted(NamedTuple):
    position: Position
    hints: Future[tuple[Hint, ...]]


class SeatHints:
    """Works hints out one after the other; the newest wish of an asker takes the place of his older one."""

    def __init__(self, samples: int = SAMPLES) -> None:
        self._samples = samples
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="hints")
        self._wanted: dict[Asker, _Wanted] = {}
        self._mutex = threading.Lock()

    def ask(self, asker: Asker, position: Position, patience: float) -> tuple[Hint, ...] | None:
        """The hints for the asker's seat in a position; None if they are not there within ``patience`` seconds: ask
        again then. Raises InvalidInput where there are none."""
        with self._mutex:
            wanted = self._wanted.get(asker)
            if wanted is None or wanted.position != position:
                if wanted is not None:
                    wanted.hints.cancel()
                future = self._worker.submit(self._work, position, asker.seat)
                wanted = self._wanted[asker] = _Wanted(position, future)
                while len(self._wanted) > MOST:
                    self._wanted.pop(next(iter(self._wanted))).hints.cancel()
        try:
            return wanted.hints.result(patience)
        except (StillBusy, CancelledError):  # cancelled: the deal went on while somebody waited
            return None

    def keep(self, askers: Set[Asker]) -> None:
        """Forget what all others asked, and the hands in it."""
        with self._mutex:
            for asker in self._wanted.keys() - askers:
                self._wanted.pop(asker).hints.cancel()

    def _work(self, position: Position, seat: int) -> tuple[Hint, ...]:
        try:
            return hints_for(position, seat, np.random.default_rng(SEED), self._samples)
        except GameError:
            raise
        except Exception as error:
            log.error("Hints failed: %s", without_cards(error))
            raise InvalidInput(
                "hints-failed", tell("there are no hints here: what failed is written to the log")
            ) from None


def without_cards(error: BaseException) -> str:
    """Where an error arose, for the log: not its text, which may name the cards of a hand."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" in {frames[-1].filename}, line {frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"
