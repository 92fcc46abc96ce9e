"""Joining a deal of Sbros that is under way: centre, stock and turn are right, and play goes on from there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.cards import Card, parse_cards
from assistant.events import ActionSeen
from assistant.games.game import Action, IllegalAction, Position
from assistant.games.sbros import GAME, SbrosPosition
from assistant.games.sbros_setup import NAME
from assistant.joining import Answers, CantJoin, as_events
from assistant.joining_sbros import Centre, centre, joined
from assistant.record import parse_record, record_of, replay
from assistant.signs.signs import Terms
from assistant.view import CENTRE_LEFT, CENTRE_RIGHT, SeenCard, Stillness, TableView, Zone
from tests.assistant.games.sbros_table import RealTable, careless, played, real_table
from tests.assistant.signs.staged_table import QUAD, StagedTable, lines

CHOSEN = st.fixed_dictionaries(
    {}, optional={"reset_repeat": st.just("until_playable"), "merge": st.just("own"), "m2_step": st.just("adjacent")}
)
UNTOLD = "which card was put aside last can't be told"
SETTINGS = settings(max_examples=60)


def there(table: RealTable) -> Centre:
    left, right = table.centre
    return Centre((left,), (right,), {seat: tuple(cards) for seat, cards in table.aside.items() if cards})


def joined_to(table: RealTable) -> SbrosPosition:
    terms = Terms(NAME, 2, table.setup.dealer, table.setup.options)
    position = joined(GAME, terms, there(table), Answers(table.turn, {}, len(table.stock)))
    assert isinstance(position, SbrosPosition)
    return position


def refusal(table: RealTable) -> str:
    """Why the deal can't be joined; empty where it can."""
    try:
        joined_to(table)
    except CantJoin as error:
        return str(error)
    return ""


def cut(whole: RealTable, seed: int, where: float) -> RealTable:
    """The same deal, stopped where something is put aside and the stock lasts; at its start if that never is so."""
    table = real_table(seed, dealer=whole.setup.dealer, options=whole.setup.options)
    fitting = []
    for number, action in enumerate(whole.actions, 1):
        table.do(action)
        if any(table.aside.values()):
            fitting.append(number)
    table = real_table(seed, dealer=whole.setup.dealer, options=whole.setup.options)
    for action in whole.actions[: fitting[int(where * len(fitting))] if fitting else 0]:
        table.do(action)
    return table


def on(position: Position, actions: Sequence[Action]) -> Position:
    for action in actions:
        position = position.apply(action)
    return position


@SETTINGS
@given(st.integers(0, 10**9), st.sampled_from((1, 2)), CHOSEN, st.floats(0, 0.999))
def test_a_deal_cut_anywhere_is_joined_and_ends_as_it_did(
    seed: int, dealer: int, chosen: Mapping[str, str], where: float
) -> None:
    whole = played(seed, dealer=dealer, options=chosen)
    table = cut(whole, seed, where)
    if UNTOLD in (why := refusal(table)):
        assert max(map(len, table.aside.values())) > 1
        return
    assert why == ""
    position = joined_to(table)
    assert position.observe().table == tuple(table.centre)
    assert {seat: set(pile) for seat, pile in position.observe().piles.items()} == {
        seat: set(cards) for seat, cards in table.aside.items()
    }
    assert (position.to_act, position.places.stock) == (table.turn, len(table.stock))
    end = on(position, whole.actions[len(table.actions) :])
    assert end.over
    assert end.settlement() == on(GAME.deal(whole.setup), whole.actions).settlement()
    assert end.faults() == ()


@SETTINGS
@given(st.integers(0, 10**9), st.floats(0, 0.999))
def test_nobody_is_blamed_for_what_the_whole_deal_does_not_prove(seed: int, where: float) -> None:
    whole = played(seed, choose=careless)
    table = cut(whole, seed, where)
    if refusal(table):
        return
    position: Position = joined_to(table)
    proper: Position = GAME.deal(whole.setup)
    for number, action in enumerate(whole.actions):
        try:
            proper = proper.apply(action)
            position = position.apply(action) if number >= len(table.actions) else position
        except IllegalAction:
            break
        proved = {(fault.seat, fault.cards) for fault in proper.faults()}
        assert {(fault.seat, fault.cards) for fault in position.faults()} <= proved


