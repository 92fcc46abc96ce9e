"""What the page shows of a session, as one JSON object: all is said in words here, the browser only lays it out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assistant.cards import Card
from assistant.games.game import UNDER_WAY, Action, GameError, Position, Setup
from assistant.games.laugh_setup import scale_of
from assistant.session import Deal, Done, OpenQuestion, SessionState
from assistant.session_events import JOINED
from web.earlier_deals import taken_back
from web.evening import evening, names_with_results
from web.help_level import COACH, hints_shown, level_of, tells_turn
from web.languages import _, _n
from web.money import worth
from web.nouns import count_word, listed
from web.rule_texts import why
from web.settlement_steps import settlement_steps
from web.shown_deal import shown_deal
from web.table_hints import HINTED, table_hints
from web.table_middle import beside, middle
from web.troubles import alarms, disagreement, mended, put_right
from web.wording import (
    action_sentence,
    by_rank,
    game_title,
    named,
    seat_name,
)


def page_state(state: SessionState) -> dict[str, Any]:
    """The whole page for a state."""
    setup = state.setup
    if setup is None:
        return {"seq": state.seq, "phase": "waiting"}
    deal = None if state.deal is None else shown_deal(state.deal)
    settled = deal is not None and deal.position.over
    page: dict[str, Any] = {
        "seq": state.seq,
        "phase": "waiting" if deal is None else "settled" if settled else "playing",
        "game": {"name": setup.game, "title": game_title(setup.game)},
        "help": level_of(setup),
        "setup": {
            "players": setup.players,
            "dealer": setup.dealer,
            "names": [seat_name(setup, seat) for seat in range(1, setup.players + 1)],
            "options": dict(setup.options),
        },
        "deal": state.dealt + 1 if deal is None else deal.number,
        "account": list(state.account),
        "people": names_with_results(state),
        "evening": evening(state) if deal is None or settled else None,
        "closed": [
            {"deal": one.number, "dealer": one.dealer, "nets": list(one.nets), "sure": one.sure} for one in state.closed
        ],
        "headline": _headline(setup, deal),
    }
    return page | (_waiting(setup) if deal is None else _deal(deal)) | taken_back(state)


def _headline(setup: Setup, deal: Deal | None) -> dict[str, str]:
    if deal is None:
        return {"text": _("{name} deals", name=seat_name(setup, setup.dealer)), "more": _how_to_deal(setup)}
    if deal.position.over:
        return {"text": _how_it_ended(deal), "more": _what_is_open(deal)}
    if not tells_turn(deal.position.setup):
        return {"text": _("The deal is being played"), "more": ""}
    turn = deal.position.to_act
    return {"text": _("{name}'s turn", name=seat_name(deal.position.setup, turn)) if turn else "", "more": ""}


def _how_it_ended(deal: Deal) -> str:
    setup, settlement = deal.position.setup, _settled(deal.position)
    if settlement is None or "winners" not in settlement:
        return _("The pot is settled")
    winners = [seat_name(setup, seat) for seat in settlement["winners"]]
    if not winners:
        return _("The deal is drawn")
    return _n("{names} wins", "{names} share the deal", len(winners), names=listed(winners))


def _what_is_open(deal: Deal) -> str:
    """What may still change the settlement: a doubt, or a mistake that may be claimed until the next deal (LLD-30)."""
    if not deal.sure:
        return _("Not everything is sure: see below.")
    return _("Unless somebody still claims what was missed.") if _claims(deal.position) else ""


def _how_to_deal(setup: Setup) -> str:
    """What is dealt and put in (LLD-2), and how the deal begins."""
    if setup.game == "rolling-stone":
        return _("Deal eight cards to each, one by one; the first card that is led begins the deal.")
    if setup.game == "sbros":
        return _("Deal six cards to each and lay two face up side by side; the rest is the stock, face down.")
    scale = scale_of(setup)
    if scale is None:
        return _("Lay the table cards face up; the deal begins when they lie still.")
    return _(
        "Each puts in {stakes}, the dealer {more}. Deal {hand} cards to each and lay the other {table} face up; "
        "the deal begins when they lie still.",
        stakes=_stakes(scale.ante),
        more=count_word(scale.ante + 1),
        hand=count_word(scale.hand),
        table=count_word(scale.table),
    )


def _waiting(setup: Setup) -> dict[str, Any]:
    seats: list[dict[str, Any]] = [
        {
            "seat": seat,
            "name": seat_name(setup, seat),
            "dealer": seat == setup.dealer,
            "turn": False,
            "in": True,
            "hand": None,
            "pile": [],
            "swept": 0,
            "count": 0,
            "bonus": 0,
            "par": _par(setup),
        }
        for seat in range(1, setup.players + 1)
    ]
    scale = scale_of(setup)
    size = scale.table if scale else 2 if setup.game == "sbros" else 0
    return {"tableSize": size, "seats": seats, "table": [], "hints": [], "history": [], "questions": [],
            "claims": [], "faults": [], "notices": [], "actions": [], "last": None,
            "settlement": None, "disagreement": None, "alarms": [], "mended": None,
            "middle": None, "doubts": [], "unseen": {}}  # fmt: skip


def _deal(deal: Deal) -> dict[str, Any]:
    position, setup = deal.position, deal.position.setup
    observed = position.observe()
    told = position.over or tells_turn(setup)
    return {
        "seats": _seats(position),
        "table": [] if position.over else _table(position, observed.table),
        "middle": None if position.over else middle(position),
        "hints": table_hints(position),
        "actions": offers_of(position),
        "claims": _claims(position),
        "faults": [*_faults(position), *put_right(deal)] if told else [],
        "notices": [
            {"code": one.code, "text": named(one.text, setup), "rule": one.rule, "why": why(one.code, one.rule),
             "seats": list(one.seats), "cards": list(map(str, one.cards))}
            for one in position.notices()
            if one.code not in HINTED
        ],
        "last": _last(deal),
        "history": [_history(done, setup) for done in deal.done if done.by != JOINED],
        "joined": UNDER_WAY in setup.options or any(done.by == JOINED for done in deal.done),
        "questions": [
            {"seq": asked.seq, "text": _question(asked, setup),
             "seat": asked.choices[0][0].seat if asked.choices and asked.choices[0] else None,
             "choices": [{"text": listed([action_sentence(action, setup) for action in choice], "then"),
                          "lines": list(map(str, choice))} for choice in asked.choices]}
            for asked in deal.questions
        ],
        "disagreement": disagreement(deal),
        "alarms": alarms(deal),
        "mended": mended(deal),
        "doubts": _doubts(deal),
        "unsureDeal": None if deal.dealt_surely else deal.log[0].seq,
        "settlement": _settlement(deal),
        "unseen": dict(position.unseen()),
    }  # fmt: skip


def table_shown(position: Position) -> dict[str, Any]:
    """What lies where in a position: ``seats``, and the ``table`` by rank or what lies in the ``middle``."""
    lies = [] if position.over else _table(position, position.observe().table)
    return {"seats": _seats(position), "table": lies, "middle": None if position.over else middle(position)}


def _question(asked: OpenQuestion, setup: Setup) -> str:
    """What is asked; the choices are said in words below it, so a record's line is left out here."""
    lines = [str(action) for choice in asked.choices for action in choice]
    if asked.text and not any(line in asked.text for line in lines):
        return named(asked.text, setup)
    return _("Did this happen?") if len(asked.choices) == 1 else _("Which of these happened?")


