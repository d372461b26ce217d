"""The rules of ranking in the report of a season: the formula in sentences, and the penalties and bonuses with their
reasons."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from ..access import ClubAccess
from ..models import Season, SeasonAdjustment
from ..standings.formula.explanation import raced, rules_of
from ..standings.formula.lots import draws_of
from ..standings.formula.parts import Formula
from ..standings.formula.sentences import beyond_plan
from ..web.report_table import Column, Kind, Row, Table, without_empty


def rules_of_season(access: ClubAccess, formula: Formula, held: int) -> Table:
    """Return the formula as a list of sentences. `held`: the evenings with hands. Queries as `rules_of`."""
    beyond = beyond_plan(formula, held)
    sentences = [*rules_of(access, formula), *([beyond] if beyond else [])]
    rows: list[Row] = [{"rule": sentence} for sentence in sentences]
    return Table("rules", _("How it is counted"), [Column("rule", gettext_lazy("Rule"))], rows, listed=True)


def lots_of_season(access: ClubAccess, season: Season, formula: Formula, nicknames: Mapping[int, str]) -> list[Table]:
    """Return the lots that parted equal players, as a list of one table; none without any. No query for a season whose
    formula draws no lots, else four."""
    if "lot" not in formula.ties:
        return []
    race = raced(season, formula)
    race.ranks()
    draws = draws_of(access, race, nicknames)
    rows: list[Row] = [
        {"nth": nth, "player": lot.name, "number": lot.player_id, "lot": f"{lot.digits}…"}
        for nth, draw in enumerate(draws, 1)
        for lot in draw.lots
    ]
    if not rows:
        return []
    columns = [
        Column("nth", pgettext_lazy("lots", "Draw"), Kind.COUNT),
        Column("player", gettext_lazy("Player")),
        Column("number", gettext_lazy("Number"), Kind.NUMBER),
        Column("lot", gettext_lazy("SHA-256")),
    ]
    if len(draws) == 1:
        columns = columns[1:]
    sentence = _(
        "These players are equal in all that counts before. The lowest SHA-256 of “%(seed)s:” and the number comes "
        "first. Anybody can compute it again."
    )
    return [Table("lots", _("Lots"), columns, rows, note=sentence % {"seed": formula.lot_seed})]


def adjustments_of_season(access: ClubAccess, season: Season) -> list[Table]:
    """Return the penalties and bonuses that count, as a list of one table; none without any. No query for a season
    without a formula, else one, and one more for visitors. Reasons are for people of the club."""
    if not season.has_formula or not season.by_points:
        return []
    given = SeasonAdjustment.objects.filter(season=season, undone_at__isnull=True).select_related("player__main")
    rows: list[Row] = []
    for adjustment in given.order_by("day", "pk"):
        person = adjustment.player.main or adjustment.player
        rows.append(
            {
                "day": adjustment.day,
                "player": access.names.show(person.pk, person.nickname),
                "points": adjustment.points,
                "reason": access.names.free_text(adjustment.reason) or None,
            }
        )
    if not rows:
        return []
    columns = [
        Column("day", gettext_lazy("Date"), Kind.DATE),
        Column("player", gettext_lazy("Player")),
        Column("points", gettext_lazy("Points"), Kind.POINTS, signed=True),
        Column("reason", gettext_lazy("Reason")),
    ]
    return [Table("adjustments", _("Penalties and bonuses"), without_empty(columns, rows, "reason"), rows)]
