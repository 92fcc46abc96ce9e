"""What went wrong and how it can be put right, in words: table and game that disagree, broken rules, corrections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assistant.cards import Card
from assistant.games.game import Setup
from assistant.session import Deal
from assistant.session_events import CardCorrected, Reexplained, TableDisagrees
from web.rule_texts import why
from web.wording import action_sentence, card_name, join, named, place_name

_NOWHERE = "nowhere"


def disagreement(deal: Deal) -> dict[str, Any] | None:
    """How table and game differ: in words, card by card with where it is expected or lies, and what to do with each."""
    wrong, setup = deal.disagreement, deal.position.setup
    if wrong is None:
        return None

    def sides(cards: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
        return [{"card": card, "place": place, "where": place_name(place, setup)} for card, place in cards]

    return {
        "text": named(wrong.text.removeprefix("Table and game disagree. "), setup),
        "missing": sides(wrong.missing),
        "unexpected": sides(wrong.unexpected),
        "back": _back(wrong, setup),
        "last": action_sentence(deal.done[-1].action, setup) if deal.done else "",
    }


def _back(wrong: TableDisagrees, setup: Setup) -> list[str]:
    """How the cards have to be laid so that the table is as the game expects it."""
    lies, said = dict(wrong.unexpected), []
    for card, place in wrong.missing:
        where = _onto(place, setup)
        came = f", from {_from(lies.pop(card), setup)}" if card in lies else ""
        said.append(f"Put {card_name(Card.parse(card))} {where}{came}.")
    said += [f"Take {card_name(Card.parse(card))} away {_off(place, setup)}." for card, place in lies.items()]
    return said


def _onto(place: str, setup: Setup) -> str:
    return place_name(place, setup).replace("in ", "onto ", 1) if place.startswith("pile") else place_name(place, setup)


def _from(place: str, setup: Setup) -> str:
    return "where it lies" if place == _NOWHERE else place_name(place, setup).removeprefix("in ").removeprefix("on ")


def _off(place: str, setup: Setup) -> str:
    return "from the table" if place == _NOWHERE else f"from {_from(place, setup)}"


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
