"""Printed markers at the table's corners: a sheet to print, and finding the markers in a picture.

The markers are optional. They are squares of known size with a number each (the 4 x 4 dictionary of ArUco, Garrido-
Jurado et al. 2014), so even two of them fix the table's plane and tell where a camera stands that was moved.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.table_plane import MARK_MM, Points

Grey = npt.NDArray[np.uint8]

MARKER_MM: Final = MARK_MM
"""The side of a marker's black square."""
COUNT: Final = 4
"""One for each corner of the table; their numbers are 0 to 3."""
PAPERS: Final[dict[str, tuple[float, float]]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height, mm."""
INSTRUCTIONS: Final = (
    f"Print at 100 %, check that each black square is {MARKER_MM:.0f} mm wide, cut along the lines, "
    "and lay one flat at each corner of the table."
)

_CELLS: Final = 6
_MARGIN_MM: Final = 12.0
_POINT_MM: Final = 25.4 / 72
_LONGEST_SIDE: Final = 1280
_DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def find_markers(grey: Grey) -> dict[int, Points]:
    """The markers in a grey picture by their numbers: each 4 x 2, fractions of the picture, clockwise from top left.

    A number that is seen twice is left out.
    """
    scale = min(1.0, _LONGEST_SIDE / max(grey.shape))
    small = grey if scale == 1.0 else cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    size = np.array(small.shape[::-1], np.float64)
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.errorCorrectionRate = 0.0
    corners, numbers, _ = cv2.aruco.ArucoDetector(_DICTIONARY, settings).detectMarkers(small)
    found = [int(number) for number in (() if numbers is None else numbers.ravel())]
    return {
        number: (np.asarray(quad, np.float64).reshape(4, 2) + 0.5) / size
        for number, quad in zip(found, corners, strict=True)
        if number < COUNT and found.count(number) == 1
    }


def sheet_squares(paper: str) -> list[tuple[float, float, float]]:
    """The black cells of all markers on a sheet: left, top, side, mm from the sheet's top left."""
    side = MARKER_MM / _CELLS
    squares = []
    for number, (left, top) in enumerate(_places(paper)):
        cells = cv2.aruco.generateImageMarker(_DICTIONARY, number, _CELLS)
        squares += [
            (left + column * side, top + row * side, side)
            for row, column in np.argwhere(np.asarray(cells) == 0).tolist()
        ]
    return squares


def sheet_svg(paper: str) -> str:
    """The sheet as an SVG picture in millimetres. ``paper``: a key of ``PAPERS``."""
    width, height = PAPERS[paper]
    path = "".join(f"M{x:.3f} {y:.3f}h{side:.3f}v{side:.3f}h{-side:.3f}z" for x, y, side in sheet_squares(paper))
    cuts = "".join(f'<rect x="{x:.2f}" y="{y:.2f}" width="{w:.2f}" height="{w:.2f}"/>' for x, y, w in _cuts(paper))
    labels = "".join(f'<text x="{x:.2f}" y="{y:.2f}">{text}</text>' for x, y, text in _labels(paper))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}">'
        f'<rect width="{width}" height="{height}" fill="#fff"/><path d="{path}"/>'
        f'<g fill="none" stroke="#999" stroke-width="0.2">{cuts}</g>'
        f'<g font-family="Helvetica,Arial,sans-serif" font-size="2.5">{labels}</g></svg>\n'
    )


def sheet_pdf(paper: str) -> bytes:
    """The sheet as a PDF of one page. ``paper``: a key of ``PAPERS``."""
    width, height = PAPERS[paper]
    drawn = [
        f"{1 / _POINT_MM:.6f} 0 0 {1 / _POINT_MM:.6f} 0 0 cm",
        *(f"{x:.3f} {height - y - side:.3f} {side:.3f} {side:.3f} re" for x, y, side in sheet_squares(paper)),
        "f 0.6 G 0.2 w",
        *(f"{x:.2f} {height - y - side:.2f} {side:.2f} {side:.2f} re" for x, y, side in _cuts(paper)),
        "S BT /F1 2.5 Tf",
        *(f"1 0 0 1 {x:.2f} {height - y:.2f} Tm ({text}) Tj" for x, y, text in _labels(paper)),
        "ET",
    ]
    content = "\n".join(drawn)
    page = f"/MediaBox [0 0 {width / _POINT_MM:.2f} {height / _POINT_MM:.2f}] /Contents 4 0 R"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R {page} /Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    text, starts = "%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        starts.append(len(text))
        text += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{start:010d} 00000 n \n" for start in starts)
    count = len(objects) + 1
    text += f"xref\n0 {count}\n0000000000 65535 f \n{table}trailer\n<< /Size {count} /Root 1 0 R >>\n"
    return (text + f"startxref\n{text.index('xref' + chr(10))}\n%%EOF\n").encode("ascii")


def _places(paper: str) -> list[tuple[float, float]]:
    """The top left corner of each marker: two by two, with a white margin to cut round."""
    step = MARKER_MM + 2 * _MARGIN_MM
    left, top = (PAPERS[paper][0] - 2 * step) / 2 + _MARGIN_MM, 30.0 + _MARGIN_MM
    return [(left + step * (number % 2), top + step * (number // 2)) for number in range(COUNT)]


def _cuts(paper: str) -> list[tuple[float, float, float]]:
    side = MARKER_MM + 2 * _MARGIN_MM
    return [(x - _MARGIN_MM, y - _MARGIN_MM, side) for x, y in _places(paper)]


def _labels(paper: str) -> list[tuple[float, float, str]]:
    first = [(15.0, 20.0, INSTRUCTIONS)]
    names = [f"{number + 1} of {COUNT}, {MARKER_MM:.0f} mm" for number in range(COUNT)]
    return first + [
        (x, y + MARKER_MM + _MARGIN_MM / 2, name) for (x, y), name in zip(_places(paper), names, strict=True)
    ]
