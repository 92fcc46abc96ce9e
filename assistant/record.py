"""The deal record (``.deal``): one text form for a deal, read, written and replayed.

First the header, ``key: value``, then the actions, ``SEAT VERB CARDS...``, one statement a line; ``#`` starts a
comment. What follows from the rules alone (the end of a deal, the sweep) is not written down.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NoReturn

from assistant.cards import Card, InvalidCard
from assistant.games import GAMES, PLANNED, game_named
from assistant.games.game import Action, GameError, InvalidInput, Position, Setup

VERBS: Final[Mapping[str, tuple[str, ...]]] = {
    "rolling-stone": ("play", "pick-up"),
    "sbros": ("cover", "reset", "pass"),
    **{name: game.verbs for name, game in GAMES.items()},
}
KEYS: Final = ("game", "players", "dealer", "table", "hand SEAT", "options", "names")
LONGEST: Final = 5_000
"""Lines that a record may have; the longest deals of any of the games stay far below."""
_WORD: Final = re.compile(r"\S+")
_CARD_WORD: Final = re.compile(r"[^\s,]+")


class InvalidRecord(InvalidInput):
    """The text is no record; ``line`` and ``column`` (from 1) say where, as far as there is a place to name."""

    def __init__(
        self, code: str, reason: str, rule: str = "", line: int | None = None, column: int | None = None
    ) -> None:
        place = "" if line is None else f"line {line}: " if column is None else f"line {line}, column {column}: "
        super().__init__(code, place + reason, rule)
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class Record:
    """A deal as it is written down. ``lines`` holds each action's line, ``header_lines`` that of each header key."""

    setup: Setup
    actions: tuple[Action, ...] = ()
    lines: tuple[int, ...] = field(default=(), compare=False)
    header_lines: Mapping[str, int] = field(default_factory=dict, compare=False)

    def text(self) -> str:
        """The record as text; ``parse_record`` reads it back. What a name can't hold in a record becomes a blank."""
        setup = self.setup
        lines = [f"game: {setup.game}", f"players: {setup.players}", f"dealer: {setup.dealer}"]
        if setup.table:
            lines.append(f"table: {_words(setup.table)}")
        lines += [f"hand {seat}: {_words(setup.hands[seat])}" for seat in sorted(setup.hands)]
        if setup.options:
            lines.append("options: " + ", ".join(f"{name}={value}" for name, value in setup.options.items()))
        if setup.names:
            lines.append(
                "names: " + ", ".join(" ".join(re.sub(r"[,#\x00-\x1f\x7f]", " ", name).split()) for name in setup.names)
            )
        if self.actions:
            lines += ["", *map(str, self.actions)]
        return "\n".join(lines) + "\n"


def record_of(position: Position) -> Record:
    """The record of a position: its set-up and everything done so far."""
    return Record(position.setup, position.actions)


def decode_record(data: bytes) -> str:
    """The text of a record file. Raises InvalidRecord where it is not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        _fail("not-utf-8", "the text is not UTF-8: save it in that encoding", line)


def parse_record(text: str) -> Record:
    """Read a record. Raises InvalidRecord with line and column; the rules are asked only by ``replay``.

    >>> record = parse_record("game: sbros\\nplayers: 2\\ndealer: 1\\ntable: TS 3H\\n2 cover TH 3D  # same ranks\\n")
    >>> record.setup.table, str(record.actions[0]), record.lines
    ((Card('TS'), Card('3H')), '2 cover TH 3D', (5,))
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(lines) > LONGEST:
        _fail("too-long", f"a record has at most {LONGEST} lines, this one has {len(lines)}")
    header = _Header()
    actions: list[Action] = []
    numbers: list[int] = []
    for number, line in enumerate(lines, 1):
        strange = re.search(r"[\x00-\x08\x0b-\x1f\x7f]", line)
        if strange:
            _fail(
                "control-character",
                f"a character that is no text (code {ord(strange[0])})",
                number,
                strange.start() + 1,
            )
        line = line.partition("#")[0]
        if not line.strip():
            continue
        if line.lstrip()[0] in "0123456789":
            actions.append(_action(line, number))
            numbers.append(number)
        elif ":" not in line:
            word = _first(line)
            _fail(
                "bad-line",
                f"'{_short(word[0])}' starts neither 'key: value' nor 'SEAT VERB CARDS'",
                number,
                word.start() + 1,
            )
        elif actions:
            _fail("late-header", f"the header ends before the first action (line {numbers[0]})", number, 1)
        else:
            header.read(line, number)
    setup = header.setup()
    verbs = VERBS[setup.game]
    for action, number in zip(actions, numbers, strict=True):
        if not 1 <= action.seat <= setup.players:
            _fail("no-such-seat", f"there is no seat {action.seat}: seats go from 1 to {setup.players}", number, 1)
        if action.verb not in verbs:
            _fail("unknown-verb", f"{setup.game} has no '{_short(action.verb)}': it has {', '.join(verbs)}", number)
    return Record(setup, tuple(actions), tuple(numbers), header.lines)


def _action(line: str, number: int) -> Action:
    seat, *words = _WORD.finditer(line)
    if not (seat[0].isascii() and seat[0].isdigit() and len(seat[0]) <= 3):
        _fail(
            "bad-action",
            f"'{_short(seat[0])}' is no seat: write SEAT VERB CARDS, such as 2 mate KH KS",
            number,
            seat.start() + 1,
        )
    if not words:
        _fail(
            "bad-action",
            "the seat's action is missing: write SEAT VERB CARDS, such as 2 mate KH KS",
            number,
            seat.end() + 1,
        )
    cards = tuple(_card(word, 0, number) for word in words[1:])
    return Action(int(seat[0]), words[0][0].lower(), cards)


