"""A fourth game is one new file: found in its folder, it is read, played, checked and added up like the others."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner

import assistant.games as package
from assistant.cards import parse_cards
from assistant.games import GAMES, found_in, game_named
from assistant.games.game import Game
from assistant.match import match_of
from assistant.record import parse_record, record_of, replay
from tests.playouts import check_end, check_position, play_out, shuffled
from web.cli import main

FOLDER = str(Path(__file__).parent / "fourth_game")
RECORD = """game: high-card
players: 3
dealer: 3
hand 1: KH 2S 3D
options: ace=high
1 show KH
2 show AC
3 show AD
"""


@pytest.fixture
def high_card(monkeypatch: pytest.MonkeyPatch) -> Game:
    """The game, as if its file lay with the others."""
    monkeypatch.setattr(package, "__path__", [*package.__path__, FOLDER])
    for name, game in found_in([FOLDER]).items():
        monkeypatch.setitem(cast(dict[str, Any], GAMES), name, game)
    return game_named("high-card")


def test_it_is_found_by_its_file_alone(high_card: Game) -> None:
    assert (high_card.name, high_card.title) == ("high-card", "High Card")


def test_its_record_is_read_and_settled(high_card: Game) -> None:
    done = replay(parse_record(RECORD))
    assert done.ok
    settlement = done.position.settlement()
    assert settlement is not None
    assert settlement["winners"] == [2, 3]
    assert record_of(done.position) == parse_record(RECORD)
    assert match_of([done.position, done.position]).account == (Fraction(0), Fraction(1), Fraction(1))
    refused = replay(parse_record(RECORD.replace("2 show AC", "2 show KH")))
    assert refused.error is not None
    assert (refused.failed, refused.error.code) == (1, "not-in-hand")


def test_the_command_line_knows_it(high_card: Game) -> None:
    checked = CliRunner().invoke(main, ["check", "-", "--json"], input=RECORD)
    assert checked.exit_code == 0, checked.output
    assert json.loads(checked.stdout)["settlement"]["winners"] == [2, 3]
    plain = CliRunner().invoke(main, ["check", "-"], input=RECORD * 2)
    assert "The account in points after 2 deals:" in plain.stdout
    assert "Seat 2 and seat 3 win." in plain.stdout


def test_random_deals_of_it_keep_what_all_games_keep(high_card: Game) -> None:
    for seed in range(10):
        chance = random.Random(seed)
        setup = shuffled(high_card, chance.choice(high_card.players), chance)
        for position in play_out(high_card, setup, chance, faults=True):
            check_position(position)
        check_end(high_card, position)
        assert position.observe().piles[setup.dealer][0] in setup.hands[setup.dealer]
    assert parse_cards("KH")[0] in parse_record(RECORD).setup.hands[1]
