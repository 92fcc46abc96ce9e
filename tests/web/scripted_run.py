"""The program itself, with the scripted recogniser in the networks' place: started, and killed, as a real process."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tests.web.demo_script import Script, TimedSource
from web.cli.doors import Service
from web.cli.run import Table, demo_table, serve
from web.table_watch import Watched


def main(folder: str, port: str, speed: str = "1000") -> None:
    """Follow the demo at most ``speed`` times as fast as it was; the journal is in ``folder``, the page at ``port``."""
    table, script = demo_table(1.0), Script()
    watched = Watched(lambda: TimedSource(script), "Demo table", live=False, speed=float(speed))
    try:
        serve(
            Service("127.0.0.1", int(port), lan=False, no_browser=True),
            Path(folder),
            Table(watched, table.setup, table.place, table.layout),
            recogniser=script,
        )
    except click.ClickException as error:
        click.echo(error.format_message(), err=True)
        raise SystemExit(error.exit_code) from None


if __name__ == "__main__":
    main(*sys.argv[1:])
