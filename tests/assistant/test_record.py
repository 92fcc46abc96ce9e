"""The deal record: what is read, what is refused and where, and that it reads back as it was written."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assistant.record as module
from assistant.cards import CARDS, parse_cards
from assistant.games.game import Action, GameError, Setup
from assistant.record import VERBS, InvalidRecord, Record, decode_record, parse_record, positions, replay, start
from tests.assistant.laugh_deals import HERE, LAUGH, dealt

DEAL_1 = (HERE / "deal_1.deal").read_text("utf-8")
HEADER = f"game: {LAUGH}\nplayers: 5\ndealer: 1\ntable: 2S 2C 3S 4H 5S 7S 8S 8D 8C TS JH KS\n"


def refusal(text: str) -> InvalidRecord:
    with pytest.raises(InvalidRecord) as caught:
        replay(parse_record(text))
    assert "\n" not in caught.value.reason
    assert len(caught.value.reason) < 300
    return caught.value


def test_docstring_examples() -> None:
    assert doctest.testmod(module).failed == 0


def test_a_record_is_read_with_its_lines() -> None:
    record = parse_record(DEAL_1)
    assert record.setup.players == 5
    assert record.setup.hands[5] == parse_cards("4C 6S 6D 9H 9C JS QS QH")
    assert record.actions[0] == Action.parse("1 lay AS AD")
    assert record.lines[0] == 12
    assert record.header_lines["hand 5"] == 10
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


HAND = "hand 2: 4S 5D 7D 7C 8H TD QD KH\n"


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("", "missing-key", "line 1"),
        ("players: 5\ndealer: 1\n", "missing-key", "'game'"),
        ("game: whist\nplayers: 5\ndealer: 1\n", "unknown-game", "line 1: there is no game 'whist'"),
        (HEADER + "colour: red\n", "unknown-key", "line 5, column 1: unknown key 'colour'"),
        (HEADER + "  hands 2: 4S\n", "unknown-key", "line 5, column 3"),
        (HEADER + "hand SEAT: 4S\n", "unknown-key", "line 5"),
        (HEADER + "dealer: 2\n", "key-twice", "line 5, column 1: 'dealer' is there twice, first in line 3"),
        (HEADER + "hand 02: 4S\nhand 2: 5D\n", "key-twice", "line 6"),
        (HEADER.replace("players: 5", "players: five"), "bad-number", "line 2"),
        (HEADER.replace("players: 5", "players: \N{SUPERSCRIPT TWO}"), "bad-number", "line 2"),
        (HEADER.replace("players: 5", "players: " + "9" * 5000), "bad-number", "line 2"),
        (HEADER.replace("players: 5", "players:"), "missing-value", "line 2"),
        (HEADER.replace("players: 5", "players: 7"), "bad-players", "line 2"),
        (HEADER.replace("players: 5", "players: 2"), "bad-players", "line 2"),
        (HEADER.replace("dealer: 1", "dealer: 6"), "bad-dealer", "line 3"),
        (HEADER.replace("dealer: 1", "dealer: 0"), "bad-dealer", "line 3"),
        (HEADER.replace("2S 2C", "2S 2X"), "bad-card", "line 4, column 11: '2X'"),
        (HEADER.replace("2S 2C", "2S 2S"), "card-twice", "line 4: 2S"),
        (HEADER.replace("2S 2C", "2S"), "wrong-table-size", "line 4"),
        (HEADER + HAND.replace("4S", "KS"), "card-twice", "line 5: KS is there twice: in 'table' and in 'hand 2'"),
        (HEADER + HAND.replace("4S ", ""), "wrong-hand-size", "line 5"),
        (HEADER + HAND.replace("4S", "4S 9S"), "wrong-hand-size", "line 5"),
        (HEADER + HAND + HAND.replace("2:", "3:").replace("4S", "?? "), "card-twice", "line 6"),
        (HEADER + "hand 6: 4S\n", "no-such-seat", "line 5"),
        (HEADER + "options: prial_grab=one\n", "unknown-option", "line 5: there is no option 'prial_grab'"),
        (HEADER + "options: help=silent, prial_take=two\n", "bad-option", "line 5: option prial_take"),
        (HEADER + "options: help=silent, loud\n", "bad-option", "line 5, column 23: 'loud'"),
        (HEADER + "options: help=silent, help=coach\n", "option-twice", "line 5, column 23"),
        (HEADER + "names: Ann, Bo\n", "bad-names", "line 5"),
        (HEADER + "lie-down\n", "bad-line", "line 5, column 1"),
        (HEADER + "2\n", "bad-action", "line 5, column 2"),
        (HEADER + "2nd mate 4S 4H\n", "bad-action", "line 5, column 1"),
        (HEADER + "99999 mate 4S 4H\n", "bad-action", "line 5, column 1"),
        (HEADER + "6 mate 4S 4H\n", "no-such-seat", "line 5, column 1"),
        (HEADER + "0 mate 4S 4H\n", "no-such-seat", "line 5, column 1"),
        (HEADER + "2 grab 4S 4H\n", "unknown-verb", "line 5: laugh-and-lie-down has no 'grab'"),
        (HEADER + "2 play 4S\n", "unknown-verb", "line 5"),
        (HEADER + "2 mate 4S 4Z\n", "bad-card", "line 5, column 11"),
        (HEADER + "2 mate 4S 4H\nhand 2: 4S\n", "late-header", "line 6"),
        (HEADER + "2 mate 4S\0 4H\n", "control-character", "line 5, column 10"),
        (HEADER + "# \x1b[31m\n", "control-character", "line 5, column 3"),
        (HEADER + "2 mate 4S 4H\n" * 10_000, "too-long", "10005"),
        ("game: sbros\nplayers: 2\ndealer: 1\ntable: TS 3H\n", "unknown-game", "line 1: the game sbros is not built"),
    ],
)  # fmt: skip
def test_what_is_no_record_is_refused_with_its_place(text: str, code: str, place: str) -> None:
    refused = refusal(text)
    assert refused.code == code
    assert place in refused.reason


def test_53_cards_are_refused() -> None:
    setup = dealt(5, seed=1)
    text = Record(setup).text()
    hand = " ".join(map(str, setup.hands[3]))
    refused = refusal(text.replace(hand, hand + " AS"))
    assert refused.code == "wrong-hand-size"
    assert "seat 3 has 9" in refused.reason


def test_another_encoding_is_refused_with_its_line() -> None:
    with pytest.raises(InvalidRecord, match="line 2: the text is not UTF-8"):
        decode_record("game: x\nnames: Zo\xeb\n".encode("latin-1"))
    assert decode_record("\ufeffgame: x".encode()) == "game: x"


def test_the_records_of_the_other_games_are_read() -> None:
    stone = parse_record("game: rolling-stone\nplayers: 4\ndealer: 2\n3 play 9C\n4 pick-up\n")
    assert [action.verb for action in stone.actions] == ["play", "pick-up"]
    sbros = parse_record("game: sbros\nplayers: 2\ndealer: 1\ntable: TS 3H\n2 cover TH 3D\n1 reset 4S\n2 pass\n")
    assert sbros.text().endswith("table: TS 3H\n\n2 cover TH 3D\n1 reset 4S\n2 pass\n")


def test_a_name_that_a_record_can_not_hold_is_made_plain() -> None:
    setup = Setup(LAUGH, 3, 1, names=("Ann, the 1st", "Bo #2\n3 mate", "Z\N{LATIN SMALL LETTER E WITH DIAERESIS}"))
    assert parse_record(Record(setup).text()).setup.names == ("Ann the 1st", "Bo 2 3 mate", "Z\u00eb")


words = st.text(
    st.characters(codec="utf-8", exclude_characters=",#=", exclude_categories=("C", "Z")), min_size=1, max_size=8
)


@st.composite
def records(draw: st.DrawFn) -> Record:
    game = draw(st.sampled_from(sorted(VERBS)))
    players = draw(st.integers(2, 6))
    seats = st.integers(1, players)
    cards = st.lists(st.sampled_from(CARDS), max_size=9).map(tuple)
    actions = st.builds(Action, seats, st.sampled_from(VERBS[game]), cards)
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


lines = st.one_of(
    st.text(max_size=30),
    st.sampled_from([*DEAL_1.split("\n"), *HEADER.split("\n"), "options: help=coach", "2 mate ?? ??", "3 claim 7?"]),
)


@settings(max_examples=300)
@given(st.lists(lines, max_size=40))
def test_any_text_is_a_record_or_refused_in_one_line(parts: list[str]) -> None:
    error: GameError | None = None
    try:
        error = replay(parse_record("\n".join(parts))).error
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
