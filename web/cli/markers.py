"""``mournival markers``: a sheet of corner markers to print."""

from __future__ import annotations

import json
from pathlib import Path

import click

from vision.markers import COUNT, INSTRUCTIONS, MARKER_MM, PAPERS, sheet_pdf, sheet_svg
from web.cli import Unusable


@click.command(short_help="A sheet of corner markers to print.")
@click.option("--out", default="markers.pdf", show_default=True, metavar="FILE", help="What to write: .pdf or .svg.")
@click.option("--paper", type=click.Choice(list(PAPERS)), default="a4", show_default=True, help="The sheet's size.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, nothing else.")
def markers(out: str, paper: str, as_json: bool) -> None:
    """Write a sheet of markers for the table's corners. They are optional: with them the camera is found again at once
    when it was pushed, and the table's measures are known before any card lies there."""
    path = Path(out)
    kind = path.suffix.lower()
    if kind not in (".pdf", ".svg"):
        raise Unusable(f"{out}: name a file that ends in .pdf or .svg")
    try:
        path.write_bytes(sheet_pdf(paper) if kind == ".pdf" else sheet_svg(paper).encode("utf-8"))
    except OSError as error:
        raise Unusable(f"{out} can't be written: {error.strerror or error}") from None
    if as_json:
        click.echo(json.dumps({"file": out, "paper": paper, "markers": COUNT, "mm": MARKER_MM}))
    else:
        click.echo(f"{out}: {COUNT} markers. {INSTRUCTIONS}")
