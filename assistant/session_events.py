"""What can happen in a session, as plain values that are written down and read back.

A session is an append-only log of entries; nothing in it is ever changed or taken out. Undoing is an entry too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from assistant.accounts import WORTH
from assistant.cards import parse_cards
from assistant.games.game import UNDER_WAY, Action, InvalidInput, Setup
from assistant.match import exact, plain
from assistant.session_mending import Change
from assistant.told import Told
from assistant.told_form import told_from_json, told_to_json

JOINED: Final = "joined"
_NOTHING: Final = re.compile(r"0+(\.0*)?")


@dataclass(frozen=True, slots=True)
class SessionBegun:
    """A new session: the account starts at nought. ``setup`` has no table cards yet; ``place`` says which table it
    is (``table`` a real one, ``demo`` the recorded one)."""

    setup: Setup
    place: str = "table"


@dataclass(frozen=True, slots=True)
class SessionResumed:
    """Session number ``session`` goes on, after another one was written in between: its log has a gap before this."""

    session: int


@dataclass(frozen=True, slots=True)
class TableSet:
    """Game, players, names, dealer or options were changed. ``renamed``: the seats at which the same person as before
    sits, called otherwise. None was written by older programs, by which all that was set held for the running deal."""

    setup: Setup
    renamed: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class DealBegun:
    """The cards are dealt: ``setup`` holds the face-up cards; ``sure`` is False where one may be misread; ``t`` is
    the source's time in seconds."""

    setup: Setup
    sure: bool = True
    t: float = 0.0


@dataclass(frozen=True, slots=True)
class ActionTaken:
    """Somebody did something. ``by`` is ``camera``, ``hand`` (entered on the page), ``answer`` or JOINED (made up, so
    that it leads to what lay there when the deal was joined under way); ``t`` is the source's time in seconds,
    ``confidence`` 0..1, ``sure`` whether the explanation was the only one.
    """

    action: Action
    by: str = "camera"
    confidence: float = 1.0
    sure: bool = True
    t: float = 0.0


@dataclass(frozen=True, slots=True)
class Asked:
    """The program can't tell which of ``choices`` happened; each choice is the actions it stands for."""

    choices: tuple[tuple[Action, ...], ...]
    text: str = ""
    t: float = 0.0


@dataclass(frozen=True, slots=True)
class Answered:
    """The question asked at ``question`` (its sequence number) was answered; ``choice`` None is "something else"."""

    question: int
    choice: int | None


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The question needs no answer any more: later frames or an undo settled it."""

    question: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class CardCorrected:
    """The card taken for ``was`` is ``now``: both are exchanged wherever the deal names them."""

    was: str
    now: str


@dataclass(frozen=True, slots=True)
class Reexplained:
    """Something earlier was put right, and what followed was explained anew; one entry, so that one undo takes all of
    it back.

    What was put right: the card taken for ``was`` is ``now``; the entry ``out`` does not count; the action ``put`` was
    done before the action of entry ``place``, or ``instead`` of it. ``changes``: by entry, what later actions have
    become, None where one is left out (see ``assistant.session_mending``).
    """

    was: str = ""
    now: str = ""
    out: int = 0
    put: Action | None = None
    place: int = 0
    instead: bool = False
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Undone:
    """The entry ``target`` no longer counts."""

    target: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class Redone:
    """The undone entry ``target`` counts again."""

    target: int


@dataclass(frozen=True, slots=True)
class Confirmed:
    """Somebody at the table says that the unsure entry ``target`` is right as it stands."""

    target: int


@dataclass(frozen=True, slots=True)
class TableDisagrees:
    """What lies on the table and the game don't fit (``text`` says how); an empty text: they fit again.

    ``missing``: cards that the game expects, with the place where (``table``, ``pile 2``); ``unexpected``: cards that
    lie where the game has none. If the table is right, the last ``undo`` actions did not happen and ``choice`` did;
    ``undo`` None: nothing legal leads there. If the game is right, ``moves`` says which card has to be carried from
    which place to which.
    """

    text: str
    missing: tuple[tuple[str, str], ...] = ()
    unexpected: tuple[tuple[str, str], ...] = ()
    undo: int | None = None
    choice: tuple[Action, ...] = ()
    moves: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class MisplayNoticed:
    """The table shows something that the rules don't allow: ``code``, one plain sentence, the rule's number, who and
    which cards (record notation)."""

    code: str
    text: str
    rule: str = ""
    seats: tuple[int, ...] = ()
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MisplaysCleared:
    """The table is right again: what was noticed against the rules has been put right."""


@dataclass(frozen=True, slots=True)
class DealClosed:
    """The settled deal was put into the account: each seat's result by seat (net stakes, or points), and whether the
    settlement was sure."""

    nets: tuple[float, ...]
    sure: bool = True


@dataclass(frozen=True, slots=True)
class DealAbandoned:
    """The deal doesn't count: misdealt, or begun over."""

    why: str = ""


