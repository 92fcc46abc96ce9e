"""The games that can be followed, each by its signs."""

from __future__ import annotations

from typing import Final

from assistant.signs.laugh_signs import LaughSigns
from assistant.signs.sbros_signs import SbrosSigns
from assistant.signs.signs import Signs
from assistant.signs.stone_signs import StoneSigns

_SIGNS: Final[dict[str, Signs]] = {signs.game: signs for signs in (LaughSigns(), StoneSigns(), SbrosSigns())}
FOLLOWED: Final = tuple(_SIGNS)
"""The names of the games that can be followed."""


def signs_of(game: str) -> Signs:
    """The signs of a game; ``game`` is one of FOLLOWED."""
    return _SIGNS[game]
