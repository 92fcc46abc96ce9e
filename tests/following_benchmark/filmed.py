"""The deals as videos on disk: each in a folder of its own, filmed once and kept until something else is asked for."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import platformdirs

from assistant.games.game import Action
from tests.following_benchmark.deals import Deal, played
from vision.render.drawn_pack import draw_pack
from vision.render.film import Style, film, scene_of
from vision.render.ground import UNSEEN_GROUNDS
from vision.render.packs import Pack
from vision.render.styles import random_style
from vision.render.video import beside, write_layout, write_video
from web.deal_script import script_of

CRF: Final = 26


@dataclass(frozen=True, slots=True)
class Filmed:
    """A deal's video, the layout beside it, and what was done when its hand left the picture, in the order of time."""

    video: Path
    layout: Path
    done: tuple[Done, ...]


@dataclass(frozen=True, slots=True)
class Done:
    """An action of the truth. ``index``: its number in the record; ``begin`` and ``t``: its hand came and left."""

    index: int
    action: Action
    begin: float
    t: float


def default_folder() -> Path:
    """Where the videos lie unless another folder is named: in the user's cache."""
    return Path(platformdirs.user_cache_dir("mournival", appauthor=False)) / "following-benchmark"


def filmed(deal: Deal, work: Path) -> Filmed:
    """The deal's video below ``work``, filmed now if it isn't there or something else was asked for."""
    folder = work / deal.name
    folder.mkdir(parents=True, exist_ok=True)
    video, stamp = folder / f"{deal.name}.mp4", folder / "asked.txt"
    style, pack = _style(deal), _pack(deal)
    asked = "\n".join((played(deal).record.text(), *map(str, played(deal).misplays), str(style), pack.name))
    if not (stamp.is_file() and stamp.read_text("utf-8") == asked):
        stamp.unlink(missing_ok=True)
        _film(deal, style, pack, video)
        stamp.write_text(asked, "utf-8")
    return Filmed(video, beside(video, ".layout.json"), _done(beside(video, ".truth.jsonl")))


def _film(deal: Deal, style: Style, pack: Pack, video: Path) -> None:
    record, misplays = played(deal).record, played(deal).misplays
    script = script_of(record, misplays)
    partial = video.with_name(f"{video.stem}.part{video.suffix}")
    write_video(film(script, pack.faces, style, pack.back), partial, fps=style.fps, crf=CRF)
    os.replace(beside(partial, ".truth.jsonl"), beside(video, ".truth.jsonl"))
    os.replace(partial, video)
    write_layout(video, scene_of(script).layout(style.camera))
    beside(video, ".deal").write_text(record.text(), "utf-8")


def _done(truth: Path) -> tuple[Done, ...]:
    lines: list[dict[str, Any]] = [json.loads(line) for line in truth.read_text("utf-8").splitlines()]
    return tuple(
        Done(line["index"], Action.parse(line["line"]), line["begin"], line["t"])
        for line in lines
        if line["event"] == "action"
    )


def _pack(deal: Deal) -> Pack:
    """A pack of the deal's own, with English letters unless it is hard."""
    return draw_pack(deal.seed, letters=None if deal.difficulty == "hard" else "english")


def _style(deal: Deal) -> Style:
    """A table of the deal's own, on a ground that nothing was learned from."""
    rng = np.random.default_rng([20, deal.seed])
    return replace(random_style(rng, deal.difficulty, UNSEEN_GROUNDS), fps=deal.fps)
