"""What is wrong with a picture as a whole, in words that a person can act on.

Judged by the cards where any are seen, because a dark cloth is no fault and a dark card is; else by the whole picture.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from assistant.cards import Card
from assistant.told import Told, later, tell
from vision import geometry
from vision.geometry import Floats
from vision.recogniser import Image


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, as a plain sentence without its stop, and what to do about it."""

    says: str
    advice: str


FAULTS: Final[dict[str, Fault]] = {
    "too-dark": Fault(later("The picture is too dark"), later("turn on a lamp or turn it towards the table")),
    "too-bright": Fault(
        later("The picture is too bright, print is washed out"), later("turn the lamp away or shade the table")
    ),
    "blurred": Fault(
        later("The picture is blurred"), later("wipe the lens, hold the camera still, or let it focus on the table")
    ),
    "glare": Fault(
        later("Light shines back from the cards"), later("move the lamp to the side or the camera a little")
    ),
    "too-far": Fault(
        later("The cards are small in the picture"), later("move the camera closer or choose a larger picture")
    ),
    "no-picture": Fault(
        later("The camera shows nothing at all"), later("uncover the lens, turn on a lamp and look at its cable")
    ),
    "frozen": Fault(later("The camera gives the same picture again and again"), later("plug it in anew")),
    "two-packs": Fault(
        later("The same card lies on the table twice"), later("play with one pack and take the other one's cards out")
    ),
    "unread-card": Fault(
        later("A card lies in the middle that can't be read"),
        later("turn it face up or straighten it; take it out if it is a joker"),
    ),
    "camera-moved": Fault(
        later("The camera or the table was moved"), later("see whether the zones still fit, or draw them anew")
    ),
}
"""Every warning by its code. The codes are stable."""

LEAST_HEIGHT: Final = 70
"""Cards lower than this, in px, are read badly: their letters are 4 px high."""

_SEEN: Final = 8  # so many cards tell enough about the picture
_CARD = (64, 90)
_DARK_PAPER, _DARK_PICTURE = 55.0, 40.0
_WHITE, _WASHED_OUT, _WHITE_SHARE = 250, 135.0, 0.35
_GLARE = (0.05, 0.6)
_ROUND, _RIM, _DULL_PAPER = 0.8, 212.0, 222.0
_BLUR_OF_CARD, _BLUR_PX, _BLUR_PICTURE = 0.0135, 1.25, 2.4
_SHARP_CARD, _SHARP_PICTURE = 160, 640
_OWN_BLUR: Final = 0.7  # against noise
_ASPECT: Final = 88 / 63


def sentence(code: str, quads: Sequence[Floats] = (), twice: Sequence[Card] = ()) -> Told:
    """A warning's code in words; ``quads`` are the outlines of the cards that were seen (4 x 2 px), ``twice`` those
    cards that lie there twice.

    >>> sentence("too-dark")
    'The picture is too dark: turn on a lamp or turn it towards the table.'
    >>> sentence("too-far", [np.array([[0, 0], [30, 0], [30, 42], [0, 42]], np.float32)])[:71]
    'The cards are 42 px high in the picture and should be 70 or more: move '
    """
    fault = FAULTS[code]
    says = tell(fault.says)
    if code == "too-far" and quads:
        says = tell(
            "The cards are {height} px high in the picture and should be {least} or more",
            height=round(_height(quads)),
            least=LEAST_HEIGHT,
        )
    if code == "two-packs" and twice:
        says = tell("{card} lies on the table twice", card=twice[0])
    return tell("{says}: {advice}.", says=says, advice=tell(fault.advice))


def picture_warnings(image: Image, quads: Sequence[Floats]) -> tuple[str, ...]:
    """Codes (keys of ``FAULTS``) of what is wrong with a BGR picture in which cards with these quads were found."""
    return _judged_by_cards(image, quads) if quads else _judged_as_a_whole(image)


def _judged_by_cards(image: Image, quads: Sequence[Floats]) -> tuple[str, ...]:
    chosen = [quads[k] for k in np.unique(np.linspace(0, len(quads) - 1, _SEEN).astype(int))]
    cards = [_straight(image, quad) for quad in chosen]
    grey = np.stack([_grey(card) for card in cards]).reshape(len(cards), -1)
    paper, print_ = np.median(np.percentile(grey, (75, 2), axis=1), axis=1)
    height, blurred = _height(quads), _cards_are_blurred(image, chosen)
    # Where most paper is white already, or all is soft, a lamp's spot can't be told from the rest.
    glare_shows = not blurred and height >= LEAST_HEIGHT and (paper < _WHITE - 2 or len(cards) < 3)
    found = {
        "too-dark": paper < _DARK_PAPER,
        "too-bright": paper >= _WHITE and print_ > _WASHED_OUT,
        "blurred": blurred,
        "glare": glare_shows and any(_glares(card) for card in cards),
        "too-far": height < LEAST_HEIGHT,
    }
    return tuple(code for code, wrong in found.items() if wrong)


