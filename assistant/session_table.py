"""What belongs to the table and goes on from deal to deal: the names, how much is said, what a stake is worth.

Game, dealer and rules belong to a deal. A deal keeps the money and the people that it was settled under; how much is
said is the table's alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from assistant.accounts import CURRENCY, WORTH
from assistant.games import game_named
from assistant.games.game import Setup
from assistant.people import Renaming, people_at, renamed, renamings_of
from assistant.session_events import ActionTaken, TableSet
from assistant.session_state import Deal, SessionState

HELP: Final = "help"
"""The option that says how much is said while a deal is played."""
_MONEY: Final = (WORTH, CURRENCY)


def with_table(setup: Setup, table: Setup) -> Setup:
    """A set-up at the table that is set up like ``table``: with its names, its help level and its worth of a stake, as
    far as the game has these options.

    >>> table = Setup("laugh-and-lie-down", 2, 2, options={"help": "silent", "stake_value": "0.50"}, names=("A", "B"))
    >>> now = with_table(Setup("sbros", 2, 1, options={"merge": "own"}), table)
    >>> now.dealer, now.options, now.names
    (1, {'merge': 'own', 'help': 'silent'}, ('A', 'B'))
    """
    setup = _with_options(setup, table, (HELP, *_MONEY))
    return replace(setup, names=table.names) if table.players == setup.players else setup


def set_at_table(state: SessionState, event: TableSet) -> tuple[Renaming, ...]:
    """Who is called otherwise from now on, after what is set at the table."""
    if state.setup is None or not state.dealt:
        return ()
    return renamings_of(state.setup, event.setup, event.renamed or (), state.people, state.dealt)


def set_in_deal(deal: Deal, table: Setup | None, event: TableSet, renamings: tuple[Renaming, ...]) -> Setup:
    """What is set at the table while the deal is open, and ``table`` was how it was set up, comes to in the deal.

    What changes the reckoning holds for a deal until its first action, what a stake is worth and who sits where until
    it is settled once. After that only its dealer is changed, where nobody changes seats at the same time.
    """
    wanted, mine = event.setup, deal.position.setup
    if event.renamed is None:
        seated = not deal.keeps_table or table is None or wanted.names != table.names
        return _as_older_programs(deal, wanted, seated=seated)
    if deal.settled or deal.reopened:
        moved = table is not None and people_at(wanted) != people_at(replace(table, names=renamed(table, renamings)))
        dealer = mine.dealer if moved else wanted.dealer
        return replace(_with_options(mine, wanted, (HELP,)), dealer=dealer, names=renamed(mine, renamings))
    if any(isinstance(entry.event, ActionTaken) for entry in deal.log):
        return replace(wanted, options=_with_options(mine, wanted, (HELP, *_MONEY)).options)
    return wanted


def _as_older_programs(deal: Deal, wanted: Setup, *, seated: bool) -> Setup:
    """By older programs all held for the deal; one that was settled kept its money."""
    if deal.reopened or deal.position.over:
        wanted = _with_options(wanted, deal.position.setup, _MONEY)
    return wanted if seated else replace(wanted, names=deal.position.setup.names)


def of_deal(deal: Deal, wanted: Setup) -> Setup:
    """What ``wanted`` for the table comes to in a deal that is taken up again: one that was settled once keeps its
    money and its people."""
    if not (deal.reopened or deal.settled):
        return wanted
    mine = deal.position.setup
    return replace(_with_options(wanted, mine, _MONEY), names=mine.names)


def setup_after(state: SessionState, deal: Deal) -> Setup | None:
    """How the deal after this one will be played, where none waits: who deals was chosen, or the deal is passed on."""
    setup = state.setup
    if setup is not None and state.ahead is not None:
        setup = with_table(state.ahead, setup) if deal.keeps_table else state.ahead
    if setup is None or not deal.position.over or deal.number != state.dealt or state.dealer_chosen:
        return setup
    return replace(setup, dealer=deal.position.next_dealer)


def _with_options(setup: Setup, other: Setup, names: Iterable[str]) -> Setup:
    """The set-up with those options as the other one has them; only such as both games know."""
    known = game_named(setup.game).options.keys() & game_named(other.game).options.keys() & set(names)
    kept = {name: value for name, value in setup.options.items() if name not in known}
    return replace(setup, options=kept | {name: value for name, value in other.options.items() if name in known})
