"""The languages of the page: what a person reads on it passes through here in English and comes out as their own.

Which languages there are is what lies under ``web/locale``: a folder with a Babel catalogue each. They are read here
with Babel alone: the page's state is worded outside of any request, once for each language that somebody reads, and
pages in several languages stand open at a time. So the language is a context variable and not the request's.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from gettext import c2py
from pathlib import Path
from typing import Any, Final

from babel import Locale, UnknownLocaleError, negotiate_locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from babel.support import NullTranslations, Translations

from assistant.told import Told, filled

FOLDER: Final = Path(__file__).parent / "locale"
SOURCE: Final = "en"
"""The language in which the texts stand in the program."""
_CODE: Final = re.compile(r"[a-z]{2,3}(_[A-Z]{2})?")

_language: ContextVar[str] = ContextVar("language", default=SOURCE)


def _(text: str, /, **values: object) -> str:
    """The text in the language of whoever is being answered, with the values in its braces.

    >>> _("{name} is in turn", name="Ann")
    'Ann is in turn'
    """
    return filled(translations(language()).gettext(text), values)


def _n(one: str, many: str, n: int, /, **values: object) -> str:
    """The text for ``n`` things; ``{n}`` in it is their number.

    >>> _n("{n} card", "{n} cards", 2)
    '2 cards'
    """
    return filled(translations(language()).ngettext(one, many, n), {"n": n, **values})


def said(told: Told, say: Callable[[Any], Any]) -> str:
    """A sentence of the rules in the language of whoever is being answered; ``say`` words each of its values."""
    there = translations(language())
    if told.many:
        return filled(there.ngettext(told.pattern, told.many, told.values["n"]), told.values, say)
    return filled(there.gettext(told.pattern), told.values, say)


def in_context(context: str, text: str, /) -> str:
    """The text where English has one word for several things; ``context`` says which is meant.

    >>> in_context("rank", "two")
    'two'
    """
    return str(translations(language()).pgettext(context, text))


def number(value: float, places: int = 0, *, signed: bool = False) -> str:
    """A number as the language writes it.

    >>> number(-1.26, 1), number(2, signed=True)
    ('−1.3', '+2')
    """
    form = "0" if not places else "0." + "0" * places
    return format_decimal(value, f"+{form};−{form}" if signed and value else f"{form};−{form}", locale=language())


def language() -> str:
    """The language that is spoken here and now."""
    return _language.get()


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """What is said inside is said in this language."""
    token = _language.set(name)
    try:
        yield
    finally:
        _language.reset(token)


def speak(name: str) -> None:
    """From now on what is said in this thread is said in this language."""
    _language.set(name)


@lru_cache(maxsize=1)
def languages() -> dict[str, str]:
    """The languages that there are, by their codes, each by its own name."""
    found = sorted(path.parent.parent.name for path in FOLDER.glob("*/LC_MESSAGES/messages.po"))
    return {code: _own_name(code) for code in found if _CODE.fullmatch(code)}


def chosen(wanted: str | None, accepted: list[str]) -> str:
    """The language of somebody: the one ``wanted`` by hand where there is such a one, else the first of those that the
    browser accepts.

    >>> chosen(None, ["it", "de-AT", "en"]), chosen("ru", ["de"]), chosen("xx", [])
    ('de', 'ru', 'en')
    """
    there = languages()
    if wanted in there:
        return wanted
    return negotiate_locale([one.replace("-", "_") for one in accepted], list(there)) or SOURCE


@lru_cache
def catalogue(code: str) -> Catalog:
    """The catalogue of a language."""
    with (FOLDER / code / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=code, domain="messages")


@lru_cache
def translations(code: str) -> NullTranslations:
    """The catalogue as what says texts; the file is small, so it is compiled when it is first wanted."""
    compiled = io.BytesIO()
    write_mo(compiled, catalogue(code))
    compiled.seek(0)
    return Translations(compiled)


def _own_name(code: str) -> str:
    try:
        name = Locale.parse(code).get_display_name(code) or code
    except UnknownLocaleError:
        return code
    return name[:1].upper() + name[1:]


def plural_forms(code: str) -> list[int]:
    """Which of the language's plural forms goes with 0, 1, ... 199 things; from there on they repeat by hundreds."""
    plural = c2py(catalogue(code).plural_expr)
    return [int(plural(n)) for n in range(200)]
