"""Paints the table: ground, lying cards, shadows, carried cards and hands, as one camera sees them.

Everything that lies still is painted once and kept; a frame with a hand paints only the hand and what it carries.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.cards import Card
from vision.render.camera import Camera
from vision.render.gesture import Back, LyingCard, Piece
from vision.render.ground import ground_picture, ground_plane
from vision.render.hands import HandPicture, Look, hand_picture
from vision.render.table_scene import Pose
from vision.render.things import SCALE as THING_SCALE
from vision.render.things import Thing

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

FINE = 2
"""Cards are warped this many times finer than the picture, then averaged down."""
COARSE = 4
"""Shadows and the map of what covers what are this many times coarser than the picture."""


@dataclass(frozen=True, slots=True)
class Arm:
    """A hand in the picture at one moment, and what it carries.

    ``x, y, z``: the fingertips' grip; ``angle`` the arm's direction. ``velocity``: millimetres a second. ``held``:
    the cards, lowest first, with their poses on the table. ``seat`` tells whose it is.
    """

    seat: int
    look: Look
    shape: str
    x: float
    y: float
    z: float
    angle: float
    velocity: tuple[float, float]
    held: tuple[tuple[Piece, Pose], ...] = ()


@dataclass(frozen=True, slots=True)
class _Patch:
    """A painted piece: its top left pixel, its colour times alpha, and what of the ground shows through."""

    x: int
    y: int
    colour: Image
    through: Image


@dataclass(frozen=True, slots=True)
class Lighting:
    """``angle``: where the light comes from, degrees clockwise from the far edge. ``slant``: how far a shadow
    falls for each millimetre of height. ``gradient``: how much brighter the lit side is. ``vignette``: how much
    darker the corners are. ``noise``: the deviation of the sensor's noise (of 255). ``colour``: what the light does
    to blue, green and red."""

    angle: float = -40.0
    slant: float = 0.55
    level: float = 0.98
    gradient: float = 0.22
    vignette: float = 0.16
    noise: float = 2.0
    colour: tuple[float, float, float] = (1.0, 1.0, 1.0)

    @property
    def away(self) -> tuple[float, float]:
        """The direction in which shadows fall."""
        turn = math.radians(self.angle)
        return -math.sin(turn), math.cos(turn)


class Stage:
    """One camera, one pack, one ground, one light."""

    def __init__(
        self,
        camera: Camera,
        faces: Mapping[Card, Image],
        *,
        ground: str = "felt-green",
        lighting: Lighting | None = None,
        seed: int = 0,
        shutter: float = 1 / 60,
        thing: tuple[Thing, Pose] | None = None,
        back: Image | None = None,
    ) -> None:
        """``faces``: RGBA pictures, each card filling its picture; ``back``: the same for cards that lie face down.

        ``shutter``: seconds, for motion blur.

        ``thing``: what stands on the table besides the cards, and where.
        """
        self.camera = camera
        self._thing = thing
        self._faces = faces
        self._back = back
        self._light = lighting or Lighting()
        self._shutter = shutter
        self._rng = np.random.default_rng(seed)
        self._shade = self._light_map()
        self._ground_picture = ground_picture(ground, seed)
        self._ground = self._painted_ground()
        self._noise = self._noise_banks()
        self._textures: dict[Piece | None, Image] = {}
        self._patches: dict[tuple[Piece, Pose], _Patch] = {}
        self._resting: tuple[LyingCard, ...] = ()
        self._still = self._ground.copy()

    # -- pictures ------------------------------------------------------------------------------------------------

    def move_camera(self, camera: Camera) -> None:
        """The camera stands elsewhere from now on."""
        self.camera = camera
        self._ground = self._painted_ground()
        self._still = self._ground.copy()
        self._resting = ()
        self._patches.clear()

    def paint(
        self, resting: Sequence[LyingCard], arms: Sequence[Arm], gain: tuple[float, float, float] = (1.0, 1.0, 1.0)
    ) -> Image:
        """The picture without the sensor's noise. ``gain``: what the light does to blue, green and red."""
        picture = self._painted(tuple(resting), arms)
        gains = np.array(gain, np.float32) * np.array(self._light.colour, np.float32)
        if np.all(gains == 1.0):
            return picture
        levels = np.arange(256, dtype=np.float32)[:, None] * gains
        table = np.clip(levels, 0, 255).astype(np.uint8).reshape(1, 256, 3)
        return np.asarray(cv2.LUT(picture, table), np.uint8)

    def _painted(self, resting: tuple[LyingCard, ...], arms: Sequence[Arm]) -> Image:
        self._lay_out(resting)
        if not arms:
            return self._still
        picture = self._still.copy()
        for arm in arms:
            self._drop_shadow(picture, arm)
        for arm in arms:
            blur = self._blur(arm)
            for card, pose in arm.held:
                _blend(picture, _blurred(self._card_patch(card, pose), blur))
            hand = self._hand_patch(arm)
            if hand is not None:
                _blend(picture, _blurred(hand, blur))
        return picture

    def with_noise(self, picture: Image) -> Image:
        """The picture with fresh noise."""
        plus, minus = self._noise
        height, width = picture.shape[:2]
        x, y = (int(value) for value in self._rng.integers(0, plus.shape[1] - width, 2))
        y %= plus.shape[0] - height
        brighter = cv2.add(picture, plus[y : y + height, x : x + width])
        return np.asarray(cv2.subtract(brighter, minus[y : y + height, x : x + width]), np.uint8)

    def visible(self, resting: Sequence[LyingCard], arms: Sequence[Arm]) -> tuple[list[float], list[float]]:
        """For each lying card and each held card (arm by arm), the share of its outline in the picture's view."""
        camera = self.camera
        owners = np.zeros((camera.height // COARSE, camera.width // COARSE), np.uint8)
        held = [(card, pose) for arm in arms for card, pose in arm.held]
        poses = [*(lying.pose for lying in resting), *(pose for _, pose in held)]
        areas = []
        for number, pose in enumerate(poses, 1):
            quad = self.quad(pose)
            cv2.fillConvexPoly(owners, np.round(quad / COARSE * 16).astype(np.int32), number, shift=4)
            areas.append(max(1.0, float(cv2.contourArea(quad.astype(np.float32))) / COARSE**2))
        for arm in arms:
            owners[self._hand_mask(arm) > 127] = 0
        counts = np.bincount(owners.ravel(), minlength=len(areas) + 1)[1:]
        shares = [min(1.0, float(count) / area) for count, area in zip(counts, areas, strict=False)]
        return shares[: len(resting)], shares[len(resting) :]

    def hand_in_view(self, arm: Arm) -> bool:
        """Whether any of the arm or of what it carries is in the picture."""
        if int(np.count_nonzero(self._hand_mask(arm) > 127)) > 3:
            return True
        frame = np.array([self.camera.width, self.camera.height])
        return any(bool(np.any(np.all((q > 0) & (q < frame), axis=1))) for q in (self.quad(p) for _, p in arm.held))

    def quad(self, pose: Pose) -> Floats:
        """A card's corners in pixels (4 x 2), clockwise from its own top left."""
        return self.camera.project(pose.outline())

    # -- what lies still -----------------------------------------------------------------------------------------

    def _lay_out(self, resting: tuple[LyingCard, ...]) -> None:
        if resting is self._resting or resting == self._resting:
            return
        kept = len(self._resting)
        if resting[:kept] == self._resting:
            fresh = resting[kept:]
            self._still = self._still.copy()
        else:
            fresh = resting
            self._still = self._ground.copy()
        for lying in fresh:
            key = (lying.card, lying.pose)
            patch = self._patches.get(key)
            if patch is None:
                patch = self._patches[key] = self._card_patch(*key)
            _blend(self._still, patch)
        self._resting = resting

    def _light_map(self) -> npt.NDArray[np.float32]:
        height, width = self.camera.height, self.camera.width
        ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
        across, along = (xs - width / 2) / width, (ys - height / 2) / width
        away = self._light.away
        slope = -(across * away[0] + along * away[1]) * self._light.gradient
        far = (across**2 + along**2) / (0.25 + 0.25 * (height / width) ** 2)
        light: npt.NDArray[np.float32] = (self._light.level * (1 + slope) * (1 - self._light.vignette * far)).astype(
            np.float32
        )
        return light

    def _painted_ground(self) -> Image:
        onto = self.camera.plane() @ ground_plane()
        size = (self.camera.width, self.camera.height)
        seen = cv2.warpPerspective(
            self._ground_picture, onto, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
        )
        painted: Image = np.clip(seen * self._shade[..., None], 0, 255).astype(np.uint8)
        if self._thing is not None:
            self._stand(painted, *self._thing)
        return painted

    def _stand(self, picture: Image, thing: Thing, pose: Pose) -> None:
        """Paints a thing and its shadow."""
        height, width = thing.pixels.shape[:2]
        away, fall = self._light.away, thing.height * self._light.slant
        size = (self.camera.width, self.camera.height)
        for level, slip, pixels in ((0.0, fall, np.zeros_like(thing.pixels)), (thing.height, 0.0, thing.pixels)):
            placed = Pose(pose.x + away[0] * slip, pose.y + away[1] * slip, pose.angle, level)
            outline = self.camera.project(placed.outline(width / THING_SCALE, height / THING_SCALE))
            corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
            onto = cv2.getPerspectiveTransform(corners, outline.astype(np.float32))
            if slip:
                pixels[..., 3] = thing.pixels[..., 3] // 2
            seen = cv2.warpPerspective(pixels, onto, size)
            if slip:
                seen = cv2.GaussianBlur(seen, (0, 0), 5)
            through = _threefold(np.asarray(255 - seen[..., 3], np.uint8))
            shade = np.clip(seen[..., :3] * self._shade[..., None], 0, 255).astype(np.uint8)
            _blend(picture, _Patch(0, 0, shade, through))

    def _noise_banks(self) -> tuple[Image, Image]:
        shape = (self.camera.height + 64, self.camera.width + 64, 3)
        grain = self._rng.standard_normal(shape, dtype=np.float32) * 0.6
        grain += self._rng.standard_normal((*shape[:2], 1), dtype=np.float32) * 0.8
        grain = np.round(cv2.GaussianBlur(grain, (0, 0), 0.6) * 1.6 * self._light.noise)
        return np.clip(grain, 0, 255).astype(np.uint8), np.clip(-grain, 0, 255).astype(np.uint8)

    # -- pieces --------------------------------------------------------------------------------------------------

    def _texture(self, piece: Piece, down: bool) -> Image:
        """A face, or the back, as BGRA times alpha, about FINE times as large as it is seen."""
        card = None if down or isinstance(piece, Back) else piece
        texture = self._textures.get(card)
        if texture is None:
            face = self._back if card is None else self._faces[card]
            if face is None:
                raise ValueError("a card lies face down, and the pack has no back")
            seen = self.quad(Pose(0, 0, 0))
            width = int(min(face.shape[1], FINE * np.linalg.norm(seen[1] - seen[0]) * 1.1))
            height = round(face.shape[0] * width / face.shape[1])
            bgra = cv2.cvtColor(face, cv2.COLOR_RGBA2BGRA).astype(np.float32)
            bgra[..., :3] *= bgra[..., 3:] / 255
            bgra[..., :3] *= np.array([0.91, 0.94, 0.95], np.float32)
            texture = cv2.resize(bgra, (width, height), interpolation=cv2.INTER_AREA).astype(np.uint8)
            self._textures[card] = texture
        return texture

    def _card_patch(self, card: Piece, pose: Pose) -> _Patch:
        """The card with the narrow shadow at its edges."""
        texture = self._texture(card, pose.down)
        quad = self.quad(pose)
        x0, y0 = (int(value) - 9 for value in np.floor(quad.min(axis=0)))
        x1, y1 = (int(value) + 10 for value in np.ceil(quad.max(axis=0)))
        size = (x1 - x0, y1 - y0)
        height, width = texture.shape[:2]
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        onto = cv2.getPerspectiveTransform(corners, ((quad - [x0, y0]) * FINE).astype(np.float32))
        fine = cv2.warpPerspective(texture, onto, (size[0] * FINE, size[1] * FINE), flags=cv2.INTER_LINEAR)
        seen = cv2.resize(fine, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        shade = self._shade[max(0, y0) : max(1, y1), max(0, x0) : max(1, x1)]
        level = cv2.resize(shade, size) if shade.size else np.full((size[1], size[0]), 0.7, np.float32)
        alpha = seen[..., 3] / 255
        away = self._light.away
        slip = np.array([[1, 0, away[0] * 2.2], [0, 1, away[1] * 2.2]])
        shadow = cv2.GaussianBlur(cv2.warpAffine(alpha, slip, size), (0, 0), 2.2) * 0.45
        through = (1 - alpha) * (1 - shadow)
        return _patch(x0, y0, seen[..., :3] * level[..., None], through)

    def _hand_picture(self, arm: Arm) -> HandPicture:
        light = round((self._light.angle - arm.angle) / 15) * 15
        return hand_picture(arm.look, arm.shape, light, arm.look.left)

    def _hand_patch(self, arm: Arm) -> _Patch | None:
        picture = self._hand_picture(arm).pixels
        onto = self.camera.plane(arm.z + 12) @ HandPicture.plane(arm.x, arm.y, arm.angle, arm.look.left, arm.look.size)
        corners = np.array(
            [[[0, 0], [picture.shape[1], 0], [picture.shape[1], picture.shape[0]], [0, picture.shape[0]]]]
        )
        seen = cv2.perspectiveTransform(corners.astype(np.float64), onto)[0]
        x0, y0 = (max(-60, int(value)) for value in np.floor(seen.min(axis=0)))
        x1 = min(self.camera.width + 60, int(seen[:, 0].max()) + 1)
        y1 = min(self.camera.height + 60, int(seen[:, 1].max()) + 1)
        if x1 <= x0 or y1 <= y0:
            return None
        shift = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]], np.float64)
        warped = cv2.warpPerspective(picture, shift @ onto, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
        top = self.camera.plane(arm.z) @ np.array([arm.x, arm.y, 1.0])
        column = int(np.clip(top[0] / top[2], 0, self.camera.width - 1))
        row = int(np.clip(top[1] / top[2], 0, self.camera.height - 1))
        colour = cv2.convertScaleAbs(warped[..., :3], alpha=float(self._shade[row, column]))
        through = np.asarray(255 - warped[..., 3], np.uint8)
        return _Patch(x0, y0, np.asarray(colour, np.uint8), _threefold(through))

    def _hand_mask(self, arm: Arm, z: float | None = None, dx: float = 0.0, dy: float = 0.0) -> Image:
        """The arm's alpha, COARSE times smaller than the picture."""
        pixels = self._hand_picture(arm).pixels
        level = arm.z + 12 if z is None else z
        onto = self.camera.plane(level) @ HandPicture.plane(
            arm.x + dx, arm.y + dy, arm.angle, arm.look.left, arm.look.size
        )
        smaller = np.diag([1 / COARSE, 1 / COARSE, 1.0]) @ onto
        size = (self.camera.width // COARSE, self.camera.height // COARSE)
        return np.asarray(cv2.warpPerspective(pixels[..., 3], smaller, size, flags=cv2.INTER_NEAREST), np.uint8)

    def _drop_shadow(self, picture: Image, arm: Arm) -> None:
        """The shadow that the arm and its cards throw on the table."""
        fall = self._light.slant
        away = self._light.away
        reach = (arm.z + 16) * fall
        mask = self._hand_mask(arm, 0.0, away[0] * reach, away[1] * reach)
        for _, pose in arm.held:
            thrown = Pose(pose.x + away[0] * pose.z * fall, pose.y + away[1] * pose.z * fall, pose.angle)
            cv2.fillConvexPoly(mask, np.round(self.quad(thrown) / COARSE * 16).astype(np.int32), 255, shift=4)
        rows, columns = np.nonzero(mask.any(axis=1))[0], np.nonzero(mask.any(axis=0))[0]
        if not len(rows):
            return
        pad = 8
        y0, y1 = max(0, rows[0] - pad), min(mask.shape[0], rows[-1] + pad)
        x0, x1 = max(0, columns[0] - pad), min(mask.shape[1], columns[-1] + pad)
        soft = cv2.GaussianBlur(mask[y0:y1, x0:x1], (0, 0), 1.2 + (arm.z + 8) * 0.07)
        keep = cv2.resize(255 - (soft * 0.42).astype(np.uint8), None, fx=COARSE, fy=COARSE)
        region = picture[y0 * COARSE : y1 * COARSE, x0 * COARSE : x1 * COARSE]
        cv2.multiply(
            region, _threefold(np.asarray(keep, np.uint8))[: region.shape[0], : region.shape[1]], region, 1 / 255
        )

    def _blur(self, arm: Arm) -> tuple[float, float]:
        """How far the arm moves in the picture while the shutter is open (pixels)."""
        step = np.array([arm.velocity[0], arm.velocity[1]]) * self._shutter
        ends = self.camera.project(np.array([[arm.x, arm.y, arm.z], [arm.x + step[0], arm.y + step[1], arm.z]]))
        way = ends[1] - ends[0]
        return float(way[0]), float(way[1])


def _threefold(layer: Image) -> Image:
    return np.asarray(cv2.merge([layer, layer, layer]), np.uint8)


def _patch(x: int, y: int, colour: npt.NDArray[np.float32], through: npt.NDArray[np.float32]) -> _Patch:
    clear = np.clip(through * 255, 0, 255).astype(np.uint8)
    return _Patch(x, y, np.clip(colour, 0, 255).astype(np.uint8), _threefold(clear))


def _blurred(patch: _Patch, way: tuple[float, float]) -> _Patch:
    """The patch smeared along its way."""
    length = math.hypot(*way)
    if length < 2.5:
        return patch
    copies = min(9, 2 + int(length / 3))
    pad = int(length / 2) + 2
    height, width = patch.colour.shape[:2]
    colour = np.zeros((height + 2 * pad, width + 2 * pad, 3), np.float32)
    cover = np.zeros(colour.shape[:2], np.float32)
    layers = ((colour, patch.colour), (cover, np.ascontiguousarray(255 - patch.through[..., 0])))
    for share in np.linspace(-0.5, 0.5, copies):
        y, x = round(pad + share * way[1]), round(pad + share * way[0])
        for total, layer in layers:
            cv2.accumulate(layer, total[y : y + height, x : x + width])
    smeared = cv2.convertScaleAbs(colour, alpha=1 / copies)
    through = cv2.bitwise_not(cv2.convertScaleAbs(cover, alpha=1 / copies))
    return _Patch(
        patch.x - pad, patch.y - pad, np.asarray(smeared, np.uint8), _threefold(np.asarray(through, np.uint8))
    )


def _blend(picture: Image, patch: _Patch) -> None:
    """Lays the patch over the picture, in place; what lies outside is cut off."""
    height, width = picture.shape[:2]
    x0, y0 = max(0, patch.x), max(0, patch.y)
    x1, y1 = min(width, patch.x + patch.colour.shape[1]), min(height, patch.y + patch.colour.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    part = (slice(y0 - patch.y, y1 - patch.y), slice(x0 - patch.x, x1 - patch.x))
    region = picture[y0:y1, x0:x1]
    cv2.multiply(region, patch.through[part], region, 1 / 255)
    cv2.add(region, patch.colour[part], region)