def _seats(position: Position) -> list[dict[str, Any]]:
    setup, observed = position.setup, position.observe()
    settlement = _settled(position)
    final = {int(seat["seat"]): seat for seat in settlement["seats"]} if settlement else {}
    bonus = _bonus(settlement)
    par = _par(setup)
    seats = []
    for seat in range(1, setup.players + 1):
        pile = observed.piles.get(seat, ())
        held = observed.hands.get(seat)
        count = int(final[seat]["cards"]) if seat in final else len(pile) if par is not None else held or 0
        seats.append(
            {
                "seat": seat,
                "name": seat_name(setup, seat),
                "dealer": seat == setup.dealer,
                "turn": seat == position.to_act and tells_turn(setup),
                "in": seat in observed.active,
                "hand": held,
                "pile": [[str(card) for card in cards] for _, cards in by_rank(pile)] if par is not None else [],
                "swept": count - len(pile) if par is not None else 0,
                "count": count,
                "bonus": bonus.get(seat, 0),
                "par": par,
            }
            | beside(position, seat)
        )
    return seats


def _bonus(settlement: Any) -> dict[int, int]:
    """By seat, the stakes that the last one in has drawn (LLD-22)."""
    bonus = settlement.get("bonus") if settlement else None
    return {int(bonus["seat"]): int(bonus["stakes"])} if bonus else {}


def _settled(position: Position) -> Any:
    """The settlement; None before the end, and where the piles can't be right."""
    try:
        return position.settlement()
    except GameError:
        return None


