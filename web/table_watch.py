"""The loop that watches the table: a source's frames become a view, the view the game's actions, and those the page.

It runs in a thread of its own and owns the source and the eye. Whatever happens to the camera, the page
goes on: a lost one is told and tried again with growing pauses.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from assistant import events as seen_events
from assistant import session as deciding
from assistant.cards import Card
from assistant.following import Follower, FollowState
from assistant.games import game_named
from assistant.games.game import GameError, Notice, Setup, StaleInput
from assistant.games.laugh_setup import scale_of
from assistant.joining import Answers, CantJoin, as_events, joined, standing
from assistant.session import SessionState, advance
from assistant.session_events import (
    JOINED,
    ActionTaken,
    Asked,
    MisplayNoticed,
    MisplaysCleared,
    SessionEvent,
    TableDisagrees,
    Withdrawn,
)
from assistant.signs import FOLLOWED
from assistant.signs.signs import Terms
from assistant.view import TableView
from vision.clock import SYSTEM, Clock
from vision.frames import Frame, FrameSource, FrozenPicture, SourceError
from vision.image_intake import PictureError
from vision.lasting_warnings import LastingWarnings
from vision.picture_quality import sentence
from vision.recogniser import Reading, Recogniser
from vision.table_eye import TableEye
from vision.zones import Layout, propose
from web.browser_camera import BrowserCamera
from web.corrected_cards import CorrectedCards
from web.live import Board
from web.open_session import OpenSession
from web.pictures import Pictures
from web.wording import named
from web.written_later import AGAIN_AFTER_S, WrittenLater
from web.zone_shelf import ZoneShelf, with_zones, zones_json

FIRST_PAUSE_S: Final = 1.0
LONGEST_PAUSE_S: Final = 20.0
CLEARED_S: Final = 1.5
"""After a deal the next one begins once the table has been empty for so long."""
JOIN_AFTER_S: Final = 2.0
"""How long cards of a deal that nobody saw begin must rest before it is asked about."""
SHOWN_EVERY_S: Final = 0.2
FROZEN_S: Final = 15.0
"""After so long of one and the same picture a camera is let go and opened anew."""
WARN_FOR_S: Final = 10.0
REWIND_S: Final = 3.0
"""How far before the last action a recording is taken up again, so that its cards are seen at rest."""

log = logging.getLogger("mournival")


@dataclass(frozen=True, slots=True)
class Watched:
    """What is watched: how to open the source, how it is called, whether it can be lost and found again (``live``).

    ``speed``: a recording is played at most this many times as fast as it was. Every frame of it is looked at
    whatever the speed, so that what is found does not depend on the computer.
    """

    open: Callable[[], FrameSource]
    name: str
    live: bool
    speed: float = 1.0


class TableWatch:
    """Follows one table until it is stopped; ``ended`` is set when a recording has been played to its end.

    The zones are those that somebody drew on the page, if ``shelf`` has them, else ``layout``; without either they
    are proposed, and once more when the dealt cards show where the pool lies.
    """

    def __init__(
        self,
        watched: Watched,
        session: OpenSession,
        recogniser: Recogniser,
        board: Board,
        pictures: Pictures,
        *,
        layout: Layout | None = None,
        shelf: ZoneShelf | None = None,
        clock: Clock = SYSTEM,
    ) -> None:
        self._watched = watched
        self._session = session
        self._clock = clock
        self._writing = WrittenLater(session, clock)
        self._board = board
        self._pictures = pictures
        self._shelf = shelf
        self._given = layout
        self._looking = threading.RLock()
        self._last_view: TableView | None = None
        self.ended = threading.Event()
        self._stop = threading.Event()
        self._replay = threading.Event()
        self._tell_mutex = threading.Lock()
        self._corrections = CorrectedCards()
        self._source: FrameSource | None = None
        self._number = 0
        self._shown_at = -SHOWN_EVERY_S
        self._shown_cards: Any = None
        self._warning = ""
        self._told = ""
        self._lasting = LastingWarnings()
        self._said = ("", 0.0)
        self._empty_since: float | None = None
        self._proposing, zones = self._zones_at_first(session.state)
        self._eye = TableEye(recogniser, zones)
        self._terms_of: Setup | None = None
        self._follower: Follower | None = None
        self._following = FollowState()
        self._at = self._place_of(session.state)
        self._key: tuple[int, int, bool] | None = None
        self._asked: dict[int, int] = {}
        self._thread = threading.Thread(target=self._run, name="table watch", daemon=True)

    def start(self) -> None:
        """Watch in a thread of its own."""
        self._session.listen(self._on_session)
        self._thread.start()

    def stop(self) -> None:
        """Stop watching and let go of the source."""
        self._stop.set()
        self._replay.set()
        source = self._source
        if source is not None:
            source.close()
        self._thread.join(timeout=5)

    # What the page asks for

    def correct(self, was: Card, now: Card, track: int | None = None) -> None:
        """See ``web.api.Eye``."""
        self._corrections.say(was, now, track)

    def draw_zones(self, zones: Mapping[str, Any] | None) -> None:
        """See ``web.api.Eye``."""
        with self._looking:
            setup, view = self._session.setup, self._last_view
            if zones is None:
                self._proposing = self._given is None
                layout = self._given or self._proposed(view)
                if self._shelf is not None:
                    self._shelf.forget_drawn(setup)
            else:
                layout = with_zones(self._eye.layout, zones, setup)
                self._proposing = False
                if self._shelf is not None:
                    self._shelf.keep_drawn(setup, layout)
            self._eye.set_layout(layout)
            if self._follower is not None:
                self._follower.anywhere = self._proposing
            self._board.post("zones", {"zones": zones_json(self._eye.layout), "drawn": zones is not None})

    def join(self, answers: Answers, seen: int) -> None:
        """See ``web.api.Eye``."""
        with self._looking:
            view, setup = self._last_view, self._session.setup
            there = None if view is None else standing(view)
            if view is None or there is None:
                raise CantJoin("not every card on the table is known now: wait until no hand lies over them")
            terms = Terms(setup.game, setup.players, setup.dealer, setup.options, setup.names)
            events = as_events(joined(game_named(setup.game), terms, there, answers), view.t, sure=True)
            self._session.perform(lambda state: self._session_events(state, events, by=JOINED), seen=seen)

    def offer(self, jpeg: bytes) -> bool:
        """See ``web.api.Eye``."""
        source = self._source
        if not isinstance(source, BrowserCamera):
            return False
        source.offer(jpeg)
        return True

    # The thread

    def _run(self) -> None:
        pause = FIRST_PAUSE_S
        while not self._stop.is_set():
            self._catch_up()
            frames = self._number
            try:
                self._play()
            except (SourceError, PictureError) as error:
                if self._number > frames:
                    pause = FIRST_PAUSE_S
                if not self._watched.live:
                    self._write_all()
                    self._tell(False, str(error))
                    self._rest()
                    continue
                self._tell(False, f"{error} (trying again)")
                self._clock.wait(self._stop, pause)
                pause = min(LONGEST_PAUSE_S, pause * 1.7)
            except Exception:
                log.exception("Following the table failed")
                self._tell(
                    False, "following the table failed; what happened is written to the log; add actions by hand"
                )
                self._clock.wait(self._stop, LONGEST_PAUSE_S)
            else:
                pause = FIRST_PAUSE_S
                if self._watched.live or self._stop.is_set():
                    self._clock.wait(self._stop, FIRST_PAUSE_S)
                    continue
                self._write_all()
                self._tell(True, f"{self._watched.name}: the recording has ended", ended=True)
                self._rest()

    def _rest(self) -> None:
        """A recording is over: wait until it is to be played from the start."""
        self.ended.set()
        self._replay.wait()
        self._replay.clear()
        self.ended.clear()
        self._start_afresh()

    def _play(self) -> None:
        """Follow one source from its opening to its end."""
        self._source = self._watched.open()  # known before it is ready, so that ``stop`` can end a long opening
        with self._source as source:
            from_t = 0.0 if source.live else self._resume_at()
            self._tell(True, self._watched.name)
            started, first, frozen = self._clock.steady(), None, FrozenPicture(live=source.live)
            fresh = 0.0
            for frame in source:
                if self._stop.is_set() or self._replay.is_set():
                    break
                if frame.t < from_t:
                    continue
                if first is None:
                    first = frame.t
                if not source.live:
                    due = started + (frame.t - first) / self._watched.speed
                    self._clock.wait(self._stop, max(0.0, due - self._clock.steady()))
                stands = ("frozen",) if frozen.feed(frame) else ()
                if stands and source.live:
                    if frame.t - fresh >= FROZEN_S:
                        raise SourceError("stalled", f"{source.name}: one and the same picture; plug it in again")
                    self._note_warnings(stands, (), frame.t)
                else:
                    fresh = frame.t
                    self._look(frame, stands)
            if source.cut_short:
                self._warn(source.cut_short)
        self._source = None

    def _resume_at(self) -> float:
        """The time of a recording at which the session stands."""
        deal = self._session.state.deal
        if deal is None:
            return 0.0
        return max(0.0, deal.newest_t - REWIND_S)

    def _look(self, frame: Frame, warnings: tuple[str, ...] = ()) -> None:
        with self._looking:
            self._catch_up()
            look = self._eye.look(frame)
            view = self._last_view = look.view
            if look.recognised or warnings:
                self._note_warnings((*warnings, *look.warnings), look.readings, frame.t, look.twice)
            self._corrections.hold(self._eye, view, self._writing.state.deal)
            self._follow(view)
            self._board.post("joining", self._under_way(view))
            self._show(frame, view)

    def _catch_up(self) -> None:
        """Write down what could not be written; the page is told once all is."""
        before = self._writing.trouble
        if not self._writing.catch_up():
            self._following = FollowState()
        if before and not self._writing.trouble:
            self._tell(True, self._watched.name)

    def _write_all(self) -> None:
        """Wait until what could not be written is written."""
        while self._writing.trouble and not self._stop.is_set():
            self._clock.wait(self._stop, AGAIN_AFTER_S)
            self._catch_up()

    # Following

    def _on_session(self, state: SessionState) -> None:
        """A recording is played again for a new session, and for a deal that is begun over."""
        before, self._at = self._at, self._place_of(state)
        began, deal = before
        if self._watched.live or self._at == before:
            return
        closed = state.closed[-1].number if state.closed else None
        if began != state.began or (deal is not None and state.deal is None and closed != deal):
            self._replay.set()

    @staticmethod
    def _place_of(state: SessionState) -> tuple[int, int | None]:
        return (state.began, state.deal.number if state.deal is not None else None)

    def _start_afresh(self) -> None:
        self._eye.begin_again()
        self._lasting = LastingWarnings()

    def _follow(self, view: TableView) -> None:
        """Compare the game with the view, and write down what follows."""
        state = self._writing.state
        cleared = self._cleared(state, view)
        follower = self._follower_for(state, cleared)
        if follower is None:
            return
        position = state.deal.position if state.deal is not None and not cleared else None
        try:
            step = follower.follow(self._following, position, view)
            cleared_up = [MisplaysCleared()] if _right_again(state, step.state) else []
            if step.events or cleared_up:
                self._writing.perform(
                    lambda now: [*self._session_events(now, step.events), *cleared_up], seen=state.seq
                )
                if self._writing.trouble:
                    self._tell(False, self._writing.trouble)
        except StaleInput:
            return  # Somebody did something meanwhile: the next view is compared with that.
        except GameError as error:
            log.warning("What the camera saw was refused: %s", error)
            return
        self._following = step.state
        for event in step.events:
            if isinstance(event, seen_events.DealSeen):
                self._find_pool(view)
            elif isinstance(event, seen_events.Warned):
                self._said = (named(event.text, self._session.setup), view.t)

    def _follower_for(self, state: SessionState, cleared: bool) -> Follower | None:
        """The follower for the session's terms; a new deal or other terms start it afresh. None for a game that can't
        be followed."""
        setup = state.setup
        if setup is None or setup.game not in FOLLOWED:
            return None
        if cleared:
            setup = replace(setup, dealer=setup.dealer % setup.players + 1)
        key = (state.began, state.dealt, state.deal is None or cleared)
        if setup != self._terms_of or key != self._key:
            before = self._terms_of
            if self._proposing and before and (setup.game, setup.players) != (before.game, before.players):
                self._await_deal(setup)
            if key != self._key:
                self._following, self._asked = FollowState(), {}
                if self._key is not None and key[2]:
                    self._await_deal(setup)
            terms = Terms(setup.game, setup.players, setup.dealer, setup.options, setup.names)
            self._follower = Follower(game_named(setup.game), terms, anywhere=self._proposing)
            self._terms_of, self._key = setup, key
        return self._follower

    def _session_events(
        self, state: SessionState, events: Iterable[seen_events.Event], *, by: str = "camera"
    ) -> list[SessionEvent]:
        """What the follower saw, as the session writes it down."""
        wanted: list[SessionEvent] = []
        for event in events:
            new = self._session_event(state, event, by)
            state, _ = advance(state, new)
            wanted += new
        return wanted

    def _session_event(self, state: SessionState, event: seen_events.Event, by: str) -> list[SessionEvent]:
        match event:
            case seen_events.DealSeen():
                return list(deciding.begin_deal(state, event.setup, sure=event.sure, t=event.t))
            case seen_events.ActionSeen():
                return [ActionTaken(event.action, by, event.confidence, event.sure, event.t)]
            case seen_events.Question():
                self._asked[event.number] = state.seq + 1
                return [Asked(event.choices, event.text, event.t)]
            case seen_events.QuestionClosed():
                asked = self._asked.get(event.number)
                waiting = state.deal is not None and any(one.seq == asked for one in state.deal.questions)
                return [Withdrawn(asked, "the table shows it")] if waiting and asked is not None else []
            case seen_events.Undone():
                return list(deciding.undo(state, state.deal.done[-1].seq, event.why)) if state.deal else []
            case seen_events.Desync():
                return [_disagreement(event)]
            case seen_events.Warned(_, "piles-dont-add-up", text):
                return [TableDisagrees(text)]
            case seen_events.Resynced():
                return [TableDisagrees("")]
            case seen_events.Noticed():
                return _misplay(state, event.notice)
            case _:
                return []

    def _under_way(self, view: TableView) -> dict[str, Any]:
        """What lies there of a deal that was begun before anybody watched; ``held`` 0 where there is none."""
        there = standing(view) if self._writing.state.deal is None and view.still_for >= JOIN_AFTER_S else None
        if there is None or scale_of(self._session.setup) is None:
            return {"held": 0, "piles": {}}
        return {"held": 52 - there.cards, "piles": {str(seat): len(pile) for seat, pile in there.piles.items()}}

    # The zones

    def _zones_at_first(self, state: SessionState) -> tuple[bool, Layout]:
        """Whether the zones are a mere proposal, and what they are."""
        setup, shelf = self._session.setup, self._shelf
        drawn = None if shelf is None else shelf.drawn(setup)
        if drawn is not None or self._given is not None:
            return False, drawn or self._given or propose(setup.game, setup.players)
        stored = None if shelf is None or state.deal is None else shelf.proposed(setup)
        return True, stored or propose(setup.game, setup.players)

    def _proposed(self, view: TableView | None) -> Layout:
        """The program's proposal: it follows the cards of which the game says that they lie in the middle."""
        setup, deal = self._session.setup, self._writing.state.deal
        if view is None or deal is None:
            return propose(setup.game, setup.players)
        middle = set(deal.position.observe().table)
        cards = [card.quad for card in view.cards if card.card in middle]
        return propose(setup.game, setup.players, cards, [back.quad for back in view.backs])

    def _find_pool(self, view: TableView) -> None:
        """The dealt cards say where the pool lies; zones that nobody drew follow them."""
        if not self._proposing:
            return
        setup = self._session.setup
        cards, backs = [card.quad for card in view.cards], [back.quad for back in view.backs]
        layout = propose(setup.game, setup.players, cards, backs)
        self._eye.set_layout(layout)
        if self._shelf is not None:
            self._shelf.keep_proposed(setup, layout)

    def _await_deal(self, setup: Setup) -> None:
        """Forget the last deal's cards and where its pool lay."""
        self._eye.clear()
        if self._proposing:
            self._eye.set_layout(propose(setup.game, setup.players))

    def _other_table(self, setup: Setup) -> None:
        """Another game or other players: their zones, drawn or proposed."""
        drawn = None if self._shelf is None else self._shelf.drawn(setup)
        self._proposing = drawn is None
        self._eye.clear()
        self._eye.set_layout(drawn or propose(setup.game, setup.players))

    def _cleared(self, state: SessionState, view: TableView) -> bool:
        """Whether the settled deal's cards are gone, so that what comes next is the next deal."""
        if state.deal is None or not state.deal.position.over:
            self._empty_since = None
            return False
        if view.cards:
            if self._empty_since is None or view.t - self._empty_since < CLEARED_S:
                self._empty_since = None
                return False
            return True
        if self._empty_since is None:
            self._empty_since = view.t
        return view.t - self._empty_since >= CLEARED_S

    # The page

    def _show(self, frame: Frame, view: TableView) -> None:
        """Post the view: as often as a browser can use it, and at once when the cards have changed."""
        now = self._clock.steady()
        cards = [(card.track, card.card, card.zone) for card in view.cards]
        if now - self._shown_at < SHOWN_EVERY_S and cards == self._shown_cards:
            self._number += 1
            return
        self._shown_at, self._shown_cards = now, cards
        self._number += 1
        self._pictures.put(self._number, frame.image)
        self._board.post("view", view_json(view, self._number, frame, self._eye.layout), ages=True)

    def _note_warnings(
        self, codes: tuple[str, ...], readings: Sequence[Reading], t: float, twice: Sequence[Card] = ()
    ) -> None:
        """Say what is wrong with the picture once it has lasted, and for a while what is wrong with the table."""
        holding = self._lasting.feed(t, codes)
        if holding:
            self._warn(sentence(holding[0], [reading.quad for reading in readings], twice))
        elif self._session.setup.game not in FOLLOWED:
            title = game_named(self._session.setup.game).title
            self._warn(f"{title} is not followed by the camera yet: add what happens by hand")
        else:
            text, since = self._said
            self._warn(text if t - since < WARN_FOR_S else "")

    def _warn(self, text: str) -> None:
        if text != self._warning:
            self._warning = text
            self._tell(True, self._watched.name)

    def _tell(self, ok: bool, text: str, *, ended: bool = False) -> None:
        if ok and self._writing.trouble:
            ok, text = False, self._writing.trouble
        if not ok and text != self._told:
            log.warning("%s", text)
        self._told = text
        with self._tell_mutex:
            warning = self._warning if ok else ""
            self._board.post("eye", {"ok": ok, "text": text, "warning": warning, "ended": ended})


