"""Deal records with lines, words and letters changed, dropped, doubled and put elsewhere."""

from __future__ import annotations

import contextlib
import random
from typing import Final

from assistant.cards import PACK
from assistant.games import GAMES
from assistant.games.game import Action, GameError, Position, Setup
from assistant.match import match_of
from assistant.record import Record, decode_record, parse_records, records_text, replay
from tests.fuzzing.target import is_one_line
from web.cli.records import LARGEST

WORDS: Final = (
    "game:", "players:", "dealer:", "table:", "hand 1:", "hand 2:", "hand 99:", "options:", "names:", "players: 0",
    "players: 6", "dealer: 7", "players: 99999999999999999999", "game: sbros", "game: rolling-stone", "options: x=1",
    "options: help=coach, stake_value=1e999", "options: stake_value=0.1, stake_value=0.2", "options: =,=,",
    "take", "lay", "mate", "lie-down", "claim", "play", "pick-up", "cover", "reset", "pass", "LAY", "١", "²", "0", "-1",
    "1", "2", "3", "4", "5", "6", "007", "1e3", "??", "7?", "?S", "10D", "1D", "kh", "KHKS", "K", "♠", "K♠", "\ufeff",
    "#", ":", ",", "=", "\x00", "\x85", "\u2028", "\x1b[2J", "é", "‮", "\t", "\r", "\n", "\f", "A" * 500, "," * 300,
)  # fmt: skip
MOST_POSITIONS: Final = 60
"""Positions of a case that are asked for everything; the rest is only played."""


class Records:
    """Each game's deals, played to the end by chance, one of them the evening of several."""

    def __init__(self) -> None:
        chance = random.Random(5)
        deals = [_played(name, players, chance) for name, game in GAMES.items() for players in game.players]
        self._whole = [records_text([deal]) for deal in deals]
        self._whole += [records_text([Record(deal.setup, deal.actions[:7])]) for deal in deals]
        self._whole += [records_text(_evening(chance)), ""]

    def case(self, number: int) -> tuple[str, bytes]:
        """See ``Target``."""
        chance = random.Random(number)
        text = self._whole[number % len(self._whole)]
        other = chance.choice(self._whole)
        for _ in range(chance.choice((1, 1, 1, 2, 3, 5, 12))):
            how = chance.choice((_line, _line, _word, _word, _word, _letter))
            head, gap, actions = text.partition("\n\n")
            if gap and chance.random() < 0.6:
                text = head + gap + how(chance, actions, other.partition("\n\n")[2])
            else:
                text = how(chance, text, other)
        data = text.encode("utf-8", "surrogatepass")
        if chance.random() < 0.1:
            place = chance.randrange(len(data) + 1)
            data = data[:place] + chance.randbytes(chance.choice((1, 2, 40))) + data[place:]
        return "record", data

    def outcome(self, data: bytes) -> str:
        """It is refused in one line, or a record that can be played, asked and written down again."""
        if len(data) > LARGEST:
            return "refused"  # as the commands do, before anything is read of it
        try:
            records = parse_records(decode_record(data))
        except GameError as error:
            is_one_line(error.reason)
            return "refused"
        again = parse_records(records_text(records))
        assert again == records, "it is written down otherwise than it was read"
        stopped = False
        done: list[Position] = []
        for record in records:
            try:
                played = replay(record)
            except GameError as error:
                is_one_line(error.reason)
                return "refused"
            stopped |= not played.ok
            if played.error is not None:
                is_one_line(played.error.reason)
            done.append(played.position)
            _ask(played.position)
        over = [position for position in done if position.over]
        if over:
            with contextlib.suppress(GameError):
                match_of(over)
        return "stopped" if stopped else "played"


def _ask(asked: Position) -> None:
    legal = asked.legal_actions()
    asked.claims(), asked.faults(), asked.notices(), asked.facts(), asked.unseen(), asked.observe()
    with contextlib.suppress(GameError):
        settlement = asked.settlement()
        nets = [seat["net"] for seat in (settlement or {}).get("seats", ()) if "net" in seat]
        assert sum(nets) == 0, f"the results sum to {sum(nets)}"
    for action in legal[:MOST_POSITIONS] if not asked.over else ():
        asked.apply(action)


def _played(name: str, players: int, chance: random.Random) -> Record:
    pack = list(PACK)
    chance.shuffle(pack)
    game = GAMES[name]
    position = game.deal(game.shuffled(Setup(name, players, chance.randint(1, players)), pack))
    actions: list[Action] = []
    while not position.over and len(actions) < 150:
        actions.append(chance.choice(position.legal_actions()))
        position = position.apply(actions[-1])
    seen = position.setup
    return Record(seen if chance.random() < 0.5 else Setup(name, players, seen.dealer, seen.table), tuple(actions))


def _evening(chance: random.Random) -> list[Record]:
    return [_played("laugh-and-lie-down", 4, chance) for _ in range(3)]


def _line(chance: random.Random, text: str, other: str) -> str:
    lines = text.split("\n")
    place = chance.randrange(len(lines))
    line = lines[place]
    match chance.randrange(6):
        case 0:
            del lines[place]
        case 1:
            lines.insert(chance.randrange(len(lines) + 1), line)
        case 2:
            lines.insert(place, chance.choice(other.split("\n")))
        case 3:
            to = chance.randrange(len(lines))
            lines[place], lines[to] = lines[to], line
        case 4:
            lines = lines[:place]
        case _:
            lines[place : place + 1] = [line] * chance.choice((2, 30))
    return "\n".join(lines)


def _word(chance: random.Random, text: str, other: str) -> str:
    words = text.split(" ")
    place = chance.randrange(len(words))
    match chance.randrange(4):
        case 0:
            del words[place]
        case 1:
            words[place] = chance.choice(WORDS)
        case 2:
            words[place] = chance.choice(other.split() or [""])
        case _:
            words.insert(place, chance.choice(WORDS))
    return " ".join(words)


def _letter(chance: random.Random, text: str, _: str) -> str:
    place = chance.randrange(len(text) + 1)
    new = chance.choice(("", "", chr(chance.randrange(0x80)), chr(chance.randrange(0xD7FF)), chance.choice(WORDS)))
    return text[:place] + new + text[place + chance.choice((0, 1, 1, 5)) :]
