"""``make bench-following``: films the deals that aren't filmed yet, follows them and prints the table of figures.

Everything is kept below ``--work`` (videos, and what was read in them), so that a second run only follows; it takes up
where it was broken off. ``--fresh`` reads everything anew, which is how speed and memory are measured.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.following_benchmark.deals import MEASURED_ON, TUNED_ON, Deal, all_deals
from tests.following_benchmark.endurance import endure
from tests.following_benchmark.filmed import default_folder, filmed
from tests.following_benchmark.followed import follow
from tests.following_benchmark.measuring import verdicts
from tests.following_benchmark.shown import show
from tests.following_benchmark.table import deal_lines, figures, kinds, wrong_unwarned
from tests.following_benchmark.verdict import Verdict, judge


def chosen_deals(season: int, only: str, number: int | None) -> list[Deal]:
    """The season's deals whose names begin with ``only``; ``number`` of them, spread over games and difficulties."""
    deals = [deal for deal in all_deals(season) if deal.name.startswith(only)]
    if not deals:
        sys.exit(f"no deal's name begins with '{only}': they are called {all_deals(season)[0].name} and so on")
    if number is None or number >= len(deals):
        return deals
    return [deals[place * len(deals) // number] for place in range(number)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print, or show one deal's first mistake."""
    parser = argparse.ArgumentParser(prog="bench-following", description="How well real games are followed.")
    parser.add_argument("--only", default="", metavar="BEGINNING", help="deals whose names begin so, as lld-hard")
    parser.add_argument("--season", type=int, default=MEASURED_ON, metavar="N", help="other deals, packs and tables")
    parser.add_argument("--deals", type=int, metavar="N", help="so many of them, spread evenly")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes, each with one thread")
    parser.add_argument("--fresh", action="store_true", help="read everything anew: for speed and memory")
    parser.add_argument("--work", type=Path, default=default_folder(), metavar="DIR", help="where the videos lie")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the result file (JSON); else in the work folder")
    parser.add_argument("--show", metavar="DEAL", help="write the frames around a deal's first mistake as pictures")
    parser.add_argument("--at", type=float, metavar="SECONDS", help="with --show: around this moment instead")
    parser.add_argument("--hour", action="store_true", help="one deal again and again for an hour: memory")
    chosen = parser.parse_args(arguments)
    if chosen.hour:
        _endure(chosen_deals(chosen.season, chosen.only, 1)[0], chosen.work, chosen.fresh)
        return
    if chosen.show:
        _show(chosen.show, chosen.work, chosen.at)
        return
    found: list[Verdict] = []
    stopped = 0
    for deal, verdict in verdicts(
        chosen_deals(chosen.season, chosen.only, chosen.deals), chosen.work, jobs=chosen.jobs, fresh=chosen.fresh
    ):
        if isinstance(verdict, str):
            stopped += 1
            print(f"{deal.name:<18} STOPPED: {verdict}", flush=True)
            continue
        print("\n".join(deal_lines([verdict])), flush=True)
        found.append(verdict)
    if not found:
        sys.exit("no deal was followed")
    found.sort(key=lambda one: one.name)
    print(f"\n{'what went wrong first':<24}", *kinds(found), "", *figures(found), sep="\n")
    for name in wrong_unwarned(found):
        print(f"SETTLED WRONGLY WITHOUT A WARNING: {name}")
    out = chosen.out or chosen.work / "result.json"
    out.write_text(json.dumps([one.as_json() for one in found], indent=1) + "\n", "utf-8")
    print(f"\nresults: {out}")
    if stopped:
        sys.exit(f"{stopped} deals were stopped by an error: the figures are those of the others")


def _endure(deal: Deal, work: Path, fresh: bool) -> None:
    print(f"{deal.name}, again and again\nminutes  MB     deals settled")
    for t, memory, settled in endure(deal, filmed(deal, work), fresh=fresh):
        print(f"{t / 60:7.0f}  {memory / 1e6:5.0f}  {settled:3}", flush=True)


def _show(name: str, work: Path, at: float | None) -> None:
    season = int(name.rpartition("-")[2][:-2] or TUNED_ON) if name[-3:].isdigit() else TUNED_ON
    deal = next((deal for deal in all_deals(season) if deal.name == name), None)
    if deal is None:
        sys.exit(f"there is no deal '{name}'")
    film = filmed(deal, work)
    around = at
    if around is None:
        verdict = judge(deal, film, follow(deal, film))
        print("\n".join(deal_lines([verdict])))
        around = verdict.first_t
    if around is None:
        sys.exit(f"{name}: nothing went wrong at a certain moment; name one with --at")
    folder = work / name / "shown"
    for line in show(deal, film, around, folder):
        print(line)
    print(f"pictures: {folder}")


if __name__ == "__main__":
    main()
