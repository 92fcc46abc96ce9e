"""The deal record (``.deal``): one text form for a deal, read, written and replayed.

First the header, ``key: value``, then the actions, ``SEAT VERB CARDS...``, one statement a line; ``#`` starts a
comment. What follows from the rules alone (the end of a deal, the sweep) is not written down. A file may hold several
deals, one after the other: a new ``game:`` line starts the next one, with a whole header of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, NoReturn

from assistant.cards import Card, InvalidCard
from assistant.games import GAMES, game_named
from assistant.games.game import Action, GameError, InvalidInput, Position, Setup

KEYS: Final = ("game", "players", "dealer", "table", "hand SEAT", "options", "names")
LONGEST: Final = 5_000
"""Lines that a deal may have; the longest deals of any of the games stay far below."""
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


class HeaderLine(NamedTuple):
    """Where a header key stands: its line, the column of its value and of each card or option in it (all from 1)."""

    line: int
    column: int
    parts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """A deal as it is written down. ``lines`` holds each action's line, ``header_lines`` where each key stands."""

    setup: Setup
    actions: tuple[Action, ...] = ()
    lines: tuple[int, ...] = field(default=(), compare=False)
    header_lines: Mapping[str, HeaderLine] = field(default_factory=dict, compare=False)

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
        before = data[data.rfind(b"\n", 0, error.start) + 1 : error.start]
        _fail("not-utf-8", "the text is not UTF-8: save it in that encoding", line, len(before.decode("utf-8-sig")) + 1)


def records_text(records: Iterable[Record]) -> str:
    """Several deals as one text; ``parse_records`` reads them back."""
    return "\n".join(record.text() for record in records)


def parse_record(text: str) -> Record:
    """Read the record of one deal. Raises InvalidRecord with line and column; only ``replay`` asks the rules.

    >>> record = parse_record("game: sbros\\nplayers: 2\\ndealer: 1\\ntable: TS 3H\\n2 cover TH 3D  # same ranks\\n")
    >>> record.setup.table, str(record.actions[0]), record.lines
    ((Card('TS'), Card('3H')), '2 cover TH 3D', (5,))
    """
    first, *others = parse_records(text)
    if others:
        place = others[0].header_lines["game"]
        _fail("several-deals", "a second deal starts here, and only one is wanted", place.line, 1)
    return first


def parse_records(text: str) -> tuple[Record, ...]:
    """Read the record of one deal or of several, one after the other. Raises InvalidRecord with line and column.

    >>> one = "game: sbros\\nplayers: 2\\ndealer: 1\\n"
    >>> [len(record.actions) for record in parse_records(one + "1 pass\\n" + one)]
    [1, 0]
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    records = []
    deal = _Deal(1)
    for number, line in enumerate(lines, 1):
        strange = re.search(r"[\x00-\x08\x0b-\x1f\x7f]", line)
        if strange:
            what = f"a character that is no text (code {ord(strange[0])})"
            _fail("control-character", what, number, strange.start() + 1)
        line = line.partition("#")[0]
        if deal.whole and re.match(r"\s*game\s*:", line, re.IGNORECASE):
            records.append(deal.record())
            deal = _Deal(number)
        if number - deal.first >= LONGEST:
            _fail("too-long", f"a deal has at most {LONGEST} lines, and {len(lines)} lines are here", number, 1)
        if line.strip():
            deal.read(line, number)
    return (*records, deal.record())


class _Deal:
    """One deal as it is read, statement by statement; ``first`` is its first line."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.header = _Header(first)
        self.actions: list[Action] = []
        self.words: list[tuple[int, re.Match[str], re.Match[str]]] = []

    @property
    def whole(self) -> bool:
        """Whether the header says enough for a deal."""
        return {"game", "players", "dealer"} <= set(self.header.values)

    def read(self, line: str, number: int) -> None:
        """Take in one statement."""
        word = _WORD.search(line)
        assert word is not None
        if word[0][0] in "0123456789":
            self._read_action(line, number)
        elif ":" not in line:
            what = f"'{_short(word[0])}' starts neither 'key: value' nor 'SEAT VERB CARDS'"
            _fail("bad-line", what, number, word.start() + 1)
        elif self.actions:
            what = f"the header ends before the first action (line {self.words[0][0]})"
            _fail("late-header", what, number, word.start() + 1)
        else:
            self.header.read(line, number)

    def _read_action(self, line: str, number: int) -> None:
        seat, *words = _WORD.finditer(line)
        if not (seat[0].isascii() and seat[0].isdigit() and len(seat[0]) <= 3):
            what = f"'{_short(seat[0])}' is no seat: write SEAT VERB CARDS, such as 2 mate KH KS"
            _fail("bad-action", what, number, seat.start() + 1)
        if not words:
            what = "the seat's action is missing: write SEAT VERB CARDS, such as 2 mate KH KS"
            _fail("bad-action", what, number, seat.end() + 1)
        self.actions.append(Action(int(seat[0]), words[0][0].lower(), _cards(words[1:], number)))
        self.words.append((number, seat, words[0]))

    def record(self) -> Record:
        """The whole deal."""
        setup = self.header.setup()
        verbs = GAMES[setup.game].verbs
        for action, (number, seat, verb) in zip(self.actions, self.words, strict=True):
            if not 1 <= action.seat <= setup.players:
                what = f"there is no seat {action.seat}: seats go from 1 to {setup.players}"
                _fail("no-such-seat", what, number, seat.start() + 1)
            if action.verb not in verbs:
                what = f"{setup.game} has no '{_short(action.verb)}': it has {', '.join(verbs)}"
                _fail("unknown-verb", what, number, verb.start() + 1)
        return Record(setup, tuple(self.actions), tuple(number for number, _, _ in self.words), self.header.lines)


