"""An evening as a table for spreadsheets: CSV after RFC 4180, in UTF-8 with the byte order mark that they go by."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Final

from assistant.accounts import CURRENCY, WORTH, by_person, kind_of, money_of
from assistant.session import SessionState
from web.evening import accounts_shown, dealer_name, evening
from web.languages import _
from web.wording import game_title

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""How a cell begins that a spreadsheet may take for a formula, also in full width."""


def evening_csv(state: SessionState) -> bytes:
    """One line a deal with each player's result in stakes or points and in money (empty for who did not sit there),
    then one for each account's sums, and one for each currency's.

    Numbers are written with a point, whatever the language; stakes and cards are whole, money has two places.
    """
    shown, accounts = evening(state), accounts_shown(state)
    names = shown["names"]
    rows: list[list[object]] = [
        [
            *(_("Deal"), _("Game"), _("Counted in"), _("A stake's worth"), _("Currency"), _("Dealer"), _("Sure")),
            *names,
            *(_("{name} in money", name=name) for name in names),
        ]
    ]
    for deal in sorted((deal for account in accounts for deal in account.deals), key=lambda one: one.number):
        kind, options, dealer = kind_of(deal.setup), deal.setup.options, dealer_name(deal)
        money, people = money_of(deal), accounts[0].people
        paid = ("", "") if money is None else (options.get(WORTH), options.get(CURRENCY, ""))
        sure = _("no") if deal.number in shown["unsure"] else _("yes")
        about = [deal.number, game_title(kind.game), _unit(kind.scoring or kind.unit), *paid, dealer, sure]
        paid_to = None if money is None else by_person(deal, money, people)
        rows.append([*about, *map(_plain, by_person(deal, deal.nets, people)), *_money(paid_to, names)])
    for account in accounts:
        about = [_("Together"), game_title(account.kind.game), _unit(account.kind.unit), "", "", "", ""]
        rows.append([*about, *map(_plain, account.totals), *_money(None, names)])
        for part in account.parts:
            if part.money is not None:
                about = [_("In money"), game_title(account.kind.game), "", "", part.currency, "", ""]
                rows.append([*about, *("" for _name in names), *_money(part.money, names)])
    return "\ufeff".encode() + _written(rows)


def _unit(name: str) -> str:
    """What an account counts, in a word or two."""
    match name:
        case "stakes":
            return _("stakes")
        case "points":
            return _("points")
        case "cards_left":
            return _("cards left")
    return name


def _money(sums: Iterable[Decimal | None] | None, names: Sequence[str]) -> list[str]:
    """The money of each player; empty cells where nobody plays for any, and for who did not sit there."""
    return [""] * len(names) if sums is None else ["" if one is None else f"{one:.2f}" for one in sums]


def _plain(net: float | None) -> str:
    if net is None:
        return ""
    return str(int(net)) if net == int(net) else f"{net:.4f}"


def _written(rows: Iterable[Iterable[object]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerows([cell(value) for value in row] for row in rows)
    return text.getvalue().encode("utf-8")


def cell(value: object) -> str:
    """A cell that no spreadsheet takes for a formula: a text that begins like one gets an apostrophe before it. A
    number stays one.

    >>> cell("=HYPERLINK(A1)"), cell("-4"), cell("Ann")
    ("'=HYPERLINK(A1)", '-4', 'Ann')
    """
    text = str(value)
    if not text.lstrip().startswith(_FORMULA) or _is_number(text):
        return text
    return f"'{text}"


def _is_number(text: str) -> bool:
    return text.isascii() and text.removeprefix("-").replace(".", "", 1).isdigit()
