"""Tables in the phases that the page knows, each in a few lines: for the checks and pictures of how it looks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from assistant import session as deciding
from assistant.games.game import Action
from assistant.record import parse_record
from assistant.session_events import ActionTaken, Asked, MisplayNoticed, TableDisagrees
from tests.web.served import Served

STONE: Final = """\
game: rolling-stone
players: 4
dealer: 1
names: Agnes, Bertram, Cecily, Dorothy
hand 1: 8S AS 9D 9H 9C AH KH QH
hand 2: KS JD TD AC QC 7S QD 7D
hand 3: 7C JC 8H QS JH 9S TH AD
hand 4: KD 8D KC JS TS 8C 7H TC

2 play QC
3 play JC
4 play 8C
1 play 9C
2 play JD
3 play AD
4 play KD
"""
SBROS: Final = """\
game: sbros
players: 2
dealer: 1
names: Agnes, Bertram
table: JS 2H
hand 1: 5C 5S 9H KD 3C 7D
hand 2: TS QS 4H 6C 8D AC

2 reset TS
1 reset 5C
2 reset QS
"""


def _picture(table: Served) -> None:
    """A green cloth with three cards found on it: a sure one, a doubtful one and a covered one."""
    table.pictures.put(1, np.full((360, 640, 3), (60, 90, 40), np.uint8))

    def card(track: int, name: str, left: float, confidence: float, zone: str, *, covered: bool) -> dict[str, object]:
        quad = [[left, 0.4], [left + 0.1, 0.4], [left + 0.1, 0.6], [left, 0.6]]
        found = {"track": track, "card": name, "confidence": confidence, "zone": zone, "covered": covered}
        return found | {"quad": quad, "others": []}

    cards = [
        card(1, "TC", 0.3, 0.99, "table", covered=False),
        card(2, "JH", 0.5, 0.6, "table", covered=False),
        card(3, "4D", 0.7, 0.9, "pile 1", covered=True),
    ]
    polygon = [[0.65, 0.3], [0.9, 0.3], [0.9, 0.7], [0.65, 0.7]]
    zones = [{"zone": "pile 1", "seat": 1, "polygon": polygon}]
    view = {"frame": 1, "width": 640, "height": 360, "stillness": "still", "cards": cards, "zones": zones}
    table.board.post("view", view)
    table.board.post("eye", {"ok": True, "text": "Demo table"})


def waiting(table: Served) -> None:
    """Nothing is dealt yet."""
    _picture(table)


def playing(table: Served) -> None:
    """A mistake may be claimed, a question is open, and a rule was broken."""
    _picture(table)
    table.begin()
    table.play(0, 2)
    table.write(Asked(((Action.parse("3 mate TS TC"),), (Action.parse("3 mate JS JH"),))))
    table.write(MisplayNoticed("out-of-turn", "seat 1 acts, but it is seat 3's turn", "LLD-12", (1,), ("AC",)))


def disagreeing(table: Served) -> None:
    """The camera sees other cards than the game expects."""
    _picture(table)
    table.begin()
    table.play(0, 10)
    missing, unexpected = (("JH", "table"),), (("QC", "pile 2"),)
    table.write(TableDisagrees("The jack of hearts is not where it should be.", missing, unexpected, 1))


def settled(table: Served) -> None:
    """The pot is settled, and a mistake may still be claimed."""
    _picture(table)
    table.begin()
    table.play()


def second_deal(table: Served) -> None:
    """One deal is in the account, and the next is dealt."""
    settled(table)
    table.session.perform(deciding.next_deal)


def record(table: Served, text: str) -> None:
    """A deal of any game, from its record."""
    _picture(table)
    found = parse_record(text)
    table.write(*deciding.begin_session(replace(found.setup, table=(), hands={})))
    table.session.perform(lambda now: deciding.begin_deal(now, replace(found.setup, hands={})))
    for action in found.actions:
        table.write(ActionTaken(action))


PHASES: Final[dict[str, Callable[[Served], None]]] = {
    "waiting": waiting,
    "playing": playing,
    "disagreeing": disagreeing,
    "settled": settled,
    "second deal": second_deal,
    "rolling stone": lambda table: record(table, STONE),
    "sbros": lambda table: record(table, SBROS),
}
