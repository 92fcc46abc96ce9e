"""Laugh and Lie Down: what was laid where only one card of it is in sight, and whose hand brought it."""

from __future__ import annotations

import pytest

from assistant.cards import UNKNOWN, Card
from assistant.games.game import Action, Position, Setup
from assistant.signs.difference import compare
from assistant.signs.laugh_search import explain
from assistant.signs.laugh_signs import LaughSigns
from assistant.signs.signs import Explanation, Glimpse
from assistant.view import TABLE, Passing, SeenCard, Stillness, TableView, Visit, Zone
from tests.scripted_play import GAME, cards

POOL = cards("KS 7D 2C 9H QD 4S 8C 5H TD 3S")
QUAD = ((0.0, 0.0), (0.1, 0.0), (0.1, 0.1), (0.0, 0.1))
T = 20.0
"""When the new card came to rest; the hand that brought it was gone half a second later."""
OWN = Visit(1, T - 1.0, T + 0.5, (Zone(1), TABLE))
EARLIER = Visit(1, T - 9.0, T - 7.0, (Zone(1), TABLE))
ANOTHERS = Visit(3, T - 1.0, T + 0.5, (Zone(3), TABLE))


def shown(new: dict[str, Zone], *, covered: str = "", without: str = "", confidence: float = 0.98) -> list[Explanation]:
    """What explains that these cards lie new in piles, first seen at T, beside the pool as it was dealt."""
    return explained(GAME.deal(Setup(GAME.name, 3, 2, POOL)), new, (OWN,), covered, without, confidence)


def explained(
    position: Position,
    new: dict[str, Zone],
    visits: tuple[Visit, ...],
    covered: str = "",
    without: str = "",
    confidence: float = 0.98,
) -> list[Explanation]:
    state = position.observe()
    places = {card: TABLE for card in state.table if str(card) not in without.split()}
    places |= {card: Zone(seat) for seat, pile in state.piles.items() for card in pile}
    known = {card: zone for card, zone in places.items() if str(card) not in new}
    seen = [SeenCard(n, card, 0.99, zone, QUAD, since=1.0) for n, (card, zone) in enumerate(known.items())]
    for number, (name, zone) in enumerate(new.items(), start=100):
        seen.append(SeenCard(number, Card.parse(name), confidence, zone, QUAD, name in covered.split(), T))
    view = TableView(T + 2, tuple(seen), Stillness.STILL, 1.5, (), visits)
    return explain(position, compare(LaughSigns().slots(position), view), visits=visits)


def best(found: list[Explanation]) -> tuple[str, bool]:
    """What the likeliest explanation is, and whether it is a guess."""
    return " ; ".join(map(str, found[0].actions)), found[0].guessed


def test_one_card_that_the_seats_own_hand_laid_into_its_pile_is_a_laid_pair() -> None:
    found = shown({"JS": Zone(1)})
    assert best(found) == ("1 lay JS J?", False)
    assert not found[0].unfinished


@pytest.mark.parametrize("visits", [(EARLIER,), (ANOTHERS,), (Visit(1, T - 1.0, None, (Zone(1),)),)])
def test_without_the_seats_own_hand_at_that_time_it_is_a_guess(visits: tuple[Visit, ...]) -> None:
    position = GAME.deal(Setup(GAME.name, 3, 2, POOL))
    assert best(explained(position, {"JS": Zone(1)}, visits)) == ("1 lay JS J?", True)
    assert best(explained(position, {"JS": Zone(1), "JH": Zone(1)}, visits)) == ("1 lay JS JH", True)


def test_so_it_is_where_the_card_is_covered_or_hardly_read_or_of_a_rank_in_the_pool() -> None:
    assert best(shown({"JS": Zone(1)}, covered="JS")) == ("1 lay JS J?", True)
    assert best(shown({"JS": Zone(1)}, confidence=0.8)) == ("1 lay J? J?", True)
    assert best(shown({"KH": Zone(1)})) == ("1 lay KH K?", True)


