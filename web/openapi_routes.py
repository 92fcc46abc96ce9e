"""Each route of ``web.access.ROUTES`` described, one entry each, and the channels of the live updates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from assistant.cards import SUITS
from web.openapi_values import (
    CARD,
    CARDS,
    ENTRY,
    LINE,
    POLYGON,
    SEAT,
    YES,
    Schema,
    many,
    maybe,
    obj,
    ref,
    text,
    whole,
)

PAGE: Final = "text/html"
JSON: Final = "application/json"
JPEG: Final = "image/jpeg"


@dataclass(frozen=True, slots=True)
class Described:
    """A route in the document.

    ``gives`` is what a good answer carries: a schema of JSON, a media type, or None for nothing (status 204). ``body``
    is the schema of the JSON that is sent, or a media type; ``query`` the parameters in the address, none of them
    needed; ``example`` a body that could be sent. ``busy``: it may answer 503, which passes.
    """

    summary: str
    gives: Schema | str | None
    body: Schema | str | None = None
    query: Mapping[str, Schema] = field(default_factory=dict)
    example: Mapping[str, Any] | None = None
    busy: bool = False


_PACKS: Final = obj(
    {
        "ok": YES,
        "packs": many(obj({"name": text(), "text": text(), "good": YES})),
        "in_use": maybe(text(), "the name of the pack that is read with"),
        "busy": text("what is being done, empty where nothing is"),
        "trouble": text("what went wrong in the last step"),
        "making": maybe(
            {"type": "object"}, "the pack in the making: its pictures, what is missing and what is doubtful"
        ),
    }
)


def command(
    summary: str,
    required: Mapping[str, Schema] | None = None,
    optional: Mapping[str, Schema] | None = None,
    **example: Any,
) -> Described:
    """A change of the session. It rests on the state that its sender saw: ``seen`` is that state's ``seq``; where the
    session has gone on since, it is refused with 409 and nothing is done."""
    seen = whole("the newest `seq` that the sender has seen", 0)
    body = obj({"seen": seen, **(required or {})}, optional)
    return Described(summary, ref("Done"), body, example={"seen": 12, **example}, busy=True)


_SETUP: Final[Mapping[str, Schema]] = {
    "game": text("", enum=["laugh-and-lie-down", "rolling-stone", "sbros"]),
    "players": whole("", 2, 6),
    "dealer": SEAT,
}
_SETUP_MORE: Final[Mapping[str, Schema]] = {
    "names": many(text("", maxLength=24), "by seat"),
    "options": {"type": "object", "additionalProperties": {"type": "string"}},
}
_SETUP_EXAMPLE: Final = {
    "game": "laugh-and-lie-down",
    "players": 5,
    "dealer": 1,
    "names": ["Ann", "Ben", "Cleo", "Dan", "Eve"],
    "options": {"help": "coach"},
}
_CARD_TEXT: Final = text("cards with blanks between them", maxLength=400)
_GUEST: Final = obj({"id": text(), "role": text(), "seat": maybe(SEAT), "name": maybe(text()), "own": YES})

_RECORDING: Final = obj({"ok": YES, "on": YES}, {"pictures": whole("", 0), "bytes": whole("", 0), "trouble": text()})
_EARLIER: Final = whole("an earlier session of the journal, for hosts", 1)

DESCRIBED: Final[Mapping[tuple[str, str], Described]] = {
    ("GET", "/"): Described("The page of the table.", PAGE),
    ("GET", "/picture.jpg"): Described(
        "The newest picture of the table, or the one of a frame while it is kept.",
        JPEG,
        query={"frame": whole("the number that the channel `view` names", 0)},
    ),
    ("GET", "/overlay"): Described(
        "A transparent page for a stream, to be laid over its picture.",
        PAGE,
        query={
            "side": text("along which edge it stands", enum=["bottom", "top", "left", "right"]),
            "size": whole("per cent of the usual size", 50, 300),
            "show": text("which part of it", enum=["all", "scores", "last"]),
        },
    ),
    ("GET", "/static/<path:filename>"): Described("The pages' scripts, styles and pictures.", "*/*"),
    ("GET", "/texts/<code>.js"): Described("A language's texts for the pages' scripts.", "text/javascript"),
    ("GET", "/openapi.json"): Described("This document.", {"type": "object"}),
    # The state, now and live
    ("GET", "/api/state"): Described(
        "What is newer than a version: each channel by its name, and with which `start` and `version` to ask next.",
        obj({"start": text(), "version": whole("", 0)}),  # and the channels, see web.openapi
        query={
            "since": whole("the `version` of the last answer", 0),
            "start": text("the `start` of the last answer; versions of another start of the program mean nothing"),
        },
    ),
    ("GET", "/api/stream"): Described(
        "The live updates as server-sent events: the newest value of each channel, then each newer one; an event "
        "`here` after ten seconds without any. All places may be taken; then ask `/api/state` every second.",
        "text/event-stream",
        busy=True,
    ),
    ("GET", "/api/record.deal"): Described("The running or settled deal as a deal record.", "text/plain"),
    # The evening
    ("GET", "/account"): Described(
        "The page of the evening: accounts, payments, plots.", PAGE, query={"evening": _EARLIER}
    ),
    ("GET", "/api/evening.csv"): Described(
        "The evening's results, one line a deal.", "text/csv", query={"evening": _EARLIER}
    ),
    ("GET", "/api/deals/<int:deal>/record.deal"): Described(
        "One deal of the evening as a deal record.", "text/plain", query={"evening": _EARLIER}
    ),
    # Looking back
    ("GET", "/deal/<int:deal>"): Described("The page that looks back at a deal.", PAGE, query={"evening": _EARLIER}),
    ("GET", "/api/deals/<int:deal>/step"): Described(
        "The table as it was after so many actions of a deal.",
        obj({"ok": YES, "step": whole("", 0), "moved": CARDS}),
        query={"at": whole("", 0), "evening": _EARLIER},
    ),
    ("GET", "/api/deals/<int:deal>/picture.jpg"): Described(
        "The picture that was kept of an entry of the deal.", JPEG, query={"entry": ENTRY, "evening": _EARLIER}
    ),
    ("GET", "/api/recording"): Described(
        "Whether a picture is kept with each action; hosts are told of those that were.", _RECORDING
    ),
    ("POST", "/api/recording"): Described(
        "Keep a picture with each action from now on, or no longer.", _RECORDING, obj({"on": YES}), example={"on": True}
    ),
    ("POST", "/api/recording/delete"): Described(
        "Delete all pictures that were kept.", _RECORDING, obj({}), example={}, busy=True
    ),
    ("POST", "/api/report"): Described(
        "A report of a deal, to be sent by hand: record, log, versions and the pictures that were chosen.",
        "application/zip",
        obj({"deal": whole("", 1)}, {"pictures": many(ENTRY, "by their entries"), "names": YES}),
        query={"evening": _EARLIER},
        example={"deal": 1, "pictures": [], "names": False},
    ),
    # The deal
    ("POST", "/api/action"): command("Enter an action by hand.", {"line": LINE}, line="2 mate KH KS"),
    ("POST", "/api/undo"): command(
        "Take back the newest action or correction, or the one of an entry.", None, {"target": maybe(ENTRY)}
    ),
    ("POST", "/api/redo"): command("Do again what was undone last."),
    ("POST", "/api/answer"): command(
        "Answer a question.",
        {"question": ENTRY},
        {"choice": maybe(whole("from 0", 0), "null: something else happened")},
        question=12,
        choice=0,
    ),
    ("POST", "/api/confirm"): command("An unsure entry is right.", {"target": ENTRY}, target=7),
    ("POST", "/api/correct"): command(
        "The card that was read as one is another.",
        {"was": CARD, "now": CARD},
        {"track": maybe(whole("which card of the picture is meant"))},
        was="KH",
        now="KD",
    ),
    ("POST", "/api/change"): command(
        "Put an action before the one at an entry, or instead of it.",
        {"line": LINE, "target": ENTRY},
        {"instead": YES},
        line="2 mate KH KS",
        target=7,
    ),
    ("GET", "/api/ways"): Described(
        "How a card may have come to lie where nobody saw it come; each way with the command that takes it.",
        obj(
            {
                "ok": YES,
                "seq": whole("the `seen` for the command", 0),
                "ways": many(obj({"text": text(), "path": text("below `/api/`"), "body": {"type": "object"}})),
            }
        ),
        query={"card": CARD, "wrong": text("not empty: the card does not lie there")},
    ),
    ("GET", "/api/offers"): Described(
        "What might have been done instead of the action at an entry.", ref("Offers"), query={"at": ENTRY}
    ),
    ("POST", "/api/accept"): command(
        "Table and game disagree: which of them is right.", {"right": text("", enum=["table", "game"])}, right="table"
    ),
    ("POST", "/api/begin"): command(
        "The deal begins with these table cards.",
        {"table": _CARD_TEXT},
        table="KS KD 7S 7H 7C 2D 3C 4H 5S 6D JC QC",
    ),
    ("POST", "/api/join"): command(
        "Go on with a deal that is under way on the table.",
        {
            "to_act": SEAT,
            "hands": {"type": "object", "additionalProperties": whole("cards held", 0), "description": "by seat"},
        },
        {
            "stock": whole("cards in the stock, in a game that has one", 0),
            "order": text("the cards of a trick that lies there, as they were played"),
            "picked": text("the suit that the one in turn picked up just before", enum=["", *SUITS]),
        },
        to_act=2,
        hands={"1": 5, "2": 6, "3": 6},
    ),
    ("POST", "/api/next"): command("Put the settled deal into the account and pass the deal on."),
    ("POST", "/api/reopen"): command(
        "Take a deal out of the account to put it right; what is being played waits until it is closed again.",
        {"deal": whole("its number", 1)},
        deal=2,
    ),
    ("POST", "/api/again"): command("Forget the running deal; the same seat deals again."),
    ("POST", "/api/setup"): command(
        "Change the table.",
        _SETUP,
        {**_SETUP_MORE, "renamed": many(SEAT, "where the same person as before sits, called otherwise")},
        **_SETUP_EXAMPLE,
    ),
    ("POST", "/api/help"): command(
        "How much is said while a deal is played, on every page.",
        {"level": text("", enum=["coach", "referee", "silent"])},
        level="referee",
    ),
    ("POST", "/api/session"): command(
        "Begin a new session with an empty account.", _SETUP, _SETUP_MORE, **_SETUP_EXAMPLE
    ),
    # The camera
    ("POST", "/api/zones"): Described(
        "Where the zones lie.",
        ref("Ok"),
        obj(
            {
                "zones": maybe(
                    {"type": "object", "additionalProperties": POLYGON},
                    "by the names of the channel `zones`; null: the program's own proposal",
                )
            }
        ),
        example={"zones": {"table": [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]]}},
    ),
    ("GET", "/plain"): Described(
        "The table as a page that needs no JavaScript.",
        PAGE,
        query={"by_itself": text("any: it looks again by itself")},
    ),
    ("GET", "/setup"): Described("The set-up page.", PAGE),
    # Cameras
    ("GET", "/camera"): Described("The page that lends the camera of the device it is opened on.", PAGE),
    ("GET", "/api/cameras"): Described(
        "The cameras and recordings that can be chosen, and which one was.",
        obj(
            {
                "ok": YES,
                "cameras": many(obj({"index": whole("", 0), "name": text()})),
                "recordings": many(obj({"name": text(), "pictures": whole("0 for a video", 0)})),
                "folder": text("where recordings are put by hand"),
                "most_bytes": whole("the largest file that can be sent", 1),
                "now": maybe(obj({"kind": text(), "name": text()}), "null as long as nobody chose"),
            }
        ),
    ),
    ("POST", "/api/camera"): Described(
        "Follow another camera or a recording from now on; the game goes on. A network address is not told again.",
        ref("Ok"),
        obj(
            {"kind": text(enum=["camera", "page", "photographs", "address", "recording", "demo"])},
            {
                "index": whole("of a camera of the computer", 0),
                "name": text("of a camera of the computer, or of a recording"),
                "sender": text("which page lends its camera", minLength=8, maxLength=64),
                "address": text("rtsp, http or https, in one's own network"),
            },
        ),
        example={"kind": "camera", "index": 0, "name": "HD Webcam"},
    ),
    ("POST", "/api/camera-frame"): Described(
        "One picture of a page's camera, or a photograph. Send the next one only after this one was answered.",
        None,
        JPEG,
        query={"sender": text("which page it is")},
        busy=True,
    ),
    ("POST", "/api/camera-gone"): Described(
        "The page lends its camera no more.",
        ref("Ok"),
        obj({"sender": text(maxLength=400)}),
        example={"sender": "9f8e7d6c"},
    ),
    ("POST", "/api/uploads"): Described(
        "Send a video or a picture to be followed later. What is too large is refused before it is read.",
        obj({"ok": YES, "name": text("its name among the recordings")}),
        "application/octet-stream",
        query={"name": text("of the file"), "album": text("the name that an earlier picture got")},
        busy=True,
    ),
    ("POST", "/api/recordings/delete"): Described(
        "Remove a recording that a browser sent; not the one that is followed, nor what was put there by hand.",
        ref("Ok"),
        obj({"name": text("of the recording", maxLength=400)}),
        example={"name": "upload-evening.mp4"},
    ),
    ("GET", "/api/table-check"): Described(
        "What the present picture says of light, distance, sharpness and slant.",
        obj(
            {
                "ok": YES,
                "well": {"type": "boolean"},
                "text": text(),
                "lines": many(obj({"aspect": text(), "good": {"type": "boolean"}, "text": text()})),
            }
        ),
    ),
    # One's own pack
    ("GET", "/api/packs"): Described("The packs that were learned, and how the one in the making stands.", _PACKS),
    ("GET", "/api/packs/card/<int:number>.jpg"): Described("A card of the pack in the making, as it was seen.", JPEG),
    ("POST", "/api/packs/begin"): Described(
        "Begin to learn a pack.", _PACKS, obj({"name": text(maxLength=400)}), example={"name": "mats"}
    ),
    ("POST", "/api/packs/picture"): Described("Take the picture that the camera shows now.", _PACKS, obj({})),
    ("POST", "/api/packs/forget"): Described("Leave out the picture that was taken last.", _PACKS, obj({})),
    ("POST", "/api/packs/learn"): Described("Learn the pack from what was shown.", _PACKS, obj({})),
    ("POST", "/api/packs/answer"): Described(
        "Which card this is; null: leave it out.",
        _PACKS,
        obj({"number": whole("of the card in the making"), "card": maybe(CARD)}),
        example={"number": 3, "card": "KH"},
    ),
    ("POST", "/api/packs/keep"): Described(
        "Keep what was learned, and read with it from now on if wanted.",
        _PACKS,
        obj({"use": YES}),
        example={"use": True},
    ),
    ("POST", "/api/packs/leave"): Described("Forget the pack in the making.", _PACKS, obj({})),
    ("POST", "/api/packs/use"): Described(
        "Read with this pack from now on; `any`: with none of one's own.",
        _PACKS,
        obj({"name": text(maxLength=400)}),
        example={"name": "any"},
    ),
    # One's own seat
    ("GET", "/seat/<int:seat>"): Described("The page of one seat.", PAGE),
    ("GET", "/api/seat/<int:seat>"): Described(
        "What the seat's page shows to this browser.", ref("Seat"), query={"since": whole("the entry seen last", 0)}
    ),
    ("POST", "/api/seat/<int:seat>/hand"): Described(
        "The seat holds these cards now. Nobody else is told.",
        ref("Seat"),
        obj({"cards": _CARD_TEXT}),
        example={"cards": "2S 3H 9D 9H TS JD AC 8S"},
    ),
    ("POST", "/api/seat/<int:seat>/picture"): Described(
        "The cards of the seat's hand in a picture, to be looked over; they are not told by that, nor kept.",
        obj(
            {
                "cards": CARDS,
                "unsure": {**CARDS, "description": "of them, those to be looked at"},
                "size": whole("how many cards the hand has", 0),
                "said": text("what was seen, in words"),
            }
        ),
        JPEG,
        busy=True,
    ),
    ("POST", "/api/seat/<int:seat>/forget"): Described("Forget the hand of the seat.", ref("Seat"), obj({})),
    # Letting others in
    ("GET", "/pair"): Described("The page where a device gives its code.", PAGE),
    ("POST", "/api/pair"): Described(
        "Give a code: the device is in, and gets its cookie.",
        obj({"ok": {"const": True}, "page": text("where to go")}),
        obj({"code": text("", maxLength=400)}),
        example={"code": "ABCD-EFGH"},
    ),
    ("GET", "/authority.crt"): Described("The authority's certificate.", "application/x-x509-ca-cert"),
    ("GET", "/guests"): Described("The host's page for letting others in.", PAGE),
    ("GET", "/api/guests"): Described(
        "Who is in, and who sits at the seats.",
        obj({"ok": {"const": True}, "guests": many(_GUEST), "names": many(text("of a seat"))}),
    ),
    ("POST", "/api/guests/invite"): Described(
        "A new one-time code, with its link and QR code for each address.",
        obj(
            {
                "ok": {"const": True},
                "id": maybe(text("of the guest who comes in by it")),
                "code": text(),
                "seconds": whole("how long it holds", 1),
                "links": many(obj({"link": text(), "qr": text("a picture, as a data address")})),
            }
        ),
        obj(
            {"role": text("", enum=["host", "player", "viewer", "camera"])},
            {"seat": {**SEAT, "description": "a player's"}},
        ),
        example={"role": "player", "seat": 2},
    ),
    ("POST", "/api/guests/send-off"): Described(
        "Let a guest in no more.", ref("Ok"), obj({"id": text("of `/api/guests`", maxLength=400)}), example={"id": "1"}
    ),
}


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel of the live updates: the schema of its values, by name, and a value as an example."""

    schema: str
    example: Mapping[str, Any]


CHANNELS: Final[Mapping[str, Channel]] = {
    "state": Channel("State", {"seq": 1, "phase": "waiting", "deal": 1, "account": [0, 0, 0, 0]}),
    "view": Channel(
        "View",
        {
            "frame": 131,
            "t": 26.2,
            "width": 1280,
            "height": 720,
            "stillness": "still",
            "zones": [],
            "cards": [
                {
                    "track": 4,
                    "card": "KH",
                    "confidence": 0.998,
                    "zone": "table",
                    "covered": False,
                    "quad": [[0.41, 0.3], [0.46, 0.3], [0.46, 0.42], [0.41, 0.42]],
                    "others": ["KD"],
                }
            ],
            "age": 0.3,
        },
    ),
    "zones": Channel("Zones", {"zones": [], "drawn": False}),
    "eye": Channel("Eye", {"ok": True, "text": "Camera 0", "warning": "", "ended": False}),
    "joining": Channel("Joining", {"held": 0, "piles": {}, "asks": "hands", "trick": [], "plain": False}),
    "remark": Channel("Remark", {"text": ""}),
}
"""The channels, by the names of their events; an event's data is the value as JSON."""
