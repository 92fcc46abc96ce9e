"""A settlement told step by step: each payment by itself, with who, how much, and the rule that it follows from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assistant.games.game import GameError, Position, Setup
from assistant.games.laugh_setup import scale_of
from web.languages import _, _n, number
from web.rule_texts import why
from web.wording import seat_name

Step = dict[str, Any]


def settlement_steps(position: Position) -> list[Step]:
    """The steps of a deal that is over, none where there is no settlement.

    Each has ``kind`` (of a pot ``stake``, ``bonus``, ``sweep``, ``pays``, ``par``, ``draws``, ``end``; of points
    ``won``, ``left``, ``drawn``, ``end``), the ``seat`` (0: none) and ``amount`` that it is about, the ``pot`` after it
    (None where there is none), one sentence, the ``rule``'s number and ``why``.
    """
    try:
        settlement = position.settlement()
    except GameError:
        return []
    if settlement is None:
        return []
    return list(_of_a_pot(position, settlement) if "pot" in settlement else _of_points(position, settlement))


def _step(kind: str, seat: int, amount: float, pot: int | None, text: str, rule: str) -> Step:
    return {"kind": kind, "seat": seat, "amount": amount, "pot": pot, "text": text, "rule": rule, "why": why("", rule)}


def _of_a_pot(position: Position, settlement: Mapping[str, Any]) -> Iterator[Step]:
    setup, pot = position.setup, 0
    seats, bonus = settlement["seats"], settlement["bonus"]
    last_in, drawn_first = int(bonus["seat"]), int(bonus["stakes"])
    for seat in seats:
        pot += seat["staked"]
        yield _step("stake", seat["seat"], seat["staked"], pot, _staked(setup, seat), "LLD-4")
    pot -= drawn_first
    who = seat_name(setup, last_in)
    text = _n(
        "{name} is the last one in and takes {n} stake from the pot.",
        "{name} is the last one in and takes {n} stakes from the pot.",
        drawn_first,
        name=who,
    )
    yield _step("bonus", last_in, drawn_first, pot, text, "LLD-22")
    yield from _swept(position, seats, pot)
    scale = scale_of(setup)
    par = scale.par if scale else 0
    for seat in [one for one in seats if one["paid_in"]]:
        pot += seat["paid_in"]
        yield _step("pays", seat["seat"], seat["paid_in"], pot, _pays(setup, seat, par), "LLD-25")
    for seat in seats:
        gain = seat["received"] - (drawn_first if seat["seat"] == last_in else 0)
        if gain:
            pot -= gain
            yield _step("draws", seat["seat"], gain, pot, _draws(setup, seat, par, gain), "LLD-25")
        elif not seat["paid_in"]:
            text = _(
                "{name} has {cards} cards, which is par: nothing to pay and nothing to draw.",
                name=seat_name(setup, seat["seat"]),
                cards=seat["cards"],
            )
            yield _step("par", seat["seat"], 0, pot, text, "LLD-25")
    results = ", ".join(number(seat["net"], signed=True) for seat in seats)
    if pot == 0:
        text = _("The pot is empty. The results add up to nothing: {results}.", results=results)
    else:
        text = _n("{n} stake is left in the pot.", "{n} stakes are left in the pot.", pot)
    yield _step("end", 0, pot, pot, text, "LLD-26")


def _staked(setup: Setup, seat: Mapping[str, Any]) -> str:
    name, staked = seat_name(setup, seat["seat"]), seat["staked"]
    if seat["seat"] == setup.dealer:
        return _n(
            "{name}, the dealer, puts {n} stake into the pot.",
            "{name}, the dealer, puts {n} stakes into the pot.",
            staked,
            name=name,
        )
    return _n("{name} puts {n} stake into the pot.", "{name} puts {n} stakes into the pot.", staked, name=name)


def _swept(position: Position, seats: list[Mapping[str, Any]], pot: int) -> Iterator[Step]:
    """What was left on the table and in the last hand, as far as the dealer's pile grew by it."""
    setup = position.setup
    final = next(int(seat["cards"]) for seat in seats if seat["seat"] == setup.dealer)
    swept = final - len(position.observe().piles.get(setup.dealer, ()))
    if swept > 0:
        text = _n(
            "{n} card was left over and goes to {name}, the dealer.",
            "{n} cards were left over and go to {name}, the dealer.",
            swept,
            name=seat_name(setup, setup.dealer),
        )
        yield _step("sweep", setup.dealer, swept, pot, text, "LLD-24")


