"""The light and distance check in words: what was measured, what to do about it, and when all is well."""

from __future__ import annotations

from typing import Any

from vision.table_check import LEAST_WIDTH, STEEPEST, Aspect, Finding, Measured, check_table
from web.languages import _, _n


def said_of(measured: Measured | None) -> dict[str, Any]:
    """What the page shows: ``lines`` with ``good`` and ``text`` each, ``well`` whether all are good, and a sentence."""
    if measured is None:
        return {"well": False, "text": _("There is no picture yet: choose a camera first."), "lines": []}
    findings = check_table(measured)
    lines = [{"aspect": one.aspect.value, "good": one.good, "text": _line(one)} for one in findings]
    well = all(one.good for one in findings)
    text = _("All is well: leave the camera as it stands.") if well else _("Put this right, from the top:")
    return {"well": well, "text": text, "lines": lines}


def _line(one: Finding) -> str:
    n = one.figure
    match one.aspect, one.code:
        case Aspect.CARDS, "":
            return _n("{n} card is seen.", "{n} cards are seen.", n)
        case Aspect.CARDS, _code:
            return _n(
                "{n} card is seen: lay some face up over the whole table, also at its far end.",
                "{n} cards are seen: lay some face up over the whole table, also at its far end.",
                n,
            )
        case Aspect.DISTANCE, "":
            return _("The cards are {n} px wide, which is enough.", n=n)
        case Aspect.DISTANCE, _code:
            return _(
                "The cards are {n} px wide and should be {least} or more: move the camera closer.",
                n=n,
                least=LEAST_WIDTH,
            )
        case Aspect.SLANT, "":
            return _("The camera looks down well.")
        case Aspect.SLANT, _code:
            return _(
                "The camera looks from the side, by {n} degrees; at most {most} are fine: hang it higher.",
                n=n,
                most=STEEPEST,
            )
        case Aspect.LIGHT, "":
            return _("The light is good.")
        case Aspect.LIGHT, "too-dark":
            return _("It is too dark: turn on a lamp or turn it towards the table.")
        case Aspect.LIGHT, _code:
            return _("It is too bright, print is washed out: turn the lamp away or shade the table.")
        case Aspect.GLARE, "":
            return _("No lamp is mirrored in the cards.")
        case Aspect.GLARE, _code:
            return _("Light shines back from the cards: move the lamp to the side or the camera a little.")
        case Aspect.SHARPNESS, "":
            return _("The picture is sharp.")
    return _("The picture is blurred: wipe the lens, hold the camera still, or let it focus on the table.")
