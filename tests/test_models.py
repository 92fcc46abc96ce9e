"""Each network has its card, and the stated checksums are those of the files."""

import hashlib
import re

import pytest

import models
from vision.onnx_recogniser import FILES


@pytest.mark.parametrize("name", FILES)
def test_each_network_has_a_card_and_its_checksum_is_true(name: str) -> None:
    card = models.FOLDER / name.replace(".onnx", ".md")
    assert "Trained on" in card.read_text(encoding="utf-8")
    table = (models.FOLDER / "README.md").read_text(encoding="utf-8")
    stated = re.search(rf"{re.escape(name)}`[^|]*\| `([0-9a-f]{{64}})`", table)
    assert stated, f"models/README.md states no SHA-256 for {name}"
    assert stated[1] == hashlib.sha256((models.FOLDER / name).read_bytes()).hexdigest()


def test_all_networks_together_stay_small() -> None:
    assert sum(path.stat().st_size for path in models.FOLDER.iterdir() if path.is_file()) < 15_000_000
