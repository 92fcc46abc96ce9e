"""Text that can be shown on one line of a terminal, whatever is in it."""

from __future__ import annotations


def one_line(text: object) -> str:
    """Any text as one printable line; what can't be shown, line ends and control characters too, becomes an escape.

    What has been through it comes out of it as it is.

    >>> one_line("a\\nb")
    'a\\\\nb'
    """
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode() for character in str(text)
    )
