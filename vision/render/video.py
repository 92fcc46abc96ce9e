"""Writes a film to disk: H.264 video, the table's layout and the ground truth beside it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av

from vision.render.film import CardTruth, Frame


class VideoNotWritten(OSError):
    """The video or a file beside it can't be written."""


@dataclass(frozen=True, slots=True)
class Written:
    """What was written: the video, the truth, and how long the video is (frames, seconds)."""

    video: Path
    truth: Path
    frames: int
    seconds: float


def beside(video: Path, ending: str) -> Path:
    """The file that lies beside a video: ``beside(Path("a/table.mp4"), ".layout.json")`` is ``a/table.layout.json``."""
    return video.with_name(video.stem + ending)


def write_layout(video: Path, layout: dict[str, Any]) -> Path:
    """Writes the layout beside the video. Raises VideoNotWritten."""
    path = beside(video, ".layout.json")
    try:
        path.write_text(json.dumps(layout, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise VideoNotWritten(_reason(path, error)) from None
    return path


def write_video(
    frames: Iterable[Frame], video: Path, *, fps: int, crf: int = 23, on_frame: Callable[[Frame], None] | None = None
) -> Written:
    """Encodes the frames (libx264, yuv420p) and writes ``NAME.truth.jsonl`` beside them.

    ``crf``: the quality, 18 (nearly without loss) to 30 (small). ``on_frame`` is called after each frame.
    Raises VideoNotWritten.
    """
    truth = beside(video, ".truth.jsonl")
    count, last = 0, 0.0
    try:
        with av.open(str(video), "w", options={"movflags": "+faststart"}) as container, truth.open("w") as lines:
            stream = container.add_stream("libx264", rate=fps)
            stream.pix_fmt = "yuv420p"
            stream.options = {"crf": str(crf), "preset": "veryfast", "g": str(fps * 10)}
            known: Frame | None = None
            for frame in frames:
                if count == 0:
                    stream.height, stream.width = frame.image.shape[:2]
                container.mux(stream.encode(av.VideoFrame.from_ndarray(frame.image, format="bgr24")))
                for line in truth_lines(frame, known):
                    lines.write(json.dumps(line, separators=(",", ":")) + "\n")
                known, count, last = frame, count + 1, frame.t
                if on_frame is not None:
                    on_frame(frame)
            container.mux(stream.encode())
    except (OSError, av.FFmpegError) as error:
        raise VideoNotWritten(_reason(video, error)) from None
    return Written(video, truth, count, last)


def truth_lines(frame: Frame, known: Frame | None) -> list[dict[str, Any]]:
    """The truth about a frame as JSON objects; of the cards only those that differ from ``known``, the frame before.

    ``{"t", "event": "cards", "hands": [seats], "cards": [{"card", "quad", "visible", "zone"}], "gone": [cards]}``
    (zone null: in a hand; ``"down": true``: its back is up; gone: no longer in the picture; what a line doesn't name is
    as it was; ``"stock"``: the number of its cards, where there is one). Once a hand has left,
    ``{"t", "event": "action", "line", "index", "begin"}``, or ``{"t", "event": "misplay", "line", "fault", "begin",
    "until"}``, or another event (see ``vision.render.film.Happening``).
    """
    lines: list[dict[str, Any]] = []
    if known is None or known.cards is not frame.cards or known.stock != frame.stock:
        before = {card.card: _as_object(card) for card in (known.cards if known else ())}
        now = {card.card: _as_object(card) for card in frame.cards}
        changed = [card for name, card in now.items() if card != before.get(name)]
        line = {"t": round(frame.t, 3), "event": "cards", "hands": list(frame.hands), "cards": changed}
        if gone := [str(name) for name in before if name not in now]:
            line["gone"] = gone
        if frame.stock or (known is not None and known.stock):
            line["stock"] = frame.stock
        lines.append(line)
    for done in frame.done:
        moment = {"t": round(done.t, 3), "begin": round(done.begin, 3)}
        if done.until is not None:
            told = {"event": "misplay", "line": done.words, "fault": done.misplay, "until": round(done.until, 3)}
            lines.append({**moment, **told})
        elif done.step is None:
            lines.append({**moment, "event": done.words})
        else:
            lines.append({**moment, "event": "action", "line": done.words, "index": done.step})
    return lines


def _as_object(card: CardTruth) -> dict[str, Any]:
    told = {
        "card": str(card.card),
        "quad": [[round(float(x), 1), round(float(y), 1)] for x, y in card.quad],
        "visible": round(card.visible, 2),
        "zone": None if card.zone is None else str(card.zone),
    }
    return {**told, "down": True} if card.down else told


def _reason(path: Path, error: Exception) -> str:
    text = getattr(error, "strerror", None) or str(error)
    return f"{path} can't be written: {text}; choose a writable folder and a name ending in .mp4"
