"""A deal as moving pictures with the truth about every frame.

``film`` yields frames one by one without encoding them; ``vision.render.video`` writes them to a file.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from assistant.cards import Card
from assistant.view import Zone
from vision.render.camera import Camera
from vision.render.choreography import Choreographer
from vision.render.gesture import Gesture, LyingCard, Pace, Step, Waypoint
from vision.render.habits import Disturbances, Habits
from vision.render.hands import LOOKS
from vision.render.stage import Arm, Image, Lighting, Stage
from vision.render.table_scene import Pose, TableScene
from vision.render.things import thing_picture


@dataclass(frozen=True, slots=True)
class Script:
    """What is played: plain facts of a deal. ``hands`` may miss seats."""

    players: int
    dealer: int
    table: tuple[Card, ...]
    hands: Mapping[int, tuple[Card, ...]]
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Style:
    """How it is shown. ``fps``: frames a second."""

    camera: Camera = field(default_factory=Camera)
    ground: str = "felt-green"
    lighting: Lighting = field(default_factory=Lighting)
    pace: Pace = field(default_factory=Pace)
    fps: int = 10
    habits: Habits = field(default_factory=Habits)
    seed: int = 0


@dataclass(frozen=True, slots=True)
class CardTruth:
    """One card in one frame. ``quad``: 4 x 2 pixels; ``visible``: the share in view; ``zone``: None while carried."""

    card: Card
    quad: npt.NDArray[np.float64]
    visible: float
    zone: Zone | None


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that is complete at time ``t``: its hand has left the picture. ``begin``: when it came in.

    ``words``: the step's line (``step`` is its index then), or what else happened: ``deal``, ``sweep``, a habit's
    gesture (``shift``, ``lift``, ``rest``, ``take-back``), ``bump`` of the camera, ``lamp``.
    """

    t: float
    begin: float
    words: str
    step: int | None


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame: its time, the BGR picture, where the cards are, whose hands are in view, what is complete now."""

    t: float
    image: Image
    cards: tuple[CardTruth, ...]
    hands: tuple[int, ...]
    done: tuple[Happening, ...]


def film(script: Script, faces: Mapping[Card, Image], style: Style | None = None) -> Iterator[Frame]:
    """Plays the deal. ``faces``: card to RGBA picture. Raises choreography.ImpossibleStep before the first frame."""
    style = style or Style()
    scene = TableScene(script.players)
    gestures = Choreographer(
        scene,
        dealer=script.dealer,
        table=script.table,
        hands=script.hands,
        steps=script.steps,
        pace=style.pace,
        habits=style.habits,
        seed=style.seed,
    ).gestures()
    thing = None if style.habits.thing == "none" else (thing_picture(style.habits.thing), scene.aside)
    stage = Stage(style.camera, faces, ground=style.ground, lighting=style.lighting, seed=style.seed, thing=thing)
    return _frames(stage, gestures, style)


def _frames(stage: Stage, gestures: Sequence[Gesture], style: Style) -> Iterator[Frame]:
    lying = _Lying(gestures)
    end = max((gesture.end for gesture in gestures), default=0.0) + style.pace.close
    waiting = sorted(gestures, key=lambda gesture: gesture.end)
    disturbances = Disturbances(
        style.habits, style.camera, end, style.seed, [(gesture.begin, gesture.end) for gesture in gestures]
    )
    cards: tuple[CardTruth, ...] = ()
    quiet: tuple[LyingCard, ...] | None = None
    shown: Frame | None = None
    for number in range(math.ceil(end * style.fps) + 1):
        t = number / style.fps
        if disturbances.camera(t) != stage.camera:
            stage.move_camera(disturbances.camera(t))
            quiet = None
        resting = lying.at(t)
        arms = [_arm(gesture, t) for gesture in gestures if gesture.begin <= t < gesture.end]
        seen = [arm for arm in arms if stage.hand_in_view(arm)]
        if seen or quiet is not resting:
            cards = _truth(stage, resting, seen)
            quiet = None if seen else resting
        done = [Happening(at, at, words, None) for at, words in disturbances.between(t - 1 / style.fps, t)]
        while waiting and waiting[0].end <= t:
            gesture = waiting.pop(0)
            done.append(Happening(t, gesture.begin, gesture.words, gesture.step))
        if shown is not None and disturbances.lost():
            shown = replace(shown, t=t, done=tuple(done))
        else:
            picture = stage.with_noise(stage.paint(resting, seen, disturbances.gain(t)))
            shown = Frame(t, picture, cards, tuple(sorted({arm.seat for arm in seen})), tuple(done))
        yield shown


class _Lying:
    """Which cards lie on the table, moment after moment; time only goes forward."""

    def __init__(self, gestures: Sequence[Gesture]) -> None:
        points = [point for gesture in gestures for point in gesture.points if point.pick or point.put]
        self._changes = sorted(points, key=lambda point: point.t)
        self._next = 0
        self._cards: tuple[LyingCard, ...] = ()

    def at(self, t: float) -> tuple[LyingCard, ...]:
        while self._next < len(self._changes) and self._changes[self._next].t <= t:
            change = self._changes[self._next]
            left = tuple(lying for lying in self._cards if lying.card not in change.pick)
            self._cards = (*left, *change.put)
            self._next += 1
        return self._cards


def _arm(gesture: Gesture, t: float) -> Arm:
    """The hand of a gesture at a moment within it."""
    index = max(number for number, point in enumerate(gesture.points) if point.t <= t)
    start, goal = gesture.points[index], gesture.points[min(index + 1, len(gesture.points) - 1)]
    span = goal.t - start.t
    share = (t - start.t) / span if span > 0 else 1.0
    ease, rate = share**3 * (10 - 15 * share + 6 * share**2), 30 * share**2 * (1 - share) ** 2
    way = math.dist((start.x, start.y), (goal.x, goal.y))
    arc = math.sin(math.pi * share) * min(26.0, way * 0.1)
    x, y = start.x + (goal.x - start.x) * ease, start.y + (goal.y - start.y) * ease
    z = start.z + (goal.z - start.z) * ease + arc
    speed = rate / span if span > 0 else 0.0
    shoulder = gesture.shoulder
    angle = math.degrees(math.atan2(x - shoulder[0], shoulder[1] - y))
    ends = _ends(goal)
    held = []
    for number, (card, begin) in enumerate(start.held):
        end = ends.get(card, begin)
        turn = (end.angle - begin.angle + 180) % 360 - 180
        held.append(
            (
                card,
                Pose(
                    x + begin.x + (end.x - begin.x) * ease,
                    y + begin.y + (end.y - begin.y) * ease,
                    begin.angle + turn * ease,
                    max(0.5, z - 3 + number * 0.4),
                ),
            )
        )
    velocity = ((goal.x - start.x) * speed, (goal.y - start.y) * speed)
    return Arm(
        gesture.seat, LOOKS[(gesture.seat - 1) % len(LOOKS)], gesture.shape, x, y, z, angle, velocity, tuple(held)
    )


def _ends(goal: Waypoint) -> dict[Card, Pose]:
    """Where the held cards are, relative to the grip, when a waypoint is reached."""
    ends = dict(goal.held)
    for lying in goal.put:
        pose = lying.pose
        ends[lying.card] = Pose(pose.x - goal.x, pose.y - goal.y, pose.angle)
    return ends


def _truth(stage: Stage, resting: Sequence[LyingCard], arms: Sequence[Arm]) -> tuple[CardTruth, ...]:
    shares, held_shares = stage.visible(resting, arms)
    lying = [
        CardTruth(card.card, stage.quad(card.pose), share, card.zone)
        for card, share in zip(resting, shares, strict=True)
    ]
    held = [(card, pose) for arm in arms for card, pose in arm.held]
    carried = [
        CardTruth(card, stage.quad(pose), share, None) for (card, pose), share in zip(held, held_shares, strict=True)
    ]
    return (*lying, *carried)
