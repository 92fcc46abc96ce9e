"""Makes the networks that ship of those that were trained: ``python -m vision.training.quantise``.

Weights and activations become whole numbers of 8 bits (static quantisation, per channel, calibrated on training
pictures): several times faster on a processor with the instructions for it, and a quarter of the size. The weights keep
to 7 bits, so that older processors (AVX2 without VNNI), which add pairs of products in 16 bits, give the same answers.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from vision import geometry
from vision.training.scene_samples import (
    LabelledPicture,
    card_samples,
    detector_sample,
    index_samples,
    read_truth,
)

Batch = npt.NDArray[np.float32]
WINDOW, BATCHES = 384, 60
NAMES = ("detector", "index-namer", "card-namer")


class _Batches(CalibrationDataReader):  # type: ignore[misc]  # onnxruntime states no types
    """Hands out the calibration pictures one batch at a time."""

    def __init__(self, fed: str, batches: Iterator[Batch]) -> None:
        self._fed = fed
        self._batches = batches

    def get_next(self) -> dict[str, Batch] | None:
        batch = next(self._batches, None)
        return None if batch is None else {self._fed: batch}


def batches(name: str, pictures: list[LabelledPicture], rng: np.random.Generator) -> Iterator[Batch]:
    """Inputs of a network as it meets them in training: N x 3 x H x W, 0..1."""
    for _ in range(BATCHES):
        labelled = pictures[int(rng.integers(len(pictures)))]
        if name == "detector":
            crops = [detector_sample(rng, labelled, WINDOW)[0]]
        else:
            cut = index_samples if name == "index-namer" else card_samples
            crops = [crop for crop, *_ in cut(rng, labelled, geometry.Pyramid(labelled.load()))]
        if crops:
            yield np.stack(crops).transpose(0, 3, 1, 2).astype(np.float32) / 255.0


def quantise(name: str, trained: Path, out: Path, pictures: list[LabelledPicture], seed: int = 0) -> None:
    """Write ``out``/``name``.onnx of ``trained``/``name``.onnx."""
    prepared = out / f"{name}.prepared"
    out.mkdir(parents=True, exist_ok=True)
    quant_pre_process(str(trained / f"{name}.onnx"), str(prepared), skip_symbolic_shape=True)
    options: dict[str, Any] = {"per_channel": True, "reduce_range": True, "quant_format": QuantFormat.QDQ}
    fed = "image" if name == "detector" else "crops"
    reader = _Batches(fed, batches(name, pictures, np.random.default_rng(seed)))
    target = str(out / f"{name}.onnx")
    quantize_static(
        str(prepared), target, reader, activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8, **options
    )
    prepared.unlink()


def main() -> None:
    """Quantise all three networks, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=NAMES, metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--trained", type=Path, default=Path("training-data"))
    parser.add_argument("--scenes", type=Path, default=Path("training-data/scenes"))
    parser.add_argument("--out", type=Path, default=Path("models"))
    options = parser.parse_args()
    pictures = read_truth(options.scenes)
    for name in options.names:
        quantise(name, options.trained, options.out, pictures)
        print(f"{options.out / name}.onnx: {(options.out / f'{name}.onnx').stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