def _judged_as_a_whole(image: Image) -> tuple[str, ...]:
    grey = _shrunk(_grey(image), _SHARP_PICTURE / max(image.shape[:2]))
    spread = edge_spread(grey)
    found = {
        "too-dark": float(np.percentile(grey, 97)) < 1.6 * _DARK_PICTURE and float(grey.mean()) < _DARK_PICTURE,
        "too-bright": float((grey > _WHITE).mean()) > _WHITE_SHARE,
        "blurred": spread is not None and spread > _BLUR_PICTURE,
    }
    return tuple(code for code, wrong in found.items() if wrong)


def _height(quads: Sequence[Floats]) -> float:
    """How high (px) a card of the same area would be, seen from straight above; the median of all."""
    return math.sqrt(float(np.median([geometry.area(quad) for quad in quads])) * _ASPECT)


def _straight(image: Image, quad: Floats) -> Image:
    width, height = _CARD
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), corners)
    return np.asarray(cv2.warpPerspective(image, matrix, _CARD, flags=cv2.INTER_LINEAR), np.uint8)


def _glares(card: Image) -> bool:
    """Whether a lamp is mirrored in a card: a round spot, white in all channels, that fades out on paper that is not.

    White paper in a bright picture has print in it and ends suddenly, at print and at the card's edge.
    """
    least = card.min(axis=2)
    white = _opened(least >= _WHITE)
    outlines, _ = cv2.findContours(white.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return False
    outline = max(outlines, key=cv2.contourArea)
    spot = white & (cv2.drawContours(np.zeros(white.shape, np.uint8), [outline], 0, 1, -1) == 1)
    hull = cv2.contourArea(cv2.convexHull(outline))
    if not _GLARE[0] < float(spot.mean()) < _GLARE[1] or float(spot.sum()) < _ROUND * hull:
        return False
    rim = least[_grown(spot, 5) & ~white]
    around = least[~_grown(white, 15)]
    fades = float(np.median(rim)) > _RIM
    return fades and around.size > 0.05 * least.size and float(np.percentile(around, 80)) < _DULL_PAPER


def _opened(mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)) == 1)


def _grown(mask: npt.NDArray[np.bool_], by: int) -> npt.NDArray[np.bool_]:
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((by, by), np.uint8)) == 1)


def _cards_are_blurred(image: Image, quads: Sequence[Floats]) -> bool:
    """Whether the edges of most cards are wider than a stroke of their letters."""
    spreads = []
    for quad in quads:
        tall = _height([quad])
        low = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 4, 0)
        high = np.ceil(quad.max(axis=0)).astype(int) + 4
        part = image[low[1] : high[1], low[0] : high[0]]
        if min(part.shape[:2], default=0) < 12:
            continue
        grey = _shrunk(_grey(part), _SHARP_CARD / tall)
        spread = edge_spread(grey)
        if spread is not None:
            spreads.append(float(spread > max(_BLUR_PX, _BLUR_OF_CARD * min(tall, _SHARP_CARD))))
    return bool(spreads) and sum(spreads) > 0.5 * len(spreads)


def edge_spread(grey: npt.NDArray[np.uint8]) -> float | None:
    """How wide the sharpest edges of a grey picture are: the sigma (px, at most about 5) of the blur they have seen.

    An edge of contrast c that a Gaussian of width s has blurred is c / (s sqrt(2 pi)) steep. Edges of four directions
    are judged apart and the worst counts, because a camera that shakes blurs across its way only. None where there are
    no clear edges to judge by.
    """
    soft = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), _OWN_BLUR)
    x, y = cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=1 / 8)
    steep = np.hypot(x, y)
    window = np.ones((11, 11), np.uint8)
    bytes_ = soft.astype(np.uint8)  # much quicker in large windows
    contrast = cv2.subtract(cv2.dilate(bytes_, window), cv2.erode(bytes_, window)).astype(np.float32)
    clear = contrast > max(45.0, 0.6 * float(np.percentile(contrast, 97)))
    # The steepest points of the edges themselves, without the grain beside them.
    ridge = clear & (steep >= cv2.dilate(steep, np.ones((3, 3), np.uint8))) & (steep > 0.4 * cv2.dilate(steep, window))
    spread = contrast[ridge] / (steep[ridge] * math.sqrt(2 * math.pi))
    way = np.floor((np.arctan2(y[ridge], x[ridge]) / math.pi % 1) * 4 + 0.5).astype(int) % 4
    worst = 0.0
    for k in range(4):
        of_way = spread[way == k]
        if len(of_way) >= max(12, 0.1 * len(spread)):
            worst = max(worst, float(np.percentile(of_way, 15)))
    return math.sqrt(max(worst**2 - _OWN_BLUR**2, 0.0)) if worst else None


def _grey(image: Image) -> npt.NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def _shrunk(grey: npt.NDArray[np.uint8], scale: float) -> npt.NDArray[np.uint8]:
    if scale >= 1:
        return grey
    size = (max(1, round(grey.shape[1] * scale)), max(1, round(grey.shape[0] * scale)))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
