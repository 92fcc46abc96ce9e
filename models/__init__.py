"""The trained networks (ONNX) with their cards."""

from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).resolve().parent
