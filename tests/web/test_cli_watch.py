"""``mournival watch``: a drawn deal from first frame to settlement, and calls that can't work."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from click.testing import Result as Run

from assistant.events import ActionSeen, DealSeen, Event, Noticed, Warned
from assistant.games.game import Action, Setup
from assistant.record import parse_record, replay
from assistant.signs.signs import Terms
from tests.scripted_play import GAME, cards, final, play, random_setup
from tests.scripted_table import SIZE, Noise, ScriptedTable, script_deal
from vision.frames import Frame
from vision.recogniser import Image, Reading, Recognition
from web.cli.watch import PICTURE_S, JsonLines, PlainLines, Remembering, Result, Warnings, Watcher, at_rest, watch


class Scripted:
    """A recogniser that reads the scripted table instead of the picture."""

    def __init__(self, table: ScriptedTable) -> None:
        self.table = table

    def recognise(self, image: Image, *, one_pack: bool = True) -> Recognition:
        shrink = image.shape[1] / SIZE[0]
        readings = (
            Reading(one.card, one.confidence, one.quad * np.float32(shrink), one.visible, one.others)
            for one in self.table.readings()
        )
        return Recognition(tuple(readings), 1.0)


def frames(table: ScriptedTable, rate: float = 8.0) -> Iterator[Frame]:
    for index, t in enumerate(table.moments(rate)):
        yield Frame(index, t, table.picture())


def watched(table: ScriptedTable, setup: Setup, *, layout: bool) -> tuple[Watcher, list[Event | Result]]:
    terms = Terms(GAME.name, setup.players, setup.dealer)
    watcher = Watcher(GAME, terms, Scripted(table), table.layout if layout else None)
    told = [entry for frame in frames(table) for entry in watcher.look(frame)]
    return watcher, [*told, *watcher.finish()]


@pytest.fixture(scope="module")
def deal() -> tuple[Setup, list[Event | Result], Watcher, dict[str, object]]:
    rng = random.Random(5)
    setup = random_setup(3, rng)
    actions = play(setup, rng)
    table = ScriptedTable(3, 5)
    script_deal(table, setup, actions)
    watcher, told = watched(table, setup, layout=True)
    return setup, told, watcher, dict(final(setup, actions).settlement() or {})


Told = tuple[Setup, list[Event | Result], Watcher, dict[str, object]]


def test_a_drawn_deal_is_followed_to_the_right_settlement(deal: Told) -> None:
    _, told, watcher, settlement = deal
    assert isinstance(told[0], DealSeen)
    assert isinstance(told[-1], Result)
    assert told[-1].settlement == settlement
    assert told[-1].sure
    assert watcher.settled == 1


def test_its_record_is_a_record_that_settles_alike(deal: Told) -> None:
    _, told, _, settlement = deal
    assert isinstance(told[-1], Result)
    played = replay(parse_record(told[-1].record))
    assert played.ok
    assert played.position.settlement() == settlement
    committed = [entry.action for entry in told if isinstance(entry, ActionSeen)]
    assert list(played.record.actions) == committed


def test_every_event_is_one_json_object_with_time_and_kind(deal: Told, capsys: pytest.CaptureFixture[str]) -> None:
    _, told, _, _ = deal
    out = JsonLines()
    for entry in told:
        out.tell(entry)
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(objects) == len(told)
    assert all({"t", "event"} <= set(one) for one in objects)
    assert [one["t"] for one in objects] == sorted(one["t"] for one in objects)
    assert objects[-1]["event"] == "settled"
    assert objects[-1]["settlement"]["sure"] is True
    assert any(one["event"] == "notice" for one in objects)
    action = next(one for one in objects if one["event"] == "action")
    assert set(action) == {"t", "event", "line", "confidence", "sure"}


def test_people_read_a_record_and_a_settlement(deal: Told, capsys: pytest.CaptureFixture[str]) -> None:
    _, told, _, _ = deal
    out = PlainLines()
    for entry in told:
        out.tell(entry)
    text = capsys.readouterr().out
    record, _, settlement = text.partition("\npot ")
    assert replay(parse_record(record)).position.over
    assert settlement.count("seat ") >= 3


def test_the_same_notice_is_not_told_twice_in_a_row(deal: Told) -> None:
    _, told, _, _ = deal
    notices = [
        (entry.notice.code, entry.notice.seats, entry.notice.cards) for entry in told if isinstance(entry, Noticed)
    ]
    assert len(notices) == len(set(notices))


def test_a_source_that_ends_early_leaves_a_record_and_no_settlement() -> None:
    setup = Setup(GAME.name, 3, 1, cards("KS 7D 2C 9H QD 4S 8C 5H TD 3S"))
    table = ScriptedTable(3, 1)
    table.deal(setup)
    watcher, told = watched(table, setup, layout=False)
    assert isinstance(told[-1], Result)
    assert told[-1].settlement is None
    assert parse_record(told[-1].record).setup.players == 3
    assert watcher.settled == 0


def test_where_the_table_shows_more_than_the_record_explains_nothing_is_sure() -> None:
    """The seat that is said to deal is another one than in truth: what is played is out of turn."""
    rng = random.Random(5)
    setup = random_setup(3, rng)
    table = ScriptedTable(3, 5)
    mates = [action for action in play(setup, rng) if action.verb == "mate"]
    script_deal(table, setup, mates[:1])
    watcher = Watcher(GAME, Terms(GAME.name, 3, setup.dealer % 3 + 1), Scripted(table), table.layout)
    told = [*(entry for frame in frames(table) for entry in watcher.look(frame)), *watcher.finish()]
    result = told[-1]
    assert isinstance(result, Result)
    assert result.settlement is None
    assert not result.sure
    assert "NOT SURE" in "".join(PlainLines()._lines(result))


def test_a_source_without_a_deal_says_so(tmp_path: Path) -> None:
    path = tmp_path / "bare.png"
    cv2.imwrite(str(path), np.full((360, 640, 3), (60, 110, 60), np.uint8))
    run = call(str(path))
    assert run.exit_code == 1
    assert "no deal was seen" in run.output


def test_single_pictures_stand_for_a_resting_table() -> None:
    setup = Setup(GAME.name, 3, 1, cards("KS 7D 2C 9H QD 4S 8C 5H TD 3S"))
    table = ScriptedTable(3, 2, noise=Noise(0.0, 0.0, 1.0, 0.0, 0.0))
    table.deal(setup)
    pictures: list[Frame] = []
    times = [table.t - 1]
    for line in ("2 mate KH KS", "3 mate 7C 7D"):
        table.act(Action.parse(line))
        times.append(table.t - 0.3)
    read: list[tuple[Image, Recognition]] = []
    for t in table.moments(10):
        if times and t >= times[0]:
            times.pop(0)
            pictures.append(Frame(len(pictures), PICTURE_S * len(pictures), table.picture()))
            read.append((pictures[-1].image, Scripted(table).recognise(pictures[-1].image)))
    recogniser = Remembering(FromList(read))
    watcher = Watcher(GAME, Terms(GAME.name, 3, 1), recogniser, None)
    told = [entry for frame in at_rest(pictures) for entry in watcher.look(frame)]
    assert [str(entry.action) for entry in told if isinstance(entry, ActionSeen)] == ["2 mate KH KS", "3 mate 7C 7D"]


class FromList:
    """A recogniser that knows some pictures, and gives each away only once."""

    def __init__(self, read: list[tuple[Image, Recognition]]) -> None:
        self.read = read

    def recognise(self, image: Image, *, one_pack: bool = True) -> Recognition:
        known, recognition = self.read.pop(0)
        assert known is image
        return recognition


class Pool:
    """A recogniser that sees ten cards while ``there``."""

    there = False

    def recognise(self, image: Image, *, one_pack: bool = True) -> Recognition:
        names = cards("KS 7D 2C 9H QD 4S 8C 5H TD 3S") if self.there else ()
        quads = [np.array([[x, 60], [x + 20, 60], [x + 20, 90], [x, 90]], np.float32) for x in range(80, 380, 30)]
        return Recognition(tuple(Reading(name, 0.98, quad) for name, quad in zip(names, quads, strict=False)), 1.0)


def test_the_next_deal_begins_when_the_table_was_cleared_and_the_next_seat_deals() -> None:
    rng = random.Random(3)
    setup = random_setup(3, rng)
    pool = Pool()
    watcher = Watcher(GAME, Terms(GAME.name, 3, 3), pool, None)
    watcher._position = final(setup, play(setup, rng, faults=0.0))
    told: list[Event | Result] = []
    plain = ScriptedTable(3, 1).picture()
    for number in range(80):
        pool.there = number > 40
        told += watcher.look(Frame(number, number / 8, plain))
    assert isinstance(told[1], Result)
    assert isinstance(told[-1], DealSeen)
    assert told[-1].setup.dealer == 1


def test_switched_on_in_the_middle_of_a_deal_it_says_what_to_do() -> None:
    watcher = Watcher(GAME, Terms(GAME.name, 3, 2), Pool(), None)
    shown = watcher._advised(Warned(3.0, "mid-deal", "Answer what is asked."))
    assert isinstance(shown, Warned)
    assert (shown.t, shown.code) == (3.0, "mid-deal")
    assert "start `mournival run`" in shown.text
    assert "seat 2 as its dealer" in shown.text
    assert watcher.under_way
    other = Warned(3.0, "cards-beside", "Take that away.")
    assert watcher._advised(other) is other


def test_warnings_are_given_when_they_last_and_not_again_and_again() -> None:
    warnings = Warnings()
    told = [warned.t for t in range(50) for warned in warnings.feed(float(t), ("blurred",))]
    assert told == [2.0]
    assert Warnings().feed(0.0, ("blurred",)) == []


def call(*words: str) -> Run:
    return CliRunner().invoke(watch, list(words))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["none.mp4"], "none.mp4"),
        (["none.mp4", "--players", "9"], "3 to 6"),
        (["none.mp4", "--dealer", "7"], "dealer"),
        (["none.mp4", "--game", "whist"], "whist"),
        (["none.mp4", "--options", "speed"], "speed"),
        (["none.mp4", "--options", "speed=9"], "speed"),
        (["none.mp4", "--layout", "none.json"], "none.json"),
    ],
)
def test_a_call_that_cannot_work_says_why_in_one_line(words: list[str], said: str) -> None:
    run = call(*words)
    assert run.exit_code == 2
    assert said in run.output
    assert len(run.output.strip().splitlines()) == 1


def test_a_layout_for_another_number_of_players_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "layout.json"
    path.write_text(json.dumps(ScriptedTable(4, 1).layout.as_json()))
    run = call("none.mp4", "--players", "3", "--layout", str(path))
    assert run.exit_code == 2
    assert "seats must be 1 to 3" in run.output


def test_a_file_that_is_no_video(tmp_path: Path) -> None:
    path = tmp_path / "table.mp4"
    path.write_text("no video")
    run = call(str(path))
    assert run.exit_code == 2
    assert "table.mp4" in run.output


def test_the_drawn_picture_is_a_picture() -> None:
    table = ScriptedTable(3, 1)
    assert cv2.Laplacian(table.picture(), cv2.CV_32F).var() > 10
