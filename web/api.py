"""The page's API: what the browsers ask for and what they want done, as JSON.

Each command carries ``seen``, the sequence number its sender saw last; one that rests on an older state is refused
with status 409, so that an answer never meets another question than the one that was asked.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

from flask import Blueprint, Response, current_app, jsonify, request

from assistant import session as deciding
from assistant.cards import SUITS, Card, InvalidCard, parse_cards
from assistant.games.game import Action, GameError, IllegalAction, InvalidInput, Setup, StaleInput
from assistant.joining import Answers, CantJoin
from assistant.session import SessionState
from assistant.told import later, tell, words_of
from vision.table_check import Measured
from vision.zones import LayoutError
from web.access_guard import check_seat
from web.camera_choice import CameraDesk
from web.hand_pictures import HandPictures
from web.help_level import with_level
from web.journal import JournalError
from web.kept_pictures import KeptPictures
from web.languages import _
from web.live import Board
from web.open_session import OpenSession
from web.own_hands import OwnHands
from web.pack_desk import PackDesk
from web.page_state import offers_of
from web.pictures import Pictures
from web.seat_hints import SeatHints
from web.shown_deal import record_shown
from web.wording import capital, standing_alone

MAX_SEATS = 6
_FILLERS: Final = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that are blank."""


class Eye(Protocol):
    """The camera's thread, as far as the page speaks to it."""

    def correct(self, was: Card, now: Card, track: int | None = None) -> None:
        """From now on what was read as ``was`` is ``now`` (and the other way round); ``track`` says which card."""
        ...

    def draw_zones(self, zones: Mapping[str, Any] | None) -> None:
        """Use these zones (by name, as polygons in fractions of the picture) from now on, and next time; None: the
        program's own proposal again. Raises ``vision.zones.LayoutError``."""
        ...

    def join(self, answers: Answers, seen: int) -> None:
        """Go on with the deal that is under way on the table. Raises ``assistant.joining.CantJoin``."""
        ...

    def offer(self, jpeg: bytes, sender: str = "") -> bool:
        """A picture of the page ``sender``; False where another camera is in use. Raises ValueError if unreadable,
        ``web.sent_pictures.PicturesBusy`` while another one is being read."""
        ...

    def gone(self, sender: str = "") -> None:
        """The page ``sender`` sends no more pictures."""
        ...

    @property
    def measured(self) -> Measured | None:
        """The newest picture in which cards were looked for."""
        ...


@dataclass(frozen=True, slots=True)
class Context:
    """What the page works with."""

    session: OpenSession
    board: Board
    pictures: Pictures
    eye: Eye | None = None
    hands: OwnHands = field(default_factory=OwnHands)
    hints: SeatHints = field(default_factory=SeatHints)
    cameras: CameraDesk | None = None
    packs: PackDesk | None = None
    kept: KeptPictures | None = None
    hand_pictures: HandPictures | None = None


api = Blueprint("api", __name__, url_prefix="/api")


def context() -> Context:
    """The context of the app that serves the request."""
    found = current_app.extensions["mournival"]
    assert isinstance(found, Context)
    return found


@api.get("/state")
def state() -> Response:
    """What is newer than version ``since`` of the program's ``start``: for browsers without a stream."""
    since, start = request.args.get("since", 0, type=int), request.args.get("start", "")
    told = context().board.told(since, start)
    return Response(told, mimetype="application/json", headers={"Cache-Control": "no-store"})


@api.get("/stream")
def stream() -> Response:
    """The live updates as server-sent events; 503 when all places are taken (the page then asks ``/api/state``)."""
    events = context().board.stream()
    if events is None:
        return refuse(503, "busy", _("too many pages are open: this one asks for news every second instead"))
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(events, mimetype="text/event-stream", headers=headers)


@api.get("/record.deal")
def record() -> Response:
    """The running or settled deal as a deal record."""
    deal = context().session.state.deal
    if deal is None:
        return refuse(404, "no-deal", _("no deal is being played"))
    return Response(record_shown(deal).text(), mimetype="text/plain", headers={"Cache-Control": "no-store"})


