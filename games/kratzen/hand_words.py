"""A settled hand of Kratzen in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from ..engine_bridge import Result
from ..game.hand_words import Given, HandWords, listed, with_failed
from .hand import game_type_of, is_siebenermuss

JOINS: Final = "mit"
NOBODY: Final = gettext_lazy("all weiter")


def _sentence(result: Result, names: Mapping[int, str]) -> str:
    if result["outcome"] == "passed_out":
        return str(NOBODY)
    declarer, joiners = names[result["declarer"]], listed(result["joiners"], names)
    if not joiners:
        return _("%(declarer)s plays, nobody joins") % {"declarer": declarer}
    if result["muss"]:
        said = _("Muss, %(declarer)s dealt") % {"declarer": declarer}
    else:
        said = _("%(declarer)s plays, mit %(joiners)s") % {"declarer": declarer, "joiners": joiners}
    return with_failed(said, result, names)


def _declares(record: Given, result: Given) -> str:
    if result["muss"]:
        return "Siebenermuss" if is_siebenermuss(record, result) else "Muss"
    call = game_type_of(record, result)
    return {"oder": _("plays oder"), "weiter-oder": _("plays weiter-oder")}.get(call or "", "schlägt")


def _role(record: Given, result: Given, seat: int) -> str:
    if seat != result["declarer"]:
        return "" if result["muss"] else JOINS
    if result["muss"]:
        return _("deals, Siebenermuss") if is_siebenermuss(record, result) else _("deals, Muss")
    return _declares(record, result)


WORDS: Final = HandWords(
    sentence=_sentence,
    declares=_declares,
    joins=JOINS,
    role=_role,
    alone=lambda role: pgettext("hand", "%(declares)s, nobody says mit") % {"declares": role},
    nobody_declared=NOBODY,
    nobody_declares=NOBODY,
    nobody_joins=gettext_lazy("nobody joins"),
    forced="Muss",
    pot_stays=lambda dealer: _("All weiter: the pot stays, %(dealer)s deals.") % {"dealer": dealer},
)
