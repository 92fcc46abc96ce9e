"""What the page says of undo and redo, and of an earlier deal that is open again."""

from __future__ import annotations

from typing import Any

from assistant.session import Deal, SessionState, undoes
from assistant.session_events import ActionTaken, CardCorrected, Reexplained
from web.languages import _
from web.troubles import correction_sentence
from web.wording import action_sentence


def taken_back(state: SessionState) -> dict[str, Any]:
    """``undo``: what it would take back, with the entry; ``redo``: the entry that it would do again; ``mending``: the
    deal that is open again, in words, and what the button says that closes it. Each None where there is none."""
    return {"undo": _undo(state), "redo": _redo(state.deal), "mending": _mending(state)}


def _undo(state: SessionState) -> dict[str, Any] | None:
    last, deal = undoes(state), state.deal
    if last is None:
        return None
    if isinstance(last, int):
        if state.forgotten is not None:
            return {"seq": state.seq, "text": _("that deal {deal} was begun over", deal=last)}
        return {"seq": state.seq, "text": _("the end of deal {deal}, which is then open again", deal=last)}
    text = ""
    match last.event:
        case CardCorrected():
            text = correction_sentence(last.event)
        case ActionTaken() if deal is not None:
            done = next(one for one in deal.done if one.seq == last.seq)
            text = action_sentence(done.action, deal.position.setup)
        case Reexplained():
            text = _("the last correction, with all that it changed")
    return {"seq": last.seq, "text": text}


def _redo(deal: Deal | None) -> int | None:
    if deal is None:
        return None
    if deal.redo:
        return deal.redo[-1]
    return deal.log[0].seq if deal.reopened and deal.position.over else None


def _mending(state: SessionState) -> dict[str, Any] | None:
    deal = state.deal
    if deal is None or not deal.reopened:
        return None
    back = _("Close deal {deal} again", deal=deal.number)
    if state.aside:
        waits = state.aside[-1].number
        text = _(
            "Deal {deal} is open again to be put right. Deal {next} waits, and the camera is not followed meanwhile.",
            deal=deal.number,
            next=waits,
        )
        back = _("Back to deal {next}", next=waits)
    elif state.mending:
        text = _(
            "Deal {deal} is open again to be put right. The camera is not followed until it is closed.",
            deal=deal.number,
        )
    else:
        text = _("Deal {deal} is open again.", deal=deal.number)
    return {"deal": deal.number, "text": text, "back": back, "over": deal.position.over}
