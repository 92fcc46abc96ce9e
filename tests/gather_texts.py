"""Gathers the texts that people read into the catalogues under ``web/locale``: ``make texts``.

``--new it`` begins a further language. What is new stands there without a translation, what is gone is taken out.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from tests.script_texts import calls

ROOT: Final = Path(__file__).resolve().parent.parent
LOCALE: Final = ROOT / "web" / "locale"
KEYWORDS: Final[dict[str, Any]] = {
    "_": None,
    "_n": (1, 2),
    "in_context": ((1, "c"), 2),
    "later": None,
    "tell": None,
    "tell_n": (1, 2),
}
"""The functions through which texts pass, the first two in templates too; in the page's scripts they are SEAMS."""
SEAMS: Final = {"t": 1, "tn": 2}
"""How many texts each takes."""
SOURCES: Final = (
    ("assistant/**/*.py", "python"),
    ("vision/*.py", "python"),
    ("web/*.py", "python"),
    ("web/cli/run.py", "python"),
    ("web/templates/**/*.html", "jinja2.ext:babel_extract"),
)
SCRIPTS: Final = "web/static/**/*.js"


def gathered() -> Catalog:
    """All texts, without translations."""
    found = Catalog(project="Mournival")
    for pattern, method in SOURCES:
        for path in sorted(ROOT.glob(pattern)):
            name = path.relative_to(ROOT).as_posix()
            for _line, text, comments, context in extract_from_file(_method(method), path, KEYWORDS):
                if "\n" in text:
                    continue  # a docstring after a value that nobody needs, called _
                found.add(text, locations=[(name, 0)], auto_comments=comments, context=context)
    for path in sorted(ROOT.glob(SCRIPTS)):
        for seam, texts in calls(path.read_text(encoding="utf-8"), frozenset(SEAMS)):
            own = texts[: SEAMS[seam]]
            if len(own) == SEAMS[seam]:
                found.add(own[0] if len(own) == 1 else tuple(own), locations=[(path.relative_to(ROOT).as_posix(), 0)])
    for message in found:
        message.locations = sorted(set(message.locations))
    return found


def _method(name: str) -> Any:
    if name != "jinja2.ext:babel_extract":
        return name
    from jinja2.ext import babel_extract

    return babel_extract


def catalogue_path(code: str) -> Path:
    """Where a language's catalogue lies."""
    return LOCALE / code / "LC_MESSAGES" / "messages.po"


def update(code: str, template: Catalog) -> tuple[int, int]:
    """Bring a language's catalogue up to date; gives how many texts it has and how many are not translated."""
    path = catalogue_path(code)
    if path.exists():
        with path.open("rb") as file:
            catalogue = read_po(file, locale=code, domain="messages")
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        catalogue = Catalog(locale=code, fuzzy=False)
    catalogue.update(template, no_fuzzy_matching=True, update_creation_date=False)
    catalogue.header_comment = f"# Mournival's texts: {catalogue.locale_identifier}."
    catalogue.obsolete.clear()
    with path.open("wb") as file:
        write_po(file, catalogue, width=120, sort_output=True, include_lineno=False, ignore_obsolete=True)
    texts = [message for message in catalogue if message.id]
    return len(texts), sum(not _whole(message.string) for message in texts)


def _whole(string: Any) -> bool:
    return all(string) if isinstance(string, tuple) else bool(string)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Gather the texts that people read into the catalogues.")
    parser.add_argument("--new", metavar="CODE", help="begin a further language, such as it")
    wanted = parser.parse_args()
    codes = sorted(path.name for path in LOCALE.iterdir() if path.is_dir())
    template = gathered()
    for code in [*codes, *([wanted.new] if wanted.new and wanted.new not in codes else [])]:
        count, missing = update(code, template)
        print(f"{code}: {count} texts, {missing} not translated")


if __name__ == "__main__":
    main()
