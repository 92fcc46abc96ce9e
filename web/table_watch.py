"""The loop that watches the table: a source's frames become a view, the view the game's actions, and those the page.

It runs in a thread of its own and owns the source and the eye. Whatever happens to the camera, the page
goes on: a lost one is told and tried again with growing pauses.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from assistant import events as seen_events
from assistant import session as deciding
from assistant.cards import Card
from assistant.follow_state import FollowState
from assistant.following import Follower
from assistant.games import game_named
from assistant.games.game import GameError, Setup, StaleInput
from assistant.joining import Answers
from assistant.session import SessionState, advance
from assistant.session_events import (
    JOINED,
    ActionTaken,
    Asked,
    MisplaysCleared,
    SessionEvent,
    Withdrawn,
)
from assistant.session_table import setup_after
from assistant.signs import FOLLOWED
from assistant.signs.signs import Terms
from assistant.told import tell, words_of
from assistant.view import TableView
from vision.clock import SYSTEM, Clock
from vision.frames import Frame, FrameSource, FrozenPicture, SourceError
from vision.image_intake import PictureError
from vision.lasting_warnings import LastingWarnings
from vision.picture_quality import sentence
from vision.recogniser import Reading, Recogniser
from vision.table_check import Measured
from vision.table_eye import TableEye
from vision.zones import Layout, Quad, propose
from web import under_way
from web.browser_camera import BrowserCamera, Photographs, SentPictures
from web.corrected_cards import CorrectedCards
from web.live import Board
from web.open_session import OpenSession
from web.pictures import Pictures
from web.said_again import SaidAgain
from web.seen_troubles import right_again, trouble
from web.seen_view import FAILED, NOTHING_SEEN, eye_json, view_json
from web.under_way import joining_events
from web.written_later import AGAIN_AFTER_S, WrittenLater
from web.zone_shelf import ZoneShelf, with_zones, zones_json

FIRST_PAUSE_S: Final = 1.0
LONGEST_PAUSE_S: Final = 20.0
CLEARED_S: Final = 1.5
"""After a deal the next one begins once the table has been empty for so long."""
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
    whatever the speed, so that what is found does not depend on the computer. ``came`` is called with the first picture
    after each opening.
    """

    open: Callable[[], FrameSource]
    name: str
    live: bool
    speed: float = 1.0
    came: Callable[[], None] = lambda: None


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
        self._changing = threading.RLock()
        self._changed = threading.Event()
        self._disturbed = threading.Event()
        self._held_until = 0.0
        self.measured: Measured | None = None
        self._tell_mutex = threading.Lock()
        self._corrections = CorrectedCards()
        self._source: FrameSource | None = None
        self._next: FrameSource | None = None
        self._number = 0
        self._shown_at = -SHOWN_EVERY_S
        self._shown_cards: Any = None
        self._photograph = -1
        self._warning = ""
        self._troubles_said = SaidAgain(clock)
        self._lasting = LastingWarnings()
        self._said = ("", 0.0)
        self._empty_since: float | None = None
        self._first_look = under_way.FirstLook()
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
        self._disturbed.set()
        if (source := self._source) is not None:
            source.close()
        self._thread.join(timeout=5)

    def change(
        self,
        watched: Watched,
        shelf: ZoneShelf | None,
        *,
        layout: Layout | None = None,
        go: Callable[[], None] | None = None,
    ) -> None:
        """Follow another source from now on. The game goes on as it is; ``go`` may put another in its place, at a
        moment at which nothing is looked at. What ``go`` raises comes out, and everything is as before."""
        source = watched.open()
        with self._changing:
            with self._looking:
                began = self._session.state.began
                if go is not None:
                    go()
                self._watched, self._shelf, self._given = watched, shelf, layout
                self._corrections = self._corrections if self._session.state.began == began else CorrectedCards()
                self._at = self._place_of(self._session.state)
                self._proposing, zones = self._zones_at_first(self._session.state)
                self._eye.begin_again()
                self._eye.set_layout(zones)
                self._terms_of, self._follower, self._key, self._following = None, None, None, FollowState()
                self._last_view, self._empty_since, self.measured = None, None, None
                self._first_look = under_way.FirstLook()
                self._lasting, self._warning, self._said = LastingWarnings(), "", ("", 0.0)
                old, self._source, self._next = self._source, source, source
                self._replay.clear()
                self._changed.set()
                self._disturbed.set()
                self._pictures.forget()
                self._shown_cards = None
                self._board.post("view", NOTHING_SEEN)
                self._tell(True, tell("{name}: is being opened", name=watched.name))
            if old is not None:
                old.close()

    @property
    def writing_waits(self) -> bool:
        """Whether something that was seen is not written down yet."""
        return bool(self._writing.trouble)

    def read_with(self, recogniser: Recogniser) -> None:
        """Read the cards with this from now on."""
        with self._looking:
            self._eye.read_with(recogniser)

    def hold(self, seconds: float) -> None:
        """For so long what lies on the table is shown, but is no game: cards are laid out for something else."""
        self._held_until = self._clock.steady() + seconds

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
            events = joining_events(self._session.setup, self._last_view, answers)
            self._session.perform(lambda state: self._session_events(state, events, by=JOINED), seen=seen)

    def offer(self, jpeg: bytes, sender: str = "") -> bool:
        """See ``web.api.Eye``."""
        source = self._source
        if not isinstance(source, SentPictures) or not source.takes(sender):
            return False
        source.offer(jpeg)
        self._disturbed.set()  # a lost camera that sends again is not kept waiting
        return True

    def gone(self, sender: str = "") -> None:
        """See ``web.api.Eye``."""
        source = self._source
        if isinstance(source, BrowserCamera) and source.sender == sender:
            source.gone()

    # The thread

    def _run(self) -> None:
        pause = FIRST_PAUSE_S
        while not self._stop.is_set():
            with self._changing:  # whoever changes the source lets go of the old one first
                self._changed.clear()
                self._disturbed.clear()
            self._catch_up()
            frames = self._number
            try:
                self._play()
            except (SourceError, PictureError) as error:
                if self._number > frames:
                    pause = FIRST_PAUSE_S
                    self._troubles_said.all_well()
                if self._changed.is_set():
                    continue
                if not self._watched.live:
                    self._write_all()
                    self._tell(False, words_of(error))
                    self._rest()
                    continue
                self._tell(False, tell("{why} (trying again)", why=words_of(error)))
                self._clock.wait(self._disturbed, pause)
                pause = min(LONGEST_PAUSE_S, pause * 1.7)
            except Exception:
                log.exception("Following the table failed")
                self._tell(False, FAILED)
                self._clock.wait(self._disturbed, LONGEST_PAUSE_S)
            else:
                pause = FIRST_PAUSE_S
                if self._watched.live or self._disturbed.is_set():
                    self._clock.wait(self._disturbed, FIRST_PAUSE_S)
                    continue
                self._write_all()
                self._tell(True, tell("{name}: the recording has ended", name=self._watched.name), ended=True)
                self._rest()

    def _rest(self) -> None:
        """A recording is over: wait until it is to be played from the start, or another source is followed."""
        self.ended.set()
        while not (self._stop.is_set() or self._changed.is_set() or self._replay.is_set()):
            self._disturbed.wait()
            self._disturbed.clear()
        self.ended.clear()
        if self._replay.is_set():
            self._replay.clear()
            self._start_afresh()

    def _play(self) -> None:
        """Follow one source from its opening to its end."""
        with self._changing:
            if self._changed.is_set():
                return
            watched = self._watched  # its source is known before it is ready, so that ``stop`` can end a long opening
            self._source, self._next = self._next or watched.open(), None
        with self._source as source:
            if self._changed.is_set():
                return
            from_t = 0.0 if source.live else self._resume_at()
            started, first, frozen = self._clock.steady(), None, FrozenPicture(live=source.live)
            fresh = 0.0
            for frame in source:
                if self._stop.is_set() or self._replay.is_set() or self._changed.is_set():
                    break
                if frame.t < from_t:
                    continue
                if first is None:
                    first = frame.t
                    watched.came()
                    self._tell(True, watched.name)  # not before: a camera that was lost is lost until a picture comes
                if not source.live:
                    due = started + (frame.t - first) / watched.speed
                    self._clock.wait(self._disturbed, max(0.0, due - self._clock.steady()))
                stands = ("frozen",) if frozen.feed(frame) and not isinstance(source, Photographs) else ()
                if stands and source.live:
                    if frame.t - fresh >= FROZEN_S:
                        raise SourceError(
                            "stalled", tell("{name}: one and the same picture; plug it in again", name=source.name)
                        )
                    self._note_warnings(stands, (), frame.t)
                else:
                    fresh = frame.t
                    self._look(frame, stands)
            if source.cut_short:
                self._warn(source.cut_short)

    def _resume_at(self) -> float:
        """The time of a recording at which the session stands."""
        deal = self._session.state.at_table
        if deal is None:
            return 0.0
        return max(0.0, deal.newest_t - REWIND_S)

    def _look(self, frame: Frame, warnings: tuple[str, ...] = ()) -> None:
        with self._looking:
            if self._changed.is_set():
                return
            self._catch_up()
            look = self._eye.look(frame)
            view = self._last_view = look.view
            if look.recognised:
                self.measured = Measured(frame.image, tuple(one.quad for one in look.readings), self._eye.plane)
            if look.recognised or warnings:
                self._note_warnings((*warnings, *look.warnings), look.readings, frame.t, look.twice)
            self._corrections.hold(self._eye, view, self._writing.state.at_table)
            if self._clock.steady() >= self._held_until:
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
        closed = {one.number for one in state.closed}
        if began != state.began or (deal is not None and state.deal is None and deal not in closed):
            self._replay.set()
            self._disturbed.set()

    @staticmethod
    def _place_of(state: SessionState) -> tuple[int, int | None]:
        return (state.began, state.deal.number if state.deal is not None else None)

    def _start_afresh(self) -> None:
        self._eye.begin_again()
        self._lasting, self._first_look = LastingWarnings(), under_way.FirstLook()

    def _follow(self, view: TableView) -> None:
        """Compare the game with the view, and write down what follows; not while an earlier deal is put right."""
        state = self._writing.state
        if state.mending:
            return
        cleared = self._cleared(state, view)
        follower = self._follower_for(state, cleared)
        if follower is None:
            return
        position = state.deal.position if state.deal is not None and not cleared else None
        self._first_look.feed(state, self._session.setup, view)
        if position is None and not self._first_look.lets_begin:
            return
        try:
            step = follower.follow(self._following, position, view)
            cleared_up = [MisplaysCleared()] if right_again(state, step.state) else []
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
                self._find_pool(view, step.lain)
            elif isinstance(event, seen_events.Warned):
                self._said = (event.text, view.t)

    def _follower_for(self, state: SessionState, cleared: bool) -> Follower | None:
        """The follower for the session's terms; a new deal or other terms start it afresh. None for a game that can't
        be followed."""
        setup = setup_after(state, state.deal) if cleared and state.deal is not None else state.setup
        if setup is None or setup.game not in FOLLOWED:
            return None
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
                room = under_way.room_for_it(state) if by == JOINED else under_way.dealt_anew(state)
                state, _ = advance(state, room)
                return [*room, *deciding.begin_deal(state, event.setup, sure=event.sure, t=event.t)]
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
            case _:
                return trouble(state, event)

    def _under_way(self, view: TableView) -> dict[str, Any]:
        """What is asked of a deal that was begun before anybody watched."""
        return under_way.asked(self._writing.state, self._session.setup, view, plain=self._first_look.under_way)

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

    def _find_pool(self, view: TableView, cards: Sequence[Quad]) -> None:
        """The dealt cards say where the pool lies; zones that nobody drew follow them."""
        if not self._proposing:
            return
        setup = self._session.setup
        layout = propose(setup.game, setup.players, cards, [back.quad for back in view.backs])
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
        same, self._photograph = self._photograph == frame.index, frame.index
        same &= isinstance(self._source, Photographs)
        if cards == self._shown_cards and (same or now - self._shown_at < SHOWN_EVERY_S):
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
            self._warn(tell("{game} is not followed by the camera yet: add what happens by hand", game=title))
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
        if not ok and self._troubles_said.worth_saying(text):
            log.warning("%s", text)
        with self._tell_mutex:
            warning = self._warning if ok else ""
            self._board.post("eye", lambda: eye_json(ok, text, warning, ended, self._session.setup))
