"""The pictures of records, of statistics and of chances, as a visitor sees them (`league.sharing.views`)."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ..access import ClubAccess, admit, club_for
from ..chances.forecast_json import unpacked
from ..chances.selectors import stored_chances
from ..chances.sentences import said
from ..chances.simulation import LEAST_OWN
from ..logo.services import logo_file
from ..models import Season
from ..records.lines import records_of
from ..records.shown import Scope
from ..standings.facts.ratings import ratings_of
from ..standings.imported import players_with_imported, rated_by_imported
from ..standings.standing_lines import season_standings
from ..standings.versions import club_facts_state, season_chances_state, season_facts_state
from ..statistics.rating import ratings
from ..web.page_versions import versioned
from .pictures import RECORDS, Heading, RankRow, RecordRow, records_picture, standings_picture
from .views import as_visitor, png

FIRST = 3
"""The lines of a picture of chances."""


@versioned(club_facts_state)
@require_safe
def club_records_picture(request: HttpRequest, club: str) -> HttpResponse:
    """The picture of a club's records: the first three."""
    access = as_visitor(club_for(request.user, club))
    seasons = list(access.club.seasons.order_by("starts_on", "pk"))
    return _records(Scope(access, seasons), access.club.name)


@versioned(season_facts_state)
@require_safe
def season_records_picture(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """The picture of a season's records: the first three."""
    access, chosen_season = _season(request, club, season)
    return _records(Scope(access, [chosen_season]), _above(access, chosen_season))


def _records(scope: Scope, above: str) -> HttpResponse:
    """Draw the first records of a scope. Twelve queries at most."""
    rows = [RecordRow(record.label, record.value, record.who) for record in records_of(scope)[:RECORDS]]
    heading = Heading(above, _("Records"), logo=logo_file(scope.access.club))
    return png(records_picture(heading, rows, _("The records fill with the first hand that is written down.")))


@versioned(season_facts_state)
@require_safe
def statistics_picture(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """The picture of a season's statistics: the highest ratings with their uncertainty."""
    access, chosen_season = _season(request, club, season)
    rated = ratings(
        access, season_standings(chosen_season), ratings_of(chosen_season), rated_by_imported(chosen_season)
    )
    lines = [line for line in rated.lines if line.skill.known] if rated else []
    rows = [
        RankRow(None, line.name, line.band.percent, is_imported=line.is_imported, places=line.places) for line in lines
    ]
    placed = any(line.places for line in lines)
    note = _("Rating and possible places") if placed else _("Rating")
    heading = Heading(_above(access, chosen_season), _("Statistics"), note, logo_file(access.club))
    return png(standings_picture(heading, rows, _("Too few evenings to say who is stronger."), wide=not placed))


@versioned(season_chances_state)
@require_safe
def chances_picture(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """The picture of a season's chances: the possible first players after the next evening, as last computed."""
    access, chosen_season = _season(request, club, season)
    stored = stored_chances(chosen_season)
    names = {
        line.player_id: access.names.show(line.player_id, line.nickname) for line in season_standings(chosen_season)
    }
    known = [
        (prospect.next_first, names[prospect.player], prospect.player)
        for prospect in unpacked(stored.values if stored else {}).prospects
        if prospect.player in names and prospect.evenings >= LEAST_OWN
    ]
    known.sort(key=lambda entry: (-entry[0].permille, entry[1]))
    imported = players_with_imported(chosen_season) if known else frozenset()
    rows = [
        RankRow(None, name, said(chance).about, is_imported=player in imported)
        for chance, name, player in known[:FIRST]
    ]
    heading = Heading(
        _above(access, chosen_season), _("Chances"), _("First after the next evening"), logo_file(access.club)
    )
    return png(standings_picture(heading, rows, _("Too few evenings to say who may be first."), wide=True))


def _season(request: HttpRequest, club: str, season: str) -> tuple[ClubAccess, Season]:
    """The gate of these pictures: the season, and the access of a visitor within it."""
    chosen_season = Season.objects.select_related("club").filter(club__slug=club, slug=season).first()
    if chosen_season is None:
        raise Http404("no such season")
    return as_visitor(admit(request.user, chosen_season.club).within(chosen_season)), chosen_season


def _above(access: ClubAccess, season: Season) -> str:
    return f"{access.club.name} · {season.name}"
