"""Money as people write it: exactly, in the currency that the table plays for and with the places that it has."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from babel.core import Locale
from babel.numbers import format_currency, get_currency_precision

from assistant.accounts import CURRENCY, WORTH
from assistant.games.game import Setup
from web.languages import language, number

_CODE: Final = re.compile(r"[A-Z]{3}")


def amount(money: Decimal, currency: str = "", *, signed: bool = False) -> str:
    r"""An amount, ``signed`` as a result; a currency is an ISO 4217 code or any short word, and no line
    ends before it.

    >>> amount(Decimal("1.5")), amount(Decimal("-0.50"), "EUR", signed=True), amount(Decimal(2), "beans")
    ('1.50', '−€0.50', '2.00\xa0beans')
    >>> amount(Decimal("-1.50"), "JPY"), amount(Decimal(150), "JPY")
    ('−¥1.50', '¥150')
    """
    if not _CODE.fullmatch(currency):
        return f"{number(float(money), 2, signed=signed)}\u00a0{currency}".strip()
    sign = "−" if money < 0 else "+" if signed and money > 0 else ""
    return sign + _in_currency(abs(money), currency)


def _in_currency(money: Decimal, currency: str) -> str:
    """An amount with the places of its currency; with its own where it has more, as of half a yen."""
    own, spoken = -int(money.as_tuple().exponent), language()
    if own <= get_currency_precision(currency):
        return format_currency(money, currency, locale=spoken)
    pattern = Locale.parse(spoken).currency_formats["standard"].pattern.replace("0.00", f"0.{'0' * own}")
    return format_currency(money, currency, pattern, locale=spoken, currency_digits=False)


def worth(setup: Setup, stakes: int) -> str | None:
    """What so many stakes are in money; None where the table plays for stakes alone.

    >>> worth(Setup("laugh-and-lie-down", 5, 1, options={"stake_value": "0.50", "currency": "EUR"}), -3)
    '−€1.50'
    """
    value = setup.options.get(WORTH)
    return None if not value else amount(Decimal(value) * stakes, setup.options.get(CURRENCY, ""), signed=True)
