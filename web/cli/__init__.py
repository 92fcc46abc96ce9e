"""The command line. Each command lives in its own module and is imported only when it is called."""

from __future__ import annotations

import importlib
from typing import Final

import click

COMMANDS: Final[dict[str, str]] = {
    "run": "web.cli.run",
    "demo": "web.cli.run",
    "cameras": "web.cli.cameras",
    "recognise": "web.cli.recognise",
    "watch": "web.cli.watch",
    "check": "web.cli.records",
    "legal": "web.cli.records",
    "journal": "web.cli.journal",
    "render": "web.cli.render",
}


class LazyGroup(click.Group):
    """A group whose commands are found by name in ``COMMANDS``, so that ``check`` never loads the networks."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = COMMANDS.get(cmd_name)
        if module is None:
            return None
        command = getattr(importlib.import_module(module), cmd_name)
        assert isinstance(command, click.Command)
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="mournival")
def main() -> None:
    """Mournival: an assistant for a real card table."""
