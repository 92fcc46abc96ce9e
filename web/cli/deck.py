"""``mournival deck``: packs of one's own, learned from pictures that show their cards."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

# Learning multiplies many small tables; more threads than one cost more time than they save. Read as numpy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from assistant.cards import Card, InvalidCard
from vision.file_sources import pictures_in
from vision.frames import SourceError
from vision.image_intake import PictureError, read_picture
from vision.pack_shelf import ANY, About, PackError, PackShelf
from vision.plain_text import one_line
from vision.recogniser import Image
from web.cli import Unusable, Wrong, tell
from web.cli.pack_choice import packs_option
from web.cli.recognise import load_recogniser
from web.journal import default_folder
from web.pack_enrolment import Enrolment

if TYPE_CHECKING:
    from vision.enrolment import Learned
    from vision.onnx_recogniser import OnnxRecogniser

_PACK: Final = 52


@click.group()
def deck() -> None:
    """Learn the look of your own packs, list them, choose one."""


@deck.command("list")
@packs_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object a pack.")
def list_packs(folder: Path | None, as_json: bool) -> None:
    """List the packs that were learned."""
    shelf = PackShelf(folder or default_folder())
    names, in_use = shelf.names(), shelf.in_use()
    damaged = 0
    for name in names:
        try:
            about = shelf.about(name)
        except PackError as error:
            tell(error)
            damaged += 1
            continue
        if as_json:
            click.echo(json.dumps({**_facts(about), "in_use": name == in_use}))
        else:
            learned = f"{about.cards} cards from {_count(about.pictures, 'picture')}, {_figures(about)}"
            click.echo(f"{one_line(name)}: {learned}{' (in use)' if name == in_use else ''}")
    if not names and not as_json:
        click.echo("No pack is enrolled yet: mournival deck enrol NAME PICTURE...")
    if damaged:
        raise SystemExit(2)


@deck.command(short_help="Choose the pack that is read with from now on.")
@click.argument("name")
@packs_option
def use(name: str, folder: Path | None) -> None:
    """From now on read the cards with the pack NAME, where --pack says nothing else; 'any' for none of your own."""
    try:
        PackShelf(folder or default_folder()).use(name.casefold() if name.casefold() == ANY else name)
    except PackError as error:
        raise Unusable(str(error)) from None
    said = "no pack of your own" if name.casefold() == ANY else f"the pack '{name}'"
    click.echo(f"From now on cards are read with {said}.")


@deck.command(short_help="Learn the look of a pack from pictures that show it.")
@click.argument("name")
@click.argument("sources", nargs=-1, required=True, metavar="PICTURE...")
@click.option("--labels", "labels_file", type=Path, metavar="FILE", help="What lies in the pictures, one JSON a line.")
@packs_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object, and no questions.")
def enrol(name: str, sources: tuple[str, ...], labels_file: Path | None, folder: Path | None, as_json: bool) -> None:
    """Learn the look of your own pack and keep it as NAME.

    Lay the whole pack out face up, in any order, some cards at a time with room between them, and take a picture of
    each spread. PICTURE is a picture, a folder of pictures, a video, or a camera (index or address), before which you
    lay the spreads one after the other. Cards that aren't sure are asked for; without a terminal they are listed, and
    --labels FILE says what they are: lines like {"file": "a.jpg", "cards": ["KS", "7H"]}, from left to right, top to
    bottom, "??" for a card to leave out. An older pack of that name is replaced.

    Exit status: 0 learned, 1 cards are unsure or too few, 2 the pictures or labels can't be used.
    """
    from vision.told_cards import LabelsError, read_labels

    shelf = PackShelf(folder or default_folder())
    try:
        shelf.check(name)
        labels = {} if labels_file is None else read_labels(labels_file)
    except (PackError, LabelsError) as error:
        raise Unusable(str(error)) from None
    enrolment = Enrolment(name, load_recogniser(ANY, folder))
    try:
        for file, image in _pictures(sources, enrolment):
            cards = enrolment.look(file, image)
            tell(f"{file}: {_count(cards, 'card')}")
    except (PictureError, SourceError) as error:
        raise Unusable(str(error)) from None
    for remark in enrolment.tell(labels):
        tell(remark)
    learned = learned_of(enrolment, asking=not as_json and can_ask())
    if learned.doubtful:
        _list_doubtful(enrolment, learned, as_json)
        raise SystemExit(1)
    about = enrolment.about(learned)
    try:
        shelf.save(learned.pack, about)
    except PackError as error:
        raise Unusable(str(error)) from None
    if as_json:
        missing = [str(card) for card in enrolment.missing(learned)]
        click.echo(json.dumps({**_facts(about), "stored": True, "missing": missing, "doubtful": []}))
    else:
        click.echo("\n".join(_told(enrolment, learned, about)))


def can_ask() -> bool:
    """Whether somebody sits at the terminal."""
    return sys.stdin.isatty()


def learned_of(enrolment: Enrolment, *, asking: bool) -> Learned:
    """Learn the pack; ``asking``: what is doubtful is asked for at the terminal. Raises Wrong."""
    from vision.enrolment import TooFewCards

    click.echo("Learning ...", err=True)
    try:
        learned = enrolment.learn()
        while learned.doubtful and asking:
            for number in learned.doubtful:
                _ask(enrolment, number, learned.guesses[number])
            learned = enrolment.learn()
    except TooFewCards as error:
        raise Wrong(f"{error}, or name the cards with --labels") from None
    return learned


def _ask(enrolment: Enrolment, number: int, guesses: Sequence[Card]) -> None:
    """Ask until the card is named or left out."""
    file, at, of = enrolment.place(number)
    looks = f" It looks like {_either(guesses)}." if guesses else ""
    tell(f"{file}, card {at} of {of} (from the left, row by row) isn't sure.{looks}")
    while True:
        answer = click.prompt("Which card is it? (Enter: leave it out)", default="", show_default=False, err=True)
        try:
            card = Card.parse(answer) if answer.strip() else None
        except InvalidCard as error:
            tell(error)
            continue
        if enrolment.answer(number, card if card is not None and card.known else None):
            return
        click.echo(f"{card} was already named in this picture.", err=True)


def _pictures(sources: Sequence[str], enrolment: Enrolment) -> Iterator[tuple[str, Image]]:
    """The pictures with their names. Raises PictureError and SourceError."""
    from vision.image_intake import is_picture

    for source in sources:
        path = Path(source)
        if path.is_dir():
            yield from ((str(file), read_picture(file)) for file in pictures_in(path))
        elif _is_camera(source) or (path.is_file() and not is_picture(path) and not _is_named_picture(path)):
            yield from _spreads(source, enrolment.recogniser)
        else:
            yield source, read_picture(source)


def _is_camera(source: str) -> bool:
    return not Path(source).exists() and ((source.isascii() and source.isdecimal()) or "://" in source or "@" in source)


def _is_named_picture(path: Path) -> bool:
    from vision.image_intake import PICTURE_SUFFIXES

    return path.suffix.lower() in PICTURE_SUFFIXES


def _spreads(source: str, recogniser: OnnxRecogniser) -> Iterator[tuple[str, Image]]:
    """The spreads that are laid before a camera or seen in a video, until the whole pack was there."""
    from vision.shown_spreads import shown_spreads
    from vision.sources import open_source

    shown: set[Card] = set()
    with open_source(source) as frames:
        if frames.live:
            click.echo("Lay out some cards and take your hands away; when all were shown: Ctrl-C.", err=True)
        try:
            for number, (image, readings) in enumerate(shown_spreads(frames, recogniser), 1):
                shown |= {reading.card for reading in readings if reading.card.known}
                yield f"{frames.name}, spread {number}", image
                if len(shown) == _PACK:
                    return
                if frames.live:
                    click.echo(f"{len(shown)} of {_PACK} cards so far. Lay out the next ones; Ctrl-C ends.", err=True)
        except KeyboardInterrupt:
            click.echo("", err=True)


def _list_doubtful(enrolment: Enrolment, learned: Learned, as_json: bool) -> None:
    """What isn't sure, and lines for a labels file that say the rest."""
    places = [(*enrolment.place(number), learned.guesses[number]) for number in learned.doubtful]
    pictures = sorted({enrolment.seen[number].picture for number in learned.doubtful})
    lines = []
    for picture in pictures:
        numbers = [number for number, one in enumerate(enrolment.seen) if one.picture == picture]
        cards = ["??" if number in learned.doubtful else str(learned.cards[number] or "??") for number in numbers]
        lines.append({"file": enrolment.files[picture], "cards": cards})
    if as_json:
        doubtful = [
            {"file": file, "place": at, "of": of, "guesses": [str(card) for card in guesses]}
            for file, at, of, guesses in places
        ]
        facts = {"name": enrolment.name, "stored": False, "doubtful": doubtful, "labels": lines}
        click.echo(json.dumps(facts))
        return
    one = len(places) == 1
    click.echo(f"{'1 card is' if one else f'{len(places)} cards are'} not sure:")
    for file, at, of, guesses in places:
        click.echo(f"  {one_line(file)}, card {at} of {of}{f': {_either(guesses)}?' if guesses else ''}")
    click.echo(
        "Nothing is stored yet. Put these lines into a file, write the cards for ?? (?? leaves one out), and call"
    )
    click.echo("again with --labels FILE:")
    for line in lines:
        click.echo(json.dumps(line))


def _told(enrolment: Enrolment, learned: Learned, about: About) -> list[str]:
    """What was learned, for people."""
    missing = enrolment.missing(learned)
    lines = [
        f"Learned '{about.name}': {about.cards} of {_PACK} cards from {_count(about.pictures, 'picture')}.",
        f"Read right at sight, each without having learned from itself: {_figures(about)}.",
    ]
    if missing:
        lines.append(f"Not shown, so read as before: {' '.join(map(str, missing))}.")
    lines.append(f"Use it with --pack '{about.name}', or from now on: mournival deck use '{about.name}'")
    return lines


def _figures(about: About) -> str:
    return f"{about.before} of {about.known} before, {about.after} of {about.known} now"


def _facts(about: About) -> dict[str, Any]:
    return {
        "name": about.name,
        "cards": about.cards,
        "pictures": about.pictures,
        "known": about.known,
        "before": about.before,
        "after": about.after,
    }


def _either(cards: Sequence[Card]) -> str:
    *others, last = map(str, cards)
    return f"{', '.join(others)} or {last}" if others else last


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
