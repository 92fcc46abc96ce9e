"""The classical baseline reads what it is made for: cards that lie apart, in fair light, of a pack like the house's."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from assistant.cards import PACK, Card
from tests.baselines.contours_and_templates import CARD, TemplateRecogniser, card_quads, find_index
from vision import geometry
from vision.recogniser import Image
from vision.render.packs import house_pack
from vision.render.spread import cloth, lay, rows

HALF = len(PACK) // 2


@pytest.fixture(scope="module")
def recogniser() -> TemplateRecogniser:
    return TemplateRecogniser()


@pytest.mark.parametrize("part", [PACK[:HALF], PACK[HALF:]], ids=["first half", "second half"])
def test_it_reads_cards_that_lie_apart(recogniser: TemplateRecogniser, part: tuple[Card, ...]) -> None:
    picture = rows(house_pack(), part, 1000, 1280, 7)
    readings = recogniser.recognise(picture).readings
    assert sorted(str(reading.card) for reading in readings) == sorted(str(card) for card in part)


@pytest.mark.parametrize("degrees", [0, 45, 90, 160, 250])
def test_it_reads_a_card_whichever_way_it_lies(recogniser: TemplateRecogniser, degrees: float) -> None:
    picture = cloth(480, 640)
    quad = lay(picture, house_pack(), Card.parse("9H"), (320, 240), 260, degrees)
    (reading,) = recogniser.recognise(picture).readings
    assert reading.card == Card.parse("9H")
    assert geometry.overlap(reading.quad, quad) > 0.95


def test_it_reads_a_card_seen_at_a_slant(recogniser: TemplateRecogniser) -> None:
    picture = cloth(480, 640)
    lay(picture, house_pack(), Card.parse("QC"), (320, 240), 300)
    before = np.array([[0, 0], [640, 0], [640, 480], [0, 480]], np.float32)
    after = np.array([[80, 40], [560, 40], [640, 440], [0, 440]], np.float32)
    slanted = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(before, after), (640, 480))
    (reading,) = recogniser.recognise(np.asarray(slanted, np.uint8)).readings
    assert reading.card == Card.parse("QC")


def test_a_card_cut_out_is_read_from_border_to_border(recogniser: TemplateRecogniser) -> None:
    face = house_pack().faces[Card.parse("7S")]
    picture: Image = np.where(face[..., 3:] > 0, face[..., 2::-1], 255).astype(np.uint8)
    assert [reading.card for reading in recogniser.recognise(picture).readings] == [Card.parse("7S")]


def test_bare_cloth_and_blank_paper_hold_no_card(recogniser: TemplateRecogniser) -> None:
    picture = cloth(480, 640)
    assert recogniser.recognise(picture).readings == ()
    cv2.rectangle(picture, (200, 100), (400, 380), (250, 250, 250), -1)
    assert len(card_quads(picture)) > 0
    assert recogniser.recognise(picture).readings == ()


def test_a_corner_without_ink_has_no_index() -> None:
    assert find_index(np.full((CARD[1], CARD[0], 3), 240, np.uint8)) is None
