"""The page's scripts read as far as their texts go: strings, templates, and the calls that they stand in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_TOKEN: Final = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<name>[A-Za-z_$][\w$]*)
    |(?P<number>\d[\w.]*)
    |(?P<sign>===|!==|=>|\.\.\.|\?\?|\?\.|&&|\|\||==|!=|<=|>=|[{}()\[\];,<>+\-*%&|^!~?:=.@#])""",
    re.VERBOSE | re.DOTALL,
)
_PATTERN: Final = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
_ENDS_A_VALUE: Final = frozenset({")", "]", "}"})


class Part(NamedTuple):
    """A piece of a script: ``kind`` is ``string``, ``template``, ``name``, ``number``, ``sign`` or ``pattern``. Of a
    string or template ``text`` is what it says; what is put into a template stands in it as ``${}``, and its own pieces
    follow."""

    kind: str
    text: str


def parts(script: str) -> list[Part]:
    """All pieces of a script, in order."""
    found: list[Part] = []
    end = _read(script, 0, found, closing="")
    assert end == len(script), f"can't be read from here: {script[end : end + 40]!r}"
    return found


def _read(script: str, at: int, found: list[Part], closing: str) -> int:
    depth = 0
    while at < len(script):
        if closing and script[at] == closing and not depth:
            return at
        if script[at] == "`":
            at = _template(script, at + 1, found)
            continue
        match = _TOKEN.match(script, at)
        if match is None:
            pattern = _PATTERN.match(script, at) if script[at] == "/" and not _after_a_value(found) else None
            found.append(Part("pattern", pattern[0]) if pattern else Part("sign", script[at]))
            at = pattern.end() if pattern else at + 1
            continue
        at = match.end()
        if match["string"]:
            found.append(Part("string", _unquoted(match[0])))
        elif not match["space"]:
            depth += {"{": 1, "}": -1}.get(match[0], 0)
            found.append(Part(str(match.lastgroup), match[0]))
    return at


def _template(script: str, at: int, found: list[Part]) -> int:
    """The pieces of a template from behind its first backtick; gives where it ends."""
    said = ""
    inner: list[Part] = []
    while script[at] != "`":
        if script.startswith("${", at):
            at = _read(script, at + 2, inner, closing="}") + 1
            said += "${}"
        else:
            step = 2 if script[at] == "\\" else 1
            said += script[at : at + step]
            at += step
    found += [Part("template", said), *inner]
    return at + 1


def _after_a_value(found: list[Part]) -> bool:
    if not found:
        return False
    kind, text = found[-1]
    return text in _ENDS_A_VALUE or (kind in ("name", "number") and text not in ("return", "typeof", "case"))


def _unquoted(text: str) -> str:
    if text[0] == "'":
        text = '"' + text[1:-1].replace("\\'", "'").replace('"', '\\"') + '"'
    try:
        return str(json.loads(text))
    except ValueError:
        return text[1:-1]


def calls(script: str, names: frozenset[str]) -> Iterator[tuple[str, list[str]]]:
    """Each call of one of these functions, with the strings that its arguments begin with."""
    found = parts(script)
    for place, part in enumerate(found[:-1]):
        called = part.kind == "name" and part.text in names and found[place + 1].text == "("
        if not called or (place and found[place - 1].text in (".", "function")):
            continue
        texts = []
        for argument in range(place + 2, len(found), 2):
            if found[argument].kind != "string":
                break
            texts.append(found[argument].text)
            if found[argument + 1].text != ",":
                break
        yield part.text, texts
