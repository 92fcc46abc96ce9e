"""An evening in words and numbers: its accounts deal by deal, and who pays whom at its end."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from assistant.accounts import WORTH, Account, Counted, Kind, Part, accounts_of, by_person, kind_of
from assistant.games.game import GameError, Setup
from assistant.match import results_of
from assistant.payments import fewest_payments
from assistant.people import Person, people_at
from assistant.session import Deal, SessionState
from web.languages import _, _n, number
from web.money import amount
from web.settlement_steps import points
from web.wording import game_title


def evening(state: SessionState) -> dict[str, Any]:
    """The evening as the page shows it.

    ``names``: of all who played, those at the table now by seat, then the others; sums and results are in their order,
    of a deal None for who did not sit there. ``accounts``: one for each way of counting, the one that is played now
    last; each with its ``deals`` (their numbers, dealers, results, whether they are sure and in the account already),
    ``totals``, the ``running`` sums and the ``parts`` that are paid apart: which deals, their sums in ``money`` and the
    ``payments`` that settle them. A deal that is settled counts although it is not in the account yet; ``unsure`` are
    the deals that are not sure.
    """
    setup = state.setup
    if setup is None:
        return {"names": [], "accounts": [], "unsure": [], "mixed": False}
    settled = settled_now(state)
    sure = {deal.number: deal.sure for deal in state.closed}
    if settled is not None and state.deal is not None:
        sure[settled.number] = state.deal.sure
    ordered = accounts_shown(state)
    names = [person_name(person) for person in (ordered[0].people if ordered else people_at(setup))]
    return {
        "names": names,
        "accounts": [
            _account(one, sure, None if settled is None else settled.number, names, money=_plays_for_money(one, setup))
            for one in ordered
        ],
        "unsure": sorted(number_ for number_, is_sure in sure.items() if not is_sure),
        "mixed": len(ordered) > 1,
    }


def accounts_shown(state: SessionState) -> tuple[Account, ...]:
    """The accounts of an evening with the settled deal that is not closed yet, the one that is played now last."""
    if state.setup is None:
        return ()
    settled = settled_now(state)
    counted = [*state.in_account, *([] if settled is None else [settled])]
    playing = kind_of(state.setup)
    accounts = accounts_of(sorted(counted, key=lambda deal: deal.number), people_at(state.setup))
    return tuple(sorted(accounts, key=lambda one: one.kind == playing))


def _plays_for_money(account: Account, setup: Setup) -> bool:
    """Whether deals like these are played for money from now on."""
    return kind_of(setup) == account.kind and bool(setup.options.get(WORTH))


def settled_now(state: SessionState) -> Counted | None:
    """The deal that is over but not in the account yet; None where there is none, or it has no result."""
    deal = state.deal
    if deal is None or not deal.position.over:
        return None
    counted = counted_of(deal)
    return None if counted is None else state.counted(counted.number, counted.setup, counted.nets)


def names_with_results(state: SessionState) -> list[str]:
    """The names of those who have won or lost something this evening."""
    settled = settled_now(state)
    counted = [*state.in_account, *([] if settled is None else [settled])]
    return list(dict.fromkeys(person.name for deal in counted for person in deal.people if person.name))


def person_name(person: Person) -> str:
    """What somebody is called in the account."""
    if not person.name:
        return _("Seat {n}", n=person.seat)
    return _("{name}, seat {n}", name=person.name, n=person.seat) if person.seat else person.name


def dealer_name(deal: Counted) -> str:
    """Who dealt, as that person is called now."""
    return person_name(deal.people[deal.setup.dealer - 1])


def counted_of(deal: Deal) -> Counted | None:
    """What a deal that is over brings into an account; None where its piles can't be right."""
    try:
        settlement = deal.position.settlement()
    except GameError:
        return None
    if settlement is None:
        return None
    return Counted(deal.number, deal.position.setup, results_of(settlement, deal.position.setup.players))


