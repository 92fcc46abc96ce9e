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
from web.rule_texts import rule_behind, why
from web.wording import advice, by_rank, count_word, named, seat_name

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


def speaks(setup: Setup) -> bool:
    """Whether the players want to be told what to do (LLD-32)."""
    return setup.options.get("help") != "silent"


def seat_state(state: SessionState, seat: int, known: Known) -> dict[str, Any]:
    """The seat's page, as one JSON object.

    ``phase`` is ``waiting`` (no deal), ``over``, ``out`` (the seat has lain down), ``tell`` (its hand is asked for) or
    ``known``.
    """
    assert state.setup is not None
    deal = state.deal
    setup = state.setup if deal is None else deal.position.setup
    page = {
        "seq": state.seq,
        "name": seat_name(setup, seat),
        "turn": deal is not None and deal.position.to_act == seat,
        "size": 0,
        "hand": [],
        "missing": 0,
        "offered": [],
        "wrong": named(known.wrong, setup),
        "pending": False,
        "lists": [],
        "note": "",
    }
    if deal is None:
        more = "When the cards are dealt, tap your hand here."
        return page | {"phase": "waiting", "headline": f"{seat_name(setup, setup.dealer)} deals", "more": more}
    if deal.position.over:
        return page | {"phase": "over", "headline": "The deal is over", "more": ""}
    turn = deal.position.to_act or 0
    page["headline"] = "Your turn" if turn == seat else f"{seat_name(setup, turn)}'s turn"
    observed = deal.position.observe()
    if seat not in observed.active:
        return page | {"phase": "out", "more": "You have lain down. Your pile still counts, and so do your claims."}
    size = observed.hands[seat]
    page |= {"size": size, "offered": _cards(possible(deal.position, seat))}
    if known.position is None or known.wrong:
        more = f"Tap the {count_word(size)} {'card' if size == 1 else 'cards'} in your hand."
        return page | {"phase": "tell", "hand": _cards(known.told), "more": more}
    return page | {"phase": "known", "more": ""} | _with_hand(known.position, seat, known)


def _with_hand(position: Position, seat: int, known: Known) -> dict[str, Any]:
    hand = held(position, seat)
    missing = sum(not card.rank for card in hand)
    page: dict[str, Any] = {"hand": _cards(card for card in hand if card.rank), "missing": missing}
    if missing:
        page["more"] = f"Tap the {'card' if missing == 1 else f'{count_word(missing)} cards'} that you have drawn."
        return page
    if not speaks(position.setup):
        return page | {"note": "This table wants no hints: in the set-up it has chosen that only the report is given."}
    page["pending"] = known.hints is None
    return page | {"lists": _lists(position, seat, known), "note": _note(position, known)}


def _note(position: Position, known: Known) -> str:
    """What the values mean."""
    if known.no_hints:
        return named(f"No hints: {known.no_hints}.", position.setup)
    if not known.hints:
        return ""
    unit = game_named(position.setup.game).unit
    tried = max(hint.samples for hint in known.hints)
    what = f"The figure is what you can expect from the whole deal, in {unit}"
    return f"{what}, tried on {tried} deals that agree with what is seen." if tried else f"{what}."


def _lists(position: Position, seat: int, known: Known) -> list[dict[str, Any]]:
    """What the seat can do now, best first as soon as there are hints; and what it could do once its turn comes."""
    turn = position.to_act == seat
    hints = known.hints or ()
    hinted = {hint.action for hint in hints}
    rest = [action for action in offers(position, seat) if action not in hinted]
    lists = []
    if hints:
        title = "What you can do, the best first" if turn else "You may do this now, out of turn"
        lists.append({"title": title, "ranked": True, "entries": list(_ranked(position, seat, hints))})
    if rest:
        title = "What you can do" if turn else "At your turn, as the table lies now"
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
            "spread": "sure" if hint.exact else f"give or take {_give_or_take(hint.spread, unit)}",
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
        "text": f"{advice(actions)}.",
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
        return f"{value:.2f} {unit}".replace("-", "−")
    if whole and value == round(value):
        number = f"{round(value):+d}" if value else "0"
        return f"{number} {'stake' if abs(value) == 1 else 'stakes'}".replace("-", "−")
    return f"{value + 0.0:+.1f} stakes".replace("-", "−")


def _give_or_take(spread: float, unit: str) -> str:
    places = 1 if unit == "stakes" else 2
    return f"{max(GIVE_OR_TAKE * spread, 10**-places):.{places}f}"


def _cards(cards: Iterable[Card]) -> list[str]:
    return [str(card) for _, group in by_rank(tuple(cards)) for card in group]
