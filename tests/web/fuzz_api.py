"""Generated requests against the page: ``python -m tests.web.fuzz_api --count 100000``; ``make fuzz-api``.

schemathesis makes them from the OpenAPI document: such as it allows and such as it doesn't. A part of them is then made
to fit the table as it stands, so that they go through, and a part is spoiled by values that are known to hurt. They are
asked in every state of a table (``asked_tables``) and by every role. No answer may have status 500 or above, but for
503 where the document says so; and each must be of a form that the document tells.

Prints one JSON object: requests, how many of them changed something, by status, wrong answers, peak memory. Exit
status 1 if anything was wrong. ``--seed`` plays a run again.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import jsonschema_rs
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from schemathesis import GenerationMode

from assistant.games.game import Position
from tests.fuzzing.target import MEMORY
from tests.vision.fuzz_images import damaged, whole_files
from tests.web.asked_tables import ASKERS, HOME, SITUATIONS, Answer, AskedTable, asked_table
from web.openapi import document

A_TABLE: Final = 250
"""Requests that one table is asked; then another one takes its place."""
FORMS: Final = 4
"""Requests that are made of one generated case: by different askers, fitted and spoiled otherwise."""
WEIGHTED: Final = (*[HOME] * 4, "player", *ASKERS)
JSON_TYPE: Final = "application/json"
HOSTILE: Final[tuple[Any, ...]] = (
    None, True, False, 0, -1, 1, 1.0, 0.5, 2**31, 2**63, -(2**64), 10**40, 10**400, 1e308, float("nan"), float("inf"),
    "", " ", "0", "\x00", "\ud800", "\u202e", "x" * 399, "é" * 500, "' OR 1=1 --", "../../etc/passwd", "{seat}", "%s%n",
    "<script>alert(1)</script>", "2 mate ?? ??", "0 lay", "999 mate KH", "2 claim", "10D", "⁵H", "٣ mate KH KS",
    [], {}, [None], [[]], {"": None}, {"1": -1}, {"7": 3}, [[0, 0], [1, 1], [0, 1]], [[0.1, 0.2]] * 3,
    [[1e400, 0], [0, 1], [1, 1]], [["a", "b"]] * 4, {"table": None}, {"table": [[0, 0], [1, 0], [1, 1]]},
)  # fmt: skip
"""Values at which programs break."""
BODIES: Final[tuple[tuple[bytes, str], ...]] = (
    (b"", JSON_TYPE),
    (b"[" * 50_000, JSON_TYPE),
    (b'{"a":' * 20_000 + b"1", JSON_TYPE),
    (b'{"seen": NaN, "line": Infinity}', JSON_TYPE),
    (b'{"seen": 1, "seen": {}}', JSON_TYPE),
    (b'{"seen": ' + b"9" * 5000 + b"}", JSON_TYPE),
    (b'\xff\xfe{"seen": 1}', JSON_TYPE),
    ('{"seen": 1}'.encode("utf-16"), JSON_TYPE),
    (b"\x00", "application/json; charset=none"),
    (b"seen=1", "application/x-www-form-urlencoded"),
    (b"--x\r\n\r\n--x--", "multipart/form-data; boundary=x"),
    (b"{}", ""),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"x" * 200_000, JSON_TYPE),
)
HEADERS: Final[tuple[dict[str, str], ...]] = (
    {"Cookie": "__Host-mournival=\x80\xff; mournival-hand=" + "a" * 32},
    {"Cookie": "=;;;=\x01"},
    {"Accept-Language": "xx-" + "y" * 200 + ";q=nan, de;q=, *"},
    {"Accept-Language": "pt-BR,ru;q=0.9"},
    {"If-None-Match": '"', "Range": "bytes=9-1"},
    {"If-Modified-Since": "never"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"},
    {"Content-Length": "12"},
    {"Content-Encoding": "gzip"},
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, as it was made: enough to make it again."""

    asker: str
    method: str
    path: str
    what: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.asker}: {self.method} {self.path} {str(self.what)[:600]}"


@dataclass
class Figures:
    """What came out of it."""

    requests: int = 0
    changes: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


