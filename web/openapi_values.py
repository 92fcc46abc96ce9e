"""What goes over the wire, as JSON Schemas: the values that the OpenAPI document's routes and channels share.

Each object may carry more than is described; nothing that is described is left out without saying so here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

Schema = Mapping[str, Any]


def obj(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None, says: str = "") -> Schema:
    """An object with these properties.

    >>> obj({"ok": YES})["required"]
    ['ok']
    """
    found: dict[str, Any] = {"type": "object", "properties": {**required, **(optional or {})}}
    if required:
        found["required"] = list(required)
    return found | ({"description": says} if says else {})


def many(one: Schema, says: str = "") -> Schema:
    """A list of such values."""
    return {"type": "array", "items": one} | ({"description": says} if says else {})


def maybe(one: Schema, says: str = "") -> Schema:
    """Such a value, or null."""
    return {"anyOf": [one, {"type": "null"}]} | ({"description": says} if says else {})


def ref(name: str) -> Schema:
    """One of ``SCHEMAS``, by its name."""
    return {"$ref": f"#/components/schemas/{name}"}


def text(says: str = "", **more: Any) -> Schema:
    """A text."""
    return {"type": "string", **more} | ({"description": says} if says else {})


def whole(says: str = "", least: int | None = None, most: int | None = None) -> Schema:
    """A whole number within the bounds, both included."""
    bounds = {key: value for key, value in (("minimum", least), ("maximum", most)) if value is not None}
    return {"type": "integer", **bounds} | ({"description": says} if says else {})


YES: Final[Schema] = {"type": "boolean"}
NUMBER: Final[Schema] = {"type": "number"}
CARD: Final[Schema] = text("rank and suit; `7?` is a seven whose suit nobody saw, `??` any card", examples=["KH"])
CARDS: Final[Schema] = many(CARD)
SEAT: Final[Schema] = whole("seats are numbered clockwise from 1", 1, 6)
LINE: Final[Schema] = text("an action as the deal record writes it", maxLength=400, examples=["2 mate KH KS"])
POINT: Final[Schema] = {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}
POLYGON: Final[Schema] = many(POINT, "points [x, y] in fractions of the picture's width and height")
ENTRY: Final[Schema] = whole("the sequence number of an entry of the session's log", 1)

_OFFER: Final = obj({"line": LINE, "seat": SEAT, "verb": text(), "text": text("the action in words")})
_CARD_AT: Final = obj({"card": CARD, "place": text(), "where": text("the place in words")})
_ACTION_DONE: Final = obj(
    {
        "seq": ENTRY,
        "seat": SEAT,
        "line": LINE,
        "text": text("the action in words"),
        "by": text("`camera`, `hand` (entered on the page) or `answer`"),
        "sure": YES,
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
    }
)
_SEAT_SHOWN: Final = obj(
    {
        "seat": SEAT,
        "name": text(),
        "dealer": YES,
        "turn": YES,
        "in": {**YES, "description": "false once the seat has lain down"},
        "hand": maybe(whole("how many cards it holds", 0)),
        "pile": many(CARDS, "by rank"),
        "count": whole("cards won; in other games those still held", 0),
        "swept": whole("of them, those of the sweep", 0),
        "bonus": whole("stakes drawn as the last one in", 0),
        "par": maybe(whole("cards that neither win nor pay", 0)),
    },
    {"tricks": whole("won", 0), "aside": CARDS},
)
_QUESTION: Final = obj(
    {
        "seq": ENTRY,
        "text": text(),
        "seat": maybe(SEAT),
        "choices": many(obj({"text": text(), "lines": many(LINE)}), "answer with the place of one, from 0"),
    }
)
_SETTLED_SEAT: Final = obj(
    {"seat": SEAT, "name": text(), "cards": whole("", 0), "dealer": YES, "bonus": whole("", 0)},
    {
        "staked": whole("before the deal", 0),
        "paid_in": whole("at the settlement", 0),
        "received": whole("from the pot, bonus included", 0),
        "net": whole("received - paid_in - staked"),
        "score": {**NUMBER, "description": "in the games without stakes"},
    },
)
_WRONG: Final = {"code": text(), "text": text("one sentence"), "rule": text("its number"), "why": text()}

SCHEMAS: Final[Mapping[str, Schema]] = {
    "Refusal": obj(
        {"ok": {"const": False}, "code": text("stable, for programs"), "error": text("one line, for people")},
        says="Why nothing was done.",
    ),
    "Done": obj({"ok": {"const": True}, "seq": whole("the session's newest entry now", 0)}, says="It is done."),
    "Ok": obj({"ok": {"const": True}}),
    "Offers": obj({"ok": {"const": True}, "actions": many(_OFFER), "turn": maybe(SEAT)}),
    "State": obj(
        {"seq": whole("the newest entry of the session's log; commands send it back as `seen`", 0), "phase": text()},
        {
            "phase": text("`waiting` for the cards, `playing` or `settled`", enum=["waiting", "playing", "settled"]),
            "game": obj({"name": text(), "title": text()}),
            "setup": obj(
                {"players": whole("", 2, 6), "dealer": SEAT, "names": many(text()), "options": {"type": "object"}}
            ),
            "deal": whole("the number of the running deal, or of the one that comes next", 1),
            "account": many(NUMBER, "by seat, the results so far of who sits there"),
            "people": many(text(), "the names of those who have results so far"),
            "closed": many(obj({"deal": whole(), "dealer": SEAT, "nets": many(NUMBER), "sure": YES})),
            "evening": maybe(
                obj(
                    {
                        "names": many(text()),
                        "accounts": many({"type": "object"}, "for each way of counting its deals, sums and payments"),
                        "unsure": many(whole("", 1), "the deals that are not sure"),
                        "mixed": {**YES, "description": "some deals count otherwise than others"},
                    }
                ),
                "the accounts of the evening; null while a deal is played",
            ),
            "headline": obj({"text": text(), "more": text()}),
            "seats": many(_SEAT_SHOWN),
            "table": many(
                obj(
                    {
                        "rank": text(),
                        "cards": CARDS,
                        "set": text("`pair`, `pair royal`, `mournival` or empty"),
                        "dead": {**YES, "description": "no card that could mate these is left"},
                    }
                ),
                "the pool, by rank",
            ),
            "tableSize": whole("cards that are laid face up before the deal begins", 0),
            "middle": maybe(
                obj(
                    {
                        "kind": text(),
                        "title": text(),
                        "cards": many(obj({"card": CARD, "under": text()})),
                        "note": text(),
                        "stock": maybe(whole("", 0)),
                    }
                ),
                "the trick, or the centre cards, in games without a pool",
            ),
            "help": text("how much is said", enum=["coach", "referee", "silent"]),
            "hints": many(
                obj(
                    {
                        "kind": text("", enum=["turn", "lay", "dead", "certain"]),
                        "title": text(),
                        "lines": many(
                            obj({"text": text(), "rank": text(), "rule": obj({"number": text(), "text": text()})})
                        ),
                    }
                ),
                "what the seat in turn may do and what follows from what lies there; none where the table wants none",
            ),
            "actions": many(_OFFER, "every legal action of every seat that may act"),
            "claims": many(
                obj(
                    {
                        "code": text(),
                        "seat": SEAT,
                        "text": text(),
                        "cards": CARDS,
                        "claimants": many(text()),
                        "why": text(),
                        "actions": many(_OFFER),
                    }
                ),
                "mistakes that somebody may claim now",
            ),
            "faults": many(obj({"code": text(), "seat": whole("", 0, 6), "past": text(), "why": text()})),
            "notices": many(obj({**_WRONG, "seats": many(SEAT), "cards": CARDS})),
            "alarms": many(obj({"seq": ENTRY, **_WRONG, "seats": many(SEAT), "cards": CARDS})),
            "last": maybe(_ACTION_DONE),
            "history": many(_ACTION_DONE),
            "joined": {**YES, "description": "the deal was under way when it was first seen"},
            "undo": maybe(obj({"seq": ENTRY, "text": text()})),
            "redo": maybe(ENTRY),
            "mending": maybe(
                obj({"deal": whole("", 1), "text": text(), "back": text(), "over": YES}),
                "the earlier deal that is open again to be put right",
            ),
            "questions": many(_QUESTION),
            "disagreement": maybe(
                obj(
                    {
                        "text": text(),
                        "missing": many(_CARD_AT),
                        "unexpected": many(_CARD_AT),
                        "accept": maybe(many(text())),
                        "back": many(text()),
                    }
                ),
                "how table and game differ, and what to do with each card",
            ),
            "mended": maybe(obj({"seq": ENTRY, "text": text(), "confirm": YES})),
            "doubts": many(text(), "why the settlement is not sure"),
            "unsureDeal": maybe(ENTRY),
            "settlement": maybe(
                obj(
                    {"seats": many(_SETTLED_SEAT), "sum": whole(), "sure": YES, "doubts": many(text())},
                    {
                        "par": maybe(whole()),
                        "steps": many(
                            obj(
                                {
                                    "kind": text(),
                                    "seat": whole("", 0, 6),
                                    "amount": NUMBER,
                                    "pot": maybe(whole("what is in it then", 0)),
                                    "text": text(),
                                    "rule": text(),
                                    "why": text(),
                                }
                            ),
                            "each payment by itself, in order",
                        ),
                        "pot": whole("", 0),
                        "bonus": maybe(obj({"seat": SEAT, "stakes": whole()})),
                        "winners": many(SEAT),
                    },
                ),
                "null until the deal is over",
            ),
            "unseen": {"type": "object", "additionalProperties": whole("cards of this rank that nobody has seen", 0)},
        },
        says="The table as the program understands it, said in words.",
    ),
    "View": obj(
        {
            "frame": whole("the number of the picture, for `/picture.jpg?frame=`; 0: none came yet", 0),
            "t": {**NUMBER, "description": "the source's time in seconds"},
            "width": whole("pixels", 1),
            "height": whole("pixels", 1),
            "stillness": text(),
            "zones": many(ref("Zone")),
            "cards": many(
                obj(
                    {
                        "track": whole("the card's number as long as it is seen", 0),
                        "card": CARD,
                        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
                        "zone": maybe(text()),
                        "covered": YES,
                        "quad": POLYGON,
                        "others": many(CARD, "what else it may be, the likeliest first"),
                    }
                )
            ),
        },
        {"age": {**NUMBER, "description": "how old the picture was when it was told, in seconds"}},
        "What the camera sees now.",
    ),
    "Zone": obj({"zone": text(), "seat": maybe(SEAT), "part": text(), "polygon": POLYGON}),
    "Zones": obj({"zones": many(ref("Zone")), "drawn": YES}, says="Where the zones lie; `drawn`: by hand."),
    "Eye": obj(
        {"ok": YES, "text": text(), "warning": text(), "ended": {**YES, "description": "the recording is over"}},
        says="How the camera is, in words.",
    ),
    "Joining": obj(
        {
            "held": whole("cards that nobody sees; 0 where there is no such deal", 0),
            "piles": {"type": "object"},
            "asks": text("what must be told", enum=["hands", "stock", "trick"]),
            "trick": many(text("a card of the trick that lies there")),
            "plain": {**YES, "description": "cards show that a deal is under way; else it is only asked"},
        },
        says="A deal that was under way when it was first seen, and may be joined.",
    ),
    "Remark": obj({"text": text()}, says="What the user should know of the journal; empty where all is well."),
    "Seat": obj(
        {
            "seq": whole("", 0),
            "phase": text("", enum=["waiting", "over", "out", "tell", "known"]),
            "name": text(),
            "turn": YES,
            "headline": text(),
            "more": text(),
            "size": whole("how many cards the hand has", 0),
            "hand": CARDS,
            "missing": whole("cards drawn and not told yet", 0),
            "offered": CARDS,
            "wrong": text(),
            "pending": {**YES, "description": "the hints are being worked out: ask again"},
            "lists": many(obj({"title": text(), "ranked": YES, "entries": many({"type": "object"})})),
            "note": text(),
            "deal": whole("the deal's number", 0),
            "camera": {**YES, "description": "pictures of the hand are read"},
            "missed": many(text(), "what was done since the entry `since`, in sentences"),
        },
        says="What one seat's own page shows. It holds the told hand, and is nobody else's.",
    ),
}
