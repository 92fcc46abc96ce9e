"""The page's API: what the browsers ask for and what they want done, as JSON.

Each command carries ``seen``, the sequence number its sender saw last; one that rests on an older state is refused
with status 409, so that an answer never meets another question than the one that was asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from flask import Blueprint, Response, current_app, jsonify, request

from assistant import session as deciding
from assistant.cards import Card, InvalidCard, parse_cards
from assistant.games.game import Action, GameError, IllegalAction, InvalidInput, Setup, StaleInput
from assistant.joining import Answers, CantJoin
from assistant.record import record_of
from assistant.session import SessionState
from vision.zones import LayoutError
from web.journal import JournalError
from web.live import Board
from web.open_session import OpenSession
from web.own_hands import OwnHands
from web.page_state import offers_of
from web.pictures import Pictures
from web.seat_hints import SeatHints
from web.wording import named

MAX_SEATS = 6


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

    def offer(self, jpeg: bytes) -> bool:
        """A picture of the page's own camera; False where another camera is in use. Raises ValueError if unreadable."""
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
        return refuse(503, "busy", "too many pages are open: this one asks for news every second instead")
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(events, mimetype="text/event-stream", headers=headers)


@api.get("/record.deal")
def record() -> Response:
    """The running or settled deal as a deal record."""
    deal = context().session.state.deal
    if deal is None:
        return refuse(404, "no-deal", "no deal is being played")
    return Response(record_of(deal.position).text(), mimetype="text/plain", headers={"Cache-Control": "no-store"})


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
    return _perform(body, lambda now: deciding.answer(now, question, choice))


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
        raise InvalidInput("bad-card", str(error)) from None
    track = None if body.get("track") is None else _number(body, "track")
    if not now_card.known:
        raise InvalidInput("unknown-card", "say which card it is, rank and suit")

    def decide(now: SessionState) -> tuple[Any, ...]:
        try:
            return deciding.correct(now, str(was), str(now_card))
        except (StaleInput, InvalidInput, IllegalAction):
            if track is None:
                raise
            return ()  # A card in the picture that the deal does not name yet: only the eye has to know.

    result = _perform(body, decide)
    eye = context().eye
    if eye is not None:
        eye.correct(was, now_card, track)
    return result


@api.post("/begin")
def begin() -> Response:
    """The deal begins with these table cards, entered by hand."""
    body = json_object()
    try:
        cards = parse_cards(short_text(body, "table"))
    except InvalidCard as error:
        raise InvalidInput("bad-card", str(error)) from None

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


@api.post("/setup")
def setup() -> Response:
    """Change players, names, dealer, game or options of the session."""
    body = json_object()
    wanted = _setup(body)
    return _perform(body, lambda now: deciding.set_table(now, wanted))


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
        raise InvalidInput("bad-request", "'zones' must be an object of polygons, or null")
    eye = context().eye
    if eye is None:
        return refuse(409, "no-camera", "no camera follows this table")
    try:
        eye.draw_zones(wanted)
    except LayoutError as error:
        return refuse(400, "bad-zones", str(error))
    return jsonify({"ok": True})


@api.post("/accept")
def accept() -> Response:
    """Of a table and a game that disagree the one is ``right`` that this says, ``table`` or ``game``."""
    body = json_object()
    game = body.get("right") == "game"
    return _perform(body, deciding.accept_game if game else deciding.accept_table)


@api.post("/join")
def join() -> Response:
    """Go on with the deal that is under way: ``to_act`` is in turn, ``hands`` by seat are the cards held."""
    body, eye = json_object(), context().eye
    hands, seen, to_act = body.get("hands"), _number(body, "seen"), _number(body, "to_act")
    if not (isinstance(hands, dict) and all(seat in "123456" for seat in hands)):
        raise InvalidInput("bad-request", "'hands' must say how many cards each seat holds that is still in")
    held = {int(seat): _number(hands, seat) for seat in hands if seat}
    if eye is None:
        return refuse(409, "no-camera", "no camera follows this table")
    try:
        eye.join(Answers(to_act, held), seen)
    except CantJoin as error:
        return refuse(400, "cant-join", named(str(error), context().session.setup))
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
        return refuse(409, "stale", "this has been undone already")
    return jsonify({"ok": True, "actions": offers_of(before), "turn": before.to_act})


@api.post("/camera-frame")
def camera_frame() -> Response:
    """One JPEG of the page's own camera. The page sends the next one only after this one was answered."""
    eye = context().eye
    if request.mimetype != "image/jpeg":
        return refuse(415, "not-a-jpeg", "the page's camera sends JPEG pictures only")
    try:
        taken = eye is not None and eye.offer(request.get_data())
    except ValueError as error:
        return refuse(400, "bad-picture", str(error))
    return Response(status=204) if taken else refuse(409, "other-camera", "another camera is in use")


def _perform(body: Mapping[str, Any], decide: Callable[[SessionState], Any]) -> Response:
    now = context().session.perform(decide, seen=_number(body, "seen"))
    return jsonify({"ok": True, "seq": now.seq})


def json_object() -> Mapping[str, Any]:
    """The request's JSON object. Raises InvalidInput where it has none."""
    try:
        body = request.get_json(silent=True)
    except RecursionError:  # brackets within brackets, deeper than anything that is meant
        body = None
    if not isinstance(body, dict):
        raise InvalidInput("bad-request", "the request has no JSON object")
    return body


def _number(body: Mapping[str, Any], name: str) -> int:
    value = body.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise InvalidInput("bad-request", f"'{name}' must be a whole number")
    return value


def short_text(body: Mapping[str, Any], name: str) -> str:
    """One of its texts. Raises InvalidInput."""
    value = body.get(name)
    if not isinstance(value, str) or len(value) > 400:
        raise InvalidInput("bad-request", f"'{name}' must be a short text")
    return value


def _setup(body: Mapping[str, Any]) -> Setup:
    players, names, options = _number(body, "players"), body.get("names", []), body.get("options", {})
    if not 2 <= players <= MAX_SEATS:
        raise InvalidInput("bad-players", f"2 to {MAX_SEATS} players can sit at the table")
    if not (isinstance(names, list) and all(isinstance(name, str) and len(name) <= 24 for name in names)):
        raise InvalidInput("bad-names", "the names must be texts of at most 24 letters")
    if not all(name.isprintable() for name in names):
        raise InvalidInput("bad-names", "a name holds a sign that can't be written; use letters, digits and blanks")
    if not (isinstance(options, dict) and all(isinstance(one, str) for one in options.values())):
        raise InvalidInput("bad-options", "the options must be names with their values")
    clean = tuple(" ".join(name.replace(",", " ").split()) for name in names)
    return Setup(short_text(body, "game"), players, _number(body, "dealer"), options=options, names=clean)


def refuse(status: int, code: str, text: str) -> Response:
    """One plain line that says why not."""
    response = jsonify({"ok": False, "code": code, "error": text})
    response.status_code = status
    return response


@api.errorhandler(GameError)
def game_error(error: GameError) -> Response:
    """What the rules or the input refuse: one plain line, with the rule's number where there is one."""
    rule = f" ({error.rule})" if error.rule else ""
    return refuse(409 if isinstance(error, StaleInput) else 400, error.code, f"{error.reason}{rule}")


@api.errorhandler(JournalError)
def journal_error(error: JournalError) -> Response:
    """Nothing was done, because it could not be written down."""
    return refuse(503, "journal", str(error))
