"""Opens videos and streams by PyAV, in all its versions that the project takes."""

from __future__ import annotations

from typing import Any, Final

import av

_METADATA: Final[dict[str, Any]] = {"metadata_errors": "replace"} if int(av.__version__.partition(".")[0]) < 19 else {}
"""A title in an unknown character set is no reason to refuse a video; from version 19 on PyAV thinks so too."""


def open_container(place: str, options: dict[str, str], timeout: float | None = None) -> Any:
    """An input container. ``timeout``: seconds for opening and for each read; None waits for ever.

    Raises av.error.FFmpegError, OSError or ValueError.
    """
    return av.open(place, options=options, timeout=None if timeout is None else (timeout, timeout), **_METADATA)
