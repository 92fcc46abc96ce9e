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
from vision.render.drawn_pack import draw_back
from vision.render.gesture import Back, Gesture, LyingCard, Pace, Piece, Waypoint
from vision.render.habits import Disturbances, Habits
from vision.render.hands import LOOKS, Look
from vision.render.laugh_table import LaughTable
from vision.render.sbros_scene import SbrosScene
from vision.render.sbros_table import SbrosTable
from vision.render.script import LAUGH, SBROS, STONE
from vision.render.script import Script as Script
from vision.render.stage import Arm, Image, Lighting, Stage
from vision.render.stone_table import StoneTable
from vision.render.table_scene import Pose, Scene, TableScene
from vision.render.things import thing_picture


@dataclass(frozen=True, slots=True)
class Style:
    """How it is shown. ``fps``: frames a second. ``looks``: the hands of the seats, in their order."""

    camera: Camera = field(default_factory=Camera)
    ground: str = "felt-green"
    lighting: Lighting = field(default_factory=Lighting)
    pace: Pace = field(default_factory=Pace)
    fps: int = 10
    habits: Habits = field(default_factory=Habits)
    seed: int = 0
    looks: tuple[Look, ...] = LOOKS


@dataclass(frozen=True, slots=True)
class CardTruth:
    """One card in one frame. ``quad``: 4 x 2 pixels; ``visible``: the share in view; ``zone``: None while carried.

    ``down``: its back is up.
    """

    card: Card
    quad: npt.NDArray[np.float64]
    visible: float
    zone: Zone | None
    down: bool = False


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that is complete at time ``t``: its hand has left the picture. ``begin``: when it came in.

    ``words``: the step's line (``step`` is its index then), or what else happened: ``deal``, ``sweep``, a habit's
    gesture (``shift``, ``lift``, ``rest``, ``take-back``, ``straighten``), the first half of a step in two visits
    (``mate-begun``, ``cover-begun``), what follows from the rules (``take-trick``, ``draw``, ``take-resets``,
    ``clear``), ``put-back`` of a misplay, ``bump`` of the camera, ``lamp``. ``misplay``: what is wrong with an
    action against the rules (``words`` is its line), ``until`` when it is undone.
    """

    t: float
    begin: float
    words: str
    step: int | None
    misplay: str = ""
    until: float | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame: its time, the BGR picture, where the cards are, whose hands are in view, what is complete now.

    ``stock``: how many cards of the stock lie on the table; nobody knows which, so they aren't among ``cards``.
    """

    t: float
    image: Image
    cards: tuple[CardTruth, ...]
    hands: tuple[int, ...]
    done: tuple[Happening, ...]
    stock: int = 0


def scene_of(script: Script) -> Scene:
    """The table at which a script's game is played. Raises ValueError for a game or a number of players it hasn't."""
    return SbrosScene() if script.game == SBROS else TableScene(script.players)


def choreographer(
    script: Script, pace: Pace | None = None, habits: Habits | None = None, seed: int = 0
) -> Choreographer:
    """Who plays a script. Raises ValueError for a game or a number of players that the virtual table hasn't."""
    if script.game == SBROS:
        return SbrosTable(SbrosScene(), script, pace=pace, habits=habits, seed=seed)
    tables = {LAUGH: LaughTable, STONE: StoneTable}
    if script.game not in tables:
        raise ValueError(f"the virtual table doesn't play '{script.game}'")
    return tables[script.game](TableScene(script.players), script, pace=pace, habits=habits, seed=seed)


def film(
    script: Script, faces: Mapping[Card, Image], style: Style | None = None, back: Image | None = None
) -> Iterator[Frame]:
    """Plays the deal. ``faces``: card to RGBA picture; ``back``: the same, without it one is drawn.

    Raises gesture.ImpossibleStep before the first frame.
    """
    style = style or Style()
    gestures = choreographer(script, style.pace, style.habits, style.seed).gestures()
    thing = None if style.habits.thing == "none" else (thing_picture(style.habits.thing), scene_of(script).aside)
    stage = Stage(
        style.camera,
        faces,
        ground=style.ground,
        lighting=style.lighting,
        seed=style.seed,
        thing=thing,
        back=draw_back(np.random.default_rng(style.seed), 361) if back is None else back,
    )
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
        arms = [_arm(gesture, t, style.looks) for gesture in gestures if gesture.begin <= t < gesture.end]
        seen = [arm for arm in arms if stage.hand_in_view(arm)]
        if seen or quiet is not resting:
            cards = _truth(stage, resting, seen)
            quiet = None if seen else resting
        done = [Happening(at, at, words, None) for at, words in disturbances.between(t - 1 / style.fps, t)]
        while waiting and waiting[0].end <= t:
            gesture = waiting.pop(0)
            done.append(_happening(gesture, t))
        if shown is not None and disturbances.lost():
            shown = replace(shown, t=t, done=tuple(done))
        else:
            picture = stage.with_noise(stage.paint(resting, seen, disturbances.gain(t)))
            stock = sum(isinstance(lying.card, Back) for lying in resting)
            shown = Frame(t, picture, cards, tuple(sorted({arm.seat for arm in seen})), tuple(done), stock)
        yield shown


def _happening(gesture: Gesture, t: float) -> Happening:
    return Happening(t, gesture.begin, gesture.words, gesture.step, gesture.misplay, gesture.until)


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


def _arm(gesture: Gesture, t: float, looks: Sequence[Look]) -> Arm:
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
                    begin.down,
                ),
            )
        )
    velocity = ((goal.x - start.x) * speed, (goal.y - start.y) * speed)
    return Arm(
        gesture.seat, looks[(gesture.seat - 1) % len(looks)], gesture.shape, x, y, z, angle, velocity, tuple(held)
    )


def _ends(goal: Waypoint) -> dict[Piece, Pose]:
    """Where the held cards are, relative to the grip, when a waypoint is reached."""
    ends = dict(goal.held)
    for lying in goal.put:
        pose = lying.pose
        ends[lying.card] = Pose(pose.x - goal.x, pose.y - goal.y, pose.angle)
    return ends


def _truth(stage: Stage, resting: Sequence[LyingCard], arms: Sequence[Arm]) -> tuple[CardTruth, ...]:
    shares, held_shares = stage.visible(resting, arms)
    held = [(card, pose, None) for arm in arms for card, pose in arm.held]
    return tuple(
        CardTruth(piece, stage.quad(pose), share, zone, pose.down)
        for (piece, pose, zone), share in zip(
            [*((lying.card, lying.pose, lying.zone) for lying in resting), *held], [*shares, *held_shares], strict=True
        )
        if not isinstance(piece, Back)
    )