def _disagreement(event: seen_events.Desync) -> TableDisagrees:
    """What the follower says of a disagreement, as it is written down: with the first way to accept the table."""
    missing = tuple((str(card), place) for card, place in event.missing)
    unexpected = tuple((str(card), place) for card, place in event.unexpected)
    accepted = next((way for way in event.ways if way.kind == "accept"), None)
    moves = tuple((str(one.card), one.place, one.to) for way in event.ways for one in way.moves)
    undo, choice = (None, ()) if accepted is None else (accepted.undo, accepted.choice)
    return TableDisagrees(event.text, missing, unexpected, undo, choice, moves)


def _misplay(state: SessionState, notice: Notice) -> list[SessionEvent]:
    """What breaks a rule on the table is written down once. What the position itself says of faults is its own."""
    deal = state.deal
    if deal is None or any(one.open and one.notice == notice for one in deal.misplays):
        return []
    if any((one.code, one.cards) == (notice.code, notice.cards) for one in deal.position.notices()):
        return []
    return [MisplayNoticed(notice.code, notice.text, notice.rule, notice.seats, tuple(map(str, notice.cards)))]


def _right_again(state: SessionState, following: FollowState) -> bool:
    """Whether what was against the rules lies there no more."""
    deal = state.deal
    return deal is not None and any(one.open for one in deal.misplays) and following.differs_since is None


def view_json(view: TableView, number: int, frame: Frame, layout: Layout) -> dict[str, Any]:
    """A view as the page draws it: outlines in fractions of the picture, to four decimals."""
    height, width = frame.image.shape[:2]
    return {
        "frame": number,
        "t": round(frame.t, 2),
        "width": width,
        "height": height,
        "stillness": view.stillness.value,
        "zones": zones_json(layout),
        "cards": [
            {
                "track": card.track,
                "card": str(card.card),
                "confidence": round(card.confidence, 3),
                "zone": None if card.zone is None else str(card.zone),
                "covered": card.covered,
                "quad": [[round(x, 4), round(y, 4)] for x, y in card.quad],
                "others": [str(other) for other, _ in card.others[:4]],
            }
            for card in view.cards
        ],
    }
