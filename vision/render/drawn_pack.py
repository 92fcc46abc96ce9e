"""Packs drawn at random: type, pips, colours, courts and grounds as varied as makers' packs are.

``draw_pack(seed)`` gives the same pack for the same seed, installed fonts and lenders. Lengths are in millimetres
of a card 88 mm high unless they say otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from assistant.cards import PACK, RANKS, SUITS, Card
from vision.render.court_figures import Colour, Palette, Picture, draw_figure, recolour
from vision.render.index_fonts import BUNDLED, FontName, draw_rank, pick_font
from vision.render.packs import Face, Pack
from vision.render.suit_shapes import Mask, SuitShapes

HEIGHT: Final = 504
"""Height of a face in pixels."""
TALL: Final = 88.0
"""Height of a card in millimetres."""
MM: Final = HEIGHT / TALL
"""Pixels in a millimetre."""

LEFT, MIDDLE, RIGHT = -1, 0, 1
PIPS: Final[Mapping[str, tuple[tuple[int, float], ...]]] = MappingProxyType(
    {
        "2": ((0, 0), (0, 1)),
        "3": ((0, 0), (0, 0.5), (0, 1)),
        "4": ((-1, 0), (1, 0), (-1, 1), (1, 1)),
        "5": ((-1, 0), (1, 0), (0, 0.5), (-1, 1), (1, 1)),
        "6": ((-1, 0), (1, 0), (-1, 0.5), (1, 0.5), (-1, 1), (1, 1)),
        "7": ((-1, 0), (1, 0), (0, 0.25), (-1, 0.5), (1, 0.5), (-1, 1), (1, 1)),
        "8": ((-1, 0), (1, 0), (0, 0.25), (-1, 0.5), (1, 0.5), (0, 0.75), (-1, 1), (1, 1)),
        "9": ((-1, 0), (1, 0), (-1, 1 / 3), (1, 1 / 3), (0, 0.5), (-1, 2 / 3), (1, 2 / 3), (-1, 1), (1, 1)),
        "T": (
            *((-1, 0), (1, 0), (0, 1 / 6), (-1, 1 / 3), (1, 1 / 3)),
            *((-1, 2 / 3), (1, 2 / 3), (0, 5 / 6), (-1, 1), (1, 1)),
        ),
    }
)
"""Where the pips of a number card stand: column (left -1, middle 0, right 1) and row (0 top to 1 bottom)."""

LETTERS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "english": {},
        "german": {"J": "B", "Q": "D"},
        "french": {"A": "1", "J": "V", "Q": "D", "K": "R"},
        "russian": {"A": "Т", "J": "В", "Q": "Д", "K": "К"},
    }
)
"""What stands in an index instead of A, J, Q, K, by tradition. No letter means two ranks, so one network reads all.