@dataclass(frozen=True, slots=True)
class DealReopened:
    """The deal ``number`` is taken up again: it is out of the account until it is closed anew, and the deal that was
    being played waits. Also of the deal that was abandoned just now. ``table``: names, help level and the worth of a
    stake stay as they are at the table; older programs set the table up as that deal was played."""

    number: int
    table: bool = False


SessionEvent = (
    SessionBegun
    | SessionResumed
    | TableSet
    | DealBegun
    | ActionTaken
    | Asked
    | Answered
    | Withdrawn
    | CardCorrected
    | Reexplained
    | Undone
    | Redone
    | Confirmed
    | TableDisagrees
    | MisplayNoticed
    | MisplaysCleared
    | DealClosed
    | DealAbandoned
    | DealReopened
)

_KINDS: Final[dict[str, type[Any]]] = {
    "session-begun": SessionBegun,
    "session-resumed": SessionResumed,
    "table-set": TableSet,
    "deal-begun": DealBegun,
    "action": ActionTaken,
    "asked": Asked,
    "answered": Answered,
    "withdrawn": Withdrawn,
    "card-corrected": CardCorrected,
    "re-explained": Reexplained,
    "undone": Undone,
    "redone": Redone,
    "confirmed": Confirmed,
    "table-disagrees": TableDisagrees,
    "misplay": MisplayNoticed,
    "misplays-cleared": MisplaysCleared,
    "deal-closed": DealClosed,
    "deal-abandoned": DealAbandoned,
    "deal-reopened": DealReopened,
}
_NAMES: Final[dict[type[Any], str]] = {value: key for key, value in _KINDS.items()}


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log: ``seq`` counts from 1 without gaps in the journal, ``deal`` is the number of the
    deal that it is about: of the one that is being played or put right, or was last (0 before the first)."""

    seq: int
    deal: int
    event: SessionEvent

    @property
    def kind(self) -> str:
        return _NAMES[type(self.event)]


def setup_to_json(setup: Setup) -> dict[str, Any]:
    """A set-up as a JSON object."""
    return {
        "game": setup.game,
        "players": setup.players,
        "dealer": setup.dealer,
        "table": " ".join(map(str, setup.table)),
        "hands": {str(seat): " ".join(map(str, cards)) for seat, cards in setup.hands.items()},
        "options": dict(setup.options),
        "names": list(setup.names),
    }


def setup_from_json(data: Mapping[str, Any]) -> Setup:
    """The set-up that ``setup_to_json`` wrote. Older programs took a stake that is worth nothing; it is no money."""
    return Setup(
        game=str(data["game"]),
        players=int(data["players"]),
        dealer=int(data["dealer"]),
        table=parse_cards(data["table"]),
        hands={int(seat): parse_cards(cards) for seat, cards in data["hands"].items()},
        options=options_from_json(data["options"]),
        names=tuple(map(str, data["names"])),
    )


def options_from_json(options: Mapping[str, Any]) -> dict[str, str]:
    """The options of a set-up as they count.

    >>> options_from_json({"stake_value": "0.00", "currency": "EUR", "help": "silent"})
    {'currency': 'EUR', 'help': 'silent'}
    """
    read = {str(key): str(value) for key, value in options.items()}
    if _NOTHING.fullmatch(read.get(WORTH, "")):
        del read[WORTH]
    return read


def event_to_json(event: SessionEvent) -> dict[str, Any]:
    """An event as a JSON object, without its kind.

    >>> event_to_json(ActionTaken(Action.parse("2 mate KH KS"), by="hand"))["action"]
    '2 mate KH KS'
    """
    match event:
        case SessionBegun(setup, place):
            return setup_to_json(setup) | {"place": place}
        case TableSet(setup, renamed):
            return setup_to_json(setup) | ({} if renamed is None else {"renamed": list(renamed)})
        case DealBegun(setup, sure, t):
            return setup_to_json(setup) | {"sure": sure, "t": t}
        case ActionTaken(action, by, confidence, sure, t):
            return {"action": str(action), "by": by, "confidence": confidence, "sure": sure, "t": t}
        case Asked(choices, text, t):
            written = {"choices": [[str(action) for action in choice] for choice in choices], "text": text, "t": t}
            return written | _made_of(text)
        case Reexplained(was, now, out, put, place, instead, changes):
            became = [[target, None if action is None else str(action)] for target, action in changes]
            fixed = {"was": was, "now": now, "out": out, "put": None if put is None else str(put)}
            return fixed | {"place": place, "instead": instead, "changes": became}
        case TableDisagrees():
            plain = {name: getattr(event, name) for name in event.__dataclass_fields__}
            return plain | {"choice": [str(action) for action in event.choice]} | _made_of(event.text)
        case MisplayNoticed():
            return {name: getattr(event, name) for name in event.__dataclass_fields__} | _made_of(event.text)
        case DealClosed(nets, sure):
            return {"nets": list(nets), "sure": sure}
        case _:
            return {name: getattr(event, name) for name in event.__dataclass_fields__}


def event_from_json(kind: str, data: Mapping[str, Any]) -> SessionEvent:
    """The event that ``event_to_json`` wrote. Raises InvalidInput for an unknown kind or missing parts."""
    found = _KINDS.get(kind)
    if found is None:
        raise InvalidInput("unknown-event", f"'{kind}' is no event of a session that this version knows")
    try:
        event = _read(found, data)
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInput("bad-event", f"the stored '{kind}' can't be read: {error}") from None
    return event


def _read(kind: type[Any], data: Mapping[str, Any]) -> SessionEvent:
    result: SessionEvent
    if kind is SessionBegun:
        result = SessionBegun(setup_from_json(data), str(data["place"]))
    elif kind is TableSet:
        said = data.get("renamed")
        result = TableSet(setup_from_json(data), None if said is None else tuple(map(int, said)))
    elif kind is DealBegun:
        result = DealBegun(setup_from_json(data), bool(data["sure"]), float(data["t"]))
    elif kind is ActionTaken:
        result = ActionTaken(
            Action.parse(data["action"]),
            str(data["by"]),
            float(data["confidence"]),
            bool(data["sure"]),
            float(data["t"]),
        )
    elif kind is Asked:
        choices = tuple(tuple(Action.parse(line) for line in choice) for choice in data["choices"])
        result = Asked(choices, _text(data), float(data["t"]))
    elif kind is Reexplained:
        changes = tuple((int(target), _action(line)) for target, line in data["changes"])
        put, place, instead = _action(data["put"]), int(data["place"]), bool(data["instead"])
        result = Reexplained(str(data["was"]), str(data["now"]), int(data["out"]), put, place, instead, changes)
    elif kind is TableDisagrees:
        result = _disagreement(data)
    elif kind is MisplayNoticed:
        seats, cards = tuple(map(int, data["seats"])), tuple(map(str, data["cards"]))
        result = MisplayNoticed(str(data["code"]), _text(data), str(data["rule"]), seats, cards)
    elif kind is DealClosed:
        result = DealClosed(tuple(plain(exact(net)) for net in data["nets"]), bool(data["sure"]))
    elif kind is DealReopened:
        result = DealReopened(int(data["number"]), bool(data.get("table", False)))
    else:
        result = kind(**data)
    return result


def _made_of(text: str) -> dict[str, Any]:
    """What a text needs to be said again in another language; a plain one can't be."""
    return {"told": told_to_json(text)} if isinstance(text, Told) else {}