@api.post("/undo")
def undo() -> Response:
    """Take back the newest action or correction, or the entry ``target``."""
    body = json_object()
    target = body.get("target")
    return _perform(body, lambda now: deciding.undo(now, None if target is None else _number(body, "target")))


@api.post("/redo")
def redo() -> Response:
    """Do again what was undone last."""
    return _perform(json_object(), deciding.redo)


@api.post("/answer")
def answer() -> Response:
    """Answer ``question`` with ``choice`` (from 0), or null for "something else"."""
    body = json_object()
    question = _number(body, "question")
    choice = None if body.get("choice") is None else _number(body, "choice")

    def decide(now: SessionState) -> tuple[Any, ...]:
        check_seat(_seat_asked(now, question))
        return deciding.answer(now, question, choice)

    return _perform(body, decide)


def _seat_asked(now: SessionState, number: int) -> int | None:
    """Whose action the question is about; 0 where it is more than one seat's, None where it is not open (any more)."""
    for question in () if now.deal is None else now.deal.questions:
        if question.seq == number:
            seats = {action.seat for choice in question.choices for action in choice}
            return seats.pop() if len(seats) == 1 else 0
    return None


@api.post("/action")
def action() -> Response:
    """Enter the action ``line``, in the record's notation."""
    body = json_object()
    entered = Action.parse(short_text(body, "line"))
    return _perform(body, lambda now: deciding.act(now, entered))


@api.post("/confirm")
def confirm() -> Response:
    """The unsure entry ``target`` is right."""
    body = json_object()
    target = _number(body, "target")
    return _perform(body, lambda now: deciding.confirm(now, target))


@api.post("/correct")
def correct() -> Response:
    """The card read as ``was`` is ``now``; ``track`` says which card of the picture is meant."""
    body = json_object()
    try:
        was, now_card = Card.parse(short_text(body, "was")), Card.parse(short_text(body, "now"))
    except InvalidCard as error:
        raise InvalidInput("bad-card", words_of(error)) from None
    track = None if body.get("track") is None else _number(body, "track")
    if not now_card.known:
        raise InvalidInput("unknown-card", tell("say which card it is, rank and suit"))

    def decide(now: SessionState) -> tuple[Any, ...]:
        try:
            return deciding.correct(now, str(was), str(now_card))
        except (StaleInput, InvalidInput, IllegalAction):
            if track is None:
                raise
            return ()  # A card in the picture that the deal does not name yet: only the eye has to know.

    result = _perform(body, decide)
    eye = context().eye
    if eye is not None and not context().session.state.mending:  # an earlier deal's cards don't lie there any more
        eye.correct(was, now_card, track)
    return result


@api.post("/begin")
def begin() -> Response:
    """The deal begins with these table cards, entered by hand."""
    body = json_object()
    try:
        cards = parse_cards(short_text(body, "table"))
    except InvalidCard as error:
        raise InvalidInput("bad-card", words_of(error)) from None

    def decide(now: SessionState) -> tuple[Any, ...]:
        assert now.setup is not None
        return deciding.begin_deal(now, replace(now.setup, table=cards))

    return _perform(body, decide)


@api.post("/next")
def next_deal() -> Response:
    """Put the settled deal into the account and pass the deal on."""
    return _perform(json_object(), deciding.next_deal)


@api.post("/again")
def again() -> Response:
    """Forget the running deal; the same seat deals again."""
    return _perform(json_object(), lambda now: deciding.abandon_deal(now, "begun over"))


@api.post("/reopen")
def reopen() -> Response:
    """Take ``deal`` out of the account to put it right; the deal that is being played waits."""
    body = json_object()
    number = _number(body, "deal")
    return _perform(body, lambda now: deciding.reopen(now, number))


