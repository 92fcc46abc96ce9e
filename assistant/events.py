"""What following tells its caller: typed, frozen events, each with the source's time ``t`` in seconds.

The following (``assistant.following``) produces them; the session, the command line and the page consume them.
An action is only part of the game once an ``ActionSeen`` said so; everything else informs or asks.

>>> as_json(ActionSeen(12.4, Action.parse("2 mate KH KS"), confidence=0.97))["line"]
'2 mate KH KS'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from assistant.cards import Card
from assistant.games.game import Action, Notice, Setup

Choice = tuple[Action, ...]
"""One explanation of what happened on the table: one to three actions, in their order."""


@dataclass(frozen=True, slots=True)
class DealSeen:
    """The cards of the deal lie face up and still: the deal starts with ``setup`` (the hands are not seen)."""

    t: float
    setup: Setup
    confidence: float
    sure: bool = True


@dataclass(frozen=True, slots=True)
class ActionSeen:
    """A seat did this: the action is legal in the position to which all earlier ``ActionSeen`` led.

    ``confidence`` is the probability (0..1) that the action is right as written. ``sure`` is False where it was
    taken for the likeliest of several because the table went on before anybody answered; what is settled on it
    is not sure either. ``tracks`` are the cards on the table that it rests on.
    """

    t: float
    action: Action
    confidence: float
    sure: bool = True
    tracks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """What happened can't be told apart: at most three choices, the likeliest first.

    ``number`` counts the questions of a deal. Answer by applying the choice's actions to the position (the following
    then finds that position and view agree); or leave it: later pictures may settle it.
    """

    t: float
    number: int
    choices: tuple[Choice, ...]
    text: str


@dataclass(frozen=True, slots=True)
class QuestionClosed:
    """The question needs no answer any more: it was answered, or what the table shows has settled it."""

    t: float
    number: int


@dataclass(frozen=True, slots=True)
class Undone:
    """The last action of the position is taken back: later pictures show that it did not happen."""

    t: float
    action: Action
    why: str


@dataclass(frozen=True, slots=True)
class Move:
    """A card to be carried: from a ``place`` (empty: wherever it is) ``to`` one (``table``, ``pile N``, ``hand N``,
    ``hand``)."""

    card: Card
    place: str
    to: str


@dataclass(frozen=True, slots=True)
class Way:
    """A way to make table and game agree again; ``text`` is one plain sentence.

    ``kind`` is ``accept`` (the table is right: take back the last ``undo`` actions, then do ``choice``), ``restore``
    (the game is right: carry the cards of ``moves``) or ``edit`` (by hand).
    """

    kind: str
    text: str
    undo: int = 0
    choice: Choice = ()
    moves: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class Desync:
    """Table and game disagree and no legal action explains it; nothing is committed until they agree again.

    ``missing``: cards that the game expects and the table does not show, with the place where they are expected.
    ``unexpected``: cards that lie where the game has no such card. Places are ``table``, ``pile N`` or ``nowhere``.
    ``ways``: the shortest ways back, the likeliest first.
    """

    t: float
    text: str
    missing: tuple[tuple[Card, str], ...] = ()
    unexpected: tuple[tuple[Card, str], ...] = ()
    ways: tuple[Way, ...] = ()


@dataclass(frozen=True, slots=True)
class Resynced:
    """Table and game agree again after a ``Desync``."""

    t: float


@dataclass(frozen=True, slots=True)
class Warned:
    """Something about the table or the picture to tell the players: ``code`` in kebab-case (``wrong-deal``,
    ``blurred``...) and one plain sentence."""

    t: float
    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Noticed:
    """What the rules have to say about the position after an action (a fault, a claim, a mournival on the table)."""

    t: float
    notice: Notice


@dataclass(frozen=True, slots=True)
class GameOver:
    """The rules say that the deal is over; the settlement is the position's. Later changes are tidying up."""

    t: float
    sure: bool = True


Event = DealSeen | ActionSeen | Question | QuestionClosed | Undone | Desync | Resynced | Warned | Noticed | GameOver


def choice_line(choice: Choice) -> str:
    """A choice as one line of text: the actions' record lines, joined by semicolons."""
    return "; ".join(map(str, choice))


def question_line(options: tuple[Choice, ...]) -> str:
    """The question which of these choices happened.

    >>> question_line(((Action.parse("2 mate KH KS"),),))
    'Did this happen: 2 mate KH KS?'
    """
    if len(options) == 1:
        return f"Did this happen: {choice_line(options[0])}?"
    return "What happened: " + ", or ".join(map(choice_line, options)) + "?"


NAMES: Final[dict[type, str]] = {
    DealSeen: "deal",
    ActionSeen: "action",
    Question: "question",
    QuestionClosed: "answered",
    Undone: "undone",
    Desync: "desync",
    Resynced: "resynced",
    Warned: "warning",
    Noticed: "notice",
    GameOver: "over",
}


def as_json(event: Event) -> dict[str, Any]:
    """The event as one object of ``mournival watch --json``: ``t``, ``event`` and what belongs to its kind."""
    head: dict[str, Any] = {"t": round(event.t, 2), "event": NAMES[type(event)]}
    match event:
        case DealSeen():
            cards = [str(card) for card in event.setup.table]
            return head | {"table": cards, "confidence": round(event.confidence, 4), "sure": event.sure}
        case ActionSeen():
            return head | {
                "line": str(event.action),
                "confidence": round(event.confidence, 4),
                "sure": event.sure,
            }
        case Question():
            return head | {
                "number": event.number,
                "choices": [choice_line(choice) for choice in event.choices],
                "text": event.text,
            }
        case QuestionClosed():
            return head | {"number": event.number}
        case Undone():
            return head | {"line": str(event.action), "why": event.why}
        case Desync():
            places = {
                name: [{"card": str(card), "place": place} for card, place in cards]
                for name, cards in (("missing", event.missing), ("unexpected", event.unexpected))
            }
            return head | {"text": event.text} | places | {"ways": [_way_as_json(way) for way in event.ways]}
        case Warned():
            return head | {"code": event.code, "text": event.text}
        case Noticed():
            notice = event.notice
            return head | {
                "code": notice.code,
                "seats": list(notice.seats),
                "cards": [str(card) for card in notice.cards],
                "text": notice.text,
            }
        case GameOver():
            return head | {"sure": event.sure}
        case Resynced():
            return head


def _way_as_json(way: Way) -> dict[str, Any]:
    return {
        "kind": way.kind,
        "text": way.text,
        "undo": way.undo,
        "lines": [str(action) for action in way.choice],
        "moves": [{"card": str(move.card), "from": move.place, "to": move.to} for move in way.moves],
    }