@pytest.mark.parametrize("new", [{"JS": Zone(3), "KS": Zone(3)}, {"JS": Zone(3)}])
def test_so_it_is_where_a_pool_card_went_with_it(new: dict[str, Zone]) -> None:
    position = GAME.deal(Setup(GAME.name, 3, 2, POOL))
    found = explained(position, new, (ANOTHERS,), without="KS")
    assert all(one.guessed for one in found if any(action.verb == "lay" for action in one.actions))


def test_what_is_read_of_dead_cards_beneath_another_is_no_certain_lay() -> None:
    position: Position = GAME.deal(Setup(GAME.name, 3, 2, POOL)).apply(Action.parse("3 mate 3H 3S"))
    for visits in ((OWN,), ()):
        assert best(explained(position, {"3C": Zone(1)}, visits)) == ("1 lay 3C 3?", False)
        assert best(explained(position, {"3C": Zone(1)}, visits, covered="3C")) == ("1 lay 3C 3?", True)
        assert best(explained(position, {"3C": Zone(1)}, visits, confidence=0.66)) == ("1 lay 3? 3?", True)


def test_of_what_the_dealer_took_some_may_only_seem_to_lie_in_the_pool_still() -> None:
    pool = cards("JS JD JC JH KS 7D 2C 9H QD 4S")
    position: Position = GAME.deal(Setup(GAME.name, 3, 2, pool))
    zones = {"JS": Zone(2)} | dict.fromkeys(["JC", "JH", "KS", "7D", "2C", "9H", "QD", "4S"], TABLE)
    seen = [
        SeenCard(n, Card.parse(name), 0.99, zone, QUAD, name in ("JC", "JH"))
        for n, (name, zone) in enumerate(zones.items())
    ]
    view = TableView(T, tuple(seen), Stillness.STILL, 1.5)
    found = explain(position, compare(LaughSigns().slots(position), view))
    assert sorted(map(str, found[0].actions[0].cards)) == ["JC", "JD", "JH", "JS"]
    assert found[0].actions[0].verb == "take"


def test_one_king_of_three_that_went_without_a_king_in_sight_is_no_certain_short_take() -> None:
    position = GAME.deal(Setup(GAME.name, 3, 2, cards("KS KH KD 2C 9H QD 4S 8C 5H TD")))
    signs, hand = LaughSigns(), Visit(3, T - 2.0, T + 0.5, (Zone(3), TABLE))
    taken = Card.parse("KS")
    pool = [
        SeenCard(n, card, 0.99, Zone(3) if card == taken else TABLE, QUAD, since=T if card == taken else 1.0)
        for n, card in enumerate(position.observe().table)
    ]
    view = TableView(T + 2, tuple(pool), Stillness.STILL, 1.5, (), (hand,))
    difference = compare(signs.slots(position), view)

    def told_with(glimpsed: str) -> tuple[str, bool]:
        seen = SeenCard(50, Card.parse(glimpsed), 0.9, TABLE, QUAD, since=T - 1)
        return best(signs.explain(position, difference, view, gone=(Glimpse(seen, T - 1, T - 1, T - 1),)))

    assert best(signs.explain(position, difference, view)) == ("3 mate K? KS", True)
    assert told_with("5C") == ("3 mate K? KS", True)
    assert told_with("KC") == ("3 mate K? KS", False)


def test_a_mate_of_which_nothing_can_be_read_is_a_guess_until_the_next_seat_goes_on() -> None:
    position = GAME.deal(Setup(GAME.name, 3, 2, POOL))
    hand = Visit(3, T - 6.0, T - 4.0, (Zone(3), TABLE))
    assert best(explained(position, {}, (hand,), without="KS")) == ("3 mate K? KS", True)
    assert best(explained(position, {}, (Visit(3, T - 6.0, T - 4.0),), without="KS")) == ("3 mate K? KS", True)
    next_mate = {"7S": Zone(1), "7D": Zone(1)}
    assert best(explained(position, next_mate, (hand, OWN), without="KS")) == ("3 mate K? KS ; 1 mate 7S 7D", False)


@pytest.mark.parametrize("visits", [(), (OWN,), (Visit(3, T - 6.0, None, (Zone(3), TABLE)),)])
def test_without_the_hand_of_the_seat_in_turn_it_is_none(visits: tuple[Visit, ...]) -> None:
    position = GAME.deal(Setup(GAME.name, 3, 2, POOL))
    assert explained(position, {}, visits, without="KS") == []
    assert explained(position, {"7S": Zone(1), "7D": Zone(1)}, visits, without="KS") == []