Dutch packs print a V on the queen, which is a jack in French packs: they need the pack to be learned.
"""


@dataclass(frozen=True, slots=True, eq=False)
class CourtArt:
    """A pack that lends its court figures. ``box``: left, top, right, bottom of the figure as shares of the card."""

    name: str
    licence: str
    faces: Mapping[Card, Face]
    box: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Style:
    """What one maker chose for a pack; lengths in millimetres, see ``Style.random`` for ranges."""

    width: int
    font: FontName
    letter_width: float
    weight: float
    kern: float
    rank_height: float
    suit_height: float
    index_gap: float
    beside: bool
    margin: tuple[float, float]
    indices: int
    inks: Mapping[str, Colour]
    shapes: SuitShapes
    pip_height: float
    pip_column: float
    pip_top: float
    edged: bool
    one_pip: bool
    ace_scale: float
    ornate_ace: bool
    court_pip: float
    frame: Colour | None
    frame_wide: float
    courts: str
    ground: Colour
    texture: str
    border: Colour | None
    corner: float
    letters: str

    @classmethod
    def random(
        cls, rng: np.random.Generator, lent: bool, letters: str | None = None, fonts: Sequence[FontName] = ()
    ) -> Style:
        """Draw a style: about half with the small indices of a poker pack, the rest up to jumbo.

        ``letters`` is a tradition of ``LETTERS``; by default most packs are English. ``fonts``: as in ``pick_font``.
        """
        large = rng.random() < 0.45
        rank_height = rng.uniform(7.0, 15.0) if large else rng.uniform(4.6, 7.5)
        beside = bool(large and rng.random() < 0.08)
        grounds: tuple[Colour, ...] = (
            (255, 255, 255),
            (252, 251, 247),
            (250, 246, 232),
            (238, 240, 244),
            (244, 234, 214),
        )
        chosen = letters or str(rng.choice(list(LETTERS), p=[0.76, 0.1, 0.07, 0.07]))
        inks, font = _draw_inks(rng), pick_font(rng, "".join(LETTERS[chosen].values()), fonts)
        frames: tuple[Colour | None, ...] = ((30, 60, 150), (20, 20, 20), (180, 30, 40), inks["S"], None)
        return cls(
            width=int(rng.choice([361, 361, 355, 330, 326])),
            font=font,
            letter_width=rng.uniform(0.48, 0.85),
            weight=max(0.0, rng.uniform(-0.03, 0.03)) + (0.03 if "Light" in font else 0.0),
            kern=rng.uniform(-0.02, 0.1),
            rank_height=rank_height,
            suit_height=rank_height * rng.uniform(0.55, 1.0),
            index_gap=rank_height * rng.uniform(0.08, 0.28),
            beside=beside,
            margin=(rng.uniform(1.6, 3.6), rng.uniform(2.2, 5.5)),
            indices=4 if not beside and rank_height < 9 and rng.random() < 0.3 else 2,
            inks=inks,
            shapes=SuitShapes.random(rng),
            pip_height=rng.uniform(8, 14) if large else rng.uniform(10, 16.5),
            pip_column=rng.uniform(0.28, 0.35),
            pip_top=rng.uniform(0.125, 0.2),
            edged=bool(rng.random() < 0.06),
            one_pip=bool(rng.random() < 0.04),
            ace_scale=rng.uniform(1.0, 2.6),
            ornate_ace=bool(rng.random() < 0.6),
            court_pip=rng.uniform(7, 13) if rng.random() < 0.8 else 0.0,
            frame=frames[int(rng.choice(5, p=[0.35, 0.25, 0.08, 0.12, 0.2]))],
            frame_wide=rng.uniform(0.15, 0.45),
            courts=str(rng.choice(["lent", "figures", "letters"], p=[0.72, 0.24, 0.04] if lent else [0.0, 0.95, 0.05])),
            ground=grounds[int(rng.choice(5, p=[0.45, 0.25, 0.12, 0.1, 0.08]))],
            texture=str(rng.choice(["plain", "linen", "shade", "dots"], p=[0.6, 0.25, 0.1, 0.05])),
            border=None if rng.random() < 0.92 else inks[str(rng.choice(list(SUITS)))],
            corner=rng.uniform(2.6, 4.2),
            letters=chosen,
        )


def _draw_inks(rng: np.random.Generator) -> Mapping[str, Colour]:
    """The colour of each suit: red and black, or four colours with blue or orange diamonds and green clubs."""

    def ink(hue: float, saturation: float, value: float) -> Colour:
        pixel = cv2.cvtColor(np.array([[(hue % 180, saturation, value)]], np.uint8), cv2.COLOR_HSV2RGB)[0, 0]
        return int(pixel[0]), int(pixel[1]), int(pixel[2])

    red = ink(rng.normal(178.5, 3.5), rng.uniform(190, 255), rng.uniform(165, 245))
    black = ink(rng.uniform(100, 130), rng.uniform(0, 90), rng.uniform(0, 62))
    inks = {"S": black, "H": red, "D": red, "C": black}
    if rng.random() < 0.18:
        inks["C"] = ink(rng.uniform(55, 78), rng.uniform(170, 255), rng.uniform(85, 150))
        inks["D"] = ink(rng.uniform(102, 122), rng.uniform(170, 255), rng.uniform(120, 230))
        if rng.random() < 0.2:
            inks["D"] = ink(rng.uniform(9, 17), rng.uniform(200, 255), rng.uniform(220, 250))
    return MappingProxyType(inks)


class _Press:
    """Prints the faces of one style. Positions are pixels from the top left of the card."""

    def __init__(self, style: Style, rng: np.random.Generator, lender: CourtArt | None) -> None:
        self.style, self.rng, self.lender = style, rng, lender
        self.palette = Palette.random(rng)
        self.lent_seed, self.figure_seed = (int(seed) for seed in rng.integers(1 << 31, size=2))
        self.width = style.width
        self.ranks = {rank: self._rank_mask(rank) for rank in RANKS}
        self.suits = {suit: style.shapes.mask(suit, round(style.suit_height * MM)) for suit in SUITS}
        self.tail = max(self.ranks[rank].shape[0] for rank in "AJQK") - round(style.rank_height * MM)
        self.blank = self._lay_ground()
        self.edge = _round_mask(style.width, HEIGHT, style.corner * MM)
        self.wide = max(mask.shape[1] for mask in (*self.ranks.values(), *self.suits.values()))
        self.index_right = round(style.margin[0] * MM) + self.wide
        if style.beside:
            self.index_right += round(MM) + max(mask.shape[1] for mask in self.suits.values())

    def _rank_mask(self, rank: str) -> Mask:
        style, height = self.style, round(self.style.rank_height * MM)
        letter = draw_rank("K", style.font, height, 1.0, weight=style.weight)
        width = float(np.clip(style.letter_width * height / letter.shape[1], 0.45, 1.15))
        text = "10" if rank == "T" else LETTERS[style.letters].get(rank, rank)
        mask = draw_rank(text, style.font, height, width, weight=style.weight, kern=style.kern)
        most = round(height * style.letter_width * 1.3)
        if rank == "T" and mask.shape[1] > most:
            mask = np.asarray(cv2.resize(mask, (most, mask.shape[0]), interpolation=cv2.INTER_AREA), np.uint8)
        return mask

    def _lay_ground(self) -> Picture:
        style = self.style
        blank = np.full((HEIGHT, self.width, 3), style.ground, np.float32)
        y, x = np.mgrid[0:HEIGHT, 0 : self.width].astype(np.float32)
        if style.texture == "linen":
            pitch = float(self.rng.uniform(2.5, 4.0))
            weave = np.sin(x * 2 * np.pi / pitch) + np.sin(y * 2 * np.pi / pitch)
            blank *= (1 + 0.012 * weave)[..., None]
        elif style.texture == "shade":
            blank *= (1 - 0.1 * np.hypot(x / self.width - 0.5, y / HEIGHT - 0.5) ** 1.5)[..., None]
        elif style.texture == "dots":
            pitch = int(self.rng.integers(9, 20))
            spots = np.hypot(x % pitch - pitch / 2, y % pitch - pitch / 2) < pitch * 0.2
            blank *= (1 - 0.05 * spots)[..., None]
        ground = np.clip(blank, 0, 255).astype(np.uint8)
        if style.border is not None:
            inset = round(self.rng.uniform(0.8, 1.6) * MM)
            cv2.rectangle(
                ground, (inset, inset), (self.width - 1 - inset, HEIGHT - 1 - inset), style.border, 2, cv2.LINE_AA
            )
        return ground

    def stamp(self, face: Picture, mask: Mask, x: float, y: float, ink: Colour, *, turned: bool = False) -> None:
        """Print a mask centred at x, y; ``turned`` upside down."""
        shape = mask[::-1, ::-1] if turned else mask
        top, left = round(y - shape.shape[0] / 2), round(x - shape.shape[1] / 2)
        down, across = slice(max(top, 0), top + shape.shape[0]), slice(max(left, 0), left + shape.shape[1])
        part = face[down, across]
        cover = shape[max(-top, 0) :, max(-left, 0) :][: part.shape[0], : part.shape[1], None].astype(np.float32) / 255
        part[:] = np.rint(part * (1 - cover) + np.array(ink, np.float32) * cover).astype(np.uint8)

    def pip(self, face: Picture, suit: str, height: float, x: float, y: float, *, turned: bool = False) -> None:
        """Print a suit sign ``height`` mm high."""
        mask, ink = self.style.shapes.mask(suit, max(4, round(height * MM))), self.style.inks[suit]
        self.stamp(face, mask, x, y, ink, turned=turned)
        if self.style.edged and height > 6:
            inner = cv2.erode(mask, np.ones((3, 3), np.uint8))
            light = tuple(min(255, int(v * 1.1 + 40)) for v in ink)
            self.stamp(face, np.asarray(inner, np.uint8), x, y, (light[0], light[1], light[2]), turned=turned)

    def index(self, face: Picture, card: Card, *, clear: bool) -> None:
        """Print the corner indices; ``clear`` takes away what is printed beneath them."""
        for ahead in (False, True) if self.style.indices == 4 else (False,):
            for turned in (False, True):
                self._corner(face, card, right=ahead, turned=turned, clear=clear)

    def _corner(self, face: Picture, card: Card, *, right: bool, turned: bool, clear: bool) -> None:
        style = self.style
        rank, suit = self.ranks[card.rank], self.suits[card.suit]
        x, top = style.margin[0] * MM + self.wide / 2, style.margin[1] * MM
        tall = style.rank_height * MM
        rank_at = (x, top + rank.shape[0] / 2)
        suit_at = (x, top + tall + max(style.index_gap * MM, self.tail) + suit.shape[0] / 2)
        if style.beside:
            suit_at = (style.margin[0] * MM + self.wide + MM + suit.shape[1] / 2, top + tall / 2)
        bottom = max(suit_at[1] + suit.shape[0] / 2, rank_at[1] + rank.shape[0] / 2)
        if clear:
            pad = 1.0 * MM
            patch = np.full(
                (round(bottom - top + 2 * pad), round(self.index_right - style.margin[0] * MM + 2 * pad)), 255
            )
            middle = (self.index_right + style.margin[0] * MM) / 2, (top + bottom) / 2
            self.stamp(face, patch.astype(np.uint8), *self._corner_place(*middle, right, turned), style.ground)
        for mask, place in ((rank, rank_at), (suit, suit_at)):
            self.stamp(face, mask, *self._corner_place(*place, right, turned), style.inks[card.suit], turned=turned)

    def _corner_place(self, x: float, y: float, right: bool, turned: bool) -> tuple[float, float]:
        if right:
            x = self.width - x
        return (self.width - x, HEIGHT - y) if turned else (x, y)

    def number(self, card: Card) -> Picture:
        """A two to a ten."""
        style, face = self.style, self.blank.copy()
        if style.one_pip:
            self.pip(face, card.suit, style.pip_height * 2.4, self.width / 2, HEIGHT / 2)
        else:
            beside = style.beside
            column = self.width * style.pip_column
            if not beside:
                room = self.width * 0.43 - self.index_right - 0.6 * MM
                column = max(column, self.index_right + (0.6 + min(style.pip_height, room / MM) * 0.5) * MM)
                column = min(column, self.width * 0.43)
            apart = min(self.width / 2 - column, HEIGHT * 0.28) / MM
            free = apart if beside else min(apart, 2 * ((column - self.index_right) / MM - 0.6))
            height = float(np.clip(style.pip_height, 4.5, max(4.5, free)))
            top = max(style.pip_top * HEIGHT, (height / 2 + 2) * MM)
            if beside:
                top = max(top, (style.margin[1] + style.rank_height + 1 + height / 2) * MM)
            for side, row in PIPS[card.rank]:
                x, y = self.width / 2 + side * (self.width / 2 - column), top + row * (HEIGHT - 2 * top)
                self.pip(face, card.suit, height, x, y, turned=row > 0.51)
        self.index(face, card, clear=False)
        return face

    def ace(self, card: Card) -> Picture:
        """An ace; the spade may be large and ornate."""
        style, face = self.style, self.blank.copy()
        centre = (self.width / 2, HEIGHT / 2)
        if card.suit == "S" and style.ornate_ace:
            ink, size = style.inks["S"], float(min(46, style.pip_height * 3))
            for share, colour in ((1.0, ink), (0.88, style.ground), (0.8, ink), (0.34, style.ground), (0.24, ink)):
                self.pip_in(face, "S", size * share, *centre, colour)
        else:
            self.pip(face, card.suit, style.pip_height * style.ace_scale, *centre)
        self.index(face, card, clear=False)
        return face

    def pip_in(self, face: Picture, suit: str, height: float, x: float, y: float, ink: Colour) -> None:
        """Print a suit sign in another ink."""
        self.stamp(face, self.style.shapes.mask(suit, max(4, round(height * MM))), x, y, ink)

    def court(self, card: Card) -> Picture:
        """A jack, queen or king."""
        style, face = self.style, self.blank.copy()
        if style.courts == "letters":
            letter = draw_rank(LETTERS[style.letters].get(card.rank, card.rank), style.font, round(26 * MM), 0.9)
            self.stamp(face, letter, self.width / 2, HEIGHT / 2, style.inks[card.suit])
            self.index(face, card, clear=False)
            return face
        left = self.index_right + round(0.8 * MM)
        clear = left > self.width * 0.24
        if clear:
            left = round(self.width * 0.14)
        left, top = max(left, round(self.width * 0.13)), round(HEIGHT * 0.095)
        right, bottom = self.width - left, HEIGHT - top
        pips = bool(style.court_pip) and not clear
        face[top:bottom, left:right] = self._figure(card, (right - left, bottom - top), inked_anew=pips)
        if style.frame is not None:
            thick = max(1, round(style.frame_wide * MM))
            cv2.rectangle(face, (left, top), (right - 1, bottom - 1), style.frame, thick, cv2.LINE_AA)
        if pips:
            self._court_pips(face, card, left, top)
        self.index(face, card, clear=clear)
        return face

    def _court_pips(self, face: Picture, card: Card, left: int, top: int) -> None:
        """The suit sign beside each head, on a little ground of its own so that it stands out."""
        height = self.style.court_pip
        halo = self.style.shapes.mask(card.suit, round((height + 1.6) * MM))
        x, y = left + halo.shape[1] / 2 + 0.4 * MM, top + halo.shape[0] / 2 + 0.4 * MM
        for turned in (False, True):
            place = (self.width - x, HEIGHT - y) if turned else (x, y)
            self.stamp(face, halo, *place, self.style.ground, turned=turned)
            self.pip(face, card.suit, height, *place, turned=turned)

    def _figure(self, card: Card, size: tuple[int, int], *, inked_anew: bool) -> Picture:
        """The figure of a court; only where its suit signs are printed over may it be ``inked_anew``."""
        number = RANKS.index(card.rank) * 4 + SUITS.index(card.suit)
        if self.style.courts == "figures" or self.lender is None:
            chance = np.random.default_rng([self.figure_seed, number])
            return draw_figure(card.rank, size, self.style.ground, self.palette, chance)
        face = self.lender.faces[card]
        tall, wide = face.shape[:2]
        left, top, right, bottom = self.lender.box
        crop = face[round(top * tall) : round(bottom * tall), round(left * wide) : round(right * wide)].astype(
            np.float32
        )
        flat = crop[..., :3] * (crop[..., 3:] / 255) + 255 * (1 - crop[..., 3:] / 255)
        figure = cv2.resize(np.clip(flat, 0, 255).astype(np.uint8), size, interpolation=cv2.INTER_AREA)
        if inked_anew:
            figure = recolour(np.asarray(figure, np.uint8), np.random.default_rng(self.lent_seed))
        tint = np.array(self.style.ground, np.float32) / 255
        return np.asarray(np.rint(figure * tint), np.uint8)

    def finish(self, face: Picture) -> Face:
        """Give a printed face the grain of print, and its round corners."""
        grain = self.rng.normal(0, 1.6, face.shape[:2]).astype(np.float32)[..., None]
        inked = np.clip(face.astype(np.float32) + grain, 0, 255).astype(np.uint8)
        return np.dstack([inked, self.edge])


def _round_mask(width: int, height: int, radius: float) -> Mask:
    """The outline of a card with round corners of ``radius`` pixels."""
    y, x = np.mgrid[0:height, 0:width] + 0.5
    over_x = np.maximum(np.maximum(radius - x, x - (width - radius)), 0)
    over_y = np.maximum(np.maximum(radius - y, y - (height - radius)), 0)
    return np.asarray(np.clip(radius - np.hypot(over_x, over_y) + 0.5, 0, 1) * 255, np.uint8)


def draw_back(rng: np.random.Generator, width: int, corner: float = 3.5) -> Face:
    """A card's back: a lattice of lines, rings or lozenges in one ink within a white margin."""
    hsv = np.array(
        [[(int(rng.choice([0, 112, 112, 60, 150, 176])), rng.integers(150, 240), rng.integers(90, 200))]], np.uint8
    )
    ink = cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0].astype(np.float32)
    y, x = (np.mgrid[0:HEIGHT, 0:width] + 0.5).astype(np.float32)
    u, v = x - width / 2, y - HEIGHT / 2
    pitch, kind = float(rng.uniform(12, 30)), int(rng.integers(3))
    waves: npt.NDArray[np.float32]
    if kind == 0:
        waves = np.cos((u + v) * np.pi / pitch) * np.cos((u - v) * np.pi / pitch)
    elif kind == 1:
        waves = np.cos(u * 2 * np.pi / pitch) + np.cos(v * 2 * np.pi / pitch)
    else:
        waves = np.cos(
            np.hypot((u + pitch) % (2 * pitch) - pitch, (v + pitch) % (2 * pitch) - pitch) * 2 * np.pi / pitch
        )
    inked = np.clip(waves * 6 + float(rng.uniform(-1, 3)), 0, 1)
    margin = float(rng.uniform(2.0, 5.0)) * MM
    inside = np.minimum(np.minimum(x, width - x), np.minimum(y, HEIGHT - y)) - margin
    inked = np.where(np.abs(inside - 3) < 1.5, 1.0, inked) * (inside > 0)
    colour = ink * inked[..., None] + 250 * (1 - inked[..., None])
    return np.dstack([colour.astype(np.uint8), _round_mask(width, HEIGHT, corner * MM)])


