"""The recogniser that ships: a detector, two namers and the assembly, run by onnxruntime."""

from __future__ import annotations

import dataclasses
import hashlib
import logging
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import onnxruntime

import models
from vision import assembly, geometry
from vision.assembly import LEAST_SURE, NamedIndex, Place
from vision.certainty import FILE as CERTAINTY
from vision.certainty import PLAIN, Certainty, CertaintyDamaged
from vision.detector import Detector, FoundIndex, crowded
from vision.geometry import Floats, Pyramid
from vision.namer import Namer, Names
from vision.own_pack import Look, OwnPack
from vision.picture_quality import picture_warnings
from vision.recogniser import Image, ModelsMissing, Reading, Recognition

_log = logging.getLogger(__name__)

FILES: Final = ("detector.onnx", "index-namer.onnx", "card-namer.onnx")
_INPUTS: Final = {
    "detector.onnx": ("image", ["n", 3, "h", "w"]),
    "index-namer.onnx": ("crops", ["n", 3, geometry.INDEX_CROP[1], geometry.INDEX_CROP[0]]),
    "card-namer.onnx": ("crops", ["n", 3, geometry.CARD_CROP[1], geometry.CARD_CROP[0]]),
}
"""What each network is fed; a file that wants something else is another network."""
_COARSE, _FINE, _FINEST = (288, 416), 1152, 1728
_NEAR: Final = 1.15
_FEW_PIXELS, _FEW_PIXELS_FANNED = 90.0, 200.0
"""Heights of cards, px at the middle size, below which a nearer look is taken: of cards apart, and of fanned ones."""
_SEEN: Final = 0.5
"""What the detector's score lacks of certainty where the crop is an index for certain."""
_SURELY_A_CARD, _SHOWS, _UNMARKED = 0.8, 0.5, 0.85
"""For a card that is thought to fill the picture: how surely it must be one, from where on an index shows at a corner,
and what is left of the certainty where none does."""


@dataclasses.dataclass(frozen=True, slots=True)
class Weighing:
    """How much the names of an index crop count, and those of the whole card's crop."""

    index: float = 1.0
    card: float = 0.6


USUAL: Final = Weighing()


def _session(path: Path, threads: int) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Waiting threads that spin take the second core from whoever could use it.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own errors share no other root
        raise ModelsMissing(
            f"{path}: the network can't be loaded, the file is damaged; install mournival again"
        ) from error
    if [(fed.name, fed.shape) for fed in session.get_inputs()] != [_INPUTS[path.name]]:
        raise ModelsMissing(f"{path}: the file holds another network than its name says; install mournival again")
    return session


