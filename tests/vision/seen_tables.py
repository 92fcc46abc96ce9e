"""Cards on a table as a pinhole camera sees them: outlines in fractions of the picture, and what is true of them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.render.camera import Camera
from vision.render.table_scene import Pose
from vision.table_plane import TablePlane, mapped, rigid

Floats = npt.NDArray[np.float64]


def poses(count: int, seed: int, across: float = 330.0, along: float = 190.0) -> list[Pose]:
    rng = np.random.default_rng(seed)
    return [
        Pose(float(rng.uniform(-across, across)), float(rng.uniform(-along, along)), float(rng.uniform(0, 360)))
        for _ in range(count)
    ]


def outline(camera: Camera, pose: Pose, width: float = 63.0) -> Floats:
    """The card's corners as the camera sees them, fractions of the picture."""
    return np.asarray(camera.project(pose.outline(width)) / (camera.width, camera.height))


def misjudged(quad: Floats, share: float, rng: np.random.Generator) -> Floats:
    """The outline as a recogniser has it that judges by the indices: size, shape and place are off by ``share``."""
    middle = quad.mean(axis=0)
    wide, high = quad[1] - quad[0], quad[3] - quad[0]
    scale = rng.normal(1, share, 2)
    corners = [(-scale[0], -scale[1]), (scale[0], -scale[1]), (scale[0], scale[1]), (-scale[0], scale[1])]
    drawn = np.array([middle + a * wide / 2 + b * high / 2 for a, b in corners])
    return np.asarray(drawn + rng.normal(0, share / 3, (4, 1)) * wide + rng.normal(0, share / 3, 2) * high)


def plane_error(plane: TablePlane, camera: Camera) -> tuple[float, float]:
    """How far off (mm, in the mean and at most) the plane is over nearly the whole picture, turn and shift aside."""
    spots = np.array([(x, y) for x in np.linspace(0.1, 0.9, 9) for y in np.linspace(0.1, 0.9, 7)])
    matrix = np.diag([1 / camera.width, 1 / camera.height, 1.0]) @ camera.plane()
    true, found = mapped(np.asarray(np.linalg.inv(matrix)), spots), plane.to_table(spots)
    off = np.linalg.norm(mapped(rigid(found, true), found) - true, axis=1)
    return float(off.mean()), float(off.max())
