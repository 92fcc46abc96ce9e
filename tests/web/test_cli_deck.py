"""``mournival deck``: learning a pack, listing packs, choosing one; the networks and the eye are scripted."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from assistant.cards import PACK, Card
from tests.vision.scripted_pack import ScriptedPack
from vision.enrolment import SeenCard
from vision.own_pack import OwnPack
from vision.pack_shelf import About, PackShelf
from vision.recogniser import Image
from web.cli import main

ORDER: Final = tuple(PACK[k] for k in np.random.default_rng(1).permutation(52))
SPREADS: Final = tuple(ORDER[k : k + 13] for k in range(0, 52, 13))


@dataclass
class Eye:
    """Sees in picture number k (its grey) the k-th spread. ``blank``: places whose features and names say nothing."""

    pack: ScriptedPack
    blank: tuple[Card, ...] = ()
    namers: str = "networks-1"

    def knowing(self, pack: OwnPack | None) -> Eye:
        return self

    def look_at(self, recogniser: object, image: Image, picture: int) -> list[SeenCard]:
        spread = SPREADS[int(image[0, 0, 0]) // 40]
        return [
            self._nothing(one) if card in self.blank else one
            for card, one in zip(spread, self.pack.spread(spread, picture), strict=True)
        ]

    def _nothing(self, one: SeenCard) -> SeenCard:
        for names in (one.index, one.card):
            names.ranks[:], names.suits[:], names.features[:] = -np.log(13), -np.log(4), 0
        return one


@pytest.fixture
def eye(monkeypatch: pytest.MonkeyPatch) -> Eye:
    scripted = Eye(ScriptedPack(1))
    monkeypatch.setattr("web.cli.deck.load_recogniser", lambda pack, folder: scripted)
    monkeypatch.setattr("vision.enrolment.look_at", scripted.look_at)
    return scripted


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "pictures"
    folder.mkdir()
    for k in range(len(SPREADS)):
        cv2.imwrite(str(folder / f"{k}.png"), np.full((32, 48, 3), 40 * k, np.uint8))
    return folder


def deck(tmp_path: Path, *arguments: object, answers: str | None = None) -> Result:
    call = ["deck", str(arguments[0]), "--data", str(tmp_path / "data"), *map(str, arguments[1:])]
    return CliRunner().invoke(main, call, input=answers)


def test_a_pack_is_learned_listed_and_used(tmp_path: Path, pictures: Path, eye: Eye) -> None:
    labels = tmp_path / "labels.jsonl"
    rows = [{"file": f"{k}.png", "cards": [str(card) for card in spread]} for k, spread in enumerate(SPREADS)]
    labels.write_text("\n".join(map(json.dumps, rows)))
    done = deck(tmp_path, "enrol", "mats", pictures, "--labels", labels)
    assert done.exit_code == 0, done.output
    assert "Learned 'mats': 52 of 52 cards from 4 pictures." in done.stdout
    assert "before" in done.stdout
    listed = deck(tmp_path, "list", "--json")
    about = json.loads(listed.stdout)
    assert (about["name"], about["cards"], about["pictures"], about["in_use"]) == ("mats", 52, 4, False)
    assert about["before"] < about["after"] <= 52
    assert deck(tmp_path, "use", "mats").exit_code == 0
    assert "(in use)" in deck(tmp_path, "list").stdout
    assert PackShelf(tmp_path / "data").load("mats", eye.namers).name == "mats"
    assert deck(tmp_path, "use", "any").exit_code == 0
    assert "(in use)" not in deck(tmp_path, "list").stdout


def test_doubtful_cards_are_listed_with_what_to_do(tmp_path: Path, pictures: Path, eye: Eye) -> None:
    eye.blank = (SPREADS[1][3], SPREADS[2][0])
    done = deck(tmp_path, "enrol", "mats", pictures)
    assert done.exit_code == 1
    assert f"{pictures / '1.png'}, card 4 of 13" in done.stdout
    assert "--labels FILE" in done.stdout
    assert PackShelf(tmp_path / "data").names() == []
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    labels = tmp_path / "labels.jsonl"
    filled = [json.loads(line) for line in lines]
    assert all("??" in row["cards"] for row in filled)
    for row in filled:
        row["cards"] = [str(card) for card in SPREADS[int(Path(row["file"]).stem)]]
    labels.write_text("\n".join(map(json.dumps, filled)))
    again = deck(tmp_path, "enrol", "mats", pictures, "--labels", labels, "--json")
    facts = json.loads(again.stdout)
    assert again.exit_code == (0 if facts["stored"] else 1)
    for row in facts.get("labels", []):
        assert row["file"] not in [told["file"] for told in filled]


def test_json_tells_of_doubtful_cards_too(tmp_path: Path, pictures: Path, eye: Eye) -> None:
    eye.blank = (SPREADS[1][3],)
    done = deck(tmp_path, "enrol", "mats", pictures, "--json")
    facts: Any = json.loads(done.stdout)
    assert done.exit_code == 1
    assert facts["stored"] is False
    assert {"file": str(pictures / "1.png"), "place": 4, "of": 13} in [
        {key: one[key] for key in ("file", "place", "of")} for one in facts["doubtful"]
    ]


def test_at_a_terminal_they_are_asked_for(
    tmp_path: Path, pictures: Path, eye: Eye, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.cli.deck.can_ask", lambda: True)
    eye.blank = (SPREADS[1][3],)
    done = deck(tmp_path, "enrol", "mats", pictures, answers=f"17X\n{SPREADS[1][3]}\n" + "\n" * 20)
    assert done.exit_code == 0, done.output
    assert "card 4 of 13" in done.stderr
    assert "is no card" in done.stderr
    assert SPREADS[1][3] in PACK
    assert PackShelf(tmp_path / "data").about("mats").cards >= 48


def refused(tmp_path: Path, *arguments: object, status: int = 2) -> str:
    done = deck(tmp_path, *arguments)
    assert done.exit_code == status, done.output
    assert done.stdout == ""
    last = done.stderr.splitlines()[-1]
    assert last.startswith("mournival: ")
    assert "Traceback" not in done.stderr
    return last


def test_calls_that_can_not_work(tmp_path: Path, pictures: Path, eye: Eye) -> None:
    assert "is no name for a pack" in refused(tmp_path, "enrol", "../mats", pictures)
    assert "no such file" in refused(tmp_path, "enrol", "mats", tmp_path / "none.jpg")
    assert "no pictures in this folder" in refused(tmp_path, "enrol", "mats", tmp_path)
    assert "can't be read" in refused(tmp_path, "enrol", "mats", pictures, "--labels", tmp_path / "none")
    (tmp_path / "labels").write_text("KS\n")
    assert "line 1" in refused(tmp_path, "enrol", "mats", pictures, "--labels", tmp_path / "labels")
    (tmp_path / "letter.jpg").write_text("dear anna")
    assert "letter.jpg" in refused(tmp_path, "enrol", "mats", tmp_path / "letter.jpg")


def test_too_few_cards_are_a_wrong_input(tmp_path: Path, pictures: Path, eye: Eye) -> None:
    eye.blank = PACK
    assert "show more of the pack" in refused(tmp_path, "enrol", "mats", pictures, status=1)


def test_labels_that_do_not_fit_are_told(tmp_path: Path, pictures: Path, eye: Eye) -> None:
    labels = tmp_path / "labels.jsonl"
    more = [*map(str, SPREADS[0]), str(SPREADS[1][0])]
    rows = [{"file": "0.png", "cards": more}, {"file": "elsewhere.png", "cards": ["KS"]}]
    labels.write_text("\n".join(map(json.dumps, rows)))
    done = deck(tmp_path, "enrol", "mats", pictures / "0.png", "--labels", labels)
    assert done.exit_code == 0, done.output
    assert f"{SPREADS[1][0]} can't be seen" in done.stderr
    assert "elsewhere.png" in done.stderr
    assert "Not shown, so read as before" in done.stdout


def stored(tmp_path: Path, name: str, namers: str = "networks-1") -> PackShelf:
    shelf = PackShelf(tmp_path / "data")
    from tests.vision.test_pack_shelf import look

    shelf.save(OwnPack(name, look(1), look(2)), About(name, namers, 52, 6, 52, 45, 51))
    return shelf


def test_unknown_names_are_told_with_those_there_are(tmp_path: Path) -> None:
    stored(tmp_path, "mats")
    stored(tmp_path, "Piatnik 1882")
    assert refused(tmp_path, "use", "bees") == "mournival: there is no pack 'bees'; there are: mats, Piatnik 1882"


def test_a_damaged_pack_is_told_and_the_others_are_listed(tmp_path: Path) -> None:
    stored(tmp_path, "mats")
    (tmp_path / "data" / "packs" / "bees.npz").write_bytes(b"honey")
    done = deck(tmp_path, "list")
    assert done.exit_code == 2
    assert done.stdout.startswith("mats: 52 cards from 6 pictures, 45 of 52 before, 51 of 52 now")
    assert len(done.stderr.splitlines()) == 1
    assert "bees.npz" in done.stderr


def test_no_pack_yet(tmp_path: Path) -> None:
    assert "No pack is enrolled yet" in deck(tmp_path, "list").stdout
    assert deck(tmp_path, "list", "--json").stdout == ""
