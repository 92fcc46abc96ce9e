from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from assistant import session as deciding
from assistant.games.game import Setup
from assistant.match import results_of
from assistant.session_events import (
    ActionTaken,
    DealBegun,
    DealClosed,
    Entry,
    SessionBegun,
    SessionEvent,
    TableSet,
    event_to_json,
)
from tests.web.evenings import LAUGH, play_deal, played_out
from web.account_plot import BOTTOM, HEIGHT, MARKS, NAME_APART, TOP, account_plot
from web.evening import evening
from web.evening_csv import cell, evening_csv
from web.journal import SqliteJournal
from web.journal_import import events_of
from web.languages import speaking
from web.money import amount, worth
from web.open_session import OpenSession

NAMES = ("=cmd|'/c calc'!A1", "Жанна", 'Bea "B", Bee', "-Di")


@pytest.fixture
def session(tmp_path: Path) -> Iterator[OpenSession]:
    journal = SqliteJournal(tmp_path)
    yield OpenSession(journal, Setup(LAUGH, 4, 1, names=("Ann", "Bea", "Cy", "Di")))
    journal.close()


def rows(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True))


def test_before_the_first_deal_there_is_no_account(session: OpenSession) -> None:
    assert evening(session.state)["accounts"] == []
    assert len(rows(evening_csv(session.state))) == 1


def test_a_settled_deal_counts_although_it_is_not_closed(session: OpenSession) -> None:
    play_deal(session, 1)
    position = play_deal(session, 2, close=False)
    (account,) = evening(session.state)["accounts"]
    assert [(deal["deal"], deal["open"]) for deal in account["deals"]] == [(1, False), (2, True)]
    settlement = position.settlement()
    assert settlement is not None
    assert account["deals"][1]["nets"] == [seat["net"] for seat in settlement["seats"]]
    assert account["totals"] == [sum(deal["nets"][seat] for deal in account["deals"]) for seat in range(4)]
    assert account["running"][-1] == account["totals"]


def test_the_payments_leave_everybody_with_his_result_in_stakes_and_in_money(session: OpenSession) -> None:
    for seed in (1, 2, 3):
        play_deal(session, seed, options={"stake_value": "0.20"})
    (account,) = evening(session.state)["accounts"]
    left, money = list(account["totals"]), [Decimal("0.20") * total for total in account["totals"]]
    (part,) = account["parts"]
    for one in part["payments"]:
        left[one["payer"] - 1] += one["stakes"]
        left[one["payee"] - 1] -= one["stakes"]
        money[one["payer"] - 1] += Decimal(one["money"])
        money[one["payee"] - 1] -= Decimal(one["money"])
    assert left == [0] * 4
    assert money == [Decimal(0)] * 4
    first = part["payments"][0]
    assert f"{first['stakes']} stake" in first["text"]
    assert amount(Decimal(first["money"])) in first["text"]


def test_where_stakes_were_worth_different_sums_only_money_is_paid(session: OpenSession) -> None:
    play_deal(session, 1, options={"stake_value": "0.20"})
    play_deal(session, 2, options={"stake_value": "0.50"})
    (account,) = evening(session.state)["accounts"]
    (part,) = account["parts"]
    assert part["note"] == ""
    assert all(one["stakes"] is None and one["money"] for one in part["payments"])


def say(session: OpenSession, **options: str) -> None:
    session.perform(lambda now: deciding.set_table(now, replace(session.setup, options=options)))


def test_a_worth_that_is_said_later_leaves_what_was_played_for_stakes_alone(session: OpenSession) -> None:
    play_deal(session, 1)
    (before,) = evening(session.state)["accounts"][0]["parts"]
    assert (before["note"], before["money"]) == ("", None)
    for value in ("2.00", "0.50", "100.00"):
        say(session, stake_value=value, currency="EUR")
        (part,) = evening(session.state)["accounts"][0]["parts"]
        assert part == before | {"note": "Deal 1 was played for stakes alone."}
    play_deal(session, 2, options={"stake_value": "0.50", "currency": "EUR"})
    alone, paid = evening(session.state)["accounts"][0]["parts"]
    assert (alone["note"], alone["payments"]) == ("Deal 1 was played for stakes alone.", before["payments"])
    assert (paid["note"], paid["label"], paid["deals"]) == ("Deal 2 was played for money.", "In money, deal 2", [2])
    nets = evening(session.state)["accounts"][0]["deals"][1]["nets"]
    assert paid["money"] == [amount(Decimal("0.50") * net, "EUR", signed=True) for net in nets]