def _pays(setup: Setup, seat: Mapping[str, Any], par: int) -> str:
    return _n(
        "{name} has {cards} cards, {below} below par ({par}), and pays {n} stake in.",
        "{name} has {cards} cards, {below} below par ({par}), and pays {n} stakes in.",
        seat["paid_in"],
        name=seat_name(setup, seat["seat"]),
        cards=seat["cards"],
        below=par - seat["cards"],
        par=par,
    )


def _draws(setup: Setup, seat: Mapping[str, Any], par: int, gain: int) -> str:
    return _n(
        "{name} has {cards} cards, {above} above par ({par}), and draws {n} stake.",
        "{name} has {cards} cards, {above} above par ({par}), and draws {n} stakes.",
        gain,
        name=seat_name(setup, seat["seat"]),
        cards=seat["cards"],
        above=seat["cards"] - par,
        par=par,
    )


def _of_points(position: Position, settlement: Mapping[str, Any]) -> Iterator[Step]:
    setup, winners = position.setup, settlement["winners"]
    stone = setup.game == "rolling-stone"
    ends, scores = ("RST-11", "RST-14") if stone else ("SBR-14", "SBR-15")
    stopped = stone and any(seat["cards"] for seat in settlement["seats"] if seat["seat"] in winners)
    ordered = sorted(settlement["seats"], key=lambda seat: (seat["seat"] not in winners, seat["cards"], seat["seat"]))
    for seat in ordered:
        number_of, cards = seat["seat"], seat["cards"]
        if number_of in winners:
            text = _won(setup, seat, shared=len(winners) > 1)
            yield _step("won", number_of, seat["score"], None, text, "RST-13" if stopped else ends)
        else:
            kind = "left" if winners else "drawn"
            yield _step(kind, number_of, seat["score"], None, _left(setup, number_of, cards), ends)
    results = ", ".join(
        _("{name} {score}", name=seat_name(setup, seat["seat"]), score=points(seat["score"]))
        for seat in settlement["seats"]
    )
    if not winners:
        text = _("Nobody wins, so the point is shared: {results}.", results=results)
    elif setup.options.get("score") == "cards_left":
        text = _("The cards that are left count against their holders: {results}.", results=results)
    else:
        text = _("The points of this deal: {results}.", results=results)
    yield _step("end", 0, 0, None, text, scores)


def _won(setup: Setup, seat: Mapping[str, Any], *, shared: bool) -> str:
    name, cards = seat_name(setup, seat["seat"]), seat["cards"]
    if not cards:
        if shared:
            return _("{name} has no card left and shares the deal.", name=name)
        return _("{name} has no card left and wins the deal.", name=name)
    if shared:
        return _n(
            "{name} holds {n} card, none holds fewer, and shares the deal.",
            "{name} holds {n} cards, none holds fewer, and shares the deal.",
            cards,
            name=name,
        )
    return _n(
        "{name} holds {n} card, the fewest, and wins the deal.",
        "{name} holds {n} cards, the fewest, and wins the deal.",
        cards,
        name=name,
    )


def _left(setup: Setup, seat: int, cards: int) -> str:
    return _n("{name} still holds {n} card.", "{name} still holds {n} cards.", cards, name=seat_name(setup, seat))


def points(score: float) -> str:
    """Points as people write them; of a shared one two places.

    >>> points(1), points(0.5), points(1 / 3)
    ('1', '0.5', '0.33')
    """
    return number(score) if score == int(score) else number(score, 1 if score * 2 == int(score * 2) else 2)