def unread_pool() -> Position:
    """Seat 3 is in turn, and of the six cards that seat 2 laid down one was never read."""
    setup = Setup(GAME.name, 6, 1, cards("KS 7D 2C 9H QD 4S 8C 5H TD 3S KH 7C 2D 9D 4H 8S"))
    return GAME.deal(setup).apply(Action.parse("2 lie-down AS AH 6S 6H 6D ??"))


@pytest.mark.parametrize(
    ("over", "guessed"), [((Zone(4), TABLE), True), ((), True), ((Zone(4),), False)], ids=["pool", "anywhere", "pile"]
)
def test_a_card_that_nobody_could_read_may_be_the_mate_of_what_seems_to_be_laid(
    over: tuple[Zone, ...], guessed: bool
) -> None:
    hand = Visit(4, T - 1.0, T + 0.5, over)
    found = explained(unread_pool(), {"JD": Zone(4)}, (hand,))
    assert [str(action) for action in found[0].actions] == ["4 lay JD J?"]
    assert all(one.guessed is guessed for one in found if any(action.verb == "lay" for action in one.actions))


def test_so_may_a_pool_card_that_is_out_of_sight() -> None:
    position = GAME.deal(Setup(GAME.name, 3, 2, POOL))
    for hand, guessed in ((OWN, True), (Visit(1, T - 1.0, T + 0.5, (Zone(1),)), False)):
        state = position.observe()
        seen = [SeenCard(n, card, 0.99, TABLE, QUAD, str(card) == "KS", 1.0) for n, card in enumerate(state.table)]
        seen.append(SeenCard(99, Card.parse("JD"), 0.98, Zone(1), QUAD, since=T))
        view = TableView(T + 2, tuple(seen), Stillness.STILL, 1.5, (), (hand,))
        found = explain(position, compare(LaughSigns().slots(position), view), visits=(hand,))
        assert best(found) == ("1 lay JD J?", guessed)


def test_what_was_laid_over_a_mate_leaves_it_out_of_sight() -> None:
    position = GAME.deal(Setup(GAME.name, 3, 2, POOL))
    hand = Visit(3, T - 3.0, T + 0.5, (Zone(3), TABLE))
    state = position.observe()
    seen = [SeenCard(n, card, 0.99, TABLE, QUAD, since=1.0) for n, card in enumerate(state.table) if str(card) != "KS"]
    seen.append(SeenCard(99, Card.parse("JD"), 0.98, Zone(3), QUAD, since=T))
    view = TableView(T + 2, tuple(seen), Stillness.STILL, 1.5, (), (hand,))
    difference = compare(LaughSigns().slots(position), view)
    kings = tuple(Passing(Card.parse("KH"), 0.95, TABLE, T - 2.0 + 0.2 * n) for n in range(2))
    known = explain(position, difference, visits=(hand,), passing=kings)
    assert best(known) == ("3 mate KH KS ; 3 lay JD J?", False)
    assert all(one.guessed for one in explain(position, difference, visits=(hand,)))


def test_a_hand_that_was_there_before_the_last_action_took_nothing_since() -> None:
    position: Position = GAME.deal(Setup(GAME.name, 3, 2, POOL)).apply(Action.parse("3 mate 3H 3S"))
    state = position.observe()
    hand = Visit(1, T - 9.0, T - 8.0, (Zone(1), TABLE))
    for put, found in ((T - 10.0, ["1 mate K? KS"]), (T - 5.0, [])):
        seen = [SeenCard(n, card, 0.99, TABLE, QUAD, since=1.0) for n, card in enumerate(state.table)]
        seen = [one for one in seen if str(one.card) != "KS"]
        seen.append(SeenCard(99, Card.parse("3S"), 0.98, Zone(3), QUAD, since=put))
        view = TableView(T, tuple(seen), Stillness.STILL, 1.5, (), (hand,))
        ways = explain(position, compare(LaughSigns().slots(position), view), visits=(hand,))
        assert [str(action) for one in ways for action in one.actions] == found