def test_a_deal_that_was_joined_is_kept_as_a_record() -> None:
    table = cut(played(5), 5, 0.5)
    position = joined_to(table)
    again = replay(parse_record(record_of(position).text()))
    assert again.error is None
    assert again.position == position
    begun, *rest = as_events(position, 3.0, sure=True)
    assert (begun.confidence, len(rest)) == (0.0, len(position.actions))


def seen(places: Mapping[str, Zone | None], covered: str = "") -> TableView:
    cards = (
        SeenCard(number, Card.parse(name), 0.99, zone, QUAD, name == covered)
        for number, (name, zone) in enumerate(places.items())
    )
    return TableView(1.0, tuple(cards), Stillness.STILL, 9.0)


LYING = {"KS": CENTRE_LEFT, "7D": CENTRE_RIGHT, "QH": Zone(2, "reset"), "3C": None}


def test_what_lies_there_is_read_off_the_view() -> None:
    assert centre(seen(LYING)) == Centre(parse_cards("KS"), parse_cards("7D"), {2: parse_cards("QH")})
    more = {**LYING, "5C": CENTRE_LEFT}
    assert centre(seen(more, covered="5C")) == centre(seen(LYING))
    assert centre(seen({**LYING, "7?": CENTRE_LEFT})) is None
    assert centre(seen({name: zone for name, zone in LYING.items() if name != "QH"})) is None
    assert centre(seen({name: zone for name, zone in LYING.items() if name != "KS"})) is None


TERMS = Terms(NAME, 2, 1)


@pytest.mark.parametrize(
    ("shown", "answers", "why"),
    [
        (
            Centre(parse_cards("KS 5C"), parse_cards("7D"), {2: parse_cards("QH")}),
            Answers(1, {}, 37),
            "push it together",
        ),
        (Centre(parse_cards("KS"), parse_cards("7D"), {2: parse_cards("QH")}), Answers(1, {}, 36), "count again"),
        (Centre(parse_cards("KS"), parse_cards("7D"), {2: parse_cards("QH")}), Answers(1, {}, 39), "count again"),
        (Centre(parse_cards("KS"), parse_cards("7D"), {2: parse_cards("QH")}), Answers(1, {}), "count again"),
        (Centre(parse_cards("KS"), parse_cards("7D"), {2: parse_cards("QH")}), Answers(2, {}, 37), "not the turn of"),
        (Centre(parse_cards("KS"), parse_cards("7D"), {1: parse_cards("QH")}), Answers(1, {}, 37), "no legal course"),
        (Centre(parse_cards("KS"), parse_cards("7D"), {2: parse_cards("QH 2D")}), Answers(1, {}, 34), UNTOLD),
    ],
)
def test_what_can_not_be_is_refused_in_one_line(shown: Centre, answers: Answers, why: str) -> None:
    with pytest.raises(CantJoin, match=why):
        joined(GAME, TERMS, shown, answers)


def test_what_is_played_after_joining_is_followed() -> None:
    shown = Centre(parse_cards("TS"), parse_cards("3H"), {1: parse_cards("QD"), 2: parse_cards("KC")})
    table = StagedTable(GAME, TERMS, joined(GAME, TERMS, shown, Answers(2, {}, 24)))
    for name, zone in (("TS", CENTRE_LEFT), ("3H", CENTRE_RIGHT), ("QD", Zone(1, "reset")), ("KC", Zone(2, "reset"))):
        table.put(name, zone)
    assert table.wait(4) == []
    table.hand(2, over=(CENTRE_LEFT, CENTRE_RIGHT))
    table.wait(0.4)
    table.put("TH", CENTRE_LEFT)
    table.put("3D", CENTRE_RIGHT)
    assert lines(table.wait(4)) == ["2 cover TH 3D"]
    table.hand(1, over=(Zone(1, "reset"),))
    table.wait(0.4)
    table.put("9C", Zone(1, "reset"))
    assert lines(table.wait(4)) == ["1 reset 9C"]
    assert not [event for event in table.events if not isinstance(event, ActionSeen)]
