"""Text on one line, whatever is in it."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

import vision.plain_text as module
from vision.plain_text import one_line


def test_docstring_examples() -> None:
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb\x1b[31m\udcff", "a\\nb\\x1b[31m\\udcff"),
        ("\r\t\x00\x7f", "\\r\\t\\x00\\x7f"),
        ("\x85\x9b", "\\x85\\x9b"),
        ("\u2028\u2029\u202e", "\\u2028\\u2029\\u202e"),
        ("Zo\xeb \u4e03 \u2660.jpg", "Zo\xeb \u4e03 \u2660.jpg"),
    ],
)
def test_what_can_not_be_shown_is_an_escape(text: str, shown: str) -> None:
    assert one_line(text) == shown


@given(st.text())
def test_it_is_one_line_and_stays_as_it_is(text: str) -> None:
    once = one_line(text)
    assert len(once.splitlines()) <= 1
    assert once.isprintable()
    assert one_line(once) == once
