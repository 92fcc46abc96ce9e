"""Who an evening's money belongs to: people, not seats.

A person is known by name, wherever he sits. Somebody without a name is whoever sits in that seat; of two with the same
name each is known by name and seat. Who is called otherwise from now on stays the same person where somebody says so,
and where a seat without a name gets one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from assistant.games.game import Setup


class Person(NamedTuple):
    """Somebody with a name, or without one (the empty name) at a seat; ``seat`` 0 where the name alone tells."""

    name: str
    seat: int = 0


class Renaming(NamedTuple):
    """Who was called ``was`` in the deals up to ``dealt`` is called ``now``."""

    dealt: int
    was: Person
    now: Person


def people_at(setup: Setup) -> tuple[Person, ...]:
    """Who sits at each seat.

    >>> people_at(Setup("sbros", 3, 1, names=("Ann", "", "Ann")))
    (Person(name='Ann', seat=1), Person(name='', seat=2), Person(name='Ann', seat=3))
    >>> people_at(Setup("sbros", 2, 1, names=("Ann", "Bea")))
    (Person(name='Ann', seat=0), Person(name='Bea', seat=0))
    """
    names = [name.strip() for name in setup.names]
    names += [""] * (setup.players - len(names))
    alone = [bool(name) and names.count(name) == 1 for name in names]
    return tuple(Person(name, 0 if alone[place] else place + 1) for place, name in enumerate(names))


def who_sat(deal: int, setup: Setup, renamings: Iterable[Renaming]) -> tuple[Person, ...]:
    """Who sat at each seat of deal number ``deal``, as they are called now.

    >>> once = Setup("sbros", 2, 1, names=("Anm", "Bea"))
    >>> [one.name for one in who_sat(1, once, [Renaming(1, Person("Anm"), Person("Ann"))])]
    ['Ann', 'Bea']
    """
    people = people_at(setup)
    for one in renamings:
        if deal <= one.dealt:
            people = tuple(one.now if person == one.was else person for person in people)
    return people


def renamings_of(
    before: Setup, after: Setup, said: Collection[int], known: Collection[Person], dealt: int
) -> tuple[Renaming, ...]:
    """Who is called otherwise at the table ``after`` than ``before``: whose name sits nowhere any more, while a name
    that nobody is ``known`` by stands at the seat. Of one with a name only at the seats that are ``said``."""
    old, new = people_at(before), people_at(after)
    return tuple(
        Renaming(dealt, was, now)
        for seat, (was, now) in enumerate(zip(old, new, strict=False), 1)
        if was not in new and now not in known and now not in old and now.name and (not was.name or seat in said)
    )


def renamed(setup: Setup, renamings: Collection[Renaming]) -> tuple[str, ...]:
    """The names of a set-up as its people are called after ``renamings``."""
    if not renamings:
        return setup.names
    now = {one.was: one.now for one in renamings}
    return tuple(now.get(person, person).name for person in people_at(setup))
