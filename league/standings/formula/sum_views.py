"""The page of a player's sum: the evenings it is made of, those that do not count, penalties and bonuses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.web.page_versions import State, versioned

from ...access import ClubAccess
from ...models import Evening, Player, Season, SeasonAdjustment
from ...money import format_count, unit
from ..selectors import freshness_as_read
from ..versions import season_state
from ..views import season_for
from .evaluate import Line, NightLine
from .explanation import effective_formula, lines_of
from .parts import Formula
from .words import TIES, described, show_value, show_worth, why_not, why_unranked


@dataclass(frozen=True)
class SumRow:
    """An evening of the sum; `worth` is an empty text if the reader may not see it. `note`: why it does not count, or
    what it is."""

    evening: Evening
    hands: int
    worth: str
    counts: bool
    note: str


def sum_state(*, club: str, season: str, player: int) -> State | None:
    """The state of the page is that of its season."""
    return season_state(club=club, season=season)


@versioned(sum_state)
@require_safe
def season_sum(request: HttpRequest, club: str, season: str, player: int) -> HttpResponse:
    """Show how a player's sum in a season is made. At most twelve queries."""
    access, found = season_for(request, club, season)
    person = Player.objects.filter(club=access.club, pk=player).first()
    if person is None:
        raise Http404("no such player")
    if person.main_id is not None:
        where = {"club": club, "season": season, "player": person.main_id}
        return redirect(reverse("season-sum", kwargs=where))
    formula = effective_formula(found)
    line = next((one for one in lines_of(found, formula) if one.player == person.pk), None)
    sees = not formula.in_money or access.sees_money(person.pk)
    context: dict[str, Any] = {
        "club": access.club,
        "season": found,
        "player": person,
        "name": access.names.show(person.pk, person.nickname),
        "line": line,
        "sees": sees,
        "rules": described(formula),
        "unit": unit(access.club.currency) if formula.in_money else "",
        "freshness": freshness_as_read(found),
    }
    if line is not None:
        context |= _line_context(access, found, formula, line, sees)
    return render(request, "league/standings/sum.html", context)


def _line_context(access: ClubAccess, season: Season, formula: Formula, line: Line, sees: bool) -> dict[str, Any]:
    evenings = Evening.objects.filter(pk__in=[night.evening for night in line.nights]).select_related(
        "awarding_tournament"
    )
    rows = _rows(formula, line.nights, {evening.pk: evening for evening in evenings}, sees)
    own = Q(player=line.player) | Q(player__main=line.player)
    given = SeasonAdjustment.objects.filter(own, season=season, undone_at__isnull=True)
    return {
        "rows": rows,
        "total": show_value(formula, line.value) if sees else "",
        "unranked": why_unranked(formula, line),
        "tie": TIES[line.tie] if line.tie else "",
        "bonus": format_count(line.bonus, plus="+") if line.bonus else "",
        "adjustments": [
            (format_count(one.points, plus="+"), access.names.free_text(one.reason), one.at)
            for one in given.order_by("at", "pk")
        ],
        "average": _average(formula, line),
    }


def _rows(formula: Formula, nights: Sequence[NightLine], evenings: Mapping[int, Evening], sees: bool) -> list[SumRow]:
    ordered = sorted(nights, key=lambda one: (evenings[one.evening].held_on, evenings[one.evening].number))
    return [
        SumRow(
            evening=evenings[night.evening],
            hands=night.hands,
            worth=show_worth(formula, night) if sees else "",
            counts=night.counts,
            note=why_not(night) or _kind(night, formula) or _origin(evenings[night.evening]),
        )
        for night in ordered
    ]


def _kind(night: NightLine, formula: Formula) -> str:
    if night.kind == "extra":
        return _("share of a pot") if formula.in_money else _("from a tournament")
    return _("missed") if night.kind == "absent" else ""


def _origin(evening: Evening) -> str:
    return _("imported") if evening.imported_id is not None else ""


def _average(formula: Formula, line: Line) -> str:
    """Return by what the points of the evenings that count are divided; an empty text if they are not."""
    counted = [night for night in line.nights if night.counts]
    if formula.counts == "average_hand":
        points = sum(int(night.worth * night.hands) for night in counted)
        values = {"points": format_count(points), "n": format_count(sum(night.hands for night in counted))}
        return _("%(points)s points in %(n)s hands") % values
    if formula.counts == "average_evening":
        points = sum(int(night.worth) for night in counted)
        return _("%(points)s points in %(n)s evenings") % {"points": format_count(points), "n": len(counted)}
    return ""
