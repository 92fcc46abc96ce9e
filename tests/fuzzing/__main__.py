"""Damaged files against what reads them: ``python -m tests.fuzzing [--seconds S | --count N] TARGET...``.

The targets are ``record``, ``layout``, ``journal`` and ``images``; none named: all. Each runs in a process of its own,
so that a crash is seen and its memory is its own. Cases are numbered and the same for the same number: ``--first N
--count 1`` plays one again, ``--save FOLDER`` writes the cases that were wrong there.

Prints a JSON object a target: cases, what became of them, cases that were wrong, peak memory in MB. Exit status 1 if
one was wrong, crashed, took more than ``SLOW_S`` seconds, or needed more than ``MOST_MEGABYTES``.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import subprocess
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from tests.fuzzing.target import Target

MOST_MEGABYTES: Final = 300
SLOW_S: Final = 60.0
TOLD: Final = 5
"""Wrong cases whose tracebacks are printed."""


def _record() -> Target:
    from tests.fuzzing.records import Records

    return Records()


def _layout() -> Target:
    from tests.fuzzing.layouts import Layouts

    return Layouts()


def _journal() -> Target:
    from tests.fuzzing.journals import Journals

    return Journals()


def _images() -> Target:
    from tests.fuzzing.pictures import PictureFiles

    return PictureFiles()


TARGETS: Final[dict[str, Callable[[], Target]]] = {
    "record": _record,
    "layout": _layout,
    "journal": _journal,
    "images": _images,
}


def main() -> int:
    """Run the targets, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="TARGET", choices=[[], *TARGETS], default=[])
    parser.add_argument("--seconds", type=float, default=None, help="so long for each target; 60 if nothing is said")
    parser.add_argument("--count", type=int, default=None, help="so many cases of each target")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--save", type=Path, default=None, help="where the cases that were wrong are written")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    seconds = 60.0 if options.seconds is None and options.count is None else options.seconds or float("inf")
    if options.here:
        return _here(options.targets[0], options.first, options.count, seconds, options.save)
    right = [_apart(name, options, seconds) for name in options.targets or TARGETS]
    return 0 if all(right) else 1


def _apart(name: str, options: Any, seconds: float) -> bool:
    """Run a target in a process of its own; whether all was well."""
    command = [sys.executable, "-m", "tests.fuzzing", name, "--here", "--first", str(options.first)]
    command += [] if options.count is None else ["--count", str(options.count)]
    command += [] if seconds == float("inf") else ["--seconds", str(seconds)]
    command += [] if options.save is None else ["--save", str(options.save)]
    done = subprocess.run(command, check=False, stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 1):
        print(f"{name}: the process ended with status {done.returncode}; the last case is above", file=sys.stderr)
    return done.returncode == 0


def _here(name: str, first: int, count: int | None, seconds: float, save: Path | None) -> int:
    faulthandler.enable()
    warnings.simplefilter("ignore")
    target, until = TARGETS[name](), time.monotonic() + seconds
    begun, before = time.monotonic(), _peak()
    counts: Counter[str] = Counter()
    wrong: list[int] = []
    number = first
    while (count is None or number < first + count) and time.monotonic() < until:
        kind, data = target.case(number)
        print(f"\r{name}: case {number} ({kind})   ", end="", file=sys.stderr, flush=True)
        faulthandler.dump_traceback_later(SLOW_S, exit=True)
        try:
            counts[target.outcome(data)] += 1
        except Exception:
            wrong.append(number)
            if len(wrong) <= TOLD:
                print(f"\n{traceback.format_exc()}", file=sys.stderr)
            if save is not None:
                save.mkdir(parents=True, exist_ok=True)
                (save / f"{name}-{number}").write_bytes(data)
        faulthandler.cancel_dump_traceback_later()
        number += 1
    print(file=sys.stderr)
    peak = _peak()
    told = {
        "target": name,
        "cases": number - first,
        **counts,
        "wrong": wrong[:50],
        "seconds": round(time.monotonic() - begun, 1),
        "megabytes_at_first": before,
        "peak_megabytes": peak,
    }
    print(json.dumps(told), flush=True)
    return 1 if wrong or peak > MOST_MEGABYTES else 0


def _peak() -> int:
    """The most memory that this process has needed so far, in MB; 0 where the system doesn't say."""
    if sys.platform == "win32":
        return 0
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(most / (1024 * 1024 if sys.platform == "darwin" else 1024))


if __name__ == "__main__":
    sys.exit(main())