@pytest.mark.parametrize(("seat", "guessed"), [(3, False), (None, False), (1, True)])
def test_a_hand_that_anothers_arm_put_on_the_table_is_asked(seat: int | None, guessed: bool) -> None:
    position = GAME.deal(Setup(GAME.name, 6, 2, cards("KS 7D 2C 9H QD 4S 8C 5H TD 3S KH 7C 2D 9D 4H 8S")))
    hand = dict.fromkeys(["AS", "AH", "6S", "6H", "JD", "JC"], TABLE)
    found = explained(position, hand, (Visit(seat, T - 1.0, T + 0.5, (TABLE,)),))
    assert [one.actions[0].verb for one in found] == ["lie-down"]
    assert found[0].guessed is guessed


def test_who_has_laid_down_the_own_hand_can_not_have_laid_down_the_next_one() -> None:
    position = GAME.deal(Setup(GAME.name, 6, 2, cards("KS KH 7D 7C 2C 2D 9H 9D QD 4S 4H 8C 8S 5H TD TC")))
    position = position.apply(Action.parse("3 lie-down AS AH AD AC 3S 3H"))
    hand = dict.fromkeys(["JS", "JH", "JD", "JC", "6S", "6H"], TABLE)
    found = explained(position, hand, (Visit(3, T - 1.0, T + 0.5, (TABLE,)),))
    assert [str(one.actions[0])[:10] for one in found] == ["4 lie-down"]
    assert not found[0].guessed


def test_of_a_large_hand_that_its_seat_laid_down_some_cards_may_never_be_read() -> None:
    position = GAME.deal(Setup(GAME.name, 3, 2, POOL))
    hand = dict.fromkeys(["AS", "AH", "AD", "JS", "JH", "JD", "6S", "6H", "6D", "6C", "AC"], TABLE)
    (found,) = explained(position, hand, (Visit(3, T - 1.0, T + 0.5, (TABLE,)),))
    assert (len(found.actions[0].cards), found.hidden, found.guessed) == (14, 3, False)
    assert explained(position, hand, ()) == []


def test_the_mate_of_a_card_that_nobody_could_read_had_lain_over_it() -> None:
    seen = [SeenCard(n, card, 0.99, TABLE, QUAD, since=1.0) for n, card in enumerate(unread_pool().observe().table)]
    seen = [one for one in seen if one.card.rank]
    seen.append(SeenCard(99, Card.parse("JD"), 0.98, Zone(3), QUAD, since=T))
    hand = Visit(3, T - 1.0, T + 0.5, (Zone(3), TABLE))
    view = TableView(T + 2, tuple(seen), Stillness.STILL, 1.5, (), (hand,))
    signs, over = LaughSigns(), SeenCard(50, Card.parse("JS"), 0.7, TABLE, QUAD, since=T - 4)
    difference = compare(signs.slots(unread_pool()), view)
    lain = signs.explain(unread_pool(), difference, view, gone=(Glimpse(over, T - 4, T - 1, T - 1),))
    assert str(lain[0].actions[0]) == "3 mate J? JD"
    assert str(signs.explain(unread_pool(), difference, view)[0].actions[0]) == "3 mate JD ??"


def test_a_hand_card_that_is_read_as_another_is_a_guess_until_the_next_seat_goes_on() -> None:
    position = GAME.deal(Setup(GAME.name, 3, 3, POOL))
    found = explained(position, {"JS": Zone(1)}, (OWN,), without="QD", confidence=0.8)
    mate = next(one for one in found if one.actions[0].verb == "mate")
    assert (str(mate.actions[0]), mate.guessed) == ("1 mate Q? QD", True)
    next_hand = Visit(2, T - 1.0, T + 0.5, (Zone(2), TABLE))
    went_on = {"JS": Zone(1), "KH": Zone(2), "KS": Zone(2)}
    found = explained(position, went_on, (OWN, next_hand), without="QD KS", confidence=0.8)
    assert best(found) == ("1 mate Q? QD ; 2 mate K? KS", False)


def test_a_hand_card_that_is_read_well_is_no_other_one() -> None:
    position = GAME.deal(Setup(GAME.name, 3, 3, POOL))
    found = explained(position, {"JS": Zone(1)}, (OWN,), without="QD")
    assert "1 mate Q? QD" not in [" ; ".join(map(str, one.actions)) for one in found]


