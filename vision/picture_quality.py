"""What is wrong with a picture as a whole, in words that a person can act on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision import geometry
from vision.geometry import Floats
from vision.recogniser import Image

ADVICE: Final[dict[str, str]] = {
    "too-dark": "too dark: turn on a lamp or turn it towards the table",
    "too-bright": "too bright: parts of the picture are white; turn the lamp away or shade the table",
    "blurred": "blurred: wipe the lens, hold the camera still, or let it focus on the table",
    "too-far": "the cards are small in the picture: move the camera closer",
}
"""What each warning says to the user."""

_DARK, _GLARE_SHARE, _BLURRED, _FEW_PIXELS = 40.0, 0.25, 12.0, 40.0


def picture_warnings(image: Image, quads: Sequence[Floats]) -> tuple[str, ...]:
    """Codes of what is wrong with a BGR picture in which cards with these quads (4 x 2 px) were found."""
    shrink = max(image.shape[:2]) / 480
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA) if shrink > 1 else grey
    codes = []
    if float(np.percentile(small, 90)) < _DARK * 1.6 and float(small.mean()) < _DARK:
        codes.append("too-dark")
    if float((small > 252).mean()) > _GLARE_SHARE:
        codes.append("too-bright")
    if float(cv2.Laplacian(small, cv2.CV_32F).var()) < _BLURRED:
        codes.append("blurred")
    if quads and float(np.median([geometry.side_lengths(quad)[0] for quad in quads])) < _FEW_PIXELS:
        codes.append("too-far")
    return tuple(codes)
