"""The eye as a whole: frames of a drawn table in, views out."""

from __future__ import annotations

import pytest

from assistant.cards import UNKNOWN, Card
from assistant.games.game import Setup
from assistant.view import TABLE, SeenCard, Stillness, Zone
from tests.scripted_play import cards
from tests.scripted_table import SIZE, ScriptedTable
from vision.face_down import BackWatch
from vision.frames import Frame
from vision.recogniser import Image, Reading, Recognition
from vision.table_eye import Look, TableEye
from vision.zones import propose

POOL = cards("KS 7D 2C 9H QD 4S 8C 5H TD 3S")


class Scripted:
    """A recogniser that reads the scripted table instead of the picture."""

    def __init__(self, table: ScriptedTable) -> None:
        self.table = table

    def recognise(self, image: Image, *, one_pack: bool = True) -> Recognition:
        shrink = image.shape[1] / SIZE[0]
        found = [
            Reading(one.card, one.confidence, one.quad * shrink, others=one.others) for one in self.table.readings()
        ]
        return Recognition(tuple(found), 1.0, ("blurred",))


def watched() -> tuple[TableEye, list[Look]]:
    table = ScriptedTable(3, 3)
    table.deal(Setup("laugh-and-lie-down", 3, 1, POOL))
    eye = TableEye(Scripted(table), table.layout)
    return eye, [eye.look(Frame(n, t, table.picture())) for n, t in enumerate(table.moments(8.0))]


def test_frames_become_a_view_of_the_pool() -> None:
    eye, looks = watched()
    assert {seen.card for seen in looks[-1].view.in_zone(TABLE)} == set(POOL)
    told = [look for look in looks if look.recognised]
    assert 10 < len(told) < len(looks)
    assert all(look.warnings[-1:] == ("blurred",) for look in told)
    assert not any(look.warnings or look.readings for look in looks if not look.recognised)
    later = eye.view(99.0, Stillness.STILL, 5.0)
    assert (later.t, later.cards) == (99.0, looks[-1].view.cards)


def test_a_named_card_keeps_its_name_until_the_table_is_cleared() -> None:
    eye, looks = watched()
    seen = looks[-1].view.cards[0]
    assert eye.pin(seen.track, Card.parse("AC"))
    assert Card.parse("AC") in {one.card for one in eye.view(50.0, Stillness.STILL, 1.0).cards}
    eye.clear()
    assert eye.view(51.0, Stillness.STILL, 1.0).cards == ()
    assert not eye.pin(999, Card.parse("AC"))


def test_other_zones_hold_the_same_cards() -> None:
    eye, looks = watched()
    eye.set_layout(propose("laugh-and-lie-down", 5))
    assert eye.layout == propose("laugh-and-lie-down", 5)
    assert len(eye.view(50.0, Stillness.STILL, 1.0).cards) == len(looks[-1].view.cards)


def test_the_dealers_hand_is_seen_to_come_in() -> None:
    _, looks = watched()
    visits = looks[-1].view.visits
    assert visits
    assert {visit.seat for visit in visits} == {1}
    assert all(TABLE in visit.over for visit in visits)


@pytest.mark.parametrize(("zone", "warned"), [(TABLE, True), (Zone(1, "reset"), False)])
def test_a_card_that_cant_be_read_is_in_the_view_and_warned_of_in_the_middle(
    zone: Zone, warned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    face = SeenCard(1_000_000, UNKNOWN, 0.5, zone, ((0.0, 0.0), (0.02, 0.0), (0.02, 0.02), (0.0, 0.02)))
    monkeypatch.setattr(BackWatch, "unread", lambda *_: (face,))
    _, looks = watched()
    assert face in looks[-1].view.cards
    told = [look for look in looks if look.recognised][-1]
    assert ("unread-card" in told.warnings) == warned
