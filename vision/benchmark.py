"""Measures recognition, its time, its memory and what it finds: ``python -m vision.benchmark [FOLDER...]``.

Without a folder: side by side for the product and for two usual ways to do it, the time for rendered pictures of 20 and
of 52 cards, the memory, the size, and what is found on rendered tables and on the photographs beside the checkout.

The two are kept with the tests (``tests/baselines``) and are left out where the tests aren't, as in an installed wheel.

With folders (see ``vision.scoring``): what the product finds there; ``--errors`` names each picture that isn't right in
full.
"""

from __future__ import annotations

import importlib
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

import models
from assistant.cards import PACK
from vision.image_intake import PictureError
from vision.onnx_recogniser import FILES, OnnxRecogniser
from vision.recogniser import Image, ModelsMissing, Recogniser
from vision.scoring import LabelsError, Score, measure, measure_pictures

PHOTOGRAPHS: Final = Path("../shared/photos")
"""Where the photographs lie beside a checkout; they are not part of the project."""
SETS: Final = ("val", "crops")
"""Those of them that nothing was learned from."""
_LABEL, _COLUMN = 40, 24


@dataclass(frozen=True, slots=True)
class Contender:
    """One way to recognise cards: its name, how it is loaded, and the files that it needs besides code."""

    name: str
    load: Callable[[], Recogniser]
    networks: tuple[Path, ...] = ()


def contenders() -> list[Contender]:
    """The product first, then the baselines that are here."""
    found = [Contender("product", OnnxRecogniser.load, tuple(models.FOLDER / name for name in FILES))]
    try:
        templates = importlib.import_module("tests.baselines.contours_and_templates")
        single = importlib.import_module("tests.baselines.single_stage")
    except ModuleNotFoundError:
        return found
    found.append(Contender("contours, templates", templates.TemplateRecogniser))
    if single.NETWORK.is_file():
        found.append(Contender("one stage, 52 classes", single.SingleStageRecogniser.load, (single.NETWORK,)))
    return found


def tell_all(times: int = 30, pictures: int = 8) -> None:
    """Print the whole table, row by row as it is measured; ``pictures``: of each kind of rendered table."""
    ways = contenders()
    recognisers = [way.load() for way in ways]
    _row("", [way.name for way in ways])
    for count, height, width, columns in ((20, 720, 1280, 7), (52, 1080, 1920, 13)):
        picture = _laid_out(count, height, width, columns)
        medians = [_time(recogniser, picture, times) for recogniser in recognisers]
        _row(f"{width}x{height}, {count} cards: ms (p95)", [f"{median:.0f} ({slow:.0f})" for median, slow in medians])
    _row("peak memory, MB", [_megabytes(peak_memory(number)) for number in range(len(ways))])
    _row("networks, MB", [_megabytes(sum(path.stat().st_size for path in way.networks)) for way in ways])
    print()
    _row("recall / precision / exact", [way.name for way in ways])
    for name, scores in _found(recognisers, pictures):
        label = f"{name}: {scores[0].photos} pictures, {scores[0].cards} cards"
        _row(label, [_three(score) for score in scores])
    if not PHOTOGRAPHS.is_dir():
        print(f"no photographs in {PHOTOGRAPHS}")


def _found(recognisers: Sequence[Recogniser], count: int) -> Iterator[tuple[str, list[Score]]]:
    from vision.benchmark_pictures import LAYOUTS, rendered

    for kind in LAYOUTS:
        pictures = list(rendered(kind, count))
        yield kind, [measure_pictures(recogniser, pictures) for recogniser in recognisers]
    for labels in sorted(path for part in SETS for path in (PHOTOGRAPHS / part).glob("*/labels.jsonl")):
        name = f"{labels.parent.parent.name}/{labels.parent.name}"
        yield name, [measure(recogniser, labels.parent) for recogniser in recognisers]


def _laid_out(count: int, height: int, width: int, columns: int) -> Image:
    from vision.render.packs import house_pack
    from vision.render.spread import rows

    return rows(house_pack(), PACK[:count], height, width, columns)


def _time(recogniser: Recogniser, picture: Image, times: int) -> tuple[float, float]:
    """Median and 95th percentile of ``times`` recognitions of a decoded picture, in ms, after one to warm up."""
    recogniser.recognise(picture)
    ms = sorted(recogniser.recognise(picture).ms for _ in range(times))
    return statistics.median(ms), ms[min(len(ms) - 1, int(len(ms) * 0.95))]


def peak_memory(number: int) -> int | None:
    """The most memory, in bytes, that a fresh process holds that loads a contender and recognises 52 cards once."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table.png"
        cv2.imwrite(str(file), _laid_out(52, 1080, 1920, 13))
        command = [sys.executable, "-m", "vision.benchmark", "--memory", str(number), str(file)]
        answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    return int(answer) if answer else None


def _own_peak() -> int | None:
    """The most memory that this process has held, in bytes; None where the system doesn't say."""
    status = Path("/proc/self/status")
    if status.is_file():
        line = next(line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    if sys.platform == "darwin":
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return None


def _row(label: str, cells: Sequence[str]) -> None:
    print(f"{label:{_LABEL}}" + "".join(f"{cell:>{_COLUMN}}" for cell in cells), flush=True)


def _megabytes(size: int | None) -> str:
    return "-" if size is None else f"{size / 1e6:.1f}"


def _three(score: Score) -> str:
    return f"{score.recall:.3f} / {score.precision:.3f} / {score.exact / max(score.photos, 1):.3f}"


def main(arguments: list[str]) -> int:
    """Measure the product on the folders named, one line each, or all that can be measured, side by side."""
    if arguments[:1] == ["--memory"]:
        contenders()[int(arguments[1])].load().recognise(np.asarray(cv2.imread(arguments[2]), np.uint8))
        print(_own_peak() or "")
        return 0
    errors = "--errors" in arguments
    folders = [Path(name) for name in arguments if name != "--errors"]
    try:
        if folders:
            tell_folders(folders, print if errors else lambda _: None)
        else:
            tell_all()
    except (ModelsMissing, LabelsError, PictureError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def tell_folders(folders: Sequence[Path], tell: Callable[[str], None]) -> None:
    """Print what the product finds in each folder."""
    recogniser = OnnxRecogniser.load()
    print(f"{'folder':24}{'photos':>8}{'cards':>8}{'recall':>9}{'precision':>11}{'exact':>8}{'ms':>8}")
    for folder in folders:
        score = measure(recogniser, folder, tell)
        median = statistics.median(score.ms) if score.ms else 0.0
        print(
            f"{folder.name:24}{score.photos:>8}{score.cards:>8}{score.recall:>9.3f}{score.precision:>11.3f}"
            f"{score.exact / max(score.photos, 1):>8.3f}{median:>8.0f}",
            flush=True,
        )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
