"""Pictures of hands as players hold them before a camera: fans of the house pack, drawn here."""

from __future__ import annotations

from collections.abc import Sequence

import cv2

from assistant.cards import Card
from vision.recogniser import Image
from vision.render.packs import house_pack
from vision.render.spread import cloth, lay


def fan(cards: Sequence[Card], *, width: int = 1280, height: int = 720, first: int = 0) -> Image:
    """A hand spread in a fan, its first card lowest; ``first``: how many cards of it are hidden, from the left."""
    picture = cloth(height, width)
    middle, step = (len(cards) - 1) / 2, min(62.0, (width - 400) / max(1, len(cards)))
    for place, card in enumerate(cards):
        if place >= first:
            turn = place - middle
            centre = (width / 2 + step * turn, height / 2 + 30 + 2.6 * turn**2)
            lay(picture, house_pack(), card, centre, 0.42 * height, 4.4 * turn)
    return picture


def jpeg(picture: Image) -> bytes:
    """The picture as a browser sends it."""
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
    assert done
    return data.tobytes()
