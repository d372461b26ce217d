"""The pictures of the league's pages. A picture is the same for every reader, the one for a visitor: public names, and
amounts only where the club publishes them. That of a private club is for its members alone."""

from __future__ import annotations

from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from ..access import ClubAccess, admit, club_for
from ..champions.podium import places_of, podium_of, title_of
from ..logo.services import logo_file
from ..models import Player, Season, Standing
from ..money import format_count, format_points, format_price
from ..played_games import description
from ..standings import selectors, standing_lines
from ..standings.imported import players_with_imported, seasons_with_imported
from ..standings.standing_lines import StandingLine
from ..standings.versions import club_state, player_state, season_state
from ..web.page_versions import versioned
from .pictures import ROWS, Heading, RankRow, standings_picture, title_picture


def png(body: bytes) -> HttpResponse:
    """Return the answer with a picture."""
    return HttpResponse(body, content_type="image/png")


def as_visitor(access: ClubAccess) -> ClubAccess:
    """Return the access of a visitor to the same club: a member may pass the picture on."""
    return replace(access, role=None, player_ids=frozenset())


@require_safe
def site_picture(request: HttpRequest) -> HttpResponse:
    """The picture of the pages that belong to no club."""
    return png(title_picture(Heading("", _("Who leads tonight?")), description()))


@versioned(club_state)
@require_safe
def club_picture(request: HttpRequest, club: str) -> HttpResponse:
    """The picture of a club: the standings of its current season."""
    access = as_visitor(club_for(request.user, club))
    season = selectors.current_season(access.club)
    if season is None:
        heading = Heading(access.club.place, access.club.name, logo=logo_file(access.club))
        return png(title_picture(heading, _("The club has no season yet.")))
    return png(_standings(access.within(season), season, access.club.name, season.name))


@versioned(season_state)
@require_safe
def season_picture(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """The picture of a season: its standings."""
    chosen_season = Season.objects.select_related("club").filter(club__slug=club, slug=season).first()
    if chosen_season is None:
        raise Http404("no such season")
    access = as_visitor(admit(request.user, chosen_season.club).within(chosen_season))
    return png(_standings(access, chosen_season, chosen_season.name, access.club.name))


@versioned(season_state)
@require_safe
def champions_picture(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """The picture of a season's champions; until it is closed that of its standings."""
    chosen_season = Season.objects.select_related("club").filter(club__slug=club, slug=season).first()
    if chosen_season is None:
        raise Http404("no such season")
    access = as_visitor(admit(request.user, chosen_season.club).within(chosen_season))
    if chosen_season.closed_at is None:
        return png(_standings(access, chosen_season, chosen_season.name, access.club.name))
    podium = podium_of(places_of(access, chosen_season))
    champions = [place for place in podium if place.rank == 1]
    note = ngettext("Champion", "Champions", len(champions)) if champions else ""
    rows = [RankRow(place.rank, place.name, place.worth, is_imported=place.is_imported) for place in podium]
    above = f"{access.club.name} · {chosen_season.name}"
    return png(
        standings_picture(
            Heading(above, title_of(champions), note, logo_file(access.club)), rows, _("Nobody is ranked")
        )
    )


@versioned(player_state)
@require_safe
def player_picture(request: HttpRequest, club: str, player: int) -> HttpResponse:
    """The picture of a person: the ranks of the newest seasons, under the name that the person agreed to."""
    access = as_visitor(club_for(request.user, club))
    chosen_player = Player.objects.filter(club=access.club, pk=player).first()
    if chosen_player is None or access.names.hides(chosen_player):
        raise Http404("no such player")
    if chosen_player.main_id is not None:
        return redirect("player-picture", club=club, player=chosen_player.main_id)
    # A tournament is a season in chips; its ranking is on its own pages.
    lines = (line for line in selectors.player_seasons(chosen_player) if not line.season.in_chips)
    played = [line for line in lines if line.hands and not line.unranked]
    imported = seasons_with_imported(chosen_player)
    rows = [
        RankRow(line.rank, line.season.name, _season_worth(access, line), is_imported=line.season_id in imported)
        for line in played
    ]
    heading = Heading(
        access.club.name, access.names.show(chosen_player.pk, chosen_player.nickname), logo=logo_file(access.club)
    )
    return png(standings_picture(heading, rows, _("The standings fill with the first hand that is written down.")))


def _season_worth(access: ClubAccess, line: Standing) -> str:
    """Return what a person came to in a season, without chips, as a visitor sees it."""
    return _worth(access.within(line.season), line.season, line)


def _standings(access: ClubAccess, season: Season, title: str, above: str) -> bytes:
    """Draw the standings. Five queries at most."""
    lines = standing_lines.season_standings(season, top=ROWS)
    held = selectors.evenings_counted(season) if lines else 0
    note = ngettext("Standings after %(held)s evening", "Standings after %(held)s evenings", held) % {"held": held}
    courses = _courses(access, season, lines)
    imported = players_with_imported(season) if lines else frozenset()
    rows = [
        RankRow(
            rank=line.shown_rank,
            name=access.names.show(line.player_id, line.nickname),
            worth=_worth(access, season, line),
            rank_before=line.shown_rank_before,
            course=courses.get(line.player_id, ()),
            is_imported=line.player_id in imported,
        )
        for line in lines
    ]
    empty = _("The standings fill with the first hand that is written down.")
    return standings_picture(Heading(above, title, note if held else "", logo_file(access.club)), rows, empty)


def _courses(access: ClubAccess, season: Season, lines: list[StandingLine]) -> dict[int, tuple[int | None, ...]]:
    """The course of each of these players: points, balances where everybody sees them, else ranks upside down."""
    by = "points" if season.by_points else "balance" if access.sees_money() else "rank"
    course = selectors.season_course(season, [line.player_id for line in lines])
    sign = -1 if by == "rank" else 1
    return {
        line.player_id: tuple(None if value is None else sign * value for value in line.values(by))
        for line in course.lines
    }


def _worth(access: ClubAccess, season: Season, line: Standing | StandingLine) -> str:
    if season.by_points:
        return format_points(line.points, season.points_scale)
    if access.sees_money(line.player_id):
        return format_price(line.amount_minor, access.club.currency, plus="+")
    return ngettext("%(n)s hand", "%(n)s hands", line.hands) % {"n": format_count(line.hands)}
