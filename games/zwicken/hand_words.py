"""A settled hand of Zwicken in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from ..engine_bridge import Result
from ..game.hand_words import Given, HandWords, listed, with_failed
from .hand import seven_lost_by

JOINS: Final = "mit"
NOBODY: Final = gettext_lazy("all weg")
FORCED: Final = gettext_lazy("Forced hand")


def _sentence(result: Result, names: Mapping[int, str]) -> str:
    """'Anna, Beni, Doris mit; failed: Doris; Belli lost: Beni'."""
    if result["outcome"] == "passed_out":
        return str(NOBODY)
    players = listed(result["joiners"], names)
    if result["outcome"] == "walkover":
        return _("%(name)s alone says mit") % {"name": players}
    said = str(FORCED) if result["muss"] else _("%(players)s mit") % {"players": players}
    remark = _remark(result, names)
    return "; ".join([with_failed(said, result, names), *([remark] if remark else [])])


def _remark(result: Result, names: Mapping[int, str]) -> str:
    lost = seven_lost_by(result)
    return "" if lost is None else _("Belli lost: %(name)s") % {"name": names[lost]}


def _role(_record: Given, result: Given, seat: int) -> str:
    said = "" if result["muss"] else JOINS
    if seat != seven_lost_by(result):
        return said
    return _("%(role)s, Belli lost") % {"role": said} if said else _("Belli lost")


WORDS: Final = HandWords(
    sentence=_sentence,
    declares=lambda _record, result: str(FORCED) if result["muss"] else "",
    joins=JOINS,
    role=_role,
    alone=lambda role: pgettext("hand", "%(role)s, nobody else") % {"role": role},
    nobody_declared=NOBODY,
    nobody_declares=NOBODY,
    nobody_joins=gettext_lazy("alone"),
    forced=FORCED,
    pot_stays=lambda dealer: _("All weg: the pot stays, %(dealer)s deals.") % {"dealer": dealer},
    remark=_remark,
)