def draw_plain_pack(seed: int) -> Pack:
    """Draw a pack, back included, with nothing that any machine lacks: figures are drawn, fonts are the bundled ones.

    It is the same on every machine, and none of ``draw_pack``.

    >>> draw_plain_pack(3).back.shape[0], len(draw_plain_pack(3).faces)
    (504, 52)
    """
    letters = ("english", "english", "german", "french")[seed % 4]
    return replace(draw_pack(seed + 7_000_000, letters=letters, fonts=BUNDLED), name=f"plain-{seed:04d}")


def draw_pack(
    seed: int, lenders: Sequence[CourtArt] = (), letters: str | None = None, fonts: Sequence[FontName] = ()
) -> Pack:
    """Draw a pack in the style of ``seed``; ``lenders`` lend court figures, without them all figures are drawn.

    ``letters`` is a tradition of ``LETTERS``; by default it follows from the seed. ``fonts``: as in ``pick_font``.

    The lender of a pack is named after a ``+`` in its name.

    >>> draw_pack(3).faces[Card.parse("AS")].shape[0]
    504
    """
    rng = np.random.default_rng([0x6D6F75, seed])
    style = Style.random(rng, bool(lenders), letters, fonts)
    lender = lenders[int(rng.integers(len(lenders)))] if lenders and style.courts == "lent" else None
    press = _Press(style, rng, lender)
    faces = {}
    for card in PACK:
        face = press.ace(card) if card.rank == "A" else press.court(card) if card.rank in "JQK" else press.number(card)
        faces[card] = press.finish(face)
    name = f"drawn-{seed:04d}" + (f"+{lender.name}" if lender else "")
    return Pack(name, MappingProxyType(faces), draw_back(rng, style.width, style.corner), style.indices, style.letters)
