"""Every numbered rule of the games is named by a test: in its name, its words or its code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from assistant.games import GAMES

ROOT: Final = Path(__file__).resolve().parent.parent
SOURCE: Final = ROOT.parent / "shared" / "rules.md"
"""The rules reference that the numbers come from, where it lies beside the project."""

RULES: Final = {
    "laugh-and-lie-down": ("LLD", [*map(str, range(1, 33)), "9a", "9b", "9c"]),
    "rolling-stone": ("RST", [*map(str, range(1, 16))]),
    "sbros": ("SBR", [*map(str, range(1, 16))]),
}
"""By game: what its rule numbers begin with, and the numbers."""

_NAMED: Final = re.compile(r"(LLD|RST|SBR)[-_](\d+[abc]?)(?![0-9])", re.IGNORECASE)


def every_test() -> Iterator[str]:
    """The source of every test function but those about the rule texts themselves."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        if path.name in (Path(__file__).name, "test_rule_texts.py"):
            continue
        source = path.read_text("utf-8")
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                lines = source.splitlines()
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                yield "\n".join(lines[first - 1 : node.end_lineno])


@pytest.mark.parametrize("game", sorted(set(RULES) & set(GAMES)))
def test_every_rule_number_is_named_by_a_test(game: str) -> None:
    prefix, numbers = RULES[game]
    named = {f"{found[1].upper()}-{found[2].lower()}" for test in every_test() for found in _NAMED.finditer(test)}
    assert [rule for rule in (f"{prefix}-{number}" for number in numbers) if rule not in named] == []


def test_the_numbers_are_those_of_the_rules() -> None:
    if not SOURCE.is_file():
        return  # the reference is no part of the project
    text = SOURCE.read_text("utf-8")
    found = {f"{one[1]}-{one[2]}" for one in re.finditer(r"\*\*(LLD|RST|SBR)-(\d+[abc]?)\b", text)}
    assert found == {f"{prefix}-{number}" for prefix, numbers in RULES.values() for number in numbers}
