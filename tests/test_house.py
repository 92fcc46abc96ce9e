"""The rules of the house: who may import whom, how long a file may be, what it may be called."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parent.parent
PACKAGES: Final = ("assistant", "vision", "web", "models")
LONGEST: Final = 600
VAGUE: Final = re.compile(r"(^|_)(utils?|helpers?|common|misc|manager|stuff)(_|$)")

WORLD: Final = frozenset(
    {
        "cv2",
        "PIL",
        "av",
        "onnxruntime",
        "torch",
        "flask",
        "cheroot",
        "click",
        "rich",
        "platformdirs",
        "os",
        "io",
        "sys",
        "pathlib",
        "time",
        "datetime",
        "sqlite3",
        "socket",
        "threading",
        "subprocess",
        "asyncio",
        "logging",
        "tempfile",
        "shutil",
    }
)
"""What the core never touches: pictures, pages, files, threads and the clock. Plain arithmetic is welcome."""

TRAINING_ONLY: Final = frozenset({"torch", "onnx", "tqdm", "resvg_py"})
"""Comes with the training extras and is not there when the program runs."""


def sources(*packages: str) -> list[Path]:
    return sorted(path for package in packages for path in (ROOT / package).rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    """The full names of all modules that a file imports, wherever in the file; ``from a import b`` gives ``a.b``."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def within(name: str, *modules: str) -> bool:
    return any(name == module or name.startswith(module + ".") for module in modules)


def breaches(packages: tuple[str, ...], *forbidden: str, but: tuple[str, ...] = ()) -> list[str]:
    return [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources(*packages)
        for name in imports(path)
        if within(name, *forbidden) and not within(name, *but)
    ]


def test_the_core_knows_neither_eye_nor_page_nor_world() -> None:
    assert breaches(("assistant",), "vision", "web", "models", *WORLD) == []


def test_the_eye_knows_of_the_game_only_cards_views_and_sentences() -> None:
    assert breaches(("vision",), "web") == []
    assert breaches(("vision",), "assistant", but=("assistant.cards", "assistant.view", "assistant.told")) == []


def test_the_models_folder_imports_nothing_of_the_project() -> None:
    assert breaches(("models",), "assistant", "vision", "web") == []


def test_what_runs_does_not_need_the_training() -> None:
    running = [path for path in sources(*PACKAGES) if ROOT / "vision" / "training" not in path.parents]
    found = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in running
        for name in imports(path)
        if within(name, "vision.training", *TRAINING_ONLY)
    ]
    assert found == []


def test_no_file_is_too_long() -> None:
    scripts = [path for path in (ROOT / "web").rglob("*.js") if "vendor" not in path.parts]
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in [*sources(*PACKAGES, "tests"), *scripts]
    }
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def test_names_say_what_is_inside() -> None:
    assert [str(path.relative_to(ROOT)) for path in sources(*PACKAGES, "tests") if VAGUE.search(path.stem)] == []


@pytest.mark.parametrize("path", sources(*PACKAGES), ids=lambda path: str(path.relative_to(ROOT)))
def test_everything_public_says_what_it_is(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), "the module has no docstring"
    bare = [
        node.name
        for node in tree.body
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ]
    assert bare == []
