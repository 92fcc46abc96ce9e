"""``mournival watch``: follows a table without the page and prints the record as it grows, then the settlement."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import click

from assistant.cards import Card
from assistant.events import (
    ActionSeen,
    DealSeen,
    Desync,
    Event,
    GameOver,
    Noticed,
    Question,
    Resynced,
    Undone,
    Warned,
    as_json,
    choice_line,
)
from assistant.follow_state import FollowState
from assistant.following import Follower
from assistant.games.game import Game, GameError, Notice, Position, Setup
from assistant.patience import Patience
from assistant.record import Record
from assistant.signs.signs import Terms
from assistant.view import Stillness, TableView
from vision.file_sources import FolderSource, PictureSource
from vision.frames import Frame, FrameSource, FrozenPicture, SourceError
from vision.lasting_warnings import LastingWarnings
from vision.picture_quality import sentence
from vision.recogniser import Image, Reading, Recogniser, Recognition
from vision.sources import open_source
from vision.table_eye import TableEye
from vision.zones import Layout, LayoutError, propose, read_layout
from web.cli import Unusable, Wrong, tell
from web.cli.followed_game import followed_game
from web.cli.pack_choice import pack_option, packs_option
from web.cli.recognise import load_recogniser
from web.cli.records import signed

UNANSWERED_S: Final = 12.0
"""Nobody answers here: after so long a question is given up for its likeliest answer, and the record says so."""
WARN_AGAIN_S: Final = 60.0
CLEARED_S: Final = 1.5
"""The next deal begins after the table has been empty for so long."""
PICTURE_S: Final = 8.0
"""For so long each picture of a folder stands for the table."""
UNDER_WAY: Final = (
    "A deal is under way: what can't be seen is asked on the page alone, so start `mournival run` to go on with it; "
    "else clear the table, and the next deal is followed, with seat {dealer} as its dealer (--dealer)."
)
LOOK_S: Final = 0.25
LINGER_S: Final = 6.0
"""A table that rests when the source ends is taken to go on resting for so long."""


@click.command(short_help="Follow a table without the page; print record and stakes.")
@click.argument("source")
@click.option("--game", default="laugh-and-lie-down", show_default=True, help="The game that is played.")
@click.option("--players", type=int, default=5, show_default=True, help="How many play: 3 to 6.")
@click.option("--dealer", type=int, default=1, show_default=True, help="The seat that deals first.")
@click.option("--options", "options_text", default="", metavar="NAME=VALUE,...", help="Rule options of the game.")
@click.option("--layout", "layout_file", type=Path, metavar="FILE", help="The zones (JSON); proposed without it.")
@pack_option
@packs_option
@click.option("--json", "as_lines", is_flag=True, help="One JSON object a line, nothing else.")
def watch(
    source: str,
    game: str,
    players: int,
    dealer: int,
    options_text: str,
    layout_file: Path | None,
    pack: str | None,
    folder: Path | None,
    as_lines: bool,
) -> None:
    """Follow the table that SOURCE shows (camera index, video, folder of pictures, rtsp:// or http:// address).

    Exit status: 0 a deal was settled, 1 the source ended before a deal was settled, 2 the source can't be used.
    """
    terms = Terms(game, players, dealer, _options(options_text))
    rules = _checked_game(terms)
    layout = _layout(layout_file, players, game)
    try:
        frames = open_source(source, seconds=PICTURE_S)
    except SourceError as error:
        raise Unusable(str(error)) from None
    with frames:
        recogniser = load_recogniser(pack, folder)
        pictures = _pictures(frames)
        frozen = None if pictures else FrozenPicture(live=frames.live)
        watcher = Watcher(rules, terms, Remembering(recogniser) if pictures else recogniser, layout, frozen)
        out = JsonLines() if as_lines else PlainLines()
        lost = _watch(frames, watcher, out)
    if lost is not None:
        raise Unusable(lost)
    if not watcher.saw_a_deal and watcher.under_way:
        raise Wrong(
            f"{source}: only the rest of a deal was seen: `mournival run` asks for what it can't see, and goes on"
        )
    if not watcher.saw_a_deal:
        raise Wrong(
            f"{source}: no deal was seen: for {players} players the whole pool must lie in view, face up, at rest"
        )
    if not watcher.settled:
        raise SystemExit(1)


def _watch(frames: FrameSource, watcher: Watcher, out: JsonLines | PlainLines) -> str | None:
    """Watch to the end; one line if the source was lost on the way. What was seen is told in any case."""
    lost: str | None = None
    try:
        for frame in at_rest(frames) if _pictures(frames) else frames:
            for entry in watcher.look(frame):
                out.tell(entry)
    except SourceError as error:
        lost = str(error)
    except KeyboardInterrupt:
        pass
    for entry in watcher.finish():
        out.tell(entry)
    for remark in (*frames.skipped, *((frames.cut_short,) if frames.cut_short else ())):
        tell(remark)
    return lost


def _pictures(frames: FrameSource) -> bool:
    return isinstance(frames, FolderSource | PictureSource)


def at_rest(frames: Iterable[Frame]) -> Iterator[Frame]:
    """Single pictures as a resting table: each one stands for some seconds."""
    for frame in frames:
        for step in range(round(PICTURE_S / LOOK_S)):
            yield Frame(frame.index, frame.t + step * LOOK_S, frame.image)


class Remembering:
    """A recogniser that looks at the same picture only once."""

    def __init__(self, recogniser: Recogniser) -> None:
        self._recogniser = recogniser
        self._last: tuple[Image, Recognition] | None = None

    def recognise(self, image: Image, *, one_pack: bool = True) -> Recognition:
        """See ``vision.recogniser.Recogniser``."""
        if self._last is None or self._last[0] is not image:
            self._last = (image, self._recogniser.recognise(image, one_pack=one_pack))
        return self._last[1]


@dataclass(frozen=True, slots=True)
class Result:
    """A deal at its end: settled, or where the source ended (``settlement`` None). ``sure``: rests on no guess."""

    t: float
    record: str
    settlement: Mapping[str, Any] | None
    sure: bool


class Watcher:
    """Frames in, events out: the eye and the following in a row, one deal after another."""

    def __init__(
        self,
        game: Game,
        terms: Terms,
        recogniser: Recogniser,
        layout: Layout | None,
        frozen: FrozenPicture | None = None,
    ) -> None:
        """``layout``: the zones, proposed without one. ``frozen``: tells a camera that hangs; None for pictures."""
        self.settled = 0
        self.under_way = False
        """Whether what lay there belonged to a deal whose beginning was not seen."""
        self._frozen = frozen
        self._game = game
        self._layout = layout
        self._eye = TableEye(recogniser, layout or propose(terms.game, terms.players))
        self._warnings = Warnings()
        self._empty_since: float | None = None
        self._t = 0.0
        self._rested = Stillness.MOVING
        self._begin(terms)

    @property
    def saw_a_deal(self) -> bool:
        """Whether a deal was seen at all, now or before."""
        return self.settled > 0 or self._position is not None

    def look(self, frame: Frame) -> list[Event | Result]:
        """Take in the next frame; what is new."""
        stands = ("frozen",) if self._frozen is not None and self._frozen.feed(frame) else ()
        if stands and self._frozen is not None and self._frozen.live:
            return [*self._warnings.feed(frame.t, stands)]
        look = self._eye.look(frame)
        self._t, self._rested = frame.t, look.view.stillness
        if not (look.recognised or stands):
            return self._follow(look.view)
        warned = self._warnings.feed(frame.t, (*stands, *look.warnings), look.readings, look.twice)
        return [*warned, *self._follow(look.view)]

    def finish(self) -> list[Event | Result]:
        """The source has ended: what a table at rest still tells, and what was seen of a deal that isn't settled."""
        told: list[Event | Result] = []
        for step in range(1, round(LINGER_S / LOOK_S) + 1):
            if self._result_told or self._rested is Stillness.MOVING:
                break
            told += self._follow(self._eye.view(self._t + step * LOOK_S, Stillness.STILL, step * LOOK_S))
        if self._result_told or self._position is None:
            return told
        return [*told, self._result()]

    def _begin(self, terms: Terms) -> None:
        self._terms = terms
        patience = Patience(answer=UNANSWERED_S)
        self._follower = Follower(self._game, terms, patience, anywhere=self._layout is None)
        self._state = FollowState()
        self._position: Position | None = None
        self._result_told = False
        self._unsure: dict[int, str] = {}
        self._question: Question | None = None
        self._noticed: set[tuple[str, tuple[int, ...], str]] = set()

    def _follow(self, view: TableView) -> list[Event | Result]:
        if self._result_told:
            return self._await_next_deal(view)
        told: list[Event | Result] = []
        step = self._follower.follow(self._state, self._position, view)
        self._state = step.state
        for event in step.events:
            told.append(self._advised(event))
            self._take(event)
            if isinstance(event, DealSeen) and self._layout is None:
                backs = [back.quad for back in view.backs]
                self._eye.set_layout(propose(self._terms.game, self._terms.players, step.lain, backs))
            told += self._notices(event)
            if isinstance(event, GameOver):
                told.append(self._result())
        return told

    def _take(self, event: Event) -> None:
        """Fold an event into the position."""
        position = self._position
        match event:
            case DealSeen():
                self._position = self._game.deal(event.setup)
            case ActionSeen() if position is not None:
                self._position = position.apply(event.action)
                if not event.sure and self._question is not None:
                    others = [choice for choice in self._question.choices if event.action not in choice]
                    self._unsure[len(position.actions)] = "; ".join(map(choice_line, others))
            case Undone() if position is not None:
                kept = self._game.deal(position.setup)
                for action in position.actions[:-1]:
                    kept = kept.apply(action)
                self._unsure.pop(len(position.actions) - 1, None)
                self._position = kept
            case Question():
                self._question = event
            case _:
                pass

    def _advised(self, event: Event) -> Event:
        """The same, but that nobody is asked here to join a deal under way: what to do instead."""
        if not (isinstance(event, Warned) and event.code == "mid-deal"):
            return event
        self.under_way = True
        return replace(event, text=UNDER_WAY.format(dealer=self._terms.dealer))

    def _notices(self, event: Event) -> list[Event]:
        """What the rules have to say now and had not said before."""
        if not isinstance(event, DealSeen | ActionSeen) or self._position is None:
            return []
        now = {_notice_key(notice): notice for notice in self._position.notices()}
        fresh = [notice for key, notice in now.items() if key not in self._noticed]
        self._noticed = set(now)
        return [Noticed(event.t, notice) for notice in fresh]

    def _result(self) -> Result:
        assert self._position is not None
        self._result_told = True
        settlement = self._position.settlement()
        sure = self._state.sure and not self._state.desynced and self._state.question is None
        if settlement is None:  # in the middle of a deal the table must show just what the record says
            sure = sure and not self._state.held and self._state.differs_since is None
        if settlement is not None:
            self.settled += 1
        return Result(self._t, self._record(), settlement, sure)

    def _record(self) -> str:
        """The record so far; what was not certain is marked by a comment."""
        assert self._position is not None
        setup, actions = self._position.setup, self._position.actions
        head = Record(setup).text()
        lines = [
            f"{action}  # not sure; or: {self._unsure[number]}" if number in self._unsure else str(action)
            for number, action in enumerate(actions)
        ]
        return head + "".join(f"{line}\n" for line in ("", *lines) if lines)

    def _await_next_deal(self, view: TableView) -> list[Event | Result]:
        if view.cards:
            self._empty_since = None
            step = self._follower.follow(self._state, self._position, view)  # a fault in clearing the table
            self._state = step.state
            return [event for event in step.events if isinstance(event, Noticed)]
        if self._empty_since is None:
            self._empty_since = view.t
        if view.t - self._empty_since >= CLEARED_S:
            terms = self._terms
            dealer = terms.dealer % terms.players + 1
            self._eye.clear()
            if self._layout is None:
                self._eye.set_layout(propose(terms.game, terms.players))
            self._begin(Terms(terms.game, terms.players, dealer, terms.options, terms.names))
        return []


class Warnings:
    """Tells of a picture's faults when they last, and not again and again."""

    def __init__(self) -> None:
        self._lasting = LastingWarnings()
        self._told: dict[str, float] = {}

    def feed(
        self, t: float, codes: tuple[str, ...], readings: Sequence[Reading] = (), twice: Sequence[Card] = ()
    ) -> list[Warned]:
        """The warnings to give at time ``t``, when these are the picture's faults and these its cards."""
        holding = self._lasting.feed(t, codes)
        due = [code for code in holding if t - self._told.get(code, -WARN_AGAIN_S) >= WARN_AGAIN_S]
        self._told.update(dict.fromkeys(due, t))
        quads = [reading.quad for reading in readings]
        return [Warned(t, code, sentence(code, quads, twice)) for code in due]


class JsonLines:
    """One JSON object a line, as the contract has it."""

    def tell(self, entry: Event | Result) -> None:
        click.echo(json.dumps(self._object(entry)))

    @staticmethod
    def _object(entry: Event | Result) -> dict[str, Any]:
        if not isinstance(entry, Result):
            return as_json(entry)
        name = "ended" if entry.settlement is None else "settled"
        settlement = None if entry.settlement is None else {**entry.settlement, "sure": entry.sure}
        head = {"t": round(entry.t, 2), "event": name}
        return {**head, "record": entry.record, "settlement": settlement, "sure": entry.sure}


class PlainLines:
    """Lines for people: the record as it grows, remarks as comments, then the settlement."""

    def tell(self, entry: Event | Result) -> None:
        for line in self._lines(entry):
            click.echo(line)

    def _lines(self, entry: Event | Result) -> list[str]:
        match entry:
            case DealSeen():
                return [*Record(entry.setup).text().splitlines(), ""]
            case ActionSeen():
                return [f"{entry.action}" + ("" if entry.sure else "  # not sure")]
            case Noticed():
                return [f"# {entry.notice.text}"]
            case Question():
                return [f"# ? {entry.text}"]
            case Undone():
                return [f"# taken back: {entry.action} ({entry.why})"]
            case Desync() | Warned():
                return [f"# ! {entry.text}"]
            case Resynced():
                return ["# table and game agree again"]
            case Result():
                return _settled(entry)
            case _:
                return []


def _settled(result: Result) -> list[str]:
    if result.settlement is None:
        doubt = [] if result.sure else ["# NOT SURE: at its end the table showed more than this record explains"]
        return ["", "# the source ended before the deal was over: nothing is settled", *doubt]
    lines = ["", f"pot {result.settlement['pot']}"]
    bonus = result.settlement.get("bonus")
    if bonus:
        lines.append(f"last in: seat {bonus['seat']} takes {bonus['stakes']}")
    for seat in result.settlement["seats"]:
        lines.append(
            f"seat {seat['seat']}: {seat['cards']} cards, staked {seat['staked']}, pays in {seat['paid_in']}, "
            f"receives {seat['received']}, net {signed(seat['net'])}"
        )
    if not result.sure:
        lines.append("NOT SURE: a question stayed open; see the lines marked in the record")
    return lines


def _notice_key(notice: Notice) -> tuple[str, tuple[int, ...], str]:
    return notice.code, notice.seats, " ".join(map(str, notice.cards))


def _checked_game(terms: Terms) -> Game:
    """The game, after a look whether it can be followed and played under these terms. Raises Unusable."""
    game = followed_game(terms.game)
    try:
        game.deal(Setup(terms.game, terms.players, terms.dealer, (), {}, dict(terms.options)))
    except GameError as error:
        if error.code != "wrong-table-size":
            raise Unusable(error.reason) from None
    return game


def _options(text: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not (name and equals and value):
            raise Unusable(f"--options: '{part}' is no option: write name=value")
        options[name] = value
    return options


def _layout(path: Path | None, players: int, game: str) -> Layout | None:
    try:
        return None if path is None else read_layout(path, players, game)
    except LayoutError as error:
        raise Unusable(str(error)) from None