@pytest.mark.parametrize("close", [True, False])
def test_a_settled_deal_keeps_its_worth_and_currency_whatever_is_set_afterwards(
    session: OpenSession, close: bool
) -> None:
    play_deal(session, 1, options={"stake_value": "0.50", "currency": "EUR"}, close=close)
    (before,) = evening(session.state)["accounts"][0]["parts"]
    assert all("€" in one["text"] for one in before["payments"])
    for options in ({"stake_value": "100.00", "currency": "USD"}, {"stake_value": "2"}, {}):
        say(session, **options)
        assert evening(session.state)["accounts"][0]["parts"] == [before]
    session.perform(lambda now: deciding.reopen(now, 1) if close else deciding.next_deal(now))
    assert evening(session.state)["accounts"][0]["parts"] == [before]
    assert session.setup.options == {}


def test_an_evening_for_a_stake_of_nothing_that_an_older_program_wrote_is_one_for_stakes_alone(tmp_path: Path) -> None:
    nothing = Setup(LAUGH, 4, 1, options={"stake_value": "0", "currency": "EUR"})
    position = played_out(replace(nothing, options={}), 1)
    settlement = position.settlement()
    assert settlement is not None
    begun = replace(position.setup, options=nothing.options)
    nets = results_of(settlement, 4)
    events: list[SessionEvent] = [SessionBegun(nothing), TableSet(nothing), DealBegun(begun)]
    events += [*map(ActionTaken, position.actions), DealClosed(nets)]
    entries = [Entry(seq, min(1, seq // 3), event) for seq, event in enumerate(events, 1)]
    journal = SqliteJournal(tmp_path)
    journal.append(entries)
    opened = OpenSession(journal, nothing)
    (part,) = evening(opened.state)["accounts"][0]["parts"]
    assert (part["money"], opened.setup.options) == (None, {"currency": "EUR"})
    assert sum(one["stakes"] for one in part["payments"]) == sum(net for net in nets if net > 0)
    assert len(rows(evening_csv(opened.state))) == 3
    journal.close()
    lines = [{"seq": one.seq, "deal": one.deal, "kind": one.kind} | event_to_json(one.event) for one in entries]
    assert len(events_of("\n".join(map(json.dumps, lines)))) == len(entries)


def test_two_kinds_of_money_are_never_added_up(session: OpenSession) -> None:
    for seed, currency in enumerate(("EUR", "USD", "EUR"), 1):
        play_deal(session, seed, options={"stake_value": "1", "currency": currency})
    parts = evening(session.state)["accounts"][0]["parts"]
    assert [(part["deals"], part["note"]) for part in parts] == [
        ([1, 3], "Deals 1, 3 were played for money."),
        ([2], "Deal 2 was played for money."),
    ]


def test_who_changes_seats_is_paid_what_was_won_in_the_other(session: OpenSession) -> None:
    for seed in (1, 2):
        play_deal(session, seed, options={"stake_value": "0.50"})
    before = evening(session.state)["accounts"][0]
    sums = dict(zip("ABCD", before["totals"], strict=True))
    session.perform(lambda now: deciding.set_table(now, replace(session.setup, names=("Di", "Ann", "Eve", "Bea"))))
    shown = evening(session.state)
    (account,) = shown["accounts"]
    assert shown["names"] == ["Di", "Ann", "Eve", "Bea", "Cy"]
    assert account["totals"] == [sums["D"], sums["A"], 0, sums["B"], sums["C"]]
    assert [deal["nets"][2] for deal in account["deals"]] == [None, None]
    assert account["deals"][0]["shown"][2] == ""
    assert sorted(one["text"] for one in account["parts"][0]["payments"]) == sorted(
        one["text"] for one in before["parts"][0]["payments"]
    )
    head, first, _second, together, money = rows(evening_csv(session.state))
    assert head[7:12] == ["Di", "Ann", "Eve", "Bea", "Cy"]
    nets = [before["deals"][0]["nets"][seat] for seat in (3, 0, 1, 2)]
    assert first[7:12] == [str(nets[0]), str(nets[1]), "", str(nets[2]), str(nets[3])]
    assert [Decimal(one) for one in first[12:] if one] == [Decimal("0.50") * net for net in nets]
    assert together[7:12] == [str(total) for total in account["totals"]]
    assert [Decimal(one) for one in money[12:]] == [Decimal("0.50") * total for total in account["totals"]]
    assert len(account_plot(account, shown["names"]).lines) == 5
    assert list(session.state.account) == account["totals"][:4]


@pytest.mark.parametrize("spoken", ["en", "de", "fr", "pt", "ru"])
def test_a_stake_that_is_worth_less_than_the_currency_s_coin_is_shown_exactly(
    session: OpenSession, spoken: str
) -> None:
    position = play_deal(session, 1, options={"stake_value": "0.50", "currency": "JPY"}, close=False)
    with speaking(spoken):
        (part,) = evening(session.state)["accounts"][0]["parts"]
        settlement = position.settlement()
        assert settlement is not None
        nets = [seat["net"] for seat in settlement["seats"]]
        assert [worth(position.setup, net) for net in nets] == part["money"]
        for one in part["payments"]:
            assert amount(Decimal(one["money"]), "JPY") in one["text"]
    told = ["".join(sign for sign in one if sign.isdigit() or sign == "−") for one in part["money"]]
    assert [Decimal(one.replace("−", "-")) / 100 for one in told] == [Decimal("0.50") * net for net in nets]


def test_points_are_kept_apart_and_nobody_pays_them(session: OpenSession) -> None:
    play_deal(session, 1)
    play_deal(session, 2, game="rolling-stone")
    play_deal(session, 3, game="rolling-stone", options={"score": "cards_left"})
    shown = evening(session.state)
    assert shown["mixed"]
    assert [one["title"] for one in shown["accounts"]] == ["Laugh and Lie Down", "Rolling Stone", "Rolling Stone"]
    assert [[deal["deal"] for deal in one["deals"]] for one in shown["accounts"]] == [[1], [2], [3]]
    assert [len(one["parts"]) for one in shown["accounts"]] == [1, 0, 0]
    assert shown["accounts"][1]["counting"] != shown["accounts"][2]["counting"]
    assert list(session.state.account) == shown["accounts"][2]["totals"]


def test_what_is_not_sure_is_named(session: OpenSession) -> None:
    play_deal(session, 1)
    play_deal(session, 2, sure=False)
    shown = evening(session.state)
    assert shown["unsure"] == [2]
    assert [deal["sure"] for deal in shown["accounts"][0]["deals"]] == [True, False]


def test_the_table_for_spreadsheets_is_csv_and_no_name_is_a_formula(tmp_path: Path) -> None:
    session = OpenSession(SqliteJournal(tmp_path), Setup(LAUGH, 4, 1, names=NAMES))
    play_deal(session, 1, options={"stake_value": "0.20", "currency": "EUR"})
    play_deal(session, 2, game="rolling-stone", sure=False)
    data = evening_csv(session.state)
    assert data.startswith(b"\xef\xbb\xbf")
    lines = data.decode("utf-8-sig").split("\r\n")
    assert lines[-1] == ""
    assert not any("\n" in line for line in lines)
    head, first, second, *sums = rows(data)
    assert head[7:11] == ["'=cmd|'/c calc'!A1", "Жанна", 'Bea "B", Bee', "'-Di"]
    assert head[11:] == ["'=cmd|'/c calc'!A1 in money", "Жанна in money", 'Bea "B", Bee in money', "'-Di in money"]
    nets = [int(net) for net in first[7:11]]
    assert sum(nets) == 0
    assert first[:7] == ["1", "Laugh and Lie Down", "stakes", "0.20", "EUR", "'=cmd|'/c calc'!A1", "yes"]
    assert first[11:] == [f"{Decimal('0.20') * net:.2f}" for net in nets]
    assert second[0:5] == ["2", "Rolling Stone", "points", "", ""]
    assert (second[6], second[11:]) == ("no", [""] * 4)
    together, money = sums[0], sums[1]
    assert [int(one) for one in together[7:11]] == nets
    assert (money[0], money[4], money[7:]) == ("In money", "EUR", ["", "", "", "", *first[11:]])
    assert all(len(row) == len(head) for row in (first, second, *sums))


def test_the_money_of_the_table_for_spreadsheets_is_that_of_the_page(session: OpenSession) -> None:
    play_deal(session, 1)
    for seed, (value, currency) in enumerate((("0.50", "EUR"), ("2", "USD"), ("0.25", "EUR")), 2):
        play_deal(session, seed, options={"stake_value": value, "currency": currency})
    _, *deals = rows(evening_csv(session.state))
    of_deals, sums = deals[:4], deals[4:]
    assert [row[3:5] for row in of_deals] == [["", ""], ["0.50", "EUR"], ["2", "USD"], ["0.25", "EUR"]]
    assert of_deals[0][-4:] == [""] * 4
    shown = {part["label"]: part["money"] for part in evening(session.state)["accounts"][0]["parts"] if part["money"]}
    for row, currency, label in zip(sums[1:], ("EUR", "USD"), shown, strict=True):
        added = [sum(Decimal(one[at]) for one in of_deals if one[4] == currency) for at in range(-4, 0)]
        assert [Decimal(one) for one in row[-4:]] == added
        assert shown[label] == [amount(Decimal(one), currency, signed=True) for one in row[-4:]]


@pytest.mark.parametrize("text", ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", " =1", "＝1", "\r=1"])
def test_what_a_spreadsheet_may_take_for_a_formula_gets_an_apostrophe(text: str) -> None:
    assert cell(text) == f"'{text}"


@pytest.mark.parametrize("number", ["-4", "0", "12.5", "-0.3333"])
def test_a_number_stays_a_number(number: str) -> None:
    assert cell(number) == number


def test_the_plot_has_a_line_for_each_player_and_names_that_can_be_read(session: OpenSession) -> None:
    for seed in range(5):
        play_deal(session, seed)
    shown = evening(session.state)
    account = shown["accounts"][0]
    plot = account_plot(account, shown["names"])
    assert [line.name for line in plot.lines] == ["Ann", "Bea", "Cy", "Di"]
    assert len({line.mark for line in plot.lines}) == 4 <= len(MARKS)
    for line, total in zip(plot.lines, account["totals"], strict=True):
        assert len(line.places) == 5
        higher = [other for other, sum_ in zip(plot.lines, account["totals"], strict=True) if sum_ > total]
        assert all(other.places[-1][1] < line.places[-1][1] for other in higher)
        assert TOP <= line.places[-1][1] <= HEIGHT - BOTTOM
    heights = sorted(line.name_y for line in plot.lines)
    assert all(after - before >= NAME_APART - 0.2 for before, after in itertools.pairwise(heights))
    assert heights[-1] <= HEIGHT - BOTTOM
    assert any(text == "0" and y == plot.nought for y, text in plot.levels)
    assert [text for _, text in plot.deals] == ["1", "2", "3", "4", "5"]


def test_a_plot_of_nothing_but_noughts_is_drawn() -> None:
    account = {"running": [[0, 0]], "deals": [{"deal": 1}], "shownTotals": ["0", "0"]}
    plot = account_plot(account, ["A", "B"])
    assert len(plot.levels) >= 2


def test_what_the_table_for_spreadsheets_counts_is_said_in_the_readers_language(session: OpenSession) -> None:
    play_deal(session, 1)
    with speaking("de"):
        head, deal, *_sums = rows(evening_csv(session.state))
    assert (head[2], deal[2]) == ("Gezählt in", "Einsätze")
