"""The recogniser that ships: a detector, two namers and the assembly, run by onnxruntime."""

from __future__ import annotations

import logging
import os
import time
from pathlib import Path
from typing import Final

import numpy as np
import onnxruntime

import models
from vision import assembly, geometry
from vision.assembly import NamedIndex, Place
from vision.detector import Detector, FoundIndex
from vision.geometry import Floats, Pyramid
from vision.namer import Namer
from vision.picture_quality import picture_warnings
from vision.recogniser import Image, ModelsMissing, Recognition

_log = logging.getLogger(__name__)

FILES: Final = ("detector.onnx", "index-namer.onnx", "card-namer.onnx")
_INPUTS: Final = {
    "detector.onnx": ("image", ["n", 3, "h", "w"]),
    "index-namer.onnx": ("crops", ["n", 3, geometry.INDEX_CROP[1], geometry.INDEX_CROP[0]]),
    "card-namer.onnx": ("crops", ["n", 3, geometry.CARD_CROP[1], geometry.CARD_CROP[0]]),
}
"""What each network is fed; a file that wants something else is another network."""
_COARSE, _FINE, _FINEST = 416, 1152, 1728
_FEW_PIXELS: Final = 90.0
_INDEX_WEIGHT, _CARD_WEIGHT = 0.8, 0.6


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

    def __init__(self, detector: Detector, index_namer: Namer, card_namer: Namer) -> None:
        self._detector = detector
        self.index_namer = index_namer
        self._card_namer = card_namer

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
        return cls(Detector(sessions[0]), Namer(sessions[1]), Namer(sessions[2]))

    def recognise(self, image: Image, *, one_pack: bool = True) -> Recognition:
        """See ``vision.recogniser.Recogniser``."""
        start = time.perf_counter()
        pyramid = Pyramid(image)
        named = self._name_indices(pyramid, self.find(image))
        places = self._places(pyramid, assembly.gather(named))
        readings = assembly.assign(places, one_pack=one_pack)
        warnings = picture_warnings(image, [reading.quad for reading in readings])
        return Recognition(tuple(readings), (time.perf_counter() - start) * 1000, warnings)

    def find(self, image: Image) -> list[FoundIndex]:
        """Look at the whole picture coarsely and at a middle size; where cards are small, once more from near."""
        long_side = max(image.shape[:2])
        fine = min(_FINE, 2 * long_side)
        found = self._detector.detect(image, (_COARSE, fine))
        if long_side > _FINE and found:
            tall = float(np.median([geometry.side_lengths(index.quad)[1] for index in found]))
            if tall * fine / long_side < _FEW_PIXELS:
                found = self._detector.detect(image, (fine, min(_FINEST, long_side)))
        return found

    def _name_indices(self, pyramid: Pyramid, found: list[FoundIndex]) -> list[NamedIndex]:
        if not found:
            return []
        crops = np.stack([geometry.index_crop(pyramid, index.quad, index.point) for index in found])
        names = self.index_namer.name(crops)
        cards = assembly.joint(names.ranks, names.suits)
        return [NamedIndex(index, cards[k], float(names.shows[k])) for k, index in enumerate(found)]

    def _places(self, pyramid: Pyramid, groups: list[list[NamedIndex]]) -> list[Place]:
        if not groups:
            return []
        quads = [assembly.mean_quad(group) for group in groups]
        names = self._card_namer.name(np.stack([geometry.card_crop(pyramid, quad) for quad in quads]))
        cards = assembly.joint(names.ranks, names.suits)
        return [
            Place(quad, tuple(group), _evidence(group, cards[k], float(names.shows[k])), _shows(group))
            for k, (quad, group) in enumerate(zip(quads, groups, strict=True))
        ]


def _evidence(group: list[NamedIndex], card: Floats, shows: float) -> Floats:
    """What index crops and card crop say together; a doubtful index counts for less."""
    evidence = _CARD_WEIGHT * shows * card
    for index in group:
        evidence = evidence + _INDEX_WEIGHT * max(index.shows, 0.1) * index.names
    return np.asarray(evidence, np.float32)


def _shows(group: list[NamedIndex]) -> float:
    """The probability that the group is a card at all."""
    return 1.0 - float(np.prod([1.0 - index.shows * min(1.0, index.found.score + 0.25) for index in group]))
