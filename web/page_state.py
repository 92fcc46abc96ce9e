"""What the page shows of a session, as one JSON object: all is said in words here, the browser only lays it out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assistant.cards import Card
from assistant.games.game import Action, GameError, Position, Setup
from assistant.games.laugh_setup import scale_of
from assistant.session import Deal, Done, OpenQuestion, SessionState
from assistant.session_events import JOINED, ActionTaken, CardCorrected, Entry, Reexplained
from web.rule_texts import why
from web.table_middle import advice, beside, middle
from web.troubles import alarms, correction_sentence, disagreement, mended, put_right
from web.wording import (
    GAMES,
    action_sentence,
    by_rank,
    count_word,
    join,
    mate_sentence,
    named,
    rank_name,
    seat_name,
)


def page_state(state: SessionState) -> dict[str, Any]:
    """The whole page for a state."""
    setup = state.setup
    if setup is None:
        return {"seq": state.seq, "phase": "waiting"}
    deal = state.deal
    settled = deal is not None and deal.position.over
    page: dict[str, Any] = {
        "seq": state.seq,
        "phase": "waiting" if deal is None else "settled" if settled else "playing",
        "game": {"name": setup.game, "title": GAMES.get(setup.game, setup.game)},
        "setup": {
            "players": setup.players,
            "dealer": setup.dealer,
            "names": [seat_name(setup, seat) for seat in range(1, setup.players + 1)],
            "options": dict(setup.options),
        },
        "deal": state.dealt + (deal is None),
        "account": list(state.account),
        "closed": [
            {"deal": one.number, "dealer": one.dealer, "nets": list(one.nets), "sure": one.sure} for one in state.closed
        ],
        "headline": _headline(setup, deal),
    }
    return page | (_waiting(setup) if deal is None else _deal(deal))


def _headline(setup: Setup, deal: Deal | None) -> dict[str, str]:
    if deal is None:
        return {"text": f"{seat_name(setup, setup.dealer)} deals", "more": _how_to_deal(setup)}
    if deal.position.over:
        return {"text": _how_it_ended(deal), "more": _what_is_open(deal)}
    turn = deal.position.to_act
    return {"text": f"{seat_name(deal.position.setup, turn)}'s turn" if turn else "", "more": ""}


def _how_it_ended(deal: Deal) -> str:
    setup, settlement = deal.position.setup, _settled(deal.position)
    if settlement is None or "winners" not in settlement:
        return "The pot is settled"
    winners = [seat_name(setup, seat) for seat in settlement["winners"]]
    return f"{join(winners)} {'wins' if len(winners) == 1 else 'share the deal'}" if winners else "The deal is drawn"


def _what_is_open(deal: Deal) -> str:
    """What may still change the settlement: a doubt, or a mistake that may be claimed until the next deal (LLD-30)."""
    if not deal.sure:
        return "Not everything is sure: see below."
    return "Unless somebody still claims what was missed." if _claims(deal.position) else ""


def _how_to_deal(setup: Setup) -> str:
    """What is dealt and put in (LLD-2), and how the deal begins."""
    if setup.game == "rolling-stone":
        return "Deal eight cards to each, one by one; the first card that is led begins the deal."
    if setup.game == "sbros":
        return "Deal six cards to each and lay two face up side by side; the rest is the stock, face down."
    scale = scale_of(setup)
    if scale is None:
        return "Lay the table cards face up; the deal begins when they lie still."
    return (
        f"Each puts in {_stakes(scale.ante)}, the dealer {count_word(scale.ante + 1)}. "
        f"Deal {count_word(scale.hand)} cards to each and lay the other {count_word(scale.table)} face up; "
        "the deal begins when they lie still."
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
    return {"tableSize": size, "seats": seats, "table": [], "mates": [], "history": [], "questions": [],
            "claims": [], "faults": [], "notices": [], "actions": [], "last": None, "undo": None, "redo": None,
            "settlement": None, "disagreement": None, "alarms": [], "mended": None,
            "middle": None, "advice": [], "doubts": [], "unseen": {}}  # fmt: skip


def _deal(deal: Deal) -> dict[str, Any]:
    position, setup = deal.position, deal.position.setup
    observed = position.observe()
    legal = () if position.over else position.legal_actions()
    mates = _mates(position, legal, observed.table)
    last = deal.last
    return {
        "seats": _seats(position),
        "table": [] if position.over else _table(position, observed.table),
        "middle": None if position.over else middle(position),
        "advice": advice(position),
        "mates": [{key: mate[key] for key in ("text", "rank", "actions", "why")} for mate in mates.values()],
        "actions": offers_of(position),
        "claims": _claims(position),
        "faults": [*_faults(position), *put_right(deal)],
        "notices": [
            {"code": one.code, "text": named(one.text, setup), "rule": one.rule, "why": why(one.code, one.rule),
             "seats": list(one.seats), "cards": list(map(str, one.cards))}
            for one in position.notices()
            if one.code != "pair-royal"
        ],
        "last": _last(deal),
        "history": [_history(done, setup) for done in deal.done if done.by != JOINED],
        "joined": any(done.by == JOINED for done in deal.done),
        "undo": {"seq": last.seq, "text": _undo_text(last, deal)} if last else None,
        "redo": deal.redo[-1] if deal.redo else None,
        "questions": [
            {"seq": asked.seq, "text": _question(asked, setup),
             "seat": asked.choices[0][0].seat if asked.choices and asked.choices[0] else None,
             "choices": [{"text": join([action_sentence(action, setup) for action in choice], "then"),
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


def _question(asked: OpenQuestion, setup: Setup) -> str:
    """What is asked; the choices are said in words below it, so a record's line is left out here."""
    lines = [str(action) for choice in asked.choices for action in choice]
    if asked.text and not any(line in asked.text for line in lines):
        return named(asked.text, setup)
    return "Did this happen?" if len(asked.choices) == 1 else "Which of these happened?"


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
                "turn": seat == position.to_act,
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
        said.insert(0, named(f"No settlement: {error.reason}.", deal.position.setup))
    return said


