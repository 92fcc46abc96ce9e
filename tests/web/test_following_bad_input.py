"""What cameras and tables do wrong while a deal is followed: it is told in one sentence, and nothing is lost."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from assistant.cards import UNKNOWN, Card
from assistant.events import ActionSeen, DealSeen, Event, Warned
from assistant.games import game_named
from assistant.record import parse_record
from assistant.signs.signs import Terms
from vision.frames import Frame, FrozenPicture
from vision.onnx_recogniser import OnnxRecogniser
from vision.recogniser import Image, Reading, Recogniser, Recognition
from vision.render.camera import Camera
from vision.render.film import Style, film, scene_of
from vision.render.packs import house_pack
from vision.render.stage import Lighting
from vision.zones import layout_from_json
from web.cli.watch import Result, Watcher, watch
from web.deal_script import script_of

HEAD = "game: laugh-and-lie-down\nplayers: 3\ndealer: 1\ntable: KS 7D 2C 9H QD 4S 8C 5H TD 3S\n"
LINES = ["2 mate KH KS", "3 mate 7C 7D"]
FPS = 4
DEALT, FIRST_DONE, SECOND_DONE = 48, 64, 80
"""Frames by which the pool lies and rests, and the actions are done."""


class Once:
    """The networks, which look at each picture only once however often it is shown."""

    def __init__(self) -> None:
        self.networks = OnnxRecogniser.load(threads=1)
        self.known: dict[int, tuple[Image, Recognition]] = {}

    def recognise(self, image: Image, *, one_pack: bool = True) -> Recognition:
        if id(image) not in self.known:
            self.known[id(image)] = image, self.networks.recognise(image, one_pack=one_pack)
        return self.known[id(image)][1]


@pytest.fixture(scope="module")
def reader() -> Once:
    return Once()


def filmed(
    seconds: float, size: tuple[int, int] = (1280, 720), other: Mapping[str, Any] | None = None
) -> tuple[list[Image], dict[str, Any]]:
    """A deal's beginning and its zones; ``other``: faces that some cards have instead of their own."""
    script, pack = script_of(parse_record(HEAD + "".join(f"{line}\n" for line in LINES))), house_pack()
    faces = {**pack.faces, **{Card.parse(name): face for name, face in (other or {}).items()}}
    camera = Camera(*size).holding_all()
    style = Style(camera=camera, fps=FPS, lighting=Lighting(noise=1.0), seed=3)
    shown = itertools.takewhile(lambda frame: frame.t <= seconds, film(script, faces, style, pack.back))
    return [frame.image for frame in shown], scene_of(script).layout(camera)


@pytest.fixture(scope="module")
def clip() -> tuple[list[Image], dict[str, Any]]:
    return filmed(21.5)


Clip = tuple[list[Image], dict[str, Any]]


def followed(
    pictures: Iterable[Image],
    zones: dict[str, Any] | None,
    recogniser: Recogniser,
    times: Sequence[float] | None = None,
    *,
    frozen: FrozenPicture | None = None,
) -> list[Event | Result]:
    layout = None if zones is None else layout_from_json(zones, 3)
    terms = Terms("laugh-and-lie-down", 3, 1)
    watcher = Watcher(game_named(terms.game), terms, recogniser, layout, frozen)
    told: list[Event | Result] = []
    for number, picture in enumerate(pictures):
        told += watcher.look(Frame(number, times[number] if times else number / FPS, picture))
    return [*told, *watcher.finish()]


def done(told: Iterable[Event | Result]) -> list[str]:
    return [str(one.action) for one in told if isinstance(one, ActionSeen)]


def warned(told: Iterable[Event | Result]) -> dict[str, str]:
    return {one.code: one.text for one in told if isinstance(one, Warned)}


def rested(pictures: Sequence[Image]) -> list[Image]:
    """The deal until it lies, which then rests for 15 seconds."""
    return [*pictures[:DEALT], *(pictures[DEALT + number % 4] for number in range(15 * FPS))]


def interrupted(clip: Clip, between: Sequence[Image]) -> list[Image]:
    pictures, _ = clip
    return [*pictures[:FIRST_DONE], *between, *pictures[FIRST_DONE:]]


def test_what_is_right_is_followed_without_a_warning(clip: Clip, reader: Once) -> None:
    told = followed(*clip, reader, frozen=FrozenPicture(live=False))
    assert done(told) == LINES
    assert not warned(told)


