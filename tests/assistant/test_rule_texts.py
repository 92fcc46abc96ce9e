"""The rule texts in ``seeds/``: every rule is there, and every test that they name exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

SEEDS = Path(__file__).parents[2] / "seeds"
TEXTS = {"laugh-and-lie-down.md": ("LLD", 32), "rolling-stone.md": ("RST", 16), "sbros.md": ("SBR", 16)}


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_every_rule_has_a_test_or_is_not_built_yet(name: str) -> None:
    prefix, number = TEXTS[name]
    text = (SEEDS / name).read_text("utf-8")
    rules = re.split(r"^- \*\*", text, flags=re.MULTILINE)[1:]
    assert [rule.partition("**")[0] for rule in rules] == [f"{prefix}-{index}" for index in range(1, number + 1)]
    for rule in rules:
        flat = " ".join(rule.split())
        assert "::test_" in flat or "Not built yet" in flat, flat
        assert re.search(r"\[[^]]*(seed|ours|elsewhere)", flat), flat


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_every_test_that_is_named_exists(name: str) -> None:
    named = re.findall(r"`(test_\w+\.py)::(test_\w+)`", (SEEDS / name).read_text("utf-8"))
    assert named
    for module in {module for module, _ in named}:
        (path,) = Path(__file__).parent.rglob(module)
        tree = ast.parse(path.read_text("utf-8"))
        defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        assert {test for at, test in named if at == module} <= defined, module
