"""``mournival cameras``: the cameras at this computer."""

from __future__ import annotations

import json

import click

from vision.cameras import find_cameras


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON list of the cameras.")
def cameras(as_json: bool) -> None:
    """List the cameras with their names and sizes."""
    found = find_cameras()
    if as_json:
        click.echo(json.dumps([{"index": c.index, "name": c.name, "sizes": [list(s) for s in c.sizes]} for c in found]))
        return
    if not found:
        click.echo("No camera found. Connect one, or follow a video, a folder of pictures or an rtsp:// address.")
    for camera in found:
        sizes = ", ".join(f"{width} x {height}" for width, height in camera.sizes)
        click.echo(f"{camera.index}: {camera.name} ({sizes or 'can not be opened: busy, or not allowed'})")
