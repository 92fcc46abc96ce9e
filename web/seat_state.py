"""What one seat's own page shows: its hand, what it can do with it, and the hints, all said in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from assistant.cards import Card
from assistant.games import game_named
from assistant.games.game import Action, Position, Setup
from assistant.hints import held, offers, possible
from assistant.hints.hint import Hint
from assistant.session import SessionState
from assistant.session_events import JOINED
from web.hand_pictures import SeenHand
from web.help_level import hints_shown, tells_turn
from web.languages import _, _n, number
from web.nouns import count_word
from web.rule_texts import rule_behind, why
from web.wording import action_sentence, advice, by_rank, named, seat_name

GIVE_OR_TAKE: Final = 2
"""Standard errors on either side of a value: the truth lies between in nineteen of twenty cases."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known for a seat: the position with its hand in it, what it has told (also where that can't be), what
    is ``wrong`` with it, its hints (None while they are worked out) and why there are none."""

    position: Position | None = None
    told: tuple[Card, ...] = ()
    wrong: str = ""
    hints: tuple[Hint, ...] | None = ()
    no_hints: str = ""


def seat_state(state: SessionState, seat: int, known: Known, since: int | None = None) -> dict[str, Any]:
    """The seat's page, as one JSON object.

    ``phase`` is ``waiting`` (no deal), ``over``, ``out`` (the seat has lain down), ``tell`` (its hand is asked for) or
    ``known``. ``missed``: what has been done since entry ``since`` of the log, in sentences.
    """
    assert state.setup is not None
    deal = state.deal
    setup = state.setup if deal is None else deal.position.setup
    page = {
        "seq": state.seq,
        "deal": state.dealt,
        "name": seat_name(setup, seat),
        "turn": deal is not None and deal.position.to_act == seat and tells_turn(setup),
        "size": 0,
        "hand": [],
        "missing": 0,
        "offered": [],
        "wrong": named(known.wrong, setup),
        "pending": False,
        "lists": [],
        "note": "",
        "missed": [] if since is None else _missed(state, since),
    }
    if deal is None:
        more = _("When the cards are dealt, tap your hand here or show it to the camera.")
        return page | {
            "phase": "waiting",
            "headline": _("{name} deals", name=seat_name(setup, setup.dealer)),
            "more": more,
        }
    if deal.position.over:
        return page | {"phase": "over", "headline": _("The deal is over"), "more": ""}
    page["headline"] = _headline(setup, seat, deal.position.to_act or 0)
    observed = deal.position.observe()
    if seat not in observed.active:
        more = _("You have lain down. Your pile still counts, and so do your claims.")
        return page | {"phase": "out", "more": more}
    size = observed.hands[seat]
    page |= {"size": size, "offered": _cards(possible(deal.position, seat))}
    if known.position is None or known.wrong:
        more = _n("Tap the card in your hand.", "Tap the {count} cards in your hand.", size, count=count_word(size))
        return page | {"phase": "tell", "hand": _cards(known.told), "more": more}
    return page | {"phase": "known", "more": ""} | _with_hand(known.position, seat, known)


def _headline(setup: Setup, seat: int, turn: int) -> str:
    if not tells_turn(setup):
        return _("The deal is being played")
    return _("Your turn") if turn == seat else _("{name}'s turn", name=seat_name(setup, turn))


def _missed(state: SessionState, since: int) -> list[str]:
    """What was done in this deal after entry ``since``."""
    deal = state.deal
    if deal is None:
        return []
    begun = [_("The cards of deal {n} were dealt.", n=deal.number)] if deal.log[0].seq > since else []
    done = [one for one in deal.done if one.seq > since and one.by != JOINED]
    return begun + [f"{action_sentence(one.action, deal.position.setup)}." for one in done]


def seen_state(seen: SeenHand, size: int) -> dict[str, Any]:
    """What a picture of a hand of ``size`` cards shows, to be looked over, as one JSON object."""
    found = len(seen.cards)
    if not found:
        said = _("No card can be read: hold the cards so that the corner of each shows, in good light.")
    elif found > size:
        said = _("I see {n} cards, but you hold {size}: take out what is not yours.", n=found, size=size)
    else:
        said = _n("I see {n} of {size} card.", "I see {n} of {size} cards.", size, n=found, size=size)
    unsure = len(seen.unsure)
    doubt = _n(
        "Look at the marked one: I am not sure of it.", "Look at the {n} marked ones: I am not sure of them.", unsure
    )
    return {
        "cards": _cards(seen.cards),
        "unsure": _cards(seen.unsure),
        "size": size,
        "said": f"{said} {doubt}" if unsure else said,
    }


def _with_hand(position: Position, seat: int, known: Known) -> dict[str, Any]:
    hand = held(position, seat)
    missing = sum(not card.rank for card in hand)
    page: dict[str, Any] = {"hand": _cards(card for card in hand if card.rank), "missing": missing}
    if missing:
        page["more"] = _n(
            "Tap the card that you have drawn.",
            "Tap the {count} cards that you have drawn.",
            missing,
            count=count_word(missing),
        )
        return page
    if not hints_shown(position.setup):
        return page | {"note": _("This table wants no hints: the host has chosen so.")}
    page["pending"] = known.hints is None
    return page | {"lists": _lists(position, seat, known), "note": _note(position, known)}


def _note(position: Position, known: Known) -> str:
    """What the values mean."""
    if known.no_hints:
        return _("No hints: {why}.", why=named(known.no_hints, position.setup))
    if not known.hints:
        return ""
    tried = max(hint.samples for hint in known.hints)
    stakes = game_named(position.setup.game).unit == "stakes"
    what = (
        _("The figure is what you can expect from the whole deal, in stakes.")
        if stakes
        else _("The figure is what you can expect from the whole deal, in points.")
    )
    if not tried:
        return what
    how = _n("It was tried on {n} deal.", "It was tried on {n} deals that agree with what is seen.", tried)
    return f"{what} {how}"


def _lists(position: Position, seat: int, known: Known) -> list[dict[str, Any]]:
    """What the seat can do now, best first as soon as there are hints; and what it could do once its turn comes."""
    turn = position.to_act == seat
    hints = known.hints or ()
    hinted = {hint.action for hint in hints}
    rest = [action for action in offers(position, seat) if action not in hinted]
    lists = []
    if hints:
        title = _("What you can do, the best first") if turn else _("You may do this now, out of turn")
        lists.append({"title": title, "ranked": True, "entries": list(_ranked(position, seat, hints))})
    if rest:
        title = _("What you can do") if turn else _("At your turn, as the table lies now")
        entries = [_entry(position, seat, group) for group in _alike(rest)]
        lists.append({"title": title, "ranked": False, "entries": entries})
    return lists


def _ranked(position: Position, seat: int, hints: Sequence[Hint]) -> Iterable[dict[str, Any]]:
    """The hints, those that differ in suits only together."""
    by_action = {hint.action: hint for hint in hints}
    unit = game_named(position.setup.game).unit
    best = hints[0]
    for group in _alike([hint.action for hint in hints]):
        hint = by_action[group[0]]
        near = hint is not best and best.value - hint.value <= GIVE_OR_TAKE * max(best.spread, hint.spread)
        yield _entry(position, seat, group) | {
            "value": _figure(hint.value, unit, whole=hint.exact),
            "spread": _("sure") if hint.exact else _("give or take {x}", x=_give_or_take(hint.spread, unit)),
            "sure": hint.exact,
            "near": near,
            "why": named(hint.why, position.setup),
        }


def _entry(position: Position, seat: int, actions: Sequence[Action]) -> dict[str, Any]:
    first = actions[0]
    cards = tuple(dict.fromkeys(card for action in actions for card in action.cards))
    own = {card for action in actions for card in (action.cards[:1] if action.verb == "mate" else action.cards)}
    mine = () if first.verb in ("claim", "take") else tuple(card for card in cards if card in own)
    rule = rule_behind(first, held(position, seat), position.observe().table)
    return {
        "lines": [str(action) for action in actions],
        "text": advice(actions),
        "own": [] if first.verb == "lie-down" else [str(card) for card in mine],
        "taken": [str(card) for card in cards if card not in mine],
        "rule": {"number": rule, "text": why("", rule)},
    }


def _alike(actions: Sequence[Action]) -> list[list[Action]]:
    """The actions in groups, in order: those of one verb whose cards have equal ranks differ in nothing that counts in
    Laugh and Lie Down; in games where suits count, only the same cards are together."""
    groups: dict[tuple[Any, ...], list[Action]] = {}
    for action in actions:
        suits = action.verb in ("play", "reset", "cover")
        kind = frozenset(action.cards) if suits else tuple(card.rank for card in action.cards)
        groups.setdefault((action.verb, kind), []).append(action)
    return list(groups.values())


def _figure(value: float, unit: str, *, whole: bool) -> str:
    """``+1.3 stakes``, ``−1 stake``, ``0.31 points``."""
    if unit != "stakes":
        return _("{x} points", x=number(value, 2))
    if whole and value == round(value):
        return _n("{x} stake", "{x} stakes", abs(round(value)), x=number(round(value), signed=True))
    return _("{x} stakes", x=number(value, 1, signed=True))


def _give_or_take(spread: float, unit: str) -> str:
    places = 1 if unit == "stakes" else 2
    return number(max(GIVE_OR_TAKE * spread, 10**-places), places)


def _cards(cards: Iterable[Card]) -> list[str]:
    return [str(card) for _, group in by_rank(tuple(cards)) for card in group]
