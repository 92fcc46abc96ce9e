"""The hints of the table's page: what the seat in turn may do by what lies there, sets, dead cards, what is certain.

They come in sections of lines, each line one sentence with the rule behind it. A table that wants no hints gets none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from assistant.cards import RANKS, SUITS, Card
from assistant.games.game import Fact, Notice, Position
from assistant.games.laugh_and_lie_down import LaughPosition
from assistant.games.rolling_stone import StonePosition
from assistant.games.sbros import SbrosPosition
from assistant.games.stone_cards import STRENGTH, cards_of
from assistant.games.stone_hidden import OUT
from web.help_level import hints_shown
from web.languages import _, _n
from web.nouns import Noun, cards_noun, count_word, listed, rank_noun, suit_noun
from web.rule_texts import why
from web.wording import by_rank, capital, mate_sentence, named, seat_name

Line = dict[str, Any]
Section = dict[str, Any]

HINTED: Final = frozenset(
    {
        *("mournival", "pair-royal", "may-lay"),
        *("opening", "to-lead", "lead-bar", "must-pick-up", "one-card", "stop-near"),
        *("must-reset", "must-pass", "stock-low", "one-pass"),
    }
)
"""The notices of the games that are hints; the others tell what happened."""
_SAID: Final = frozenset({"pair-royal", "opening", "to-lead", "lead-bar", "may-lay"})
"""Of them, those that the lines say in their own way."""
_OWN_FAULTS: Final = frozenset({"wrong-reset", "wrong-pass"})


def table_hints(position: Position) -> list[Section]:
    """The sections, the most useful first: ``kind`` (``turn``, ``lay``, ``dead`` or ``certain``), ``title`` and
    ``lines``.

    A line has a ``text``, the ``rank`` that it is about or an empty one, and the ``rule``: its ``number`` and its
    words. Nothing once the deal is over, and nothing where the table wants no hints.
    """
    if position.over or not hints_shown(position.setup):
        return []
    notices = [one for one in position.notices() if one.code in HINTED]
    facts = [one for one in position.facts() if one.code not in _OWN_FAULTS]
    name = seat_name(position.setup, position.to_act or 0)
    title, lay = _("What {name} may do", name=name), list[Line]()
    if isinstance(position, LaughPosition):
        title = _("What {name} may mate", name=name)
        turn = _mates(position)
        lay = list(_lays(position, notices, facts))
        facts = [one for one in facts if one.code != "last-two"]
    elif isinstance(position, StonePosition):
        turn = list(_trick(position) if position.trick else _lead(position))
        facts = [one for one in facts if one.code not in ("not-located", "suit-gone")]
    else:
        turn = list(_covers(position)) if isinstance(position, SbrosPosition) else []
    told = [_told(one, position) for one in notices if one.code not in _SAID]
    dead = [_told(one, position) for one in facts if one.code == "dead"]
    certain = [_told(one, position) for one in facts if one.code != "dead"]
    if isinstance(position, StonePosition):
        certain += _left(position)
    parts = (
        ("turn", title, [*told, *turn]),
        ("lay", _("What may be laid from the hand"), lay),
        ("dead", _("Dead: nobody can take it any more"), dead),
        ("certain", _("What is certain"), certain),
    )
    return [{"kind": kind, "title": said, "lines": lines} for kind, said, lines in parts if lines]


def _line(text: str, rule: str, rank: str = "") -> Line:
    return {"text": text, "rank": rank, "rule": {"number": rule, "text": why("", rule)}}


def _told(one: Notice | Fact, position: Position) -> Line:
    rank = one.cards[0].rank if one.cards and one.code in ("mournival", "dead") else ""
    return _line(named(one.text, position.setup), one.rule, rank)


# Laugh and Lie Down


def _mates(position: LaughPosition) -> list[Line]:
    """By rank, what lies there and may be mated by the seat in turn."""
    seat, lying = position.to_act, dict(by_rank(position.observe().table))
    mates = [one for one in position.legal_actions() if one.seat == seat and one.verb == "mate" and len(one.cards) > 1]
    ranks = dict.fromkeys(one.cards[1].rank for one in mates)
    if not ranks:
        return [_line(_("Nothing that lies there can be mated: lie down."), "LLD-18")]
    return [_mate(rank, lying.get(rank, ())) for rank in ranks]


def _mate(rank: str, lying: Sequence[Card]) -> Line:
    rule = {2: "LLD-15", 3: "LLD-16"}.get(len(lying), "LLD-13")
    return _line(mate_sentence(rank, lying), rule, rank)


def _lays(position: LaughPosition, notices: Iterable[Notice], facts: Iterable[Fact]) -> Iterator[Line]:
    """The sets that are known to be in a hand and may be laid, and the ranks of which the last two are in hands."""
    for notice in notices:
        if notice.code == "may-lay":
            yield _line(named(notice.text, position.setup), notice.rule, notice.cards[0].rank)
    for fact in facts:
        if fact.code == "last-two":
            rank = fact.cards[0].rank
            yield _line(
                _("Whoever holds the last two {rank.many} may lay them: nobody can mate them.", rank=rank_noun(rank)),
                fact.rule,
                rank,
            )


# Rolling Stone


def _trick(position: StonePosition) -> Iterator[Line]:
    suit = suit_noun(next((card.suit for card in position.trick if card.known), ""))
    yield _line(capital(_("{suit} are led: who holds one must play one.", suit=suit)), "RST-7")
    number = len(position.trick)
    take = _n(
        "Without any: take the card into the hand, and lead next.",
        "Without any: take the {count} cards into the hand, and lead next.",
        number,
        count=count_word(number),
    )
    yield _line(take, "RST-8")
    played = zip(position.trick, position.actions[-number:], strict=True)
    known = [(STRENGTH.index(card.rank), card, action) for card, action in played if card.known]
    if known:
        _strength, card, action = max(known, key=lambda one: one[0])
        name = seat_name(position.setup, action.seat)
        text = _("If all follow, {name} takes the trick with {card}, as it stands.", name=name, card=cards_noun([card]))
        yield _line(text, "RST-10")


def _lead(position: StonePosition) -> Iterator[Line]:
    barred = cards_of(position.barred)
    if not barred:
        yield _line(_("Lead any card."), "RST-6")
        return
    what: Noun = suit_noun(barred[0].suit) if position.rules.lead_bar == "suit" else cards_noun(barred)
    yield _line(_("Lead any card but {what}, just picked up.", what=what), "RST-9")


def _left(position: StonePosition) -> list[Line]:
    """How many cards of each suit are still in hands; at the most where nobody saw what left play."""
    held = {card for fact in position.facts() if fact.code in ("holds", "not-located") for card in fact.cards}
    counts = [(sum(card.suit == suit for card in held), suit) for suit in SUITS]
    parts = [_("{suit} {n}", suit=suit_noun(suit), n=count) for count, suit in counts]
    if any(slots.holder == OUT for slots in position.known().slots):
        return [_line(_("In hands are still at most: {counts}.", counts=listed(parts)), "RST-10")]
    return [_line(_("In hands are still: {counts}.", counts=listed(parts)), "RST-10")]


# Sbros


def _covers(position: SbrosPosition) -> Iterator[Line]:
    """The ways to cover the two centre cards, and what to do without one."""
    left, right = position.places.centre
    if left.rank and right.rank:
        for way in _ways(left, right, position.rules.adjacent):
            yield _line(capital(way), "SBR-5")
    else:
        yield _line(_("Cover both centre cards."), "SBR-5")
    if position.exchanged:
        yield _line(_("Without a play: pass."), "SBR-13")
    else:
        yield _line(_("Without a play: put one card aside and draw one."), "SBR-9")


def _ways(left: Card, right: Card, adjacent: bool) -> Iterator[str]:
    if left.rank != right.rank:  # else any pair does
        ranks = {"left": rank_noun(left.rank), "right": rank_noun(right.rank)}
        yield _("{left.a} on the left and {right.a} on the right, of whatever suit.", **ranks)
    if left.known and right.known:
        suits = {"left": suit_noun(left.suit), "right": suit_noun(right.suit)}
        if adjacent:
            yield _("{left.a} on the left and {right.a} on the right, one a rank higher and one a rank lower.", **suits)
        else:
            yield _("{left.a} on the left and {right.a} on the right, one higher and one lower.", **suits)
    low, high = sorted((RANKS.index(left.rank), RANKS.index(right.rank)))
    if low == high:
        yield _("Any pair.")
    elif high - low == 2:
        yield _("A pair of {rank.many}.", rank=rank_noun(RANKS[low + 1]))
    elif high - low > 2:
        first, last = rank_noun(RANKS[low + 1]), rank_noun(RANKS[high - 1])
        yield _("A pair from the {first.many} to the {last.many}.", first=first, last=last)
