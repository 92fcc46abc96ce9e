"""The deal record: what is read, what is refused and where, and that it reads back as it was written."""

from __future__ import annotations

import doctest

from hypothesis import given, settings
from hypothesis import strategies as st

import assistant.record as module
from assistant.cards import CARDS, parse_cards
from assistant.games import GAMES
from assistant.games.game import Action, GameError, Setup
from assistant.record import (
    HeaderLine,
    InvalidRecord,
    Record,
    parse_record,
    parse_records,
    positions,
    records_text,
    replay,
    start,
)
from tests.assistant.laugh_deals import HERE, LAUGH

DEAL_1 = (HERE / "deal_1.deal").read_text("utf-8")
HEADER = f"game: {LAUGH}\nplayers: 5\ndealer: 1\ntable: 2S 2C 3S 4H 5S 7S 8S 8D 8C TS JH KS\n"


def test_docstring_examples() -> None:
    assert doctest.testmod(module).failed == 0


def test_a_record_is_read_with_its_lines() -> None:
    record = parse_record(DEAL_1)
    assert record.setup.players == 5
    assert record.setup.hands[5] == parse_cards("4C 6S 6D 9H 9C JS QS QH")
    assert record.actions[0] == Action.parse("1 lay AS AD")
    assert record.lines[0] == 12
    assert record.header_lines["hand 5"] == HeaderLine(10, 9, (9, 12, 15, 18, 21, 24, 27, 30))
    assert len(record.actions) == 28


def test_untidy_text_reads_the_same() -> None:
    tidy = parse_record(
        HEADER + "options: help=silent, prial_take=auto_three\nnames: Ann,Bo,Cy,Di,Ed\n\n2 mate 4S 4H\n"
    )
    untidy = parse_record(
        "\ufeff# a deal\r\n  DEALER :1 # that is Ann\r\nGame: Laugh-and-Lie-Down\r\n\r\nPLAYERS:5\r\n"
        "table:2s,2c , 3s 4h 5s 7s 8s 8d 8c 10S jh ks\r\nnames: Ann , Bo,Cy, Di,Ed\r\n"
        "options:help=silent,prial_take = auto_three\r\n   2   MATE 4s   4h # well done"
    )
    assert untidy == tidy


def test_a_replay_stops_at_the_first_illegal_action() -> None:
    played = replay(parse_record(HEADER + "\n2 mate 4S 4H\n3 mate 5D 4S\n4 lie-down\n"))
    assert not played.ok
    assert played.failed == 1
    assert played.error is not None
    assert played.error.code == "not-the-same-rank"
    assert played.line_of(1) == 7
    assert len(played.position.actions) == 1


def test_positions_are_those_on_the_way() -> None:
    record = parse_record(DEAL_1)
    on_the_way = list(positions(record))
    assert [len(position.actions) for position in on_the_way] == list(range(29))
    assert on_the_way[-1] == replay(record).position


def test_a_record_that_was_not_read_has_the_lines_that_it_prints_to() -> None:
    record = parse_record(DEAL_1)
    unread = Record(record.setup, record.actions)
    lines = unread.text().split("\n")
    played = replay(unread)
    assert [lines[played.line_of(number) - 1] for number in range(28)] == [str(action) for action in record.actions]


def test_the_records_of_the_other_games_are_read() -> None:
    stone = parse_record("game: rolling-stone\nplayers: 4\ndealer: 2\n3 play 9C\n4 pick-up\n")
    assert [action.verb for action in stone.actions] == ["play", "pick-up"]
    sbros = parse_record("game: sbros\nplayers: 2\ndealer: 1\ntable: TS 3H\n2 cover TH 3D\n1 reset 4S\n2 pass\n")
    assert sbros.text().endswith("table: TS 3H\n\n2 cover TH 3D\n1 reset 4S\n2 pass\n")


