"""API of the end of a season: close it, and open it again."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.standings.seasons import season_close

from .base import Op
from .formulas import EXAMPLE, FormulaAnswer, shown_formula
from .seasons import SeasonView


class SeasonClose(SeasonView):
    """Close a season."""

    ops = {
        "POST": Op(
            Right.MANAGE,
            _("Close a season: its final standings stay as they are"),
            answer=FormulaAnswer,
            refusals=(409,),
            example={**EXAMPLE, "closed_at": "2027-06-30T23:10:05+02:00"},
            about=_("409 if one of its evenings is open."),
        )
    }
    closed = True

    def post(self, request: Request, club: str, season: str) -> Response:
        stored = season_close(season=self.season(), actor=self.person, closed=self.closed)
        return self.answer(shown_formula(stored))


class SeasonReopen(SeasonClose):
    """Open a closed season again."""

    ops = {
        "POST": Op(
            Right.MANAGE,
            _("Open a closed season again"),
            answer=FormulaAnswer,
            example=EXAMPLE,
        )
    }
    closed = False
