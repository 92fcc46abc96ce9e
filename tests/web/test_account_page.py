from __future__ import annotations

import json
from dataclasses import replace

from assistant import session as deciding
from assistant.games.game import Setup
from assistant.record import parse_record
from tests.web.evenings import LAUGH, play_deal
from tests.web.served import RECORD, Served
from web.evening import evening


def text(served: Served, path: str) -> str:
    status, page = served.get(path)
    assert status == 200, page
    assert isinstance(page, bytes)
    return page.decode()


def test_the_page_shows_accounts_payments_and_plot_without_a_script(served: Served) -> None:
    for seed in (1, 2):
        play_deal(served.session, seed, options={"stake_value": "0.20"})
    page = text(served, "/account")
    (account,) = evening(served.state)["accounts"]
    (part,) = account["parts"]
    assert all(one["text"] in page for one in part["payments"])
    assert page.count("<polyline") == 4
    assert page.count('data-deal="') == 2
    assert all(total in page for total in account["shownTotals"])
    assert all(sum_ in page for sum_ in part["money"])


def test_the_page_says_which_deals_are_paid_in_what(served: Served) -> None:
    play_deal(served.session, 1)
    assert "played for" not in text(served, "/account")
    play_deal(served.session, 2, options={"stake_value": "0.20", "currency": "EUR"})
    page = text(served, "/account")
    (account,) = evening(served.state)["accounts"]
    assert "Deal 1 was played for stakes alone." in page
    assert "Deal 2 was played for money." in page
    assert page.count('<tr class="money">') == 1
    assert "In money, deal 2" in page
    assert all(one["text"] in page for part in account["parts"] for one in part["payments"])


def test_before_the_first_deal_the_page_says_so(served: Served) -> None:
    assert "No deal is settled yet." in text(served, "/account")


def test_a_name_is_shown_as_it_is(served: Served) -> None:
    served.session.perform(
        lambda now: deciding.set_table(now, replace(served.session.setup, names=("<b>A</b>", "B", "C", "D")))
    )
    play_deal(served.session, 1)
    page = text(served, "/account")
    assert "&lt;b&gt;A&lt;/b&gt;" in page
    assert "<b>A</b>" not in page


def test_the_table_and_each_record_can_be_taken_away(served: Served) -> None:
    served.begin()
    served.play()
    served.session.perform(deciding.next_deal)
    status, data = served.get("/api/evening.csv")
    assert (status, data[:3]) == (200, b"\xef\xbb\xbf")
    record = parse_record(text(served, "/api/deals/1/record.deal"))
    assert record.actions == RECORD.actions
    assert served.get("/api/deals/2/record.deal")[0] == 404


def test_a_running_deal_s_record_has_no_hand_in_it(served: Served) -> None:
    known = replace(served.session.setup, table=RECORD.setup.table, hands=RECORD.setup.hands, dealer=1)
    served.session.perform(lambda now: deciding.begin_deal(now, known))
    served.play(0, 3)
    assert parse_record(text(served, "/api/deals/1/record.deal")).setup.hands == {}
    served.play(3)
    assert parse_record(text(served, "/api/deals/1/record.deal")).setup.hands == RECORD.setup.hands


def test_an_earlier_evening_is_listed_and_looked_back_at(served: Served) -> None:
    play_deal(served.session, 1)
    before = evening(served.state)["accounts"][0]["totals"]
    served.session.perform(lambda now: deciding.begin_session(Setup(LAUGH, 3, 1, names=("X", "Y", "Z")), now.place))
    page = text(served, "/account")
    assert "Earlier evenings" in page
    assert "/account?evening=1" in page
    earlier = text(served, "/account?evening=1")
    assert "Evening 1 of the journal" in earlier
    assert 'href="/deal/1?evening=1"' in earlier
    assert all(f"{abs(total)}" in earlier for total in before)
    assert "Agnes has dealt." in text(served, "/deal/1?evening=1")
    assert served.get("/api/deals/1/step?at=3&evening=1")[1]["step"] == 3
    assert served.get("/deal/1")[0] == 404
    assert served.get("/account?evening=9")[0] == 404
    assert served.get("/account?evening=-1")[0] == 404


def test_a_deal_of_the_account_is_opened_again_and_the_account_is_worked_out_anew(served: Served) -> None:
    served.begin()
    served.play()
    served.session.perform(deciding.next_deal)
    served.begin()
    seen = served.state.seq
    assert served.post("/api/reopen", {"seen": seen - 1, "deal": 1})[0] == 409
    assert served.post("/api/reopen", {"seen": seen, "deal": 7})[0] == 409
    assert served.post("/api/reopen", {"seen": seen, "deal": True})[0] == 400
    assert served.post("/api/reopen", {"seen": seen, "deal": 1})[0] == 200
    assert served.deal.number == 1
    lay = served.deal.done[0].seq
    assert served.post("/api/undo", {"seen": served.state.seq, "target": lay})[0] == 200
    assert served.post("/api/next", {"seen": served.state.seq})[0] == 200
    assert served.deal.number == 2
    assert sum(served.state.account) == 0
    assert served.state.account != (-1, 0, -4, 5)


def test_a_settled_deal_that_is_open_again_is_not_dealt_again(served: Served) -> None:
    served.begin()
    served.play()
    served.session.perform(deciding.next_deal)
    served.begin()
    served.session.perform(lambda now: deciding.reopen(now, 1))
    status, answer = served.post("/api/again", {"seen": served.state.seq})
    assert (status, answer["error"]) == (400, "Deal 1 is open again to be put right: finish that first")
    assert served.post("/api/next", {"seen": served.state.seq})[0] == 200
    assert [deal.number for deal in served.state.closed] == [1]
    assert served.deal.number == 2


def test_who_is_called_otherwise_keeps_the_account_and_somebody_else_begins_at_nought(served: Served) -> None:
    served.begin()
    served.play()
    served.session.perform(deciding.next_deal)
    names, sums = list(served.session.setup.names), list(served.state.account)
    assert json.loads(served.board.told(0, ""))["state"]["people"] == names

    def post(first: str, **more: object) -> int:
        asked = {"game": "laugh-and-lie-down", "players": 4, "dealer": 1, "names": [first, *names[1:]], **more}
        status: int = served.post("/api/setup", {"seen": served.state.seq, **asked})[0]
        return status

    assert [post("Zed", renamed=wrong) for wrong in ("1", [True], [0], [7])] == [400] * 4
    assert post("Zed", renamed=[1]) == 200
    assert list(served.state.account) == sums
    dealt = evening(served.state)["accounts"][0]["deals"][0]["dealerName"]
    assert dealt == served.session.setup.names[served.state.closed[0].dealer - 1]
    assert post("Yan") == 200
    assert list(served.state.account) == [0, *sums[1:]]
    assert '<th scope="col">Zed</th>' in text(served, "/account")