class _Header:
    """The header as it is read, key by key."""

    def __init__(self) -> None:
        self.values: dict[str, tuple[str, int]] = {}
        self.lines: dict[str, int] = {}

    def read(self, line: str, number: int) -> None:
        """Take in one ``key: value`` line."""
        before, _, value = line.partition(":")
        key = " ".join(before.split()).lower()
        column = len(line) - len(line.lstrip()) + 1
        if re.fullmatch(r"hand [0-9]{1,3}", key):
            key = f"hand {int(key[5:])}"
        elif key not in KEYS or key == "hand SEAT":
            _fail("unknown-key", f"unknown key '{_short(key)}': the header has {', '.join(KEYS)}", number, column)
        if key in self.values:
            _fail("key-twice", f"'{key}' is there twice, first in line {self.lines[key]}", number, column)
        self.values[key] = (value, len(before) + 1)
        self.lines[key] = number

    def setup(self) -> Setup:
        """The set-up that the header gives."""
        game = self._text("game").lower()
        if game not in VERBS:
            known = ", ".join(dict.fromkeys((*GAMES, *PLANNED)))
            _fail("unknown-game", f"there is no game '{_short(game)}': it can be {known}", self.lines["game"])
        players, dealer = self._number("players"), self._number("dealer")
        if not 2 <= players <= 6:
            _fail("bad-players", f"the games here are for 2 to 6 players, not {players}", self.lines["players"])
        if not 1 <= dealer <= players:
            _fail("bad-dealer", f"the dealer is a seat from 1 to {players}, not {dealer}", self.lines["dealer"])
        hands = {}
        for key in self.values:
            if key.startswith("hand "):
                seat = int(key[5:])
                if not 1 <= seat <= players:
                    _fail("no-such-seat", f"there is no seat {seat}: seats go from 1 to {players}", self.lines[key])
                hands[seat] = self._cards(key)
        names: tuple[str, ...] = ()
        if "names" in self.values:
            names = tuple(name.strip() for name in self.values["names"][0].split(","))
        return Setup(game, players, dealer, self._cards("table"), dict(sorted(hands.items())), self._options(), names)

    def _text(self, key: str) -> str:
        if key not in self.values:
            _fail("missing-key", f"the header has no '{key}'", 1)
        value = self.values[key][0].strip()
        if not value:
            _fail("missing-value", f"'{key}' has no value", self.lines[key])
        return value

    def _number(self, key: str) -> int:
        text = self._text(key)
        if not re.fullmatch(r"[0-9]{1,3}", text):
            _fail("bad-number", f"'{key}' is a whole number, not '{_short(text)}'", self.lines[key])
        return int(text)

    def _cards(self, key: str) -> tuple[Card, ...]:
        value, offset = self.values.get(key, ("", 0))
        return tuple(_card(word, offset, self.lines[key]) for word in _CARD_WORD.finditer(value))

    def _options(self) -> dict[str, str]:
        options: dict[str, str] = {}
        value, offset = self.values.get("options", ("", 0))
        for part in re.finditer(r"[^,]+", value):
            if not part[0].strip():
                continue
            name, equals, chosen = (word.strip() for word in part[0].partition("="))
            column = offset + part.start() + len(part[0]) - len(part[0].lstrip()) + 1
            if not (equals and name and chosen):
                _fail(
                    "bad-option",
                    f"'{_short(part[0].strip())}' is no option: write name=value",
                    self.lines["options"],
                    column,
                )
            if name in options:
                _fail("option-twice", f"option '{_short(name)}' is there twice", self.lines["options"], column)
            options[name] = chosen
        return options


def start(record: Record) -> Position:
    """The position before the record's first action. Raises InvalidRecord where the header is refused."""
    try:
        return game_named(record.setup.game).deal(record.setup)
    except InvalidInput as error:
        line = record.header_lines.get(error.about)
        raise InvalidRecord(error.code, error.reason, error.rule, line) from None


@dataclass(frozen=True, slots=True)
class Replay:
    """A record replayed: the last position reached, and the action at which the rules stopped it, if any did.

    ``failed`` is the index of that action in the record, ``error`` what the rules say.
    """

    record: Record
    position: Position
    failed: int | None = None
    error: GameError | None = None

    @property
    def ok(self) -> bool:
        """Every action is legal."""
        return self.error is None

    def line_of(self, action: int) -> int:
        """The record's line of an action (by index); for a record that was not read, the line it would print to."""
        return self.record.lines[action] if self.record.lines else _printed_line(self.record, action)


def replay(record: Record) -> Replay:
    """Play a record through. Raises InvalidRecord where the header is refused; an illegal action ends the replay."""
    position = start(record)
    for index, action in enumerate(record.actions):
        try:
            position = position.apply(action)
        except GameError as error:
            return Replay(record, position, index, error)
    return Replay(record, position)


def positions(record: Record) -> Iterator[Position]:
    """Every position of a record, the one before the first action included. Raises GameError where one is illegal."""
    position = start(record)
    yield position
    for action in record.actions:
        position = position.apply(action)
        yield position


def _printed_line(record: Record, action: int) -> int:
    header = replace(record, actions=()).text().count("\n")
    return header + 2 + action


def _card(word: re.Match[str], offset: int, number: int) -> Card:
    try:
        return Card.parse(word[0])
    except InvalidCard as error:
        _fail("bad-card", str(error), number, offset + word.start() + 1)


def _words(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


def _first(line: str) -> re.Match[str]:
    match = _WORD.search(line)
    assert match is not None
    return match


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:40] + "..."


def _fail(code: str, reason: str, line: int | None = None, column: int | None = None) -> NoReturn:
    raise InvalidRecord(code, reason, line=line, column=column)
