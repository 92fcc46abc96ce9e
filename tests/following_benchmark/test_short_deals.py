"""The beginnings of some deals, filmed and followed by the program as it is: all right, and no help needed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.following_benchmark.deals import Deal
from tests.following_benchmark.endurance import endure
from tests.following_benchmark.filmed import filmed
from tests.following_benchmark.followed import follow, memory_of
from tests.following_benchmark.shown import show
from tests.following_benchmark.verdict import judge

SHORT = (
    Deal("lld", 24, 3, "easy", None, most=2),
    Deal("rst", 0, 4, "easy", None, layout=False, most=5),
    Deal("sbr", 0, 2, "easy", None, most=3),
)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("work")


@pytest.mark.parametrize("deal", SHORT, ids=lambda deal: deal.name)
def test_the_beginning_of_a_deal_is_followed_rightly(deal: Deal, work: Path) -> None:
    film = filmed(deal, work)
    verdict = judge(deal, film, follow(deal, film))
    assert (verdict.right, verdict.actions) == (deal.most, deal.most), verdict.first
    assert (verdict.outcome, verdict.nearly) == ("broken-off", True)
    assert (verdict.questions, verdict.desyncs, verdict.undone) == (0, 0, 0)
    assert (verdict.missed, verdict.alarms) == ((), ())


def test_a_moment_of_a_deal_is_shown(work: Path) -> None:
    film = filmed(SHORT[0], work)
    told = show(SHORT[0], film, film.done[0].t, work / "shown")
    assert any(str(film.done[0].action.verb) in line for line in told)
    assert len(list((work / "shown").glob("*.png"))) > 10


def test_a_video_can_be_followed_again_and_again_with_what_was_read_in_it(work: Path) -> None:
    film = filmed(SHORT[0], work)
    first = follow(SHORT[0], film)
    assert memory_of(film).is_file()
    assert follow(SHORT[0], film).committed == first.committed
    told = list(endure(SHORT[0], film, fresh=False, seconds=1.2 * first.frames[-1][0]))
    assert [(t, settled) for t, _, settled in told] == [(0.0, 0)]
    assert told[0][1] > 1e6
