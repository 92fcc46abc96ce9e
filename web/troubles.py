"""What went wrong and how it can be put right, in words: table and game that disagree, broken rules, corrections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assistant.cards import Card
from assistant.games.game import Setup
from assistant.session import Deal
from assistant.session_events import CardCorrected, Reexplained
from web.rule_texts import why
from web.wording import action_sentence, card_name, join, named, place_name, seat_name


def disagreement(deal: Deal) -> dict[str, Any] | None:
    """How table and game differ: in words, card by card with where it is expected or lies, and what to do with each."""
    wrong, setup = deal.disagreement, deal.position.setup
    if wrong is None:
        return None

    def sides(cards: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
        return [{"card": card, "place": place, "where": place_name(place, setup)} for card, place in cards]

    undone = [one.action for one in deal.done[len(deal.done) - (wrong.undo or 0) :]]
    accept = [f"Not: {action_sentence(action, setup)}." for action in reversed(undone)]
    accept += [f"{action_sentence(action, setup)}." for action in wrong.choice]
    return {
        "text": named(wrong.text.removeprefix("Table and game disagree. "), setup),
        "missing": sides(wrong.missing),
        "unexpected": sides(wrong.unexpected),
        "accept": None if wrong.undo is None else accept,
        "back": [_carried(card, place, to, setup) for card, place, to in wrong.moves],
    }


def _carried(card: str, place: str, to: str, setup: Setup) -> str:
    """Which card has to be put where, so that the table is as the game expects it."""
    hand, _, seat = to.partition(" ")
    if hand == "hand":
        whose = f"{seat_name(setup, int(seat))}'s hand" if seat else "the hand"
        return f"Put {card_name(Card.parse(card))} back into {whose}."
    came = f", from {_noun(place, setup)}" if place and place != "nowhere" else ""
    return f"Put {card_name(Card.parse(card))} {place_name(to, setup).replace('in ', 'onto ', 1)}{came}."


def _noun(place: str, setup: Setup) -> str:
    return place_name(place, setup).removeprefix("in ").removeprefix("on ")


def alarms(deal: Deal) -> list[dict[str, Any]]:
    """What lies there against the rules, where the players want to be told at once (LLD-32)."""
    setup = deal.position.setup
    if setup.options.get("help", "coach") != "coach":
        return []
    return [
        {
            "seq": one.seq,
            "code": one.notice.code,
            "text": named(one.notice.text, setup),
            "rule": one.notice.rule,
            "why": why(one.notice.code, one.notice.rule),
            "seats": list(one.notice.seats),
            "cards": list(map(str, one.notice.cards)),
        }
        for one in deal.misplays
        if one.open
    ]


def put_right(deal: Deal) -> list[dict[str, Any]]:
    """What was seen against the rules during the deal, told when it is over; in the form of the faults."""
    if not deal.position.over:
        return []
    said = []
    for one in deal.misplays:
        seat = one.notice.seats[0] if one.notice.seats else 0
        what = named(one.notice.text, deal.position.setup)
        past = f"{what} {'It was not put right.' if one.open else 'It was put right.'}"
        reason = why(one.notice.code, one.notice.rule)
        said.append({"code": one.notice.code, "seat": seat, "past": past, "why": reason})
    return said


def mended(deal: Deal) -> dict[str, Any] | None:
    """What the newest correction made of later actions: one sentence, shown until it is confirmed or play goes on."""
    last, setup = deal.last, deal.position.setup
    found = next((one for one in reversed(deal.corrections) if isinstance(one.event, Reexplained)), None)
    if found is None or not isinstance(found.event, Reexplained):
        return None
    waiting = any(one.seq == found.seq for one in deal.left_out)
    if not waiting and found is not last:
        return None
    became = [action_sentence(action, setup) for _, action in found.event.changes if action is not None]
    gone = [action_sentence(one.action, setup) for one in deal.left_out if one.seq == found.seq]
    parts = [f"this is now so: {join(became)}"] if became else []
    parts += [f"this was left out, as it is not possible any more: {join(gone)}"] if gone else []
    text = f"After the correction {'; and '.join(parts)}." if parts else "Put right; everything after it stands."
    return {"seq": found.seq, "text": text, "confirm": waiting}


def correction_sentence(event: CardCorrected) -> str:
    """``the king of hearts read as the king of diamonds``."""
    return f"{card_name(Card.parse(event.was))} read as {card_name(Card.parse(event.now))}"
