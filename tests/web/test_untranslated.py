"""No text of a template, a script or the program goes past the languages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import pytest

from tests.gather_texts import KEYWORDS, ROOT, SEAMS, SOURCES, gathered
from tests.script_texts import parts

WEB: Final = Path(__file__).resolve().parent.parent.parent / "web"
TEMPLATES: Final = sorted((WEB / "templates").rglob("*.html"))
SCRIPTS: Final = sorted(path for path in (WEB / "static").rglob("*.js") if "vendor" not in path.parts)
JINJA: Final = re.compile(r"\{#.*?#\}|\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
NAMES: Final = {"Mournival", "/authority.crt", "EUR", "rtsp://10.0.0.7/1", "${} - Mournival"}
"""What is the same in every language."""
OF_BROWSERS: Final = re.compile(
    r"[A-Z]\w+Error|Enter|Escape|viewBox|spacingAndGlyphs|use strict|not all|; Secure|"
    r"translate\(.*|input, select, dialog"
)
"""Words of browsers themselves."""
SAID: Final = {"aria-label", "title", "alt", "placeholder", "aria-description"}
WORDS: Final = re.compile(r"[A-Za-z]{2,}(?:[ ,;:.!?'’]+[A-Za-z]{2,})+[.!?:…]*|[A-Z][a-z]{2,}[.!?:…]*")
"""Two words or more, or one with a capital: what a person would read."""
NOT_SHOWN: Final = re.compile(
    r"class|classes|role|type|method|mode|cache|credentials|viewBox|d|transform|points|style|inputmode|autocomplete|accept"
)
"""Properties whose text nobody reads."""


PAGES: Final = sorted(path for path in WEB.glob("*.py") if path.name != "journal_import.py")
"""What answers the page; evenings are imported by the command line alone."""
REFUSALS: Final = {"InvalidInput", "IllegalAction", "StaleInput", "CantChoose", "CantJoin"} | {
    *("LayoutError", "NotLetIn", "NotNow", "NotTaken", "TooManyTries", "refuse")
}
"""What is raised, or called, to refuse something in one line."""


class Shown(HTMLParser):
    """What a template shows of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.texts += [value for name, value in attrs if name in SAID and value]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_say_everything_through_the_languages(path: Path) -> None:
    shown = Shown()
    shown.feed(JINJA.sub("", path.read_text(encoding="utf-8")))
    texts = {text.strip() for text in shown.texts}
    assert {text for text in texts if re.search(r"[A-Za-z]{2,}", text)} - NAMES == set()


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_say_everything_through_the_languages(path: Path) -> None:
    assert sorted(past_the_seams(path.read_text(encoding="utf-8"))) == []


def test_what_goes_past_the_languages_is_found() -> None:
    """The tests above can fail."""
    script = """
      h("p", { class: "panel ask" }, "Nothing is counted");
      say(`The ${name} is gone`); $("undo").textContent = "Undo"; h("b", {}, "in turn");
      show(t("All is well"), tn("{n} card", "{n} cards", n), "click", `card-${n}`);
    """
    assert sorted(past_the_seams(script)) == ["Nothing is counted", "The ${} is gone", "Undo", "in turn"]


def past_the_seams(script: str) -> Iterator[str]:
    """The texts of a script that somebody would read and that are no argument of a seam."""
    found, open_calls = parts(script), list[str]()
    for place, part in enumerate(found):
        before = [one.text for one in found[max(0, place - 24) : place]]
        if part.text == "(" and part.kind == "sign":
            open_calls.append(before[-1] if before else "")
        elif part.text == ")" and part.kind == "sign" and open_calls:
            open_calls.pop()
        elif part.kind in ("string", "template"):
            seam = bool(open_calls) and open_calls[-1] in SEAMS
            if not seam and not not_shown(before) and reads(part.text):
                yield part.text


def not_shown(before: list[str]) -> bool:
    """Whether what stands before a text says that nobody reads it: it is compared, or the value of such a property."""
    if before and before[-1] in ("===", "!==", "case", "from", "[", "in", "throw"):
        return True
    start = next((place for place in range(len(before) - 1, -1, -1) if before[place] in (",", "{")), len(before))
    own = before[start + 1 : start + 3]
    return len(own) == 2 and own[1] == ":" and bool(NOT_SHOWN.fullmatch(own[0]))


def reads(text: str) -> bool:
    """Whether a text is one for people."""
    plain = text.replace("${}", "7")
    return (
        text not in NAMES
        and not OF_BROWSERS.fullmatch(text)
        and bool(WORDS.search(plain))
        and not re.search(r"[#\[\]<>=/_]|\.\w|\w-\w|--|\($", plain)
    )


def test_every_text_that_the_program_says_is_found_where_it_stands() -> None:
    """A call inside an f-string is not: its text would be in no catalogue."""
    found = {(message.context, text) for message in gathered() if message.id for text in texts_of(message.id)}
    lost = []
    for pattern, _method in SOURCES:
        for path in (one for one in sorted(ROOT.glob(pattern)) if one.suffix == ".py"):
            said = said_in(path.read_text(encoding="utf-8"))
            lost += [
                (path.relative_to(ROOT).as_posix(), text) for context, text in said if (context, text) not in found
            ]
    assert lost == []


def test_a_text_that_is_said_inside_an_f_string_is_seen_by_this_test() -> None:
    said = said_in("""f"{what} {_n('It was tried once.', 'It was tried {n} times.', n)}"; in_context("rank", "two")""")
    assert sorted(said, key=str) == [("rank", "two"), (None, "It was tried once."), (None, "It was tried {n} times.")]


def said_in(program: str) -> Iterator[tuple[str | None, str]]:
    """The context and the text of each literal text that a Python program gives to a seam."""
    for call in (node for node in ast.walk(ast.parse(program)) if isinstance(node, ast.Call)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if name not in KEYWORDS:
            continue
        texts = [one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        if name == "in_context":
            yield from [(texts[0], texts[1])] if len(texts) == 2 else []
        else:
            yield from ((None, text) for text in texts[: 2 if name.endswith("_n") else 1])


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_what_a_page_is_refused_is_said_through_the_languages(path: Path) -> None:
    assert list(refused_in(path.read_text(encoding="utf-8"))) == []


def test_a_refusal_that_goes_past_the_languages_is_seen_by_this_test() -> None:
    program = (
        """raise InvalidInput("bad", f"{name} is wrong"); refuse(409, "no", "no camera"); refuse(1, "a", _("b c"))"""
    )
    assert sorted(refused_in(program)) == [" is wrong", "no camera"]


def refused_in(program: str) -> Iterator[str]:
    """The plain texts with which something is refused."""
    for call in (node for node in ast.walk(ast.parse(program)) if isinstance(node, ast.Call)):
        if getattr(call.func, "id", "") in REFUSALS:
            for one in call.args:
                pieces = one.values if isinstance(one, ast.JoinedStr) else [one]
                plain = "".join(str(piece.value) for piece in pieces if isinstance(piece, ast.Constant))
                if re.search(r"[A-Za-z]", plain) and " " in plain:
                    yield plain


def texts_of(message: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return (message,) if isinstance(message, str) else tuple(message)
