"""Many deals measured, several at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from tests.following_benchmark.deals import Deal
from tests.following_benchmark.filmed import filmed
from tests.following_benchmark.followed import follow
from tests.following_benchmark.verdict import Verdict, judge


def verdict_on(deal: Deal, work: Path, fresh: bool) -> Verdict:
    """Film a deal if need be, in a process of its own so that the memory is that of following; follow and judge it."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as studio:
        film = studio.submit(filmed, deal, work).result()
    return judge(deal, film, follow(deal, film, fresh=fresh))


def verdicts(deals: Sequence[Deal], work: Path, *, jobs: int, fresh: bool) -> Iterator[tuple[Deal, Verdict | str]]:
    """The verdict on each deal as it comes, or what stopped it; each deal is followed in a process of its own."""
    one = partial(verdict_on, work=work, fresh=fresh)
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        waiting = {pool.submit(one, deal): deal for deal in deals}
        for future in as_completed(waiting):
            error = future.exception()
            deal = waiting[future]
            yield deal, future.result() if error is None else f"{type(error).__name__}: {error}"