@api.post("/setup")
def setup() -> Response:
    """Change players, names, dealer, game or options of the session; at the ``renamed`` seats sits who sat there
    before, called otherwise."""
    body = json_object()
    wanted, renamed = _setup(body), body.get("renamed", [])
    if not (isinstance(renamed, list) and all(type(one) is int and 1 <= one <= MAX_SEATS for one in renamed)):
        raise InvalidInput("bad-request", tell("'renamed' must be seats"))
    return _perform(body, lambda now: deciding.set_table(now, wanted, renamed))


@api.post("/help")
def help_level() -> Response:
    """How much is said from now on: ``level`` is ``coach``, ``referee`` or ``silent``."""
    body = json_object()
    level = short_text(body, "level")

    def decide(now: SessionState) -> tuple[Any, ...]:
        assert now.setup is not None
        return deciding.set_table(now, with_level(now.setup, level))

    return _perform(body, decide)


@api.post("/session")
def session() -> Response:
    """Begin a new session with an empty account."""
    body = json_object()
    wanted = _setup(body)
    return _perform(body, lambda now: deciding.begin_session(wanted, now.place))


@api.post("/zones")
def zones() -> Response:
    """Where the zones lie: ``zones`` by name, as polygons; null puts the program's proposal back."""
    wanted = json_object().get("zones")
    if wanted is not None and not isinstance(wanted, dict):
        raise InvalidInput("bad-request", tell("'zones' must be an object of polygons, or null"))
    eye = context().eye
    if eye is None:
        return refuse(409, "no-camera", _("no camera follows this table"))
    try:
        eye.draw_zones(wanted)
    except LayoutError as error:
        return refuse_for(400, "bad-zones", error)
    return jsonify({"ok": True})


@api.post("/accept")
def accept() -> Response:
    """Of a table and a game that disagree the one is ``right`` that this says, ``table`` or ``game``."""
    body = json_object()
    game = body.get("right") == "game"
    return _perform(body, deciding.accept_game if game else deciding.accept_table)


@api.post("/join")
def join() -> Response:
    """Go on with the deal that is under way: ``to_act`` is in turn, ``hands`` by seat are the cards held, ``stock``
    those in the stock of a game that has one; ``order`` are the cards of a trick that lies there as they were played,
    ``picked`` the suit that was picked up just before."""
    body, eye = json_object(), context().eye
    stock = _number(body, "stock") if "stock" in body else None
    hands, seen, to_act = body.get("hands"), _number(body, "seen"), _number(body, "to_act")
    if not (isinstance(hands, dict) and all(seat in "123456" for seat in hands)):
        pattern = later("'hands' must say how many cards each seat holds that is still in")
        raise InvalidInput("bad-request", tell(pattern))
    held = {int(seat): _number(hands, seat) for seat in hands if seat}
    if eye is None:
        return refuse(409, "no-camera", _("no camera follows this table"))
    try:
        eye.join(Answers(to_act, held, stock, _order(body), _suit(body)), seen)
    except CantJoin as error:
        return refuse_for(400, "cant-join", error)
    return jsonify({"ok": True, "seq": context().session.state.seq})


@api.post("/change")
def change() -> Response:
    """Put the action ``line`` before the one at entry ``target``, or ``instead`` of it."""
    body = json_object()
    entered, target, instead = Action.parse(short_text(body, "line")), _number(body, "target"), body.get("instead")
    return _perform(body, lambda now: deciding.change(now, target, entered, instead=instead is True))


@api.get("/offers")
def offers() -> Response:
    """What might have been done instead of the action at entry ``at``."""
    deal, at = context().session.state.deal, request.args.get("at", 0, type=int)
    before = None if deal is None else deciding.position_before(deal, at)
    if before is None:
        return refuse(409, "stale", _("this has been undone already"))
    claimed = deal is not None and any(done.seq == at and done.action.verb == "claim" for done in deal.done)
    return jsonify({"ok": True, "actions": offers_of(before, claims=claimed), "turn": before.to_act})


