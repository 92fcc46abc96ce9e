"""The eye: from frames to a stable view of the cards on the table."""

import os
from typing import Final

QUIET: Final = "ORT_DISABLE_TELEMETRY"
"""ONNX Runtime tells its makers that it is used, from version 1.32 on also on Linux; nothing may leave this computer.
It looks for this variable when it is loaded, and only then."""

os.environ[QUIET] = "1"