class OnnxRecogniser:
    """Finds and names the cards of a picture; one instance serves one thread."""

    def __init__(
        self,
        detector: Detector,
        index_namer: Namer,
        card_namer: Namer,
        namers: str = "",
        pack: OwnPack | None = None,
        certainty: Certainty = PLAIN,
        weighing: Weighing = USUAL,
    ) -> None:
        """``namers`` tells these namers from others: a pack's look is good only for those it was learned with."""
        self._detector = detector
        self.index_namer = index_namer
        self.card_namer = card_namer
        self.namers = namers
        self.pack = pack
        self.certainty = certainty
        self._weighing = weighing

    @classmethod
    def load(cls, folder: Path | None = None, threads: int | None = None) -> OnnxRecogniser:
        """Load the networks from ``folder`` (default: those that ship). Raises ModelsMissing."""
        where = folder or models.FOLDER
        for name in FILES:
            if not (where / name).is_file():
                raise ModelsMissing(
                    f"{where / name}: the network is missing; install mournival again or restore the file"
                )
        count = threads or min(2, os.cpu_count() or 1)
        sessions = [_session(where / name, count) for name in FILES]
        _log.info("networks loaded from %s, %d threads", where, count)
        prints = hashlib.sha256(b"".join((where / name).read_bytes() for name in FILES[1:]))
        try:
            certainty = Certainty.load(where / CERTAINTY)
        except CertaintyDamaged as error:
            raise ModelsMissing(str(error)) from error
        namers = Namer(sessions[1]), Namer(sessions[2])
        return cls(Detector(sessions[0]), *namers, prints.hexdigest()[:16], certainty=certainty)

    def knowing(self, pack: OwnPack | None) -> OnnxRecogniser:
        """The same recogniser, reading with the look of one's own pack, or of none."""
        return self._changed(pack, self._weighing)

    def weighed(self, weighing: Weighing) -> OnnxRecogniser:
        """The same recogniser, heeding index crops and whole-card crops more or less than usual."""
        return self._changed(self.pack, weighing)

    def _changed(self, pack: OwnPack | None, weighing: Weighing) -> OnnxRecogniser:
        networks = self._detector, self.index_namer, self.card_namer
        return OnnxRecogniser(*networks, self.namers, pack, self.certainty, weighing)

    def recognise(self, image: Image, *, one_pack: bool = True) -> Recognition:
        """See ``vision.recogniser.Recogniser``."""
        start = time.perf_counter()
        places = self.places(image)
        readings = assembly.assign(places, one_pack=one_pack, certainty=self.certainty)
        warnings = picture_warnings(image, [reading.quad for reading in readings])
        twice = assembly.twice(places, self.certainty) if one_pack else ()
        return Recognition(tuple(readings), (time.perf_counter() - start) * 1000, warnings, twice)

    def places(self, image: Image) -> list[Place]:
        """The physical cards of a picture, each with the evidence of what it is."""
        pyramid = Pyramid(image)
        places = self._places(pyramid, assembly.gather(self._name_indices(pyramid, self.find(image))))
        readings = assembly.assign(places, one_pack=True, certainty=self.certainty)
        if len(readings) < 2 and 0.5 < image.shape[1] / image.shape[0] < 2:
            return self._close_up(pyramid, readings) or places
        return places

    def find(self, image: Image) -> list[FoundIndex]:
        """Look at the whole picture coarsely and at a middle size; from near, too, where cards are small or fanned."""
        long_side = max(image.shape[:2])
        fine = min(_FINE, 2 * long_side)
        found = self._detector.detect(image, (*_COARSE, fine))
        if long_side > _NEAR * _FINE and found:
            tall = float(np.median([index.tall for index in found])) * fine / long_side
            if tall < (_FEW_PIXELS_FANNED if crowded(found) else _FEW_PIXELS):
                found = self._detector.detect(image, (*_COARSE, fine, min(_FINEST, long_side)))
        return found

    def _close_up(self, pyramid: Pyramid, readings: list[Reading]) -> list[Place]:
        """The one card that fills the picture, cut out at its edges, if it is read more surely than ``readings``."""
        height, width = pyramid.level(1.0)[0].shape[:2]
        outline = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        ways = [np.roll(outline, k, axis=0) for k in range(2) if (height, width)[k] > 0.95 * (width, height)[k]]
        surest = max((reading.confidence for reading in readings), default=LEAST_SURE)
        best: list[Place] = []
        for place in (self._filling(pyramid, quad) for quad in ways):
            seen = (
                assembly.assign([place], one_pack=True, certainty=self.certainty)
                if place.shows > _SURELY_A_CARD
                else []
            )
            if seen and seen[0].card.known and seen[0].confidence > surest:
                best, surest = [place], seen[0].confidence
        return best

    def _filling(self, pyramid: Pyramid, quad: Floats) -> Place:
        """The place of a card with this outline, read as a whole and at all four corners."""
        found = []
        for corner in range(4):
            read = np.roll(quad, 2, axis=0) if corner > 1 else quad
            point, frame = geometry.index_point(read, corner % 2), geometry.index_frame(read, corner % 2)
            found.append(FoundIndex(point, frame, read, 1.0))
        named = [index for index in self._name_indices(pyramid, found) if index.shows > _SHOWS]
        names = self.card_namer.name(geometry.card_crop(pyramid, quad)[None])
        shows = float(names.shows[0])
        whole = card_names(names, None if self.pack is None else self.pack.card)[0]
        filled = self._place(quad, named, whole, shows)
        return dataclasses.replace(filled, shows=shows if named else shows * _UNMARKED)

    def _name_indices(self, pyramid: Pyramid, found: list[FoundIndex]) -> list[NamedIndex]:
        if not found:
            return []
        crops = np.stack([geometry.index_crop(pyramid, index.frame, index.point) for index in found])
        names = self.index_namer.name(crops)
        cards = card_names(names, None if self.pack is None else self.pack.index)
        return [NamedIndex(index, cards[k], float(names.shows[k])) for k, index in enumerate(found)]

    def _places(self, pyramid: Pyramid, groups: list[list[NamedIndex]]) -> list[Place]:
        if not groups:
            return []
        quads = [assembly.mean_quad(group) for group in groups]
        names = self.card_namer.name(np.stack([geometry.card_crop(pyramid, quad) for quad in quads]))
        cards = card_names(names, None if self.pack is None else self.pack.card)
        return [
            self._place(quad, group, cards[k], float(names.shows[k]))
            for k, (quad, group) in enumerate(zip(quads, groups, strict=True))
        ]

    def _place(self, quad: Floats, group: Sequence[NamedIndex], whole: Floats, face: float) -> Place:
        said = evidence(group, whole, face, self._weighing)
        return Place(quad, tuple(group), said, _shows(group), whole, face)


def card_names(names: Names, look: Look | None) -> Floats:
    """Log-probabilities of the 52 cards for N crops, as the pack's look has it or in general: N x 52."""
    return assembly.joint(names.ranks, names.suits) if look is None else look.read(names)


def evidence(group: Sequence[NamedIndex], card: Floats, shows: float, weighing: Weighing = USUAL) -> Floats:
    """What index crops and card crop (52 log-probabilities each) say together; a doubtful crop counts for less."""
    total = weighing.card * shows * card
    for index in group:
        total = total + weighing.index * max(index.shows, 0.1) * index.names
    return np.asarray(total, np.float32)


def _shows(group: Sequence[NamedIndex]) -> float:
    """The probability that the group is a card at all."""
    return 1.0 - float(np.prod([1.0 - index.shows * min(1.0, index.found.score + _SEEN) for index in group]))