def _perform(body: Mapping[str, Any], decide: Callable[[SessionState], Any]) -> Response:
    def decided(now: SessionState) -> Any:
        check_seat(None)  # who was sent off while others were being served has no say any more
        return decide(now)

    now = context().session.perform(decided, seen=_number(body, "seen"))
    return jsonify({"ok": True, "seq": now.seq})


def json_object() -> Mapping[str, Any]:
    """The request's JSON object. Raises InvalidInput where it has none."""
    try:
        body = request.get_json(silent=True)
    except RecursionError:  # brackets within brackets, deeper than anything that is meant
        body = None
    if not isinstance(body, dict):
        raise InvalidInput("bad-request", tell("the request has no JSON object"))
    return body


def _number(body: Mapping[str, Any], name: str) -> int:
    value = body.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise InvalidInput("bad-request", tell("'{name}' must be a whole number", name=name))
    return value


def _order(body: Mapping[str, Any]) -> tuple[Card, ...]:
    try:
        return parse_cards(short_text(body, "order")) if "order" in body else ()
    except InvalidCard as error:
        raise InvalidInput("bad-card", words_of(error)) from None


def _suit(body: Mapping[str, Any]) -> str:
    suit = short_text(body, "picked") if "picked" in body else ""
    if suit and suit not in SUITS:
        raise InvalidInput("bad-request", tell("'picked' must be one of S, H, D and C"))
    return suit


def short_text(body: Mapping[str, Any], name: str) -> str:
    """One of its texts. Raises InvalidInput."""
    value = body.get(name)
    if not isinstance(value, str) or len(value) > 400:
        raise InvalidInput("bad-request", tell("'{name}' must be a short text", name=name))
    return value


def _setup(body: Mapping[str, Any]) -> Setup:
    players, names, options = _number(body, "players"), body.get("names", []), body.get("options", {})
    if not 2 <= players <= MAX_SEATS:
        raise InvalidInput("bad-players", tell("2 to {most} players can sit at the table", most=MAX_SEATS))
    if not (isinstance(names, list) and all(isinstance(name, str) and len(name) <= 24 for name in names)):
        raise InvalidInput("bad-names", tell("the names must be texts of at most 24 letters"))
    if not all(name.isprintable() for name in names):
        raise InvalidInput(
            "bad-names", tell("a name holds a sign that can't be written; use letters, digits and blanks")
        )
    if not (isinstance(options, dict) and all(isinstance(one, str) for one in options.values())):
        raise InvalidInput("bad-options", tell("the options must be names with their values"))
    clean = tuple(" ".join(name.replace(",", " ").split()) for name in names)
    if not all(not name or any(map(_shows, name)) for name in clean):
        raise InvalidInput("bad-names", tell("a name needs a letter or a number that can be seen"))
    return Setup(short_text(body, "game"), players, _number(body, "dealer"), options=options, names=clean)


def _shows(sign: str) -> bool:
    """Whether the sign can be seen by itself; a mark needs a letter below it."""
    return unicodedata.category(sign)[0] not in "MZC" and sign not in _FILLERS


def refuse(status: int, code: str, text: str) -> Response:
    """One plain line that says why not."""
    return _refusal(status, code, capital(text))


def _refusal(status: int, code: str, text: str) -> Response:
    response = jsonify({"ok": False, "code": code, "error": text})
    response.status_code = status
    return response


def refuse_for(status: int, code: str, error: Exception) -> Response:
    """One plain line that says why not: what the error says."""
    return _refusal(status, code, standing_alone(words_of(error), context().session.setup))


@api.errorhandler(GameError)
def game_error(error: GameError) -> Response:
    """What the rules or the input refuse: one plain line, with the rule's number where there is one."""
    reason = standing_alone(error.reason, context().session.setup)
    status = 409 if isinstance(error, StaleInput) else 400
    return _refusal(status, error.code, f"{reason} ({error.rule})" if error.rule else reason)


@api.errorhandler(JournalError)
def journal_error(error: JournalError) -> Response:
    """Nothing was done, because it could not be written down."""
    return refuse_for(503, "journal", error)