class _Document:
    """What the document says of each answer, ready to be held against it."""

    def __init__(self) -> None:
        self.whole = json.loads(json.dumps(document()))
        self._checks: dict[str, Any] = {}

    def says(self, path: str, method: str, answer: Answer) -> str:
        """What is wrong with an answer; empty where nothing is."""
        described = self.whole["paths"][path][method.lower()]["responses"]
        status = str(answer.status)
        if status not in described and not (status[0] == "4" and "4XX" in described):
            return f"status {status} is not in the document"
        content = described[status if status in described else "4XX"].get("content", {})
        kind = answer.headers.get("content-type", "").partition(";")[0]
        if content and kind not in content and "*/*" not in content:
            return f"status {status} comes as {kind}, not as {', '.join(content)}"
        schema = content.get(kind, {}).get("schema")
        if kind != JSON_TYPE or not schema:
            return ""
        key = f"{method} {path} {status if status in described else '4XX'}"
        if key not in self._checks:
            self._checks[key] = jsonschema_rs.validator_for({**schema, "components": self.whole["components"]})
        errors = list(self._checks[key].iter_errors(json.loads(answer.body)))
        return f"{errors[0].message[:200]} at {list(errors[0].instance_path)}" if errors else ""


def cases() -> SearchStrategy[Any]:
    """Requests to all routes, as the document allows them and otherwise."""
    schema = schemathesis.openapi.from_dict(document())
    modes = (*[GenerationMode.POSITIVE] * 3, GenerationMode.NEGATIVE)
    operations: list[Any] = [one.ok() for one in list[Any](schema.get_all_operations())]
    return st.one_of([one.as_strategy(generation_mode=mode) for one in operations for mode in modes])


def request(case: Any, asker: str, chance: random.Random, table: AskedTable, pictures: list[bytes]) -> Asked:
    """The request that a case asks for, fitted to the table or spoiled, as chance has it."""
    made = case.as_transport_kwargs()
    what: dict[str, Any] = {"query_string": made.get("params") or {}, "headers": {}}
    path = made["url"]
    if "seat" in (case.path_parameters or {}) and chance.random() < 0.8:
        path = case.path.replace("{seat}", str(chance.choice((1, 2, 2, 2, 3, 6, 0))))
    if case.method == "POST":
        what |= _body(case, made, chance, table, pictures)
    if chance.random() < 0.05:
        what["headers"] = dict(chance.choice(HEADERS))
    if chance.random() < 0.02:
        path += chance.choice(("/", "%00", "%ff", "/..", ";", "//"))
    if chance.random() < 0.03:
        what["query_string"] = chance.choice(
            ("%ff&since=%00", "since=1e9&frame=٣&at=-1", "&&=&a[]=1", "frame=" + "9" * 5000)
        )
    return Asked(asker, case.method, path, what)


def _body(
    case: Any, made: dict[str, Any], chance: random.Random, table: AskedTable, pictures: list[bytes]
) -> dict[str, Any]:
    if chance.random() < 0.03:
        data, kind = chance.choice(BODIES)
        return {"data": data, "content_type": kind}
    if case.path == "/api/camera-frame":
        whole = chance.choice(pictures)
        return {"data": damaged(chance, whole, chance.choice(pictures)), "content_type": "image/jpeg"}
    if "json" in made:
        body = made["json"]
        if isinstance(body, dict):
            body = dict(body)
            if chance.random() < 0.9:
                fit(body, chance, table)
            if chance.random() < 0.2:
                body = spoiled(body, chance)
        return {"data": json.dumps(body), "content_type": JSON_TYPE}
    data = made.get("data", b"")
    return {"data": data if isinstance(data, bytes) else str(data).encode(), "content_type": JSON_TYPE}


def fit(body: dict[str, Any], chance: random.Random, table: AskedTable) -> None:
    """Make what is sent fit the table as it stands, so that it is not refused before it comes to anything."""
    state = table.session.state
    deal, log = state.deal, range(max(1, state.seq - 12), state.seq + 1)
    position = None if deal is None else deal.position
    for name in set(body):
        if name == "seen":
            body[name] = state.seq if chance.random() < 0.95 else state.seq - 1
        elif name == "question" and deal is not None and deal.questions:
            body[name] = chance.choice(deal.questions).seq
            body["choice"] = chance.choice((0, 0, 1, 2, None))
        elif name == "target":
            body[name] = chance.choice(log)
        elif name == "line" and position is not None and chance.random() < 0.8:
            offered = _lines(position)
            body[name] = chance.choice(offered) if offered else "1 mate KH KS"
        elif name in ("was", "now"):
            body[name] = chance.choice("A23456789TJQK") + chance.choice("SHDC")
        elif name in ("cards", "table"):
            body[name] = " ".join(
                chance.choice("A23456789TJQK") + chance.choice("SHDC?") for _ in range(chance.choice((1, 8, 10, 12)))
            )
        elif name == "zones" and chance.random() < 0.5:
            edge = [chance.uniform(-0.2, 1.2) for _ in range(8)]
            body[name] = {chance.choice(("table", "pile 1", "seat 2")): [edge[i : i + 2] for i in range(0, 8, 2)]}
        elif name == "hands":
            body[name] = {str(seat): chance.randrange(0, 11) for seat in range(1, 5)}


