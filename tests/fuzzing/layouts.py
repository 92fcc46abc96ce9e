"""Layout files with values, keys and letters changed."""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path
from typing import Any, Final

from tests.fuzzing.target import MEMORY, is_one_line
from vision.zones import LayoutError, propose, read_layout
from web.zone_shelf import zones_json

GAMES: Final = (("laugh-and-lie-down", 5), ("rolling-stone", 4), ("sbros", 2))
VALUES: Final[tuple[Any, ...]] = (
    None, True, 0, -1, 1, 2**70, 0.5, 1.5, -0.5, 1e308, float("nan"), float("inf"), "", "table", "\ud800", "\x1b[2J",
    [], {}, [[]], [[0, 0]], [[0, 0], [1, 1]], [[0, 0], [1, 1], [2, 2]], [[0.1, 0.1]] * 4, [[0, 0], [1, 0], [0, 1]],
    [[0, 0], [1, 1], [1, 0], [0, 1]], [[i / 99, (i * 7 % 99) / 99] for i in range(99)], [[1e-9, 0], [0, 1e-9], [0, 0]],
)  # fmt: skip
TOKENS: Final = (
    b"NaN",
    b"1e999",
    b"-0",
    b"9" * 5000,
    b"[" * 3000,
    b"{",
    b"}",
    b'"',
    b"\\u0000",
    b"\xff",
    b"\xef\xbb\xbf",
)


class Layouts:
    """The layouts that the program proposes, and what it does with damaged ones."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="mournival-fuzz-", dir=MEMORY)
        self._path = Path(self._folder.name) / "layout.json"
        self._whole = [json.dumps(propose(game, players).as_json()) for game, players in GAMES]

    def case(self, number: int) -> tuple[str, bytes]:
        """See ``Target``."""
        chance = random.Random(number)
        text = self._whole[number % len(self._whole)]
        if chance.random() < 0.75:
            data = json.loads(text)
            for _ in range(chance.choice((1, 1, 2, 4))):
                data = _changed(data, chance)
            text = json.dumps(data)
        found = bytearray(text.encode("utf-8", "surrogatepass"))
        for _ in range(chance.choice((0, 0, 0, 1, 2)) if chance.random() < 0.7 else 3):
            place = chance.randrange(len(found) + 1)
            found[place : place + chance.choice((0, 1, 3, 40))] = chance.choice((*TOKENS, chance.randbytes(1), b""))
        return GAMES[number % len(GAMES)][0], bytes(found)

    def outcome(self, data: bytes) -> str:
        """It is refused in one line, or it is a layout that says of each point where it lies."""
        self._path.write_bytes(data)
        taken = False
        for game, players in ((None, None), *GAMES):
            try:
                layout = read_layout(self._path, players, game)
            except LayoutError as error:
                is_one_line(str(error))
                continue
            taken = True
            zones_json(layout)
            for x in (-0.1, 0.3, 0.5, 0.95):
                layout.zone_at((x, 0.52))
            self._path.write_text(json.dumps(layout.as_json()), encoding="utf-8")
            assert read_layout(self._path, players, game) == layout, "it is written down otherwise than it was read"
            self._path.write_bytes(data)
        return "taken" if taken else "refused"


def _changed(value: Any, chance: random.Random) -> Any:
    """The value with one of its parts replaced, dropped, doubled or named otherwise."""
    if isinstance(value, dict) and value and chance.random() < 0.93:
        name = chance.choice(sorted(value))
        match chance.randrange(12):
            case 0:
                return {key: part for key, part in value.items() if key != name}
            case 1:
                return {**value, chance.choice(("centre", "stock", "resets", "x\ud800", "")): chance.choice(VALUES)}
            case _:
                return {**value, name: _changed(value[name], chance)}
    if isinstance(value, list) and value and chance.random() < 0.93:
        place = chance.randrange(len(value))
        match chance.randrange(12):
            case 0:
                return [*value[:place], *value[place + 1 :]]
            case 1:
                return [*value, value[place]]
            case _:
                return [*value[:place], _changed(value[place], chance), *value[place + 1 :]]
    return chance.choice(VALUES) if chance.random() < 0.6 else chance.uniform(-0.6, 1.6)
