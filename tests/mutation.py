"""Small faults put into the rules, one at a time, to see whether the tests notice: ``make mutants``.

A mutant changes one comparison, one sum, one number, one ``and``/``or``/``not`` or one condition of a module. The
module is changed in memory only, in a process of its own, which then runs the tests named for it; a mutant that they
let pass has survived and is printed with its line. ``python -m tests.mutation [MODULE...] [--sample N] [--seed S]``.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.abc
import importlib.machinery
import importlib.util
import os
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
GAMES: Final = ROOT / "assistant" / "games"

LAUGH: Final = (
    *("test_laugh_and_lie_down.py", "test_laugh_rules.py", "test_laugh_goldens.py", "test_settlement.py"),
    *("test_codes.py", "test_laugh_facts.py", "test_match.py", "test_laugh_naive.py", "test_laugh_properties.py"),
)
STONE: Final = ("games/test_rolling_stone.py", "games/test_stone_golden.py", "games/test_stone_hidden.py")
SBROS: Final = (
    "games/test_sbros.py",
    "games/test_sbros_golden.py",
    "games/test_sbros_offers.py",
    "games/test_sbros_properties.py",
)
TESTS: Final = {"laugh": LAUGH, "settlement": LAUGH, "bag": LAUGH, "whereabouts": LAUGH}
TESTS_OF: Final = TESTS | {"rolling": STONE, "stone": STONE, "sbros": SBROS}
"""By the first word of a module's name: its tests, in ``tests/assistant/``, the quickest first."""

SECONDS: Final = 30
"""A mutant that runs longer goes round in circles, which the tests would notice."""

COMPARISONS: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
SUMS: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


class Mutant:
    """One small fault: the module with it, the line, and what was changed into what."""

    def __init__(self, tree: ast.Module, line: int, was: str, now: str) -> None:
        self.tree, self.line, self.was, self.now = tree, line, was, now

    def __str__(self) -> str:
        return f"line {self.line}: {self.was}  ->  {self.now}"


def changed(node: ast.AST) -> Iterator[ast.AST]:
    """The faults that a node can have, each as a new node."""
    match node:
        case ast.Compare(ops=[one]) if type(one) in COMPARISONS:
            yield ast.Compare(node.left, [COMPARISONS[type(one)]()], node.comparators)
        case ast.BinOp(op=op) if type(op) in SUMS and not isinstance(node.left, ast.Constant | ast.JoinedStr):
            yield ast.BinOp(node.left, SUMS[type(op)](), node.right)
        case ast.BoolOp(op=ast.And()):
            yield ast.BoolOp(ast.Or(), node.values)
        case ast.BoolOp(op=ast.Or()):
            yield ast.BoolOp(ast.And(), node.values)
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.IfExp():
            yield ast.IfExp(node.test, node.orelse, node.body)
        case _:
            pass


def mutants_of(source: str) -> Iterator[Mutant]:
    """Every fault of a module, one at a time. Type hints, docstrings and constants of the module stay as they are."""
    tree = ast.parse(source)
    places = [node for top in tree.body if isinstance(top, ast.FunctionDef | ast.ClassDef) for node in inside(top)]
    for number, node in enumerate(places):
        for new in changed(node):
            fresh = copy.deepcopy(tree)
            tops = [top for top in fresh.body if isinstance(top, ast.FunctionDef | ast.ClassDef)]
            target = [one for top in tops for one in inside(top)][number]
            Swap(target, ast.copy_location(copy.deepcopy(new), node)).visit(fresh)
            yield Mutant(
                ast.fix_missing_locations(fresh), getattr(node, "lineno", 0), ast.unparse(node), ast.unparse(new)
            )


def inside(top: ast.AST) -> list[ast.expr]:
    """The expressions of a function or class that are run, in order."""
    found: list[ast.expr] = []
    for name, value in ast.iter_fields(top):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for node in value if isinstance(value, list) else [value]:
            if isinstance(node, ast.AST):
                found += [node] if isinstance(node, ast.expr) else []
                found += inside(node)
    return found


class Swap(ast.NodeTransformer):
    """Puts one node in place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        """The node, or what stands for it."""
        return self.new if node is self.old else self.generic_visit(node)


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports a module with its fault."""

    def __init__(self, module: str, mutant: Mutant) -> None:
        self.module, self.mutant = module, mutant

    def find_spec(self, name: str, path: object, target: object = None) -> importlib.machinery.ModuleSpec | None:
        """The module that is changed, and no other."""
        return importlib.util.spec_from_loader(name, self) if name == self.module else None

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed source."""
        module.__file__ = str(GAMES / f"{self.module.rpartition('.')[2]}.py")
        exec(compile(self.mutant.tree, module.__file__, "exec"), module.__dict__)


def survives(name: str, mutant: Mutant | None, tests: Sequence[str]) -> bool:
    """Whether the tests pass in spite of the fault (of none, if None); they run in a child of this process."""
    child = os.fork()
    if not child:
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        os._exit(run_tests(name, mutant, tests))
    return os.waitpid(child, 0)[1] == 0


def run_tests(name: str, mutant: Mutant | None, tests: Sequence[str]) -> int:
    """Pytest's exit status, stopping at the first failure."""
    import pytest

    if mutant is not None:
        sys.meta_path.insert(0, Changed(f"assistant.games.{name}", mutant))
    folder = ROOT / "tests" / "assistant"
    paths = [str(folder / test) for test in tests]
    try:
        return int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=1", *paths]))
    except BaseException:
        return 1


def main(arguments: Sequence[str] | None = None) -> None:
    """Try mutants and print the survivors."""
    parser = argparse.ArgumentParser(description="Small faults in the rules: do the tests notice?")
    parser.add_argument("modules", nargs="*", default=["laugh_and_lie_down", "laugh_mistakes", "settlement"])
    parser.add_argument("--sample", type=int, default=40, help="mutants tried of each module; 0 tries all")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    import hypothesis  # noqa: F401  so that the children need not import them
    import pytest  # noqa: F401

    for name in chosen.modules:
        tests = TESTS_OF[name.partition("_")[0]]
        if not survives(name, None, tests):
            sys.exit(f"{name}: its tests fail as it is, so they can't tell a fault: {', '.join(tests)}")
        mutants = list(mutants_of((GAMES / f"{name}.py").read_text("utf-8")))
        sample = mutants
        if chosen.sample and chosen.sample < len(mutants):
            sample = random.Random(chosen.seed).sample(mutants, chosen.sample)
        survivors = []
        for number, mutant in enumerate(sorted(sample, key=lambda one: one.line), 1):
            print(f"{name}: {number} of {len(sample)}", end="\r", file=sys.stderr, flush=True)
            if survives(name, mutant, tests):
                survivors.append(mutant)
                print(f"  {name}, {mutant}", flush=True)
        print(f"{name}: {len(sample) - len(survivors)} of {len(sample)} noticed ({len(mutants)} possible)", flush=True)


if __name__ == "__main__":
    main()
