"""A pinhole camera over the table.

Table coordinates are millimetres: x to the picture's right, y towards the near edge of the picture, z up from the
table. Pictures have x to the right and y down, in pixels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """Where the camera stands and how it looks.

    ``width``, ``height``: the picture in pixels. ``focal``: the focal length as a share of the picture's width (1.1
    is a common webcam). ``distance``: millimetres from the lens to the point that it looks at. ``tilt``: degrees
    away from looking straight down, towards the near edge. ``turn``: degrees of turn about the line of sight.
    ``aim``: the table point in the middle of the picture.

    >>> tuple(round(float(value)) for value in Camera().project(np.array([[0.0, 0.0, 0.0]]))[0])
    (960, 540)
    """

    width: int = 1920
    height: int = 1080
    focal: float = 1.1
    distance: float = 1055.0
    tilt: float = 20.0
    turn: float = 0.0
    aim: tuple[float, float] = (0.0, 0.0)

    @cached_property
    def matrix(self) -> Floats:
        """The 3 x 4 projection from table points (x, y, z, 1) to picture points (homogeneous)."""
        tilt, turn = math.radians(self.tilt), math.radians(self.turn)
        right = np.array([1.0, 0.0, 0.0])
        down = np.array([0.0, math.cos(tilt), -math.sin(tilt)])
        forward = np.array([0.0, -math.sin(tilt), -math.cos(tilt)])
        rolled_right = math.cos(turn) * right + math.sin(turn) * down
        rolled_down = -math.sin(turn) * right + math.cos(turn) * down
        axes = np.stack([rolled_right, rolled_down, forward])
        eye = np.array([self.aim[0], self.aim[1], 0.0]) - self.distance * forward
        focal = self.focal * self.width
        inner = np.array([[focal, 0.0, self.width / 2], [0.0, focal, self.height / 2], [0.0, 0.0, 1.0]])
        return np.asarray(inner @ np.column_stack([axes, -axes @ eye]))

    def holding_all(self) -> Camera:
        """The camera moved away until the picture holds the whole table, whatever its shape and tilt."""
        needed = np.array([[x * 440.0, y, 0.0] for x in (-1.0, 1.0) for y in (-284.0, 250.0)])
        camera = self
        while True:
            seen = camera.project(needed)
            if seen.min() >= 0 and np.all(seen <= [camera.width, camera.height]):
                return camera
            camera = replace(camera, distance=camera.distance * 1.01)

    def project(self, points: Floats) -> Floats:
        """Picture points (n x 2) of table points (n x 3, millimetres)."""
        seen = np.column_stack([points, np.ones(len(points))]) @ self.matrix.T
        return np.asarray(seen[:, :2] / seen[:, 2:])

    def plane(self, z: float = 0.0) -> Floats:
        """The 3 x 3 homography from (x, y, 1) on the level plane at height z to the picture."""
        return np.column_stack([self.matrix[:, 0], self.matrix[:, 1], self.matrix[:, 2] * z + self.matrix[:, 3]])
