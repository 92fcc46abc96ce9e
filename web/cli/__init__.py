"""The command line. Each command lives in its own module and is imported only when it is called.

Exit status of every command: 0 done and right; 1 the input is well formed but wrong; 2 the input or the call can't be
used, with one line on standard error. A command raises ``Wrong`` or ``Unusable`` for the latter two.
"""

from __future__ import annotations

import errno
import importlib
import io
import os
import sys
from typing import Any, Final

import click

from vision.plain_text import one_line

COMMANDS: Final[dict[str, str]] = {
    "run": "web.cli.run",
    "demo": "web.cli.run",
    "cameras": "web.cli.cameras",
    "recognise": "web.cli.recognise",
    "watch": "web.cli.watch",
    "deck": "web.cli.deck",
    "check": "web.cli.records",
    "legal": "web.cli.records",
    "hint": "web.cli.hint",
    "journal": "web.cli.journal",
    "render": "web.cli.render",
    "markers": "web.cli.markers",
}

DEBUG: Final = "MOURNIVAL_DEBUG"
"""Set in the environment, it lets unexpected errors through with their traceback."""


class Unusable(click.ClickException):
    """The input or the call can't be used: exit status 2, one line."""

    exit_code = 2


class Wrong(click.ClickException):
    """The input is well formed but wrong: exit status 1, one line."""

    exit_code = 1


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

    def main(self, *args: Any, **extra: Any) -> Any:
        """As click's own: run a command and leave with its exit status; every error is one line on standard error.

        A group that is called without a command shows its help there, with status 2.
        """
        _print_anything()
        try:
            status = super().main(*args, **{"prog_name": "mournival", **extra, "standalone_mode": False})
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message(), err=True)
            sys.exit(error.exit_code)
        except click.ClickException as error:
            _leave(
                _in_one_line(error), 2 if type(error) in (click.ClickException, click.FileError) else error.exit_code
            )
        except (click.Abort, KeyboardInterrupt):
            _leave("stopped", 130)
        except BrokenPipeError:
            _close_output()
            sys.exit(0)
        except Exception as error:
            if os.environ.get(DEBUG):
                raise
            if isinstance(error, OSError) and error.errno == errno.ENOSPC:
                _close_output()
                _leave("the output can't be written, the disk is full: make room and try again", 2)
            _leave(
                f"unexpected error, {type(error).__name__}: {' '.join(str(error).split())}; set {DEBUG}=1 to see where",
                2,
            )
        sys.exit(status if isinstance(status, int) else 0)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="mournival")
def main() -> None:
    """Mournival: an assistant for a real card table."""


def tell(message: object) -> None:
    """Write one line to standard error, whatever a name or a text that it quotes holds."""
    click.echo(one_line(message), err=True)


def _in_one_line(error: click.ClickException) -> str:
    message = error.format_message()
    if isinstance(error, click.UsageError):
        message = " ".join(message.split())  # click breaks lines of its own accord
        if error.ctx is not None:
            message = f"{message.rstrip('.')}; see `{error.ctx.command_path} --help`"
    return message


def _leave(message: str, status: int) -> None:
    tell(f"mournival: {message.strip()}")
    sys.exit(status)


def _print_anything() -> None:
    """File names and card tables must not fail on a console with a narrow character set."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _close_output() -> None:
    """Nobody reads any more: keep Python from complaining at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