class _Header:
    """The header as it is read, key by key; ``first`` is the line that it should begin in."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.values: dict[str, str] = {}
        self.lines: dict[str, HeaderLine] = {}

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
            _fail("key-twice", f"'{key}' is there twice, first in line {self.lines[key].line}", number, column)
        self.values[key] = value
        start = len(before) + 2 + len(value) - len(value.lstrip())
        words = tuple(_CARD_WORD.finditer(line, len(before) + 1)) if key == "table" or key.startswith("hand ") else ()
        self.lines[key] = HeaderLine(number, start, tuple(word.start() + 1 for word in words))
        _cards(words, number)

    def setup(self) -> Setup:
        """The set-up that the header gives."""
        game = self._text("game").lower()
        if game not in GAMES:
            what = f"there is no game '{_short(game)}': it can be {', '.join(GAMES)}"
            self._fail("unknown-game", what, "game")
        players, dealer = self._number("players"), self._number("dealer")
        if not 1 <= dealer <= players:
            self._fail("bad-dealer", f"the dealer is a seat from 1 to {players}, not {dealer}", "dealer")
        hands = {}
        for key in self.values:
            if key.startswith("hand "):
                seat = int(key[5:])
                if not 1 <= seat <= players:
                    self._fail("no-such-seat", f"there is no seat {seat}: seats go from 1 to {players}", key)
                hands[seat] = self._cards(key)
        names: tuple[str, ...] = ()
        if "names" in self.values:
            names = tuple(name.strip() for name in self.values["names"].split(","))
        return Setup(game, players, dealer, self._cards("table"), dict(sorted(hands.items())), self._options(), names)

    def _text(self, key: str) -> str:
        if key not in self.values:
            _fail("missing-key", f"the header has no '{key}'", self.first, 1)
        value = self.values[key].strip()
        if not value:
            self._fail("missing-value", f"'{key}' has no value", key)
        return value

    def _number(self, key: str) -> int:
        text = self._text(key)
        if not re.fullmatch(r"[0-9]{1,3}", text):
            self._fail("bad-number", f"'{key}' is a whole number, not '{_short(text)}'", key)
        return int(text)

    def _cards(self, key: str) -> tuple[Card, ...]:
        return tuple(Card.parse(word[0]) for word in _CARD_WORD.finditer(self.values.get(key, "")))

    def _options(self) -> dict[str, str]:
        options: dict[str, str] = {}
        if "options" not in self.values:
            return options
        value, place = self.values["options"], self.lines["options"]
        offset = place.column - (len(value) - len(value.lstrip()))
        columns = []
        for part in re.finditer(r"[^,]+", value):
            if not part[0].strip():
                continue
            name, equals, chosen = (word.strip() for word in part[0].partition("="))
            column = offset + part.start() + len(part[0]) - len(part[0].lstrip())
            if not (equals and name and chosen):
                what = f"'{_short(part[0].strip())}' is no option: write name=value"
                _fail("bad-option", what, place.line, column)
            if name in options:
                _fail("option-twice", f"option '{_short(name)}' is there twice", place.line, column)
            options[name] = chosen
            columns.append(column)
        self.lines["options"] = place._replace(parts=tuple(columns))
        return options

    def _fail(self, code: str, reason: str, key: str) -> NoReturn:
        _fail(code, reason, self.lines[key].line, self.lines[key].column)


def start(record: Record) -> Position:
    """The position before the record's first action. Raises InvalidRecord where the header is refused."""
    try:
        return game_named(record.setup.game).deal(record.setup)
    except InvalidInput as error:
        place = record.header_lines.get(error.about)
        if place is None:
            raise InvalidRecord(error.code, error.reason, error.rule) from None
        column = place.column
        if error.card is not None:
            cards = record.setup.table if error.about == "table" else record.setup.hands[int(error.about[5:])]
            column = max(place.parts[number] for number, card in enumerate(cards) if card == error.card)
        elif error.about == "options":
            column = place.parts[_refused_option(record.setup)]
        raise InvalidRecord(error.code, error.reason, error.rule, place.line, column) from None


def _refused_option(setup: Setup) -> int:
    """The place (from 0) of the first option with which a game refuses the options up to it."""
    chosen = list(setup.options.items())
    for number in range(len(chosen)):
        try:
            game_named(setup.game).deal(replace(setup, options=dict(chosen[: number + 1])))
        except InvalidInput as error:
            if error.about == "options":
                return number
    return 0


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


def _cards(words: Iterable[re.Match[str]], number: int) -> tuple[Card, ...]:
    """The cards that some words of a line name."""
    cards = []
    for word in words:
        try:
            cards.append(Card.parse(word[0]))
        except InvalidCard as error:
            _fail("bad-card", str(error), number, word.start() + 1)
    return tuple(cards)


def _words(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:40] + "..."


def _fail(code: str, reason: str, line: int | None = None, column: int | None = None) -> NoReturn:
    raise InvalidRecord(code, reason, line=line, column=column)
