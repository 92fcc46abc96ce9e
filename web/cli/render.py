"""``mournival render``: plays a deal record on the virtual table."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assistant.games.game import GameError
from assistant.record import Record, Replay, decode_record, parse_record, replay
from web.cli import Unusable, Wrong, tell
from web.cli.finite_range import FiniteRange

if TYPE_CHECKING:
    from vision.render.film import Frame, Script, Style
    from vision.render.packs import Pack

GROUNDS = (
    "felt-green", "felt-blue", "felt-wine", "linen", "oak", "walnut",
    "plaid", "painted", "stone", "oilcloth",
)  # fmt: skip
LARGEST_RECORD = 1_000_000


@click.command(short_help="Play a record on the virtual table, as a video.")
@click.argument("record")
@click.option("--out", required=True, metavar="VIDEO", help="The video to write (.mp4); layout and truth go beside it.")
@click.option("--size", default="1920x1080", show_default=True, help="Width x height in pixels, both even.")
@click.option("--fps", type=click.IntRange(2, 60), default=10, show_default=True, help="Frames a second.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Another seed, another table.")
@click.option("--ground", type=click.Choice(GROUNDS), default="felt-green", show_default=True)
@click.option("--pack", "folder", metavar="FOLDER", help="A folder with 52 card pictures; without it the house pack.")
@click.option("--tilt", type=FiniteRange(0, 45), default=20.0, show_default=True, help="The camera's, in degrees.")
@click.option("--still", type=FiniteRange(0.2, 30), default=1.6, show_default=True, help="Seconds between turns.")
@click.option("--noise", type=FiniteRange(0, 20), default=1.5, show_default=True, help="The sensor's, of 255.")
@click.option("--quality", type=click.IntRange(10, 40), default=27, show_default=True, help="H.264 CRF; less is more.")
@click.option(
    "--habit",
    "habits",
    multiple=True,
    metavar="NAME[=VALUE]",
    help="squared, heap; shift, lift, rest, quick, overlap, take-back, straighten, two-step, at-once, drops, exposure: "
    "0..1; thing=cup|phone; bumps, lamps.",
)
def render(
    record: str,
    out: str,
    size: str,
    fps: int,
    seed: int,
    ground: str,
    folder: str | None,
    tilt: float,
    still: float,
    noise: float,
    quality: int,
    habits: tuple[str, ...],
) -> None:
    """Play a record on the virtual table: a video with its layout and ground truth.

    RECORD is a .deal file, or - for standard input. Beside VIDEO lie NAME.layout.json (the zones, for watch),
    NAME.truth.jsonl (where every card is, what was done when) and NAME.deal (the record). The same record, seed and
    options give the same pictures.
    """
    text, played = _read(record)
    video = Path(out)
    if video.suffix.lower() not in (".mp4", ".mkv", ".mov"):
        raise Unusable(f"{out}: name a video that ends in .mp4")
    from vision.render.camera import Camera
    from vision.render.film import Style
    from vision.render.gesture import Pace
    from vision.render.habits import Habits, UnknownHabit
    from vision.render.stage import Lighting

    width, height = _size(size)
    try:
        wanted = Habits.parse(list(habits))
    except UnknownHabit as error:
        raise Unusable(str(error)) from None
    style = Style(
        camera=Camera(width, height, tilt=tilt).holding_all(),
        ground=ground,
        lighting=Lighting(noise=noise),
        pace=Pace(still=still),
        fps=fps,
        habits=wanted,
        seed=seed,
    )
    script, pack = _script(played.record), _pack(folder)
    _write(script, style, pack, video, quality)
    _keep_record(text, video)


def _read(record: str) -> tuple[str, Replay]:
    """The record's text and its replay. Raises Unusable and Wrong."""
    try:
        if record == "-":
            data = sys.stdin.buffer.read(LARGEST_RECORD + 1)
        else:
            with open(record, "rb") as file:
                data = file.read(LARGEST_RECORD + 1)
    except OSError as error:
        raise Unusable(f"{record}: can't be read: {error.strerror}") from None
    if len(data) > LARGEST_RECORD:
        raise Unusable(f"{record}: larger than {LARGEST_RECORD} bytes: that is no deal record")
    try:
        text = decode_record(data)
        played = replay(parse_record(text))
    except GameError as error:
        raise Unusable(f"{record}: {error.reason}") from None
    if played.failed is not None and played.error is not None:
        line, action = played.line_of(played.failed), played.record.actions[played.failed]
        raise Wrong(f"{record}, line {line}: '{action}': {played.error.reason}")
    return text, played


def _script(record: Record) -> Script:
    from vision.render.gesture import ImpossibleStep
    from web.deal_script import script_of

    try:
        return script_of(record)
    except ImpossibleStep as error:
        raise Unusable(str(error)) from None


def _pack(folder: str | None) -> Pack:
    from vision.render.packs import InvalidPack, house_pack, load_pack

    try:
        return house_pack() if folder is None else load_pack(Path(folder))
    except (InvalidPack, OSError) as error:
        raise Unusable(f"{error}; give another with --pack FOLDER") from None


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,9})[xX]([0-9]{1,9})", text)
    if found is None:
        raise Unusable(f"--size is WIDTHxHEIGHT, such as 1280x720, not '{text}'")
    sizes = int(found[1]), int(found[2])
    if any(side % 2 or not 160 <= side <= 4320 for side in sizes):
        raise Unusable(f"--size {text}: width and height must be even, from 160 to 4320")
    return sizes


def _write(script: Script, style: Style, pack: Pack, video: Path, quality: int) -> None:
    from vision.render.film import film, scene_of
    from vision.render.gesture import ImpossibleStep
    from vision.render.video import VideoNotWritten, beside, write_layout, write_video

    def told(frame: Frame) -> None:
        for done in frame.done:
            tell(f"{done.t:6.1f} s  {done.words}")

    try:
        frames = film(script, pack.faces, style, pack.back)
        layout = write_layout(video, scene_of(script).layout(style.camera))
        written = write_video(frames, video, fps=style.fps, crf=quality, on_frame=told)
    except ImpossibleStep as error:
        raise Unusable(str(error)) from None
    except VideoNotWritten as error:
        raise Unusable(str(error)) from None
    length = f"{written.frames} frames, {written.seconds:.0f} s"
    record = beside(video, ".deal")
    click.echo(f"{written.video}: {length}; beside it {layout.name}, {written.truth.name} and {record.name}")


def _keep_record(text: str, video: Path) -> None:
    """The record lies beside its video; a file that holds the same already is left alone."""
    from vision.render.video import beside

    path = beside(video, ".deal")
    try:
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise Unusable(f"{path} can't be written: {error.strerror}") from None
