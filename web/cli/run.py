"""``mournival run`` and ``mournival demo``: the main job, the page and the camera that it follows."""

from __future__ import annotations

import contextlib
import json
import logging
import shutil
import signal
import tempfile
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

import click

from assistant import session as deciding
from assistant import told
from assistant.games.game import GameError, Setup
from assistant.record import parse_record
from assistant.session import SessionState
from vision.frames import FrameSource, SourceError
from vision.live_sources import CameraSource
from vision.pack_shelf import ANY
from vision.recogniser import Recogniser
from vision.sources import source_for
from vision.zones import Layout, LayoutError, read_layout
from web.access_guard import Lan
from web.api import Context
from web.browser_camera import BrowserCamera
from web.camera_choice import CameraDesk, CantChoose, Choice, Home, camera_zones, remembered
from web.cli import Unusable, Wrong, tell
from web.cli.doors import Service, about_door, doors_of
from web.cli.finite_range import FiniteRange
from web.cli.followed_game import followed_game
from web.cli.pack_choice import pack_option
from web.cli.real_table import DEMO_PLACE, RealTable
from web.cli.recognise import beside, load_recogniser
from web.cli.records import signed
from web.hand_pictures import HandPictures
from web.journal import FolderLock, JournalError, SqliteJournal, default_folder
from web.kept_pictures import KeptPictures
from web.live import Board
from web.near_addresses import number_near
from web.open_session import OpenSession
from web.pack_desk import PackDesk
from web.pictures import Pictures
from web.server import DEFAULT_PORT, PortInUse, Server
from web.table_watch import TableWatch, Watched
from web.wording import action_sentence, again, seat_name
from web.zone_shelf import TABLE_PLACE, ZoneShelf

DEMO: Final = Path(__file__).resolve().parent.parent / "demo"
TABLE: Final = TABLE_PLACE
"""The place of every camera: which one is plugged in may change between two evenings."""
LOG_NAME: Final = "mournival.log"
LAUGH: Final = "laugh-and-lie-down"
USUAL: Final = 5
"""Players at a table, where the game is for so many."""
_DEMO: Final = told.tell("Demo table")