@pytest.mark.parametrize("colour", [(0, 0, 0), (200, 60, 20)])
def test_black_and_plain_pictures_are_told_and_take_nothing_away(
    colour: tuple[int, int, int], clip: Clip, reader: Once
) -> None:
    nothing = np.full_like(clip[0][0], colour)
    told = followed(interrupted(clip, [nothing] * 60), clip[1], reader)
    assert done(told) == LINES
    assert warned(told) == {
        "no-picture": "The camera shows nothing at all: uncover the lens, turn on a lamp and look at its cable."
    }


def test_a_camera_that_hangs_is_told_and_followed_on_when_it_goes_on(clip: Clip, reader: Once) -> None:
    for live in (True, False):
        pictures = interrupted(clip, [clip[0][FIRST_DONE - 1]] * 40)
        told = followed(pictures, clip[1], reader, frozen=FrozenPicture(live=live))
        assert done(told) == LINES
        assert warned(told) == {"frozen": "The camera gives the same picture again and again: plug it in anew."}


def test_a_recording_that_shows_no_noise_is_not_taken_for_a_camera_that_hangs() -> None:
    watch_for, still = FrozenPicture(live=False), np.zeros((8, 8, 3), np.uint8)
    pictures = [still] * 20 + [still + k for k in range(1, 41)] + [still] * 20 + [still + 1, still] * 4 + [still] * 60
    assert not any(watch_for.feed(Frame(k, k / 10, picture)) for k, picture in enumerate(pictures[:60]))
    assert FrozenPicture(live=True).feed(Frame(0, 0.0, still)) is False


def test_two_pictures_a_second_are_enough(clip: Clip, reader: Once) -> None:
    pictures, zones = clip
    times = [number / FPS for number in range(0, len(pictures), 2)]
    told = followed(pictures[::2], zones, reader, times)
    assert done(told) == LINES


def test_pictures_may_come_at_uneven_times(clip: Clip, reader: Once) -> None:
    pictures, zones = clip
    kept = [number for number in range(len(pictures)) if number % 7 not in (2, 3) and number % 11 != 5]
    told = followed([pictures[number] for number in kept], zones, reader, [number / FPS for number in kept])
    assert done(told) == LINES


def test_an_empty_table_for_minutes_is_only_waited_at(clip: Clip, reader: Once) -> None:
    pictures, zones = clip
    bare = pictures[:4]
    wait = [bare[number % 4] for number in range(180)]
    times = [*map(float, range(180)), *(180 + number / FPS for number in range(len(pictures)))]
    told = followed([*wait, *pictures], zones, reader, times)
    assert done(told) == LINES
    assert not warned(told)
    assert [type(one) for one in followed(wait, zones, reader, times)] == []


def test_a_table_that_is_seen_upside_down_is_followed(clip: Clip, reader: Once) -> None:
    """The camera stands at the far side: the zones, drawn in the picture, are turned with it."""
    pictures, zones = clip

    def turned(outline: list[list[float]]) -> list[list[float]]:
        return [[1 - x, 1 - y] for x, y in outline]

    seats = [{"seat": one["seat"], "pile": turned(one["pile"])} for one in zones["seats"]]
    upside_down = [np.ascontiguousarray(picture[::-1, ::-1]) for picture in pictures[: SECOND_DONE - 8]]
    told = followed(upside_down, {"table": turned(zones["table"]), "seats": seats}, reader)
    assert done(told) == LINES[:1]


def test_a_picture_that_stands_upright_is_followed(reader: Once) -> None:
    pictures, _ = filmed(18.0, size=(720, 1280))
    assert done(followed(pictures, None, reader)) == LINES[:1]


def test_a_very_large_picture_is_followed(clip: Clip, reader: Once) -> None:
    pictures, zones = clip
    times = [number / FPS for number in range(0, SECOND_DONE, 2)]
    large = [cv2.resize(picture, (3840, 2160)) for picture in pictures[:SECOND_DONE:2]]
    told = followed((np.asarray(picture, np.uint8) for picture in large), zones, reader, times)
    assert done(told)[:1] == LINES[:1]


def test_a_card_of_a_second_pack_is_told_by_its_name(reader: Once) -> None:
    pictures, zones = filmed(9.0, other={"9H": house_pack().faces[Card.parse("KS")]})
    told = followed(pictures, zones, reader)
    assert warned(told)["two-packs"] == (
        "KS lies on the table twice: play with one pack and take the other one's cards out."
    )
    assert not any(isinstance(one, DealSeen) for one in told)


