"""What a hand that is laid down gives away when more than one thing was missed in a rank."""

from __future__ import annotations

import pytest

from assistant.games.laugh_and_lie_down import LaughPosition
from assistant.record import parse_record, replay
from tests.assistant.laugh_deals import at
from tests.assistant.test_laugh_and_lie_down import claims, do, pile, refusal

LAID_WITH_THE_FOURTH_OPEN = """game: laugh-and-lie-down
players: 3
dealer: 1
options: deal_table=4/20, missed_mate=noticer_takes_pair
table: AS AD AC 2D 2C 3H 3D 3C 4S 4H 4D 4C 5S 5H 5D 5C 6S 6H 6D 6C 7S 7H 7D 7C 8S 8H 8D 9C TS TH TD TC JS JH JD JC \
QS QH QD QC
hand 2: 9S 9H 9D KS
2 lie-down 9S 9H 9D KS
"""


def shown_pair_royal() -> LaughPosition:
    position = replay(parse_record(LAID_WITH_THE_FOURTH_OPEN)).position
    assert isinstance(position, LaughPosition)
    return position


def test_lld_9b_and_l11_a_pair_royal_shown_beside_its_fourth_gives_away_the_mate_and_the_lay() -> None:
    position = shown_pair_royal()
    nines = [claim for claim in claims(position) if "9" in claim[2]]
    assert nines == [("missed-mate", 2, "9S 9C", (3, 1)), ("C3", 2, "9H 9D", (3, 1))]
    position = do(position, "3 claim 9C 9S", "1 claim 9H 9D")
    assert (pile(position, 3), pile(position, 1)) == ("9C 9S", "9H 9D")
    nines_made = [(fault.code, fault.claimed_by) for fault in position.faults() if fault.seat == 2]
    assert nines_made == [("missed-mate", 3), ("C3", 1)]
    assert refusal(position, "3 claim 9C 9S").code == "nothing-to-claim"


@pytest.mark.parametrize(("called", "left"), [("9H 9D", "9S 9C"), ("9S 9H", "9D 9C"), ("9? 9?", "9? 9?")])
def test_l11_the_older_mistake_is_called_first_whichever_two_of_the_four_are_named(called: str, left: str) -> None:
    first = do(shown_pair_royal(), f"1 claim {called}")
    assert [claim for claim in claims(first) if "9" in claim[2]] == [("C3", 2, left, (3, 1))]
    both = do(first, f"3 claim {left}")
    assert pile(both, 3) == left
    assert [claim for claim in claims(both) if "9" in claim[2]] == []


def test_l11_two_in_hand_beside_the_others_of_the_rank_give_away_one_mate() -> None:
    for table in ("KS", "KS KD"):
        cards = (table, {2: "KH KC", 3: "3S", 4: "4S"})
        position = do(at(*cards, options={"missed_mate": "noticer_takes_pair"}), "2 lie-down KH KC")
        assert [claim[0] for claim in claims(position)] == ["missed-mate"]
