"""The film: its pictures show what its truth says."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import av
import numpy as np
import pytest

from assistant.cards import Card
from assistant.record import positions, record_of
from assistant.view import TABLE, Zone
from tests.vision.render_deals import SHORT, plain_faces, played_deal, script_of
from vision.render.camera import Camera
from vision.render.film import Frame, Style, film
from vision.render.habits import Habits
from vision.render.stage import Lighting
from vision.render.table_scene import TableScene
from vision.render.video import VideoNotWritten, beside, write_layout, write_video

STYLE = Style(camera=Camera(width=480, height=270), lighting=Lighting(noise=0.0), fps=5)


@cache
def short_film() -> tuple[Frame, ...]:
    return tuple(film(SHORT, plain_faces(), STYLE))


def zones(frame: Frame) -> dict[Card, Zone | None]:
    return {truth.card: truth.zone for truth in frame.cards}


def test_it_begins_with_the_empty_table_and_ends_with_all_swept() -> None:
    frames = short_film()
    assert frames[0].cards == ()
    assert set(zones(frames[-1]).values()) <= {Zone(1), Zone(2), Zone(3)}
    assert [done.words for frame in frames for done in frame.done if done.step is not None] == list(
        map(str, SHORT.steps)
    )


def test_when_an_action_is_done_the_cards_lie_where_the_rules_have_them() -> None:
    played = played_deal(5, 4)
    states = [position.observe() for position in positions(record_of(played))]
    style = replace(STYLE, camera=Camera(width=320, height=180), fps=4)
    checked = 0
    for frame in film(script_of(played), plain_faces(), style):
        lying = zones(frame)
        for done in frame.done:
            if done.step is None:
                continue
            state = states[done.step + 1]
            assert {card for card, zone in lying.items() if zone == TABLE} == set(state.table)
            for seat, pile in state.piles.items():
                assert {card for card, zone in lying.items() if zone == Zone(seat)} == set(pile)
            checked += 1
    assert checked == len(played.actions)


def test_the_picture_shows_each_free_card_where_the_truth_has_it() -> None:
    faces = plain_faces()
    compared = 0
    for frame in short_film()[::7]:
        if frame.hands:
            continue
        for truth in frame.cards:
            if truth.visible < 0.98:
                continue
            x, y = truth.quad.mean(axis=0)
            colour = frame.image[round(y), round(x)].astype(float)
            face = faces[truth.card][42, 30, :3][::-1].astype(float)
            assert np.dot(colour, face) / np.linalg.norm(colour) / np.linalg.norm(face) > 0.995
            compared += 1
    assert compared > 20


def test_a_hand_covers_cards_and_then_they_are_seen_again() -> None:
    frames = short_film()
    covered = [(frame.t, truth.card) for frame in frames if frame.hands for truth in frame.cards if truth.visible < 0.7]
    assert covered
    king = Card.parse("KC")
    shares = [truth.visible for frame in frames if not frame.hands for truth in frame.cards if truth.card == king]
    assert min(shares[:10]) > 0.97


def test_a_still_table_gives_the_same_picture_and_a_hand_another() -> None:
    frames = short_film()
    pairs = list(itertools.pairwise(frames))
    still = [(a, b) for a, b in pairs if not a.hands and not b.hands and a.cards is b.cards]
    moving = [(a, b) for a, b in pairs if a.hands and b.hands and zones(a) == zones(b)]
    assert all(np.array_equal(a.image, b.image) for a, b in still)
    assert sum(not np.array_equal(a.image, b.image) for a, b in moving) > 0.8 * len(moving) > 5


def test_noise_differs_from_frame_to_frame_but_not_from_run_to_run() -> None:
    noisy = replace(STYLE, lighting=Lighting(noise=2.0), camera=Camera(width=320, height=180))
    first, again = (
        [frame.image for _, frame in zip(range(3), film(SHORT, plain_faces(), noisy), strict=False)] for _ in "ab"
    )
    assert not np.array_equal(first[0], first[1])
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))


def test_a_bump_moves_the_quads_a_lamp_the_brightness_and_lost_frames_repeat() -> None:
    style = replace(STYLE, habits=Habits(bumps=1, lamps=1, drops=0.3))
    frames = list(film(SHORT, plain_faces(), style))
    happened = {done.words: done.t for frame in frames for done in frame.done if done.words in ("bump", "lamp")}
    assert set(happened) == {"bump", "lamp"}
    dark = np.mean([frame.image.mean() for frame in frames if frame.t > happened["lamp"] + 1])
    bright = np.mean([frame.image.mean() for frame in frames if frame.t < happened["lamp"]])
    assert dark < bright * 0.9
    assert sum(a.image is b.image for a, b in itertools.pairwise(frames)) > len(frames) * 0.15
    plain = {frame.t: frame for frame in short_film()}
    before, after = (
        max(
            (np.abs(a.quad - b.quad).max() for a, b in zip(frame.cards, plain[frame.t].cards, strict=False)),
            default=0.0,
        )
        for frame in (
            next(f for f in frames if 4 < f.t < happened["bump"]),
            next(f for f in frames if f.t > happened["bump"] + 1),
        )
    )
    assert before < 0.01
    assert after > 0.5


def test_a_thing_on_the_table_is_seen_and_hides_no_card() -> None:
    with_cup = next(film(SHORT, plain_faces(), replace(STYLE, habits=Habits(thing="cup")))).image
    bare = short_film()[0].image
    changed = np.any(with_cup != bare, axis=2)
    assert 0.01 < changed.mean() < 0.08


def test_a_video_is_written_with_truth_and_layout(tmp_path: Path) -> None:
    video = tmp_path / "short.mp4"
    frames = short_film()
    written = write_video(iter(frames), video, fps=5)
    with av.open(str(video)) as container:
        decoded = [frame.to_ndarray(format="bgr24") for frame in container.decode(video=0)]
    assert written.frames == len(decoded) == len(frames)
    assert float(np.abs(decoded[40].astype(int) - frames[40].image).mean()) < 6
    state: dict[str, str | None] = {}
    actions = []
    for line in map(json.loads, beside(video, ".truth.jsonl").read_text().splitlines()):
        if line["event"] == "cards":
            state.update({card["card"]: card["zone"] for card in line["cards"]})
        elif line["event"] == "action":
            actions.append(line["line"])
    assert actions == [str(step) for step in SHORT.steps]
    assert state == {str(card): str(zone) for card, zone in zones(frames[-1]).items()}
    layout = write_layout(video, TableScene(3).layout(STYLE.camera))
    assert json.loads(layout.read_text())["seats"][2]["seat"] == 3


def test_an_unwritable_video_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(VideoNotWritten, match=r"can't be written"):
        write_video(iter(short_film()), tmp_path / "no" / "such.mp4", fps=5)


def test_hunting_exposure_follows_the_hands() -> None:
    hunted = list(film(SHORT, plain_faces(), replace(STYLE, habits=Habits(exposure=1.0))))
    ratios = [a.image.mean() / b.image.mean() for a, b in zip(hunted, short_film(), strict=True)]
    assert ratios[0] == pytest.approx(1.0)
    assert min(ratios) < 0.85


def test_an_overlapping_card_leaves_the_index_of_the_other_free() -> None:
    frames = film(SHORT, plain_faces(), replace(STYLE, habits=Habits(overlap=1.0)))
    still = next(frame for frame in frames if any(done.words == "deal" for done in frame.done))
    shares = sorted(truth.visible for truth in still.cards)
    assert 0.15 < shares[0] < 0.5
    assert shares[-1] > 0.97
