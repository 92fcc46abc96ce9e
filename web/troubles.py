"""What went wrong and how it can be put right, in words: table and game that disagree, broken rules, corrections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assistant.cards import Card
from assistant.games.game import Setup
from assistant.session import Deal
from assistant.session_events import CardCorrected, Reexplained
from web.help_level import tells_turn
from web.languages import _
from web.nouns import card_noun, listed
from web.rule_texts import why
from web.wording import action_sentence, named, place_noun, seat_name


def disagreement(deal: Deal) -> dict[str, Any] | None:
    """How table and game differ: in words, card by card with where it is expected or lies, and what to do with each."""
    wrong, setup = deal.disagreement, deal.position.setup
    if wrong is None:
        return None

    def sides(cards: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
        return [{"card": card, "place": place, "where": place_noun(place, setup)} for card, place in cards]

    undone = [one.action for one in deal.done[len(deal.done) - (wrong.undo or 0) :]]
    accept = [_("Not: {action}.", action=action_sentence(action, setup)) for action in reversed(undone)]
    accept += [f"{action_sentence(action, setup)}." for action in wrong.choice]
    return {
        "text": named(wrong.text, setup),
        "missing": sides(wrong.missing),
        "unexpected": sides(wrong.unexpected),
        "accept": None if wrong.undo is None else accept,
        "back": [_carried(card, place, to, setup) for card, place, to in wrong.moves],
    }


def _carried(card: str, place: str, to: str, setup: Setup) -> str:
    """Which card has to be put where, so that the table is as the game expects it."""
    hand, _blank, seat = to.partition(" ")
    noun = card_noun(Card.parse(card))
    if hand == "hand":
        if seat:
            return _("Put {card} back into {name}'s hand.", card=noun, name=seat_name(setup, int(seat)))
        return _("Put {card} back into the hand.", card=noun)
    onto = place_noun(to, setup)
    if place and place != "nowhere":
        return _("Put {card} {place.onto}, from {origin.off}.", card=noun, place=onto, origin=place_noun(place, setup))
    return _("Put {card} {place.onto}.", card=noun, place=onto)


def alarms(deal: Deal) -> list[dict[str, Any]]:
    """What lies there against the rules. A referee tells it at once, too: it is silent on claims alone (LLD-32)."""
    setup = deal.position.setup
    if not tells_turn(setup):
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
        past = _("{what} It was not put right.", what=what) if one.open else _("{what} It was put right.", what=what)
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
    if became and gone:
        text = _(
            "After the correction this is now so: {became}; "
            "and this was left out, as it is not possible any more: {gone}.",
            became=listed(became),
            gone=listed(gone),
        )
    elif became:
        text = _("After the correction this is now so: {became}.", became=listed(became))
    elif gone:
        text = _("After the correction this was left out, as it is not possible any more: {gone}.", gone=listed(gone))
    else:
        text = _("Put right; everything after it stands.")
    return {"seq": found.seq, "text": text, "confirm": waiting}


def correction_sentence(event: CardCorrected) -> str:
    """``the king of hearts read as the king of diamonds``."""
    was, now = card_noun(Card.parse(event.was)), card_noun(Card.parse(event.now))
    return _("{was} read as {now}", was=was, now=now)