def _account(
    account: Account, sure: dict[int, bool], settled: int | None, names: Sequence[str], *, money: bool
) -> dict[str, Any]:
    apart = len(account.parts) > 1
    nets = {deal.number: by_person(deal, deal.nets, account.people) for deal in account.deals}
    return {
        "title": game_title(account.kind.game),
        "unit": account.kind.unit,
        "counting": counting(account.kind),
        "deals": [
            {
                "deal": deal.number,
                "dealer": deal.setup.dealer,
                "dealerName": dealer_name(deal),
                "nets": list(nets[deal.number]),
                "shown": ["" if net is None else shown(net, account.kind) for net in nets[deal.number]],
                "sure": sure[deal.number],
                "open": deal.number == settled,
            }
            for deal in account.deals
        ],
        "totals": list(account.totals),
        "shownTotals": [shown(total, account.kind) for total in account.totals],
        "running": [list(sums) for sums in account.running],
        "shownRunning": [[shown(total, account.kind) for total in sums] for sums in account.running],
        "parts": [_part(one, names, apart=apart, money=money) for one in account.parts],
    }


def _part(part: Part, names: Sequence[str], *, apart: bool, money: bool) -> dict[str, Any]:
    """Deals that are paid in the same: ``note`` says which, where they are not all and where others play for money."""
    sums, count = part.money, len(part.deals)
    deals = {"deals": ", ".join(str(deal.number) for deal in part.deals)}
    if sums is None:
        told = _n(
            "Deal {deals} was played for stakes alone.", "Deals {deals} were played for stakes alone.", count, **deals
        )
    else:
        told = _n("Deal {deals} was played for money.", "Deals {deals} were played for money.", count, **deals)
    label = _n("In money, deal {deals}", "In money, deals {deals}", count, **deals) if apart else _("In money")
    return {
        "deals": [deal.number for deal in part.deals],
        "note": told if apart or (sums is None and money) else "",
        "label": label,
        "money": None if sums is None else [amount(one, part.currency or "", signed=True) for one in sums],
        "payments": _payments(part, names),
    }


def _payments(part: Part, names: Sequence[str]) -> list[dict[str, Any]]:
    """The payments, each with its stakes (where a stake was worth the same in all deals) and its money."""
    money, currency = part.money, part.currency or ""
    paid = fewest_payments(part.stakes) if part.one_worth else None
    if money is None:
        return [_payment(one.payer, one.payee, one.amount, None, names, currency) for one in paid or ()]
    if paid is None:
        return [_payment(one.payer, one.payee, None, one.amount, names, currency) for one in fewest_payments(money)]
    worth = Decimal(part.deals[0].setup.options[WORTH])
    return [_payment(one.payer, one.payee, one.amount, one.amount * worth, names, currency) for one in paid]


def _payment(
    payer: int, payee: int, stakes: int | None, money: Decimal | None, names: Sequence[str], currency: str
) -> dict[str, Any]:
    said = {"payer": names[payer - 1], "payee": names[payee - 1]}
    if stakes is None:
        text = _("{payer} pays {payee} {money}.", **said, money=amount(money or Decimal(), currency))
    elif money is None:
        text = _n("{payer} pays {payee} {n} stake.", "{payer} pays {payee} {n} stakes.", stakes, **said)
    else:
        text = _n(
            "{payer} pays {payee} {n} stake, which is {money}.",
            "{payer} pays {payee} {n} stakes, which is {money}.",
            stakes,
            **said,
            money=amount(money, currency),
        )
    return {
        "payer": payer,
        "payee": payee,
        "stakes": stakes,
        "money": None if money is None else str(money),
        "text": text,
    }


def counting(kind: Kind) -> str:
    """What an account counts, in a sentence."""
    if kind.unit == "stakes":
        return _("Counted in stakes; they add up to nothing.")
    if kind.scoring == "cards_left":
        return _("Counted in cards that were left in the hand: the fewer the better.")
    return _("Counted in points: the more the better.")


def shown(net: float, kind: Kind) -> str:
    """A result as people write it: stakes with their sign, points without."""
    return number(net, signed=True) if kind.unit == "stakes" else points(net)
