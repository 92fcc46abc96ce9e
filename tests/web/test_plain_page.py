"""The table without JavaScript: what the page shows is in its HTML."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

from assistant import session as deciding
from tests.web.served import RECORD, Served


def shown(served: Served, path: str = "/plain") -> str:
    status, page = served.get(path)
    assert status == 200
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page.decode())))


def test_the_table_and_then_the_settlement_are_there(served: Served) -> None:
    wanted = replace(served.session.setup, options={"stake_value": "0.50", "currency": "EUR"})
    served.session.perform(lambda now: deciding.set_table(now, wanted))
    assert "Agnes deals" in shown(served)
    served.begin()
    assert "Bertram's turn" in shown(served)
    assert "the seven of hearts" in shown(served)
    served.play()
    text = shown(served)
    assert "Settlement" in text
    for name, net in zip(RECORD.setup.names, ("−1 −€0.50", "0", "−4 −€2.00", "+5 +€2.50"), strict=True):
        row = re.search(rf"{name} \d+ (\d+) (\d+) (\d+) {re.escape(net)} ", text)
        assert row is not None, (name, text)
        staked, paid_in, drawn = map(int, row.groups())
        assert drawn - paid_in - staked == int(net.split()[0].replace("−", "-"))


def test_the_account_stands_there_once_a_deal_counts_and_says_that_a_settled_one_does_not_yet(served: Served) -> None:
    served.begin()
    served.play()
    assert "Account" not in shown(served)
    served.session.perform(deciding.next_deal)
    assert " Account " in shown(served)
    served.begin()
    served.play()
    assert "Account before this deal" in shown(served)


def test_what_counts_stands_first_and_the_story_last(served: Served) -> None:
    served.begin()
    served.play(0, 10)
    text = shown(served)
    places = [
        text.index(part) for part in ("Bertram's turn", "What Bertram may mate", "On the table", "Players", "So far")
    ]
    assert places == sorted(places)
    served.play(10)
    text = shown(served)
    places = [text.index(part) for part in ("The pot is settled", "Settlement", "Players", "So far")]
    assert places == sorted(places)


def test_whoever_has_no_script_comes_there_by_itself_and_it_looks_again_only_if_asked(served: Served) -> None:
    _, table = served.get("/")
    assert b'<noscript><meta http-equiv="refresh" content="0; url=/plain"></noscript>' in table
    assert b"http-equiv" not in served.get("/plain")[1]
    assert b'http-equiv="refresh" content="5"' in served.get("/plain?by_itself=yes")[1]
    assert b"<script" not in served.get("/plain")[1]


def test_names_and_texts_are_no_markup(served: Served) -> None:
    wanted = replace(served.session.setup, names=("<b>Ann</b>", "Bertram", "Cecily", "Dorothy"))
    served.session.perform(lambda now: deciding.set_table(now, wanted))
    assert b"<b>Ann" not in served.get("/plain")[1]
    assert b"&lt;b&gt;Ann" in served.get("/plain")[1]
