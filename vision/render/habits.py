"""What real tables do besides the game: people's habits, and what happens to camera, lamp and picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from vision.render.camera import Camera

THINGS = ("none", "cup", "phone")


class UnknownHabit(ValueError):
    """No habit has the name, or the value can't be."""


@dataclass(frozen=True, slots=True)
class Habits:
    """How much of what happens. Chances (0..1) are taken after each action, ``take_back`` before each mate.

    - ``squared``: piles squared up, of which only the top shows; ``heap``: piles that are untidy heaps
    - ``straighten``: a seat tidies its own cards
    - ``two_step``: what takes two cards is done in two visits: the hand card is put on its mate, then both are taken;
      one centre card is covered, then the other
    - ``at_once``: who covers or puts aside draws in the same visit
    - ``shift``: a table card is moved a little; ``lift``: one is picked up and put back
    - ``rest``: a hand lies on the table for some seconds
    - ``quick``: the next action begins before the hand has left
    - ``overlap``: a card put into the pool lies half over another
    - ``take_back``: a hand card is shown and taken back
    - ``thing``: what else stands on the table
    - ``bumps``, ``lamps``: how often the camera is pushed and the light changes in the deal
    - ``exposure``: how strongly the camera's exposure hunts when a hand comes or goes
    - ``drops``: the share of frames that the camera loses (the frame before is seen again)

    >>> Habits.parse(["shift=0.3", "thing=cup"]) == Habits(shift=0.3, thing="cup")
    True
    """

    squared: bool = False
    heap: bool = False
    straighten: float = 0.0
    two_step: float = 0.0
    at_once: float = 0.0
    shift: float = 0.0
    lift: float = 0.0
    rest: float = 0.0
    quick: float = 0.0
    take_back: float = 0.0
    overlap: float = 0.0
    thing: str = "none"
    bumps: int = 0
    lamps: int = 0
    drops: float = 0.0
    exposure: float = 0.0

    @classmethod
    def parse(cls, words: list[str]) -> Habits:
        """Read ``name=value`` words; a name alone means ``squared`` or a chance of 0.2. Raises UnknownHabit."""
        values: dict[str, Any] = {}
        kinds = {field.name: field.type for field in fields(cls)}
        for word in words:
            name, _, text = word.partition("=")
            name = name.strip().replace("-", "_")
            if name not in kinds:
                raise UnknownHabit(f"no habit '{name}': there are {', '.join(kinds)}")
            values[name] = _value(name, str(kinds[name]), text.strip())
        return cls(**values)


def _value(name: str, kind: str, text: str) -> bool | float | int | str:
    if kind == "bool":
        return text.lower() not in ("no", "false", "0")
    if kind == "str":
        if text not in THINGS:
            raise UnknownHabit(f"'{name}' can't be '{text}': it is one of {', '.join(THINGS)}")
        return text
    try:
        number = float(text) if text else (0.2 if kind == "float" else 1.0)
    except ValueError:
        raise UnknownHabit(f"'{name}' is a number, not '{text}'") from None
    if not 0 <= number <= (1 if kind == "float" else 20):
        raise UnknownHabit(f"'{name}' can't be {text}: a chance goes from 0 to 1, a count from 0 to 20")
    return number if kind == "float" else int(number)


class Disturbances:
    """When the camera is pushed and the light changes in a film of ``seconds``, and what it is like from then on."""

    def __init__(
        self, habits: Habits, camera: Camera, seconds: float, seed: int, visits: Sequence[tuple[float, float]] = ()
    ) -> None:
        """``visits``: when hands come and go."""
        self._hunting = habits.exposure
        self._turns = sorted(moment for visit in visits for moment in visit)
        rng = np.random.default_rng([seed, 1])
        self._drops, self._rng = habits.drops, rng
        self._cameras: list[tuple[float, Camera]] = []
        for at in np.sort(rng.uniform(0.25, 0.9, habits.bumps)) * seconds:
            dx, dy, turn, tilt = rng.uniform(-1, 1, 4)
            aim = (camera.aim[0] + 9 * dx, camera.aim[1] + 7 * dy)
            self._cameras.append(
                (float(at), replace(camera, aim=aim, turn=camera.turn + turn, tilt=camera.tilt + 0.6 * tilt))
            )
        self._gains: list[tuple[float, tuple[float, float, float]]] = []
        for number, at in enumerate(np.sort(rng.uniform(0.15, 0.9, habits.lamps)) * seconds):
            level = rng.uniform(0.62, 0.8) if number % 2 == 0 else 1.0
            warm = rng.uniform(0.0, 0.12) if number % 2 == 0 else 0.0
            self._gains.append((float(at), (level * (1 - warm), level, level * (1 + warm / 2))))
        self._camera = camera

    def camera(self, t: float) -> Camera:
        """The camera as it stands at time t."""
        return [self._camera, *(camera for at, camera in self._cameras if at <= t)][-1]

    def gain(self, t: float) -> tuple[float, float, float]:
        """What the light does to blue, green and red at time t."""
        blue, green, red = [(1.0, 1.0, 1.0), *(gain for at, gain in self._gains if at <= t)][-1]
        swing = self._swing(t)
        return blue * swing, green * swing, red * swing

    def _swing(self, t: float) -> float:
        """The exposure goes down and up again for about a second after each coming and going of a hand."""
        since = [t - moment for moment in self._turns if 0 <= t - moment < 2.0]
        if not self._hunting or not since:
            return 1.0
        return 1.0 - 0.25 * self._hunting * math.exp(-since[-1] / 0.5) * math.cos(5.0 * since[-1])

    def between(self, since: float, t: float) -> list[tuple[float, str]]:
        """What happened after ``since`` and not after t: ``bump`` or ``lamp`` with its time."""
        moments = [(at, "bump") for at, _ in self._cameras] + [(at, "lamp") for at, _ in self._gains]
        return [(at, word) for at, word in sorted(moments) if since < at <= t]

    def lost(self) -> bool:
        """Whether the camera loses the next frame; asked once a frame."""
        return self._drops > 0 and bool(self._rng.random() < self._drops)