def _lines(position: Position) -> list[str]:
    actions = () if position.over else position.legal_actions()
    return [str(action) for action in actions[:40]]


def spoiled(value: Any, chance: random.Random) -> Any:
    """The value with one of its parts, or itself, replaced by something hostile."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        name = chance.choice(sorted(value))
        return {**value, name: spoiled(value[name], chance)}
    if isinstance(value, list) and value and chance.random() < 0.6:
        place = chance.randrange(len(value))
        return [*value[:place], spoiled(value[place], chance), *value[place + 1 :]]
    return chance.choice(HOSTILE)


class _Failures(logging.Handler):
    """What the page wrote into its log of failures."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(f"{record.getMessage()} {logging.Formatter().formatException(record.exc_info or _NONE)}")


_NONE: Final = (None, None, None)


def run(count: int, start: int = 0, stop_at: float = float("inf")) -> Figures:
    """Ask ``count`` times, or until the clock stands at ``stop_at``; the same requests for the same ``start``."""
    figures, told, every = Figures(), _Document(), cases()
    pictures = list(whole_files().values())
    log, failures = logging.getLogger("mournival"), _Failures()
    propagated, log.propagate = log.propagate, False
    log.addHandler(failures)
    try:
        for place, (situation, number) in enumerate(_tables(count)):
            if time.monotonic() > stop_at:
                break
            print(f"\r{figures.requests} requests, {len(figures.wrong)} wrong   ", end="", file=sys.stderr, flush=True)
            with (
                tempfile.TemporaryDirectory(prefix="mournival-", dir=MEMORY) as at,
                asked_table(Path(at), situation) as table,
            ):
                _ask(table, situation, number, start + place, every, figures, told, pictures, failures)
    finally:
        log.removeHandler(failures)
        log.propagate = propagated
    return figures


def _tables(count: int) -> Iterator[tuple[str, int]]:
    """The situations in turn, each with the number of its requests."""
    names = list(SITUATIONS)
    a_table = min(A_TABLE, -(-count // len(names)))
    for place, done in enumerate(range(0, count, a_table)):
        yield names[place % len(names)], min(a_table, count - done)


def _ask(
    table: AskedTable, situation: str, number: int, start: int, every: SearchStrategy[Any], figures: Figures,
    told: _Document, pictures: list[bytes], failures: _Failures,
) -> None:  # fmt: skip
    chance = random.Random(start)
    left = number

    def one(case: Any) -> None:
        asked = request(case, chance.choice(WEIGHTED), chance, table, pictures)
        failures.texts.clear()
        answer = table.ask(asked.asker, asked.method, asked.path, **asked.what)
        figures.requests += 1
        figures.statuses[answer.status] += 1
        if answer.status < 300:
            figures.answered[f"{case.method} {case.path}"] += 1
            figures.changes += case.method == "POST"
        wrong = "" if _elsewhere(asked, case) else told.says(case.path, case.method, answer)
        if answer.status >= 500 and answer.status != 503:
            wrong = "".join(failures.texts) or f"status {answer.status}: {answer.body[:300]!r}"
        if wrong and len(figures.wrong) < 200:
            figures.wrong.append(f"{situation}, seed {start}: {asked}: {wrong}")
            print(f"\n{figures.wrong[-1]}", file=sys.stderr)

    @seed(start)
    @settings(
        max_examples=-(-number // FORMS),
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(every)
    def ask(case: Any) -> None:
        nonlocal left
        for _ in range(min(FORMS, left)):
            left -= 1
            one(case)

    ask()


def _elsewhere(asked: Asked, case: Any) -> bool:
    """Whether the address was spoiled so that it leads to no route, or to another one."""
    plain = case.as_transport_kwargs()["url"]
    return asked.path != plain and "{seat}" not in case.path


def main() -> int:
    """Ask, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0, help="of the first table")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long")
    options = parser.parse_args()
    begun = time.monotonic()
    figures = run(options.count, options.seed, begun + options.seconds)
    print(file=sys.stderr)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    told = {
        "requests": figures.requests,
        "changes": figures.changes,
        "wrong": len(figures.wrong),
        "statuses": dict(sorted(figures.statuses.items())),
        "routes_that_answered": len(figures.answered),
        "seconds": round(time.monotonic() - begun),
        "peak_megabytes": round(peak / 1024),
    }
    print(json.dumps(told))
    return 1 if figures.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
