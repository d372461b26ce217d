"""The rows 'Ranking rules' of a season's page: each page that decides how the season ranks, with its present value."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from ..access import ClubAccess
from ..models import Season, SeasonAdjustment, Team
from .club_rows import Row, row


def season_rows(access: ClubAccess, season: Season) -> list[Row]:
    """Return the rows of the pages whose features the club uses. Two queries at most."""
    return [line for line in _rows(access, season) if line is not None]


def _rows(access: ClubAccess, season: Season) -> Iterator[Row | None]:
    yield row(access, "season-formula", _("Formula"), _formula(season), season=season.slug)
    yield row(
        access, "season-adjustments", _("Penalties and bonuses"), lambda: _adjustments(season), season=season.slug
    )
    yield row(access, "season-teams", _("Teams"), lambda: _teams(season), season=season.slug)
    yield row(access, "season-close", _("The end of the season"), _end(season), season=season.slug)


def _formula(season: Season) -> str:
    if season.has_formula:
        return _("version %(version)s") % {"version": season.formula_version}
    return season.get_ranking_display()


def _adjustments(season: Season) -> str:
    return str(SeasonAdjustment.objects.filter(season=season, undone_at=None).count() or _("none"))


def _teams(season: Season) -> str:
    return str(Team.objects.filter(season=season).count() or _("none"))


def _end(season: Season) -> str:
    if season.closed_at is None:
        return _("still open")
    day = date_format(localtime(season.closed_at), "SHORT_DATE_FORMAT")
    return _("closed on %(day)s") % {"day": day}
