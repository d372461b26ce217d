"""The rules of ranking in the report of a season: the formula in sentences, and the penalties and bonuses with their
reasons."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..access import ClubAccess
from ..models import Season, SeasonAdjustment
from ..standings.formula.explanation import own_formula
from ..standings.formula.parts import Formula
from ..standings.formula.sentences import described
from ..web.report_table import Column, Kind, Row, Table, without_empty


def rules_of_season(season: Season, formula: Formula | None) -> Table:
    """Return the formula as a list of sentences; without one the season's own settings. No query."""
    rows: list[Row] = [{"rule": sentence} for sentence in described(formula or own_formula(season))]
    return Table("rules", _("How it is counted"), [Column("rule", gettext_lazy("Rule"))], rows, listed=True)


def adjustments_of_season(access: ClubAccess, season: Season) -> list[Table]:
    """Return the penalties and bonuses that count, as a list of one table; none without any. No query for a season
    without a formula, else one, and one more for visitors. Reasons are for people of the club."""
    if season.formula_version is None:
        return []
    given = SeasonAdjustment.objects.filter(season=season, undone_at__isnull=True).select_related("player__main")
    rows: list[Row] = []
    for one in given.order_by("at", "pk"):
        person = one.player.main or one.player
        rows.append(
            {
                "at": timezone.localdate(one.at),
                "player": access.names.show(person.pk, person.nickname),
                "points": one.points,
                "reason": access.names.free_text(one.reason) or None,
            }
        )
    if not rows:
        return []
    columns = [
        Column("at", gettext_lazy("Date"), Kind.DATE),
        Column("player", gettext_lazy("Player")),
        Column("points", gettext_lazy("Points"), Kind.POINTS, signed=True),
        Column("reason", gettext_lazy("Reason")),
    ]
    return [Table("adjustments", _("Penalties and bonuses"), without_empty(columns, rows, "reason"), rows)]
