"""The page of an evening: its accounts as tables and plots, who pays whom, and what may be taken away of it."""

from __future__ import annotations

import time
from typing import Any

from flask import Blueprint, Response, abort, render_template

from web.access import Role
from web.access_guard import asking
from web.account_plot import account_plot
from web.evening import evening
from web.evening_csv import evening_csv
from web.languages import _
from web.past_evenings import Evening, asked_evening, deals_of, earlier_evenings
from web.shown_deal import record_shown
from web.wording import game_title

account = Blueprint("account", __name__)


@account.get("/account")
def page() -> Response:
    """The whole page; with ``evening`` that of an earlier one."""
    asked = asked_evening()
    shown = evening(asked.state)
    plots = [account_plot(one, shown["names"]) for one in shown["accounts"]]
    html = render_template(
        "account.html",
        shown=shown,
        accounts=list(zip(shown["accounts"], plots, strict=True))[::-1],
        evening=asked.number,
        query=_query(asked),
        seq=asked.state.seq,
        earlier=[_listed(one.session, one.began, one.game, one.deals) for one in earlier_evenings()],
        open_deals=[] if asked.number else _unfinished(asked),
        host=asking().role is Role.HOST,
    )
    return Response(html, headers={"Cache-Control": "no-store"})


def _unfinished(asked: Evening) -> list[int]:
    """The deals that have begun and are in no account yet."""
    state = asked.state
    return [number for number, deal in deals_of(state).items() if not deal.position.over]


def _query(asked: Evening) -> str:
    return f"?evening={asked.number}" if asked.number else ""


def _listed(session: int, began: float, game: str, deals: int) -> dict[str, Any]:
    day = time.strftime("%Y-%m-%d %H:%M", time.localtime(began))
    return {"session": session, "day": day, "game": game_title(game), "deals": deals}


@account.get("/api/evening.csv")
def table() -> Response:
    """The evening as CSV."""
    asked = asked_evening()
    name = f"evening-{asked.number}.csv" if asked.number else "evening.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(evening_csv(asked.state), content_type="text/csv; charset=utf-8; header=present", headers=headers)


@account.get("/api/deals/<int:deal>/record.deal")
def record(deal: int) -> Response:
    """The record of one deal of the evening; hands that were told before are not in it while the deal runs."""
    asked = asked_evening()
    found = deals_of(asked.state).get(deal)
    if found is None:
        abort(404, _("there is no deal {deal} in this evening", deal=deal))
    headers = {"Content-Disposition": f'attachment; filename="deal-{deal}.deal"', "Cache-Control": "no-store"}
    return Response(record_shown(found).text(), mimetype="text/plain", headers=headers)
