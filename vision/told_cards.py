"""What the user says of pictures: a labels file, and which of the cards seen in a picture its names belong to.

A labels file holds one JSON object a line: ``{"file": "a.jpg", "cards": ["KS", "10D"]}``, the cards named from left to
right, top to bottom; ``??`` for one that shall be left out. Further keys are allowed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from assistant.cards import Card, InvalidCard
from vision.assembly import CARDS
from vision.geometry import Floats
from vision.plain_text import one_line

_LARGEST: Final = 4_000_000
_MISSED: Final = 5.0
"""What it costs, in log-probability, that a named card was not seen, or a seen one not named."""
_LEAST: Final = -6.0
"""No view speaks more strongly than this against what the user says."""
_OTHER_ORDER: Final = 3.0
"""So much better, a card, must another order fit before the stated one is given up."""


class LabelsError(ValueError):
    """A labels file that can't be used: one line, with file and line number."""


def read_labels(path: Path) -> dict[str, tuple[Card, ...]]:
    """The cards of each file that a labels file names. Raises LabelsError."""
    name = one_line(path)
    try:
        if path.stat().st_size > _LARGEST:
            raise LabelsError(f"{name}: too large for a labels file; name another")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise LabelsError(f"{name}: can't be read ({one_line(error.strerror or error)}); check the name") from None
    except UnicodeDecodeError:
        raise LabelsError(f"{name}: is no text (UTF-8); write one JSON object a line") from None
    labels: dict[str, tuple[Card, ...]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            file, cards = _row(line, f"{name}, line {number}")
            if file in labels:
                raise LabelsError(f"{name}, line {number}: {one_line(file)} was named before; name each file once")
            labels[file] = cards
    return labels


def _row(line: str, where: str) -> tuple[str, tuple[Card, ...]]:
    try:
        row = json.loads(line)
        file, texts = row["file"], row["cards"]
        if not isinstance(file, str) or not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise TypeError
        cards = tuple(Card.parse(text) for text in texts)
    except InvalidCard as error:
        raise LabelsError(f"{where}: {error}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise LabelsError(f'{where}: must be like {{"file": "a.jpg", "cards": ["KS", "7H"]}}') from None
    known = [card for card in cards if card.known]
    if len(set(known)) < len(known):
        twice = next(card for card in known if known.count(card) > 1)
        raise LabelsError(f"{where}: {twice} is named twice; a picture of one pack holds it once")
    return file, cards


def matched(cards: Sequence[Card], said: Floats) -> list[int | None]:
    """For each named card the number of the place that it belongs to (None: it was not seen).

    ``said`` (N x 52): log-probabilities of N places in reading order. The order counts most: names and places are
    aligned as they follow each other, with gaps for what was missed. Only if that goes against nearly all that was
    read, and another order doesn't, the cards lay in no clear rows and what was read decides.
    """
    if not len(said) or not cards:
        return [None] * len(cards)
    numbers = np.array([CARDS.index(card) if card.known else -1 for card in cards])
    fits = np.where(numbers[:, None] >= 0, np.maximum(said[:, numbers].T, _LEAST), _LEAST / 2)
    in_order = _aligned(fits)
    rows, columns = linear_sum_assignment(-fits)
    gained = fits[rows, columns].sum() - sum(fits[k, place] for k, place in enumerate(in_order) if place is not None)
    if gained <= _OTHER_ORDER * min(len(cards), len(said)):
        return in_order
    free: list[int | None] = [None] * len(cards)
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        free[row] = column
    return free


def _aligned(fits: Floats) -> list[int | None]:
    """The best alignment of two rows that keeps their order (Needleman and Wunsch 1970)."""
    count, places = fits.shape
    best = np.zeros((count + 1, places + 1))
    best[:, 0], best[0] = -_MISSED * np.arange(count + 1), -_MISSED * np.arange(places + 1)
    for k in range(1, count + 1):
        for n in range(1, places + 1):
            both = best[k - 1, n - 1] + fits[k - 1, n - 1]
            best[k, n] = max(both, best[k - 1, n] - _MISSED, best[k, n - 1] - _MISSED)
    result: list[int | None] = [None] * count
    k, n = count, places
    while k and n:
        if best[k, n] == best[k - 1, n - 1] + fits[k - 1, n - 1]:
            k, n = k - 1, n - 1
            result[k] = n
        elif best[k, n] == best[k - 1, n] - _MISSED:
            k -= 1
        else:
            n -= 1
    return result
