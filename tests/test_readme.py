"""What the README tells is true: its commands exist and its record is legal."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Final

import click
import pytest

from assistant.record import parse_record, replay
from web.cli import COMMANDS, main

ROOT: Final = Path(__file__).resolve().parent.parent
README: Final = (ROOT / "README.md").read_text(encoding="utf-8")
CALLS: Final = sorted(set(re.findall(r"^    (mournival .+?)(?:  .*)?$", README, re.MULTILINE)))


def test_there_are_examples() -> None:
    assert len(CALLS) > 10


@pytest.mark.parametrize("call", CALLS)
def test_every_example_is_a_call_that_the_command_takes(call: str) -> None:
    _, name, *arguments = shlex.split(call)
    assert name in COMMANDS
    command = main.get_command(click.Context(main), name)
    assert command is not None
    command.make_context(name, arguments, resilient_parsing=False)


@pytest.mark.parametrize("target", re.findall(r"^    make (\w+)", README, re.MULTILINE))
def test_every_make_target_is_there(target: str) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_record_is_legal() -> None:
    found = re.search(r"^    game: .*?(?=^\S)", README, re.MULTILINE | re.DOTALL)
    assert found is not None
    played = replay(parse_record(re.sub(r"^    ", "", found.group(), flags=re.MULTILINE)))
    assert played.error is None
    assert len(played.position.actions) == 2


@pytest.mark.parametrize("document", ["README.md", "ARCHITECTURE.md"])
def test_every_place_that_a_document_names_is_there(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    named = re.findall(r"`((?:assistant|vision|web|models|seeds|tests)/[\w/.]*)`", text) + re.findall(
        r"\]\((\w[\w/.]*)\)", text
    )
    assert named
    assert [place for place in named if not (ROOT / place).exists()] == []