def _doubts(deal: Deal) -> list[str]:
    """Why the settlement is not sure, or why there is none."""
    said = [named(doubt, deal.position.setup) for doubt in deal.doubts]
    try:
        deal.position.settlement()
    except GameError as error:
        said.insert(0, _("No settlement: {why}.", why=named(error.reason, deal.position.setup)))
    return said


def _par(setup: Setup) -> int | None:
    """The hand size is par (LLD-2)."""
    scale = scale_of(setup)
    return scale.par if scale else None


def offers_of(position: Position, *, claims: bool = False) -> list[dict[str, Any]]:
    """What may be done in a position, each with its line and in words; nothing but claims once it is over. ``claims``:
    what may be claimed as well, by each who may claim it."""
    actions = [] if position.over else list(position.legal_actions())
    if claims:
        actions += [Action(seat, "claim", claim.cards) for claim in position.claims() for seat in claim.claimants]
    return [_offer(action, position.setup) for action in actions]


def _offer(action: Action, setup: Setup) -> dict[str, Any]:
    return {"line": str(action), "seat": action.seat, "verb": action.verb, "text": action_sentence(action, setup)}


def _table(position: Position, table: Sequence[Card]) -> list[dict[str, Any]]:
    """The table cards by rank; ``dead``: no card of the rank is left that could mate them."""
    names = {2: _("pair"), 3: _("pair royal"), 4: _("mournival")}
    unseen, hinted = position.unseen(), hints_shown(position.setup)
    return [
        {
            "rank": rank,
            "cards": [str(card) for card in cards],
            "set": names.get(len(cards), "") if hinted else "",
            "dead": hinted and bool(rank) and not unseen.get(rank, 0),
        }
        for rank, cards in by_rank(table)
    ]


def _claims(position: Position) -> list[dict[str, Any]]:
    """The claims that are open, where the players want to be told of them (LLD-32)."""
    setup = position.setup
    claims: list[dict[str, Any]] = []
    if level_of(setup) != COACH:
        return claims
    for claim in position.claims():
        offers = [Action(seat, "claim", claim.cards) for seat in claim.claimants]
        claims.append(
            {
                "code": claim.code,
                "seat": claim.seat,
                "text": named(claim.text, setup),
                "cards": [str(card) for card in claim.cards],
                "claimants": [seat_name(setup, seat) for seat in claim.claimants],
                "why": why(claim.code),
                "actions": [_offer(offer, setup) | {"name": seat_name(setup, offer.seat)} for offer in offers],
            }
        )
    return claims


def _faults(position: Position) -> list[dict[str, Any]]:
    """The mistakes that were made; ``past`` says what became of them, empty while they may still be claimed."""
    setup = position.setup
    waiting = {(claim.code, claim.seat, claim.cards) for claim in position.claims()}
    faults = []
    for fault in position.faults():
        past = ""
        if (fault.code, fault.seat, fault.cards) not in waiting:
            what = named(fault.text, setup)
            if fault.claimed_by:
                past = _("{what} {name} claimed it.", what=what, name=seat_name(setup, fault.claimed_by))
            else:
                past = _("{what} Nobody called it.", what=what)
        faults.append({"code": fault.code, "seat": fault.seat, "past": past, "why": why(fault.code)})
    return faults


def _history(done: Done, setup: Setup) -> dict[str, Any]:
    return {
        "seq": done.seq,
        "seat": done.action.seat,
        "line": str(done.action),
        "text": action_sentence(done.action, setup),
        "by": done.by,
        "sure": done.sure,
        "confidence": round(done.confidence, 3),
    }


def _last(deal: Deal) -> dict[str, Any] | None:
    return _history(deal.done[-1], deal.position.setup) if deal.done and deal.done[-1].by != JOINED else None


def _settlement(deal: Deal) -> dict[str, Any] | None:
    settlement = _settled(deal.position)
    if settlement is None:
        return None
    setup = deal.position.setup
    bonus = _bonus(settlement)
    nets = [int(seat.get("net", 0)) for seat in settlement["seats"]]
    seats: list[dict[str, Any]] = [
        {
            **seat,
            "name": seat_name(setup, int(seat["seat"])),
            "dealer": seat["seat"] == setup.dealer,
            "bonus": bonus.get(int(seat["seat"]), 0),
            "money": worth(setup, int(seat["net"])) if "net" in seat else None,
        }
        for seat in settlement["seats"]
    ]
    return {
        **settlement,
        "seats": seats,
        "sum": sum(nets),
        "par": _par(setup),
        "sure": deal.sure,
        "doubts": _doubts(deal),
        "steps": settlement_steps(deal.position),
    }


def _stakes(count: int) -> str:
    return _n("{count} stake", "{count} stakes", count, count=count_word(count))
