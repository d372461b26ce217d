"""A settled hand of Chratze in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from ..engine_bridge import Result
from ..game.hand_words import Given, HandWords, listed, with_failed

DECLARES: Final = "chratzt"
JOINS: Final = "metcho"
NOBODY: Final = gettext_lazy("nobody declared")


def _sentence(result: Result, names: Mapping[int, str]) -> str:
    """'Beni chratzt, Anna and Doris metcho; Doris pays 2.40'."""
    if result["outcome"] == "passed_out":
        return str(NOBODY)
    declarer, joiners = names[result["declarer"]], listed(result["joiners"], names)
    if not joiners:
        return _("%(declarer)s chratzt, nobody joins") % {"declarer": declarer}
    said = _("%(declarer)s chratzt, metcho %(joiners)s") % {"declarer": declarer, "joiners": joiners}
    return with_failed(said, result, names)


def _role(_record: Given, result: Given, seat: int) -> str:
    if seat != result["declarer"]:
        return JOINS
    return {"blind": _("chratzt blind"), "double": _("chratzt double blind")}.get(result["blind"] or "", DECLARES)


WORDS: Final = HandWords(
    sentence=_sentence,
    declares=lambda _record, _result: DECLARES,
    joins=JOINS,
    role=_role,
    alone=lambda role: pgettext("hand", "%(declares)s, nobody joins") % {"declares": role},
    nobody_declared=NOBODY,
    nobody_declares=gettext_lazy("nobody declares"),
    nobody_joins=gettext_lazy("nobody joins"),
    forced="",
    pot_stays=lambda dealer: _("Nobody declares: the pot stays, %(dealer)s deals.") % {"dealer": dealer},
)