def test_a_name_that_a_record_can_not_hold_is_made_plain() -> None:
    setup = Setup(LAUGH, 3, 1, names=("Ann, the 1st", "Bo #2\n3 mate", "Z\N{LATIN SMALL LETTER E WITH DIAERESIS}"))
    assert parse_record(Record(setup).text()).setup.names == ("Ann the 1st", "Bo 2 3 mate", "Z\u00eb")


def test_a_game_line_starts_the_next_deal() -> None:
    later = DEAL_1.replace("dealer: 1", "dealer: 2")
    both = parse_records(DEAL_1 + "# the second one\n" + later.replace("game:", "  GAME :"))
    assert both == (parse_record(DEAL_1), parse_record(later))
    length = DEAL_1.count("\n") + 1
    assert both[1].header_lines["game"].line == both[0].header_lines["game"].line + length
    assert both[1].lines == tuple(line + length for line in both[0].lines)
    assert replay(both[1]).line_of(3) == both[1].lines[3]
    assert [record.setup.dealer for record in parse_records(DEAL_1 * 30)] == [1] * 30


words = st.text(
    st.characters(codec="utf-8", exclude_characters=",#=", exclude_categories=("C", "Z")), min_size=1, max_size=8
)


@st.composite
def records(draw: st.DrawFn) -> Record:
    game = draw(st.sampled_from(sorted(GAMES)))
    players = draw(st.integers(2, 6))
    seats = st.integers(1, players)
    cards = st.lists(st.sampled_from(CARDS), max_size=9).map(tuple)
    actions = st.builds(Action, seats, st.sampled_from(GAMES[game].verbs), cards)
    setup = Setup(
        game,
        players,
        draw(seats),
        draw(cards),
        dict(sorted(draw(st.dictionaries(seats, cards, max_size=3)).items())),
        draw(st.dictionaries(words, words, max_size=3)),
        draw(st.sampled_from([(), draw(st.lists(words, min_size=2, max_size=6).map(tuple))])),
    )
    return Record(setup, tuple(draw(st.lists(actions, max_size=20))))


@given(records())
def test_what_is_written_reads_back(record: Record) -> None:
    text = record.text()
    read = parse_record(text)
    assert read == record
    assert read.text() == text


@settings(max_examples=25)
@given(st.lists(records(), min_size=1, max_size=3))
def test_several_deals_read_back_as_they_were_written(several: list[Record]) -> None:
    text = records_text(several)
    read = parse_records(text)
    assert read == tuple(several)
    assert records_text(read) == text


lines = st.one_of(
    st.text(max_size=30),
    st.sampled_from([*DEAL_1.split("\n"), *HEADER.split("\n"), "options: help=coach", "2 mate ?? ??", "3 claim 7?"]),
)


@settings(max_examples=300)
@given(st.lists(lines, max_size=40))
def test_any_text_is_a_record_or_refused_in_one_line(parts: list[str]) -> None:
    error: GameError | None = None
    try:
        for record in parse_records("\n".join(parts)):
            error = replay(record).error
    except GameError as refused:
        error = refused
    assert error is None or (error.code and "\n" not in error.reason)


@settings(max_examples=200)
@given(st.data())
def test_a_damaged_record_never_breaks_the_replay(data: st.DataObject) -> None:
    source = DEAL_1.split("\n")
    for _ in range(data.draw(st.integers(1, 4))):
        number = data.draw(st.integers(0, len(source) - 1))
        pieces = source[number].split(" ")
        place = data.draw(st.integers(0, len(pieces) - 1))
        pieces[place] = data.draw(
            st.sampled_from(["??", "7?", "AS", "", "lay", "claim", "lie-down", "mate", "3", "0", "take"])
        )
        source[number] = " ".join(pieces)
    line: int | None = 0
    try:
        played = replay(parse_record("\n".join(source)))
    except InvalidRecord as error:
        line = error.line
    else:
        assert played.ok == (len(played.position.actions) == len(played.record.actions))
        for action in played.position.legal_actions():
            played.position.apply(action)
        assert played.position.over == (played.position.settlement() is not None)
    assert line is not None


def test_start_gives_the_position_before_the_first_action() -> None:
    assert start(parse_record(DEAL_1)).actions == ()