@pytest.mark.parametrize(("confidence", "laid"), [(0.85, "??"), (0.95, "")])
def test_a_card_that_would_have_been_mated_is_misread_if_it_may_be(confidence: float, laid: str) -> None:
    position = GAME.deal(Setup(GAME.name, 6, 2, cards("KS 7D 2C 9H QD 4S 8C 5H TD 3S KH 7C 2D 9D 4H 8S")))
    seen = [SeenCard(n, card, 0.99, TABLE, QUAD, since=1.0) for n, card in enumerate(position.observe().table)]
    hand = cards("AS AH 6S JD JC 7H")
    seen += [SeenCard(n, card, 0.99, TABLE, QUAD, since=T) for n, card in enumerate(hand[:-1], start=50)]
    seen.append(SeenCard(60, hand[-1], confidence, TABLE, QUAD, since=T))
    visits = (Visit(3, T - 1.0, T + 0.5, (TABLE,)),)
    view = TableView(T + 2, tuple(seen), Stillness.STILL, 1.5, (), visits)
    found = explain(position, compare(LaughSigns().slots(position), view), visits=visits)
    assert [str(one.actions[0]) for one in found] == ([f"3 lie-down AS AH 6S JD JC {laid}"] if laid else [])


def test_the_mate_of_a_card_that_nobody_could_read_may_be_read_as_another() -> None:
    position = unread_pool()
    seen = [SeenCard(n, card, 0.99, TABLE, QUAD, since=1.0) for n, card in enumerate(position.observe().table)]
    seen = [one for one in seen if one.card.rank]
    seen.append(SeenCard(98, Card.parse("QS"), 0.75, Zone(3), QUAD, since=T))
    seen.append(SeenCard(99, Card.parse("JD"), 0.98, Zone(3), QUAD, since=T))
    hand = Visit(3, T - 1.0, T + 0.5, (Zone(3), TABLE))
    view = TableView(T + 2, tuple(seen), Stillness.STILL, 1.5, (), (hand,))
    found = explain(position, compare(LaughSigns().slots(position), view), visits=(hand,))
    assert best(found) == ("3 mate J? JD", False)


def test_a_last_hand_that_was_swept_before_it_was_read_ends_the_deal() -> None:
    position = GAME.deal(Setup(GAME.name, 6, 2, cards("KS KH 7D 7C 2C 2D 9H 9D QD 4S 4H 8C 8S 5H TD TC")))
    for seat in (3, 4, 5, 6):
        position = position.apply(Action(seat, "lie-down", (UNKNOWN,) * 6))
    pool = position.observe().table
    seen = [SeenCard(n, card, 0.99, Zone(2), QUAD, since=T) for n, card in enumerate(pool) if card.rank]
    seen += [
        SeenCard(90 + n, card, 0.99, Zone(2), QUAD, since=T) for n, card in enumerate(cards("AS JS 6H 3S AH JH 6S"))
    ]
    visits = (Visit(1, T - 9.0, T - 8.0, (TABLE,)), Visit(2, T - 2.0, T + 0.5, (TABLE, Zone(2))))
    view = TableView(T + 2, tuple(seen), Stillness.STILL, 1.5, (), visits)
    difference = compare(LaughSigns().slots(position), view)
    found = explain(position, difference, in_pool={90: T - 7.0, 91: T - 7.0}, visits=visits)
    assert best(found) == ("1 lie-down AS JS ?? ?? ?? ??", False)
    assert found[0].position.over
    assert explain(position, difference, visits=visits) == []


def test_which_of_two_cards_of_a_rank_that_are_both_out_of_sight_was_taken_is_all_the_same() -> None:
    position = GAME.deal(Setup(GAME.name, 3, 2, cards("KS KH 7D 2C 9H QD 4S 8C 5H TD")))
    new = {"KC": Zone(3), "KS": TABLE, "KH": TABLE}
    found = explained(position, new, (ANOTHERS,), covered="KS KH")
    taken = [one.actions for one in found if [action.verb for action in one.actions] == ["mate"]]
    assert [str(action)[:9] for (action,) in taken] == ["3 mate KC"]