def _page_options(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(
        (
            click.option("--host", default="127.0.0.1", show_default=True, help="Where the page listens."),
            click.option("--port", type=click.IntRange(0, 65535), default=DEFAULT_PORT, show_default=True),
            click.option("--lan", is_flag=True, help="Let in phones and tablets that you give a code to, over TLS."),
            click.option("--no-browser", is_flag=True, help="Do not open the page in a browser."),
            click.option("--data", "folder", metavar="DIR", type=Path, help="Where the journal is kept."),
        )
    ):
        command = option(command)
    return command


@click.command()
@click.option("--camera", metavar="SOURCE", help="Index, video, folder, rtsp:// or http:// address, or 'browser'.")
@click.option("--game", default=None, help="laugh-and-lie-down (default), rolling-stone or sbros.")
@click.option("--players", type=int, default=None, help="As many as the game is for; 5 by default, of Sbros 2.")
@click.option("--dealer", type=int, default=None, help="The seat that deals first; 1 by default.")
@pack_option
@_page_options
def run(
    camera: str | None,
    game: str | None,
    players: int | None,
    dealer: int | None,
    pack: str | None,
    folder: Path | None,
    host: str,
    port: int,
    lan: bool,
    no_browser: bool,
) -> None:
    """Follow the table in front of the camera and show it on a page."""
    service = Service(host, port, lan, no_browser)
    wanted, last = _wanted(game, players, dealer), None
    if camera is None:
        click.echo("Looking for a camera ...", err=True)
        last = _last_camera(folder or default_folder())
        camera = last or _first_camera()
    elif camera.isascii() and camera.strip().isdecimal():
        click.echo(f"Looking for camera {camera.strip()} ...", err=True)
    if camera is None:
        click.echo("No camera answers: showing the built-in demo table instead.", err=True)
        if any(asked is not None for asked in (game, players, dealer, pack)):
            click.echo("The demo has its own game, players, dealer and pack: what was asked for is left out.", err=True)
        _show_demo(service, folder, demo_table(1.0, told.tell("No camera found, so this is the demo table")))
        return
    table, recogniser = (
        _camera_table(camera, wanted, at=None if last is None else number_near),
        load_recogniser(pack, folder),
    )
    serve(service, folder or default_folder(), table, asked=(game, players, dealer), recogniser=recogniser)


@click.command(short_help="Show the built-in recorded table, followed live.")
@click.option("--speed", type=FiniteRange(0.1, 1000), default=1.0, show_default=True, help="Times real speed.")
@click.option("--exit", "leave", is_flag=True, help="Stop at the recording's end: 0 if the pot is settled, else 1.")
@click.option("--json", "as_json", is_flag=True, help="Print the settlement as JSON.")
@click.option("--game", default=LAUGH, show_default=True, help="The recorded table plays no other.")
@_page_options
def demo(
    speed: float,
    leave: bool,
    as_json: bool,
    game: str,
    folder: Path | None,
    host: str,
    port: int,
    lan: bool,
    no_browser: bool,
) -> None:
    """Show the built-in recorded table, followed live; at its end the settlement is printed."""
    played = followed_game(game)
    if played.name != LAUGH:
        raise Unusable(f"the recorded table plays Laugh and Lie Down, not {played.title}: give run a video of it")
    _show_demo(Service(host, port, lan, no_browser), folder, demo_table(speed), leave=leave, as_json=as_json)


def _wanted(game: str | None, players: int | None, dealer: int | None) -> Setup:
    """The table that was asked for. Raises Unusable where no game is played so."""
    played = followed_game(game or LAUGH)
    players = (USUAL if USUAL in played.players else played.players[0]) if players is None else players
    wanted = Setup(played.name, players, 1 if dealer is None else dealer)
    try:
        deciding.begin_session(wanted)
    except GameError as error:
        raise Unusable(error.reason) from None
    return wanted


def _show_demo(
    service: Service, folder: Path | None, table: Table, *, leave: bool = False, as_json: bool = False
) -> None:
    """Serve the demo table; without a folder from its empty table on, and nothing of it is kept."""
    if folder is not None:
        serve(service, folder, table, leave=leave, as_json=as_json)
        return
    passing = Path(tempfile.mkdtemp(prefix="mournival-demo-"))
    try:
        serve(service, passing, table, leave=leave, as_json=as_json, keeps=default_folder())
    finally:
        shutil.rmtree(passing, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class Table:
    """The table that is followed: what is watched, how it is set, which place it is, its zones if known, and whose
    zones are used else (``zones``; those of the place, where it says nothing)."""

    watched: Watched
    setup: Setup
    place: str = TABLE
    layout: Layout | None = None
    browser_camera: bool = False
    zones: str = ""


def demo_table(speed: float, name: str = _DEMO) -> Table:
    """The recorded table that ships with the program. Raises Unusable where its files are missing."""
    try:
        record = parse_record((DEMO / "table.deal").read_text(encoding="utf-8"))
        layout = read_layout(DEMO / "table.layout.json", record.setup.players)
        video = str(DEMO / "table.mp4")
        source_for(video)
    except (OSError, GameError, LayoutError, SourceError) as error:
        raise Unusable(f"the built-in demo table can't be used ({error}): install mournival again") from None
    watched = Watched(lambda: source_for(video), name, live=False, speed=speed)
    return Table(watched, replace(record.setup, table=(), hands={}), DEMO_PLACE, layout)


def _demo_choice(real: RealTable) -> Choice:
    """The demo table as it is chosen on the page. Raises CantChoose."""
    try:
        table = demo_table(1.0)
    except Unusable as error:
        raise CantChoose("no-demo", str(error)) from None
    watched, enter = table.watched, partial(real.enter_demo, table.setup)
    return Choice("demo", watched.name, watched.open, DEMO_PLACE, live=False, layout=table.layout, enter=enter)


def _camera_table(camera: str, setup: Setup, *, at: Callable[[str], str] | None = None) -> Table:
    """The table before that camera. ``at``: see ``source_for``. Raises Unusable."""
    if camera.strip() == "browser":
        page_camera = BrowserCamera()
        return Table(
            Watched(lambda: page_camera, told.tell("The page's camera"), live=True), setup, browser_camera=True
        )
    try:
        source = source_for(camera, at=at)
        if not source.live:
            source.open()  # A file that can't be read is an error of the call; a camera may come back.
            source.close()
    except SourceError as error:
        raise Unusable(str(error)) from None

    def again() -> FrameSource:
        return source if source.live else source_for(camera)  # a live one knows which of its readers still hang

    # A file's name may hold bytes that are no text; the journal is text.
    path = str(Path(camera).resolve()).encode("utf-8", "backslashreplace").decode("utf-8")
    place = TABLE if source.live else f"recording {path}"
    zones = camera_zones(_called(source)) if isinstance(source, CameraSource) else ""
    return Table(Watched(again, source.name, live=source.live), setup, place, zones=zones)


def _called(camera: CameraSource) -> str:
    """The camera's name, by which its zones are kept."""
    from vision.cameras import listed_cameras

    return listed_cameras().get(camera.index, camera.name)


def _last_camera(folder: Path) -> str | None:
    """The camera that was followed last, where it gives a picture now; where it does not, that is said."""
    try:
        last = remembered(folder)
        if last is None:
            return None
        with source_for(last, at=number_near):
            return last
    except SourceError as error:
        click.echo(f"The camera of last time can't be followed ({error}): looking for another.", err=True)
        return None


def _first_camera() -> str | None:
    from vision.cameras import first_camera

    index = first_camera()
    return None if index is None else str(index)


def serve(
    service: Service,
    folder: Path,
    table: Table,
    *,
    asked: tuple[str | None, int | None, int | None] = (None, None, None),
    leave: bool = False,
    as_json: bool = False,
    recogniser: Recogniser | None = None,
    keeps: Path | None = None,
) -> None:
    """Open the session, start the page and the watch, and stay until somebody stops the program. ``keeps``: where the
    certificate authority of the door to the network is kept, if not beside the journal."""
    recogniser = recogniser or load_recogniser(ANY, folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FolderLock(folder)
        journal = SqliteJournal(folder)
        if journal.remark:
            tell(f"mournival: {journal.remark}")
        session = OpenSession(journal, table.setup, place=table.place)
    except OSError as error:
        raise Unusable(
            f"{folder}: the data folder can't be used ({error.strerror}): give another with --data"
        ) from None
    except (JournalError, GameError) as error:
        raise Unusable(str(error)) from None
    _write_log(folder)
    _apply_asked(session, table.setup, asked)
    board, pictures = Board(), Pictures()
    board.post("remark", lambda: {"text": again(journal.remark)})
    watch = TableWatch(
        table.watched,
        session,
        recogniser,
        board,
        pictures,
        layout=table.layout,
        shelf=ZoneShelf(folder, table.zones or table.place),
    )
    usual = table.setup if keeps is None else Setup(LAUGH, USUAL, 1)
    real = RealTable(session, keeps or folder, usual, is_open=keeps is None)
    cameras = CameraDesk(watch, session, Home(keeps or folder, real.enter, lambda: _demo_choice(real)))
    packs = PackDesk(keeps or folder, lambda: load_recogniser(ANY, folder), watch)
    hands = HandPictures(lambda: beside(recogniser))
    about = Context(
        session,
        board,
        pictures,
        watch,
        cameras=cameras,
        packs=packs,
        kept=KeptPictures(session, pictures),
        hand_pictures=hands,
    )
    try:
        servers, door = doors_of(service, about, keeps or folder, browser_camera=table.browser_camera, folder=folder)
    except PortInUse as error:
        raise Unusable(str(error)) from None
    cameras.own_ports = {server.port for server in servers}
    with contextlib.ExitStack() as closing:
        stops = [server.stop for server in servers]
        for let_go in (lock.release, journal.close, real.close, *stops, watch.stop, board.close, _in_peace(closing)):
            closing.callback(let_go)
        if door is not None:
            real.keep_guests(door.pairing)
        for server in servers:
            server.start()
        if leave:
            session.listen(Progress(session.state.seq))
        watch.start()
        try:
            _say_where(service, servers[0], session, door, aside=as_json)
            _stay(session, watch, leave, as_json)
        except KeyboardInterrupt:
            click.echo("Stopped.", err=True)


def _in_peace(closing: contextlib.ExitStack) -> Callable[[], None]:
    """What keeps a second Ctrl-C from cutting the clean-up short; ``closing`` lets it through again at its end."""

    def begin() -> None:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    if threading.current_thread() is threading.main_thread():
        closing.callback(signal.signal, signal.SIGINT, signal.getsignal(signal.SIGINT))
    return begin


class _Remarks(logging.Handler):
    """What the user should know goes to standard error in one line; tracebacks go to the log file alone."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print the remark."""
        if record.exc_info is None:
            tell(f"mournival: {' '.join(record.getMessage().split())}")


def _write_log(folder: Path) -> None:
    """What goes wrong inside is written beside the journal, for whoever looks into it, and told in one line."""
    logging.getLogger("mournival").addHandler(_Remarks(logging.WARNING))
    try:
        handler = RotatingFileHandler(folder / LOG_NAME, maxBytes=500_000, backupCount=1, encoding="utf-8", delay=True)
    except OSError:
        return
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    log = logging.getLogger("mournival")
    log.addHandler(handler)
    log.propagate = False


def _say_where(service: Service, server: Server, session: OpenSession, door: Lan | None, *, aside: bool) -> None:
    """Print the page's address (``aside``: to standard error) and open it."""
    host = f"[{server.host}]" if ":" in server.host else server.host
    address = f"http://{host}:{server.port}/"
    click.echo(f"Mournival is at {address}", err=aside)
    if door is not None:
        for line in about_door(door, address, headless=service.no_browser):
            click.echo(line, err=aside)
    if session.resumed and session.state.dealt:
        click.echo(f"Going on with deal {session.state.dealt} of the last session.", err=True)
    if not service.no_browser:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _stay(session: OpenSession, watch: TableWatch, leave: bool, as_json: bool) -> None:
    """Wait; at a recording's end print the settlement, and leave then if that was asked for."""
    printed = False
    while True:
        ended = watch.ended.wait(0.5)
        if ended and not printed:
            printed = True
            settled = _print_settlement(session.state, as_json)
            if leave:
                if not settled:
                    raise Wrong("the recording has ended and the pot is not surely settled")
                return
        elif not ended:
            printed = False
        else:
            threading.Event().wait(0.5)


class Progress:
    """Tells each action after entry ``seq`` once, on standard error, as it is taken; a session's listener."""

    def __init__(self, seq: int) -> None:
        self._told = seq

    def __call__(self, state: SessionState) -> None:
        done = () if state.deal is None else state.deal.done
        for one in done:
            if one.seq > self._told:
                self._told = one.seq
                assert state.deal is not None
                tell(f"{action_sentence(one.action, state.deal.position.setup)}.")


def _print_settlement(state: SessionState, as_json: bool) -> bool:
    """Print the running deal's settlement; whether it is there and sure."""
    deal = state.deal
    settlement = None if deal is None else deal.position.settlement()
    if deal is None or settlement is None:
        return False
    if as_json:
        click.echo(json.dumps({**settlement, "sure": deal.sure}))
        return deal.sure
    setup = deal.position.setup
    what = f"Pot {settlement['pot']}" if "pot" in settlement else "Result"
    click.echo(what if deal.sure else f"{what} (not sure)")
    for seat in settlement["seats"]:
        name, cards = seat_name(setup, seat["seat"]), f"{seat['cards']} {'card' if seat['cards'] == 1 else 'cards'}"
        if "pot" in settlement:
            click.echo(f"{name}: {cards}, pays in {seat['paid_in']}, draws {seat['received']}, {signed(seat['net'])}")
        else:
            click.echo(f"{name}: {cards} left, score {seat['score']:g}")
    for doubt in deal.doubts:
        tell(doubt)
    return deal.sure


def _apply_asked(session: OpenSession, setup: Setup, asked: tuple[str | None, int | None, int | None]) -> None:
    """What was asked for on the command line goes before what the journal remembers."""
    if not session.resumed or not any(asked):
        return
    state, now = session.state, session.setup
    game, players, dealer = asked
    wanted = replace(now, game=game or now.game, dealer=dealer or now.dealer)
    if game and game != now.game and not players:
        players = setup.players
    if players and players != now.players:
        wanted = replace(wanted, players=players, dealer=dealer or min(now.dealer, players), names=())
    if wanted.game != now.game:
        wanted = replace(wanted, options={})
    if wanted == now:
        return
    try:
        if (wanted.game, wanted.players) != (now.game, now.players) and (state.deal or state.closed):
            click.echo("Other game or players than last time: a new session begins.", err=True)
            session.perform(lambda state: deciding.begin_session(setup, state.place))
        elif state.deal is None:
            session.perform(lambda state: deciding.set_table(state, wanted))
    except GameError as error:
        raise Unusable(error.reason) from None