def _par(setup: Setup) -> int | None:
    """The hand size is par (LLD-2)."""
    scale = scale_of(setup)
    return scale.par if scale else None


def _mates(position: Position, legal: Sequence[Action], table: Sequence[Card]) -> dict[str, dict[str, Any]]:
    """By rank, what the seat in turn may mate: the sentence, and the actions that do it."""
    lying = dict(by_rank(table))
    mates: dict[str, dict[str, Any]] = {}
    for action in legal:
        if action.verb != "mate" or action.seat != position.to_act or len(action.cards) < 2:
            continue
        rank = action.cards[1].rank
        mate = mates.setdefault(rank, {"rank": rank, "actions": [], "cards": []})
        mate["actions"].append(_offer(action, position.setup))
        mate["cards"] = [str(card) for card in lying.get(rank, ())]
    for rank, mate in mates.items():
        text = mate_sentence(rank, lying.get(rank, ()))
        mate["text"] = text[0].upper() + text[1:] + "."
        three = [offer for offer in mate["actions"] if offer["line"].count(" ") == 5]
        mate["actions"] = three or mate["actions"]
        mate["why"] = why("", "LLD-16") if three else ""
    return mates


def offers_of(position: Position) -> list[dict[str, Any]]:
    """What may be done in a position, each with its line and in words; nothing once it is over."""
    return [] if position.over else [_offer(action, position.setup) for action in position.legal_actions()]


def _offer(action: Action, setup: Setup) -> dict[str, Any]:
    return {"line": str(action), "seat": action.seat, "verb": action.verb, "text": action_sentence(action, setup)}


def _table(position: Position, table: Sequence[Card]) -> list[dict[str, Any]]:
    """The table cards by rank; ``dead``: no card of the rank is left that could mate them."""
    names = {2: "pair", 3: "pair royal", 4: "mournival"}
    unseen = position.unseen()
    return [
        {
            "rank": rank,
            "cards": [str(card) for card in cards],
            "set": names.get(len(cards), ""),
            "dead": bool(rank) and not unseen.get(rank, 0),
        }
        for rank, cards in by_rank(table)
    ]


def _claims(position: Position) -> list[dict[str, Any]]:
    """The claims that are open, where the players want to be told of them (LLD-32)."""
    setup = position.setup
    claims: list[dict[str, Any]] = []
    if setup.options.get("help", "coach") != "coach":
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
            what = named(fault.text, setup).split(". ")[0].rstrip(".")
            who = f"{seat_name(setup, fault.claimed_by)} claimed it." if fault.claimed_by else "Nobody called it."
            past = f"{what}. {who}"
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


def _undo_text(last: Entry, deal: Deal) -> str:
    match last.event:
        case CardCorrected():
            return correction_sentence(last.event)
        case ActionTaken():
            done = next(one for one in deal.done if one.seq == last.seq)
            return action_sentence(done.action, deal.position.setup)
        case Reexplained():
            return "the last correction, with all that it changed"
        case _:
            return ""


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
        "sentences": _settlement_sentences(settlement, setup),
    }


def _settlement_sentences(settlement: Any, setup: Setup) -> list[str]:
    """How the pot is emptied, step by step."""
    if "pot" not in settlement:
        return []
    said = [f"The pot holds {_stakes(settlement['pot'])}."]
    bonus_of = _bonus(settlement)
    for seat, stakes in bonus_of.items():
        said.append(f"{seat_name(setup, seat)} is the last one in and takes {_stakes(stakes)} from it.")
    paying = [seat for seat in settlement["seats"] if seat["paid_in"]]
    if paying:
        parts = [f"{seat_name(setup, seat['seat'])} pays in {count_word(seat['paid_in'])}" for seat in paying]
        said.append(join(parts) + ".")
    drawing = {seat["seat"]: seat["received"] - bonus_of.get(seat["seat"], 0) for seat in settlement["seats"]}
    parts = [f"{seat_name(setup, seat)} draws {count_word(drawn)}" for seat, drawn in drawing.items() if drawn]
    if parts:
        said.append(join(parts) + ".")
    for seat, stakes in bonus_of.items():
        if drawing[seat]:
            said.append(
                f"With the {count_word(stakes)} as the last one in, {seat_name(setup, seat)} has "
                f"{count_word(drawing[seat] + stakes)}."
            )
    left = settlement["pot"] + sum(seat["paid_in"] - seat["received"] for seat in settlement["seats"])
    said.append("The pot is empty." if left == 0 else f"{_stakes(left)} are left in the pot.")
    return said


def _stakes(count: int) -> str:
    return f"{count_word(count)} {'stake' if count == 1 else 'stakes'}"


def rank_list() -> list[dict[str, str]]:
    """The ranks with their names, for the page's card picker."""
    return [{"rank": rank, "name": rank_name(rank)} for rank in "A23456789TJQK"]
