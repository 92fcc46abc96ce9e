"""Pictures that show nothing: black ones (a lens with its cover on, a lamp put out) and ones of a single colour (what
drivers give for a camera that sends nothing).

They must not be looked at further: where all is alike, every card looks as if it were gone.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.recogniser import Image

_SIZE: Final = (32, 24)
_BLACK, _FAINT = 24.0, 10.0
"""Nothing is brighter than this, and nothing stands out from the rest by more."""
_FLAT: Final = 1.5
_OTHER_COLOUR: Final = 24.0


class BlankPictures:
    """Tells pictures that show nothing from those of one camera that show a table; ``blank`` for each, in order.

    >>> watch, table = BlankPictures(), np.full((48, 64, 3), (60, 110, 60), np.uint8)
    >>> watch.blank(table), watch.blank(table * 0), watch.blank(np.full_like(table, 200)), watch.blank(table)
    (False, True, True, False)
    """

    def __init__(self) -> None:
        self._colour: npt.NDArray[np.float32] | None = None

    def blank(self, image: Image) -> bool:
        """Whether a BGR picture shows nothing. A single colour is a bare table if the pictures before had it, too."""
        step = max(1, image.shape[1] // 640)
        small = cv2.resize(image[::step, ::step], _SIZE, interpolation=cv2.INTER_AREA).astype(np.float32)
        points = small.reshape(-1, 3)
        dark, light = np.percentile(points.max(axis=1), (2, 98))
        if light < _BLACK and light - dark < _FAINT:
            return True
        colour = np.asarray(np.median(points, axis=0), np.float32)
        if float(points.std(axis=0).max()) < _FLAT and self._colour is not None:
            return float(np.abs(colour - self._colour).max()) > _OTHER_COLOUR
        self._colour = colour
        return False
