"""The deals that are followed: which games, by how many, how difficult, and with which faults.

Everything about a deal follows from its name. Nothing that the networks were trained on comes from these seeds.
Following was worked on with the deals of seasons 1 and 2, so it is measured on those of another season.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from tests.following_benchmark import laugh_deals, sbros_deals, stone_deals
from tests.following_benchmark.played import Played

Difficulty = Literal["easy", "middle", "hard"]
DIFFICULTIES: Final[tuple[Difficulty, ...]] = ("easy", "middle", "hard")
NUMBERS: Final = {"lld": 40, "rst": 10, "sbr": 10}
"""How many deals of each game, by the game's short name."""
SEATS: Final = {"lld": (3, 4, 5, 6), "rst": (4, 5, 6), "sbr": (2,)}
TUNED_ON: Final = 1
MEASURED_ON: Final = 3
_PLAYED: Final[dict[str, Callable[[int, random.Random, int | None], Played]]] = {
    "lld": laugh_deals.played,
    "rst": stone_deals.played,
    "sbr": sbros_deals.played,
}


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal to be filmed and followed.

    ``faults``: which mistakes and misplays are in it, None without any. ``fps``: frames a second of the video.
    ``layout``: it is followed with the layout file that lies beside the video, else with proposed zones. ``most``: it
    is broken off after so many actions. ``season``: another has other play, packs, tables and habits.
    """

    game: str
    number: int
    players: int
    difficulty: Difficulty
    faults: int | None
    fps: int = 10
    layout: bool = True
    most: int | None = None
    season: int = TUNED_ON

    @property
    def name(self) -> str:
        """What it is called in tables and folders: ``lld-hard-07``, ``lld-hard-07-first-3`` where it is broken off;
        ``lld-hard-207`` is of season 2."""
        number = f"{self.number:02}" if self.season == TUNED_ON else f"{self.season}{self.number:02}"
        whole = f"{self.game}-{self.difficulty}-{number}"
        return whole if self.most is None else f"{whole}-first-{self.most}"

    @property
    def seed(self) -> int:
        """A number of its own for packs, tables and habits; far from every seed of the training."""
        own = 1_000 * sorted(NUMBERS).index(self.game) + self.number
        return 9_000_000 + 10_000 * (self.season - 1) + own


def all_deals(season: int = MEASURED_ON) -> list[Deal]:
    """The deals of the whole benchmark, a third of each difficulty, the easy ones first."""
    found = [_deal(game, number, season) for game in NUMBERS for number in range(NUMBERS[game])]
    return sorted(found, key=lambda deal: (deal.game, DIFFICULTIES.index(deal.difficulty), deal.number))


def _deal(game: str, number: int, season: int) -> Deal:
    """The players in turn; faults, zones, frame rate and difficulty are spread evenly over them."""
    seats = SEATS[game]
    group, place = divmod(number, len(seats))
    return Deal(
        game,
        number,
        players=seats[place],
        difficulty=DIFFICULTIES[group % 3],
        faults=number // 2 if (group + place) % 2 == 1 else None,
        fps=15 if number % 5 == 3 else 25 if number % 10 == 7 else 10,
        layout=(group + place) // 2 % 2 == 0,
        season=season,
    )


@cache
def played(deal: Deal) -> Played:
    """What is played in a deal."""
    season = "" if deal.season == TUNED_ON else f" {deal.season}"
    chance = random.Random(f"following {deal.game} {deal.number}{season}")
    whole = _PLAYED[deal.game](deal.players, chance, deal.faults)
    return whole if deal.most is None else whole.first(deal.most)