def _text(data: Mapping[str, Any]) -> str:
    """The text of an event; older programs wrote it plain."""
    text = str(data["text"])
    return told_from_json(data["told"], text) if "told" in data else text


def _action(line: str | None) -> Action | None:
    return None if line is None else Action.parse(line)


def _disagreement(data: Mapping[str, Any]) -> TableDisagrees:
    undo = data.get("undo")
    return TableDisagrees(
        _text(data),
        _placed(data.get("missing", ())),
        _placed(data.get("unexpected", ())),
        None if undo is None else max(0, int(undo)),
        tuple(map(Action.parse, data.get("choice", ()))),
        tuple((str(card), str(place), str(to)) for card, place, to in data.get("moves", ())),
    )


def _placed(cards: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((str(card), str(place)) for card, place in cards)


def without_table(setup: Setup) -> Setup:
    """The set-up before the cards are dealt, with nothing of one deal alone."""
    options = {name: value for name, value in setup.options.items() if name != UNDER_WAY}
    return replace(setup, table=(), hands={}, options=options)


def dealt_as(wanted: Setup, setup: Setup) -> Setup:
    """What is wanted, for the deal that ``setup`` began: with its cards and what else is this deal's alone."""
    own = {name: value for name, value in setup.options.items() if name == UNDER_WAY}
    return replace(wanted, table=setup.table, hands=setup.hands, options={**wanted.options, **own})