def joker() -> Image:
    face = house_pack().faces[Card.parse("9H")].copy()
    face[face[..., 3] > 0, :3] = 250
    height, width = face.shape[:2]
    cv2.circle(face, (width // 2, height // 2), 90, (40, 40, 200, 255), -1)
    for number, letter in enumerate("JOKER"):
        cv2.putText(face, letter, (14, 60 + 44 * number), cv2.FONT_HERSHEY_SIMPLEX, 1.3, (20, 20, 20, 255), 4)
    return np.asarray(face, np.uint8)


def test_a_joker_is_told_and_lies_in_the_deal_as_a_card_that_nobody_can_read(reader: Once) -> None:
    pictures, zones = filmed(14.0, other={"9H": joker()})
    told = followed(rested(pictures), zones, reader)
    deal = next(one for one in told if isinstance(one, DealSeen))
    assert deal.setup.table.count(UNKNOWN) == 1
    unread = [str(one.text) for one in told if isinstance(one, Warned) and one.code == "unread-card"]
    assert unread[0].startswith("A card lies in the middle that can't be read: ")
    assert "joker" in unread[0]


class Drawn:
    """The reader beside whom a drawing shows cards that are ``high`` (shares of the picture's height)."""

    def __init__(self, reader: Once, high: float) -> None:
        self.reader = reader
        self.high = high

    def recognise(self, image: Image, *, one_pack: bool = True) -> Recognition:
        seen = self.reader.recognise(image)
        tall = self.high * image.shape[0]
        quad = np.array([[0, 0], [0.7, 0], [0.7, 1], [0, 1]], np.float32) * tall + (0.06 * image.shape[1], 300)
        return replace(seen, readings=(*seen.readings, Reading(Card.parse("AS"), 0.97, quad.astype(np.float32))))


@pytest.mark.parametrize("high", [0.03, 0.35])
def test_cards_in_a_drawing_are_no_cards_of_the_game(high: float, clip: Clip, reader: Once) -> None:
    pictures, zones = clip
    told = followed(pictures, zones, Drawn(reader, high))
    deal = next(one for one in told if isinstance(one, DealSeen))
    assert Card.parse("AS") not in deal.setup.table
    assert done(told) == LINES


def test_a_card_that_lies_beside_the_dealt_ones_is_told(clip: Clip, reader: Once) -> None:
    pictures, zones = clip
    still = [pictures[DEALT + number % 4] for number in range(60)]
    told = followed([*pictures[:DEALT], *still], zones, Drawn(reader, 0.137))
    assert not any(isinstance(one, DealSeen) for one in told)
    assert warned(told)["cards-beside"] == (
        "Beside the cards of the deal there is this: AS. Take that away to begin, unless a deal is under way already."
    )


def test_a_wrong_number_of_cards_is_told(reader: Once) -> None:
    pictures, zones = filmed(14.0, other={"4S": np.zeros((440, 315, 4), np.uint8)})
    told = followed(rested(pictures), zones, reader)
    assert not any(isinstance(one, DealSeen) for one in told)
    assert "10" in warned(told)["wrong-deal"]
    assert "9" in warned(told)["wrong-deal"]


def written(pictures: Sequence[Image], path: Path) -> None:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("h264", rate=FPS, options={"crf": "18", "g": "8"})
        stream.height, stream.width = pictures[0].shape[:2]
        stream.pix_fmt = "yuv420p"
        for picture in pictures:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
        container.mux(stream.encode())


def test_a_video_that_ends_in_the_middle_leaves_what_was_seen(clip: Clip, tmp_path: Path) -> None:
    pictures, zones = clip
    video, layout = tmp_path / "cut.mkv", tmp_path / "zones.json"
    written(pictures, video)
    video.write_bytes(video.read_bytes()[: int(0.85 * video.stat().st_size)])
    layout.write_text(json.dumps(zones))
    run = CliRunner().invoke(watch, [str(video), "--players", "3", "--layout", str(layout), "--json"])
    assert run.exit_code == 1
    assert "the video ends in the middle" in run.stderr
    assert len(run.stderr.strip().splitlines()) == 1
    last = json.loads(run.stdout.splitlines()[-1])
    assert (last["event"], last["settlement"], last["sure"]) == ("ended", None, True)
    assert list(map(str, parse_record(last["record"]).actions)) == LINES[: len(parse_record(last["record"]).actions)]
    assert "2 mate KH KS" in last["record"]


def test_a_clock_that_is_set_back_goes_on_from_where_it_was(clip: Clip, tmp_path: Path) -> None:
    from vision.file_sources import VideoSource

    small = [np.asarray(cv2.resize(picture, (320, 180)), np.uint8) for picture in clip[0][:24]]
    part, both = tmp_path / "part.ts", tmp_path / "both.ts"
    written(small, part)
    both.write_bytes(part.read_bytes() * 2)
    with VideoSource(both) as source:
        times = [frame.t for frame in source]
    steps = np.diff(times)
    assert len(times) >= 40
    assert (steps > 0).all()
    assert steps.max() < 1.0
