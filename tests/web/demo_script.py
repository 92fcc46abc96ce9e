"""The demo table without the networks: a recogniser that reads the recording's own truth instead of its pixels."""

from __future__ import annotations

import bisect
import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from assistant.cards import Card
from vision.file_sources import VideoSource
from vision.frames import Frame, OpenCloseSource
from vision.recogniser import Image, Reading, Recognition
from web.cli.run import DEMO

VISIBLE = 0.07


class Script:
    """What lies in the picture at each time, as the renderer wrote it down.

    ``misread`` changes the names of cards as a bad recogniser would.
    """

    def __init__(self, path: Path = DEMO / "table.truth.jsonl", misread: dict[str, str] | None = None) -> None:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        changes = [line for line in lines if line["event"] == "cards"]
        self._times = [line["t"] for line in changes]
        self._scenes: list[list[dict[str, Any]]] = []
        lying: dict[str, dict[str, Any]] = {}
        for change in changes:
            lying = lying | {card["card"]: card for card in change["cards"]}
            lying = {name: card for name, card in lying.items() if name not in change.get("gone", ())}
            self._scenes.append(list(lying.values()))
        self._misread = misread or {}
        self.now = 0.0

    def recognise(self, image: Image, *, one_pack: bool = True) -> Recognition:
        """The cards of the frame that the source gave last."""
        scene = self._scenes[max(0, bisect.bisect_right(self._times, self.now + 1e-6) - 1)]
        readings = [
            Reading(
                Card.parse(self._misread.get(card["card"], card["card"])),
                0.97,
                np.array(card["quad"], dtype=np.float32),
                card["visible"],
            )
            for card in scene
            if card["visible"] >= VISIBLE
        ]
        return Recognition(tuple(readings), 1.0)


class TimedSource(OpenCloseSource):
    """A video that tells the script where it is. ``after`` may hold each frame back, to stop at a certain time; of
    ``every`` so many frames one is given, as a slow camera does."""

    def __init__(
        self,
        script: Script,
        path: Path = DEMO / "table.mp4",
        after: Callable[[float], None] | None = None,
        every: int = 1,
    ):
        super().__init__("Demo table")
        self._video = VideoSource(path)
        self._script = script
        self._after = after
        self._every = every

    def open(self) -> None:
        self._video.open()

    def close(self) -> None:
        self._video.close()

    def __iter__(self) -> Iterator[Frame]:
        for frame in itertools.islice(self._video, 0, None, self._every):
            if self._after is not None:
                self._after(frame.t)
            self._script.now = frame.t
            yield frame
