"""The feeds of a club, and the page that lists their addresses."""

from __future__ import annotations

from typing import Any

from csp.constants import SELF
from csp.utils import build_policy
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from ...access import ClubAccess, Right, club_for
from ...models import Season
from ...money import exact_points
from ...standings.formula.explanation import unranked_notes
from ...standings.formula.inputs import formula_of
from ...standings.imported import players_with_imported
from ...standings.live_part import rows_for
from ...standings.plan import sees_plan
from ...standings.selectors import current_season, freshness_as_read
from ...standings.standing_lines import season_standings
from ...standings.standing_row import Row
from ...standings.versions import season_state
from ...web import app_version
from ...web.csv_download import file_name
from ...web.page_versions import state_of, versioned
from ...web.polling import Make, answer_unless_known, etag_of
from ...web.requests import actor_of, see
from .atom import TYPE, feed_of
from .link import feed_club, feed_season, has_key, tail
from .services import links_renew


@require_safe
def calendar(request: HttpRequest, club: str) -> HttpResponse:
    """Send the calendar of the club's evenings."""
    from .calendar import calendar_of

    access = feed_club(request, club)
    with_plan = sees_plan(access) or has_key(request, access.club)
    body = calendar_of(access.club, request.build_absolute_uri, _host(request), with_plan=with_plan)
    response = HttpResponse(body, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{file_name(access, "evenings")}.ics"'
    return response


@require_safe
def results_atom(request: HttpRequest, club: str) -> HttpResponse:
    """Send the feed of the club's results."""
    access = feed_club(request, club)
    here = request.build_absolute_uri()
    return HttpResponse(feed_of(access, request.build_absolute_uri, _host(request), here), content_type=TYPE)


@versioned(season_state)
@require_safe
def standings_json(request: HttpRequest, club: str, season: str) -> HttpResponseBase:
    """Send the standings as JSON, which pages of other sites may fetch."""
    access, chosen_season = feed_season(request, club, season)
    response = _unless_known(request, access, chosen_season, lambda: _json(request, access, chosen_season))
    response["Access-Control-Allow-Origin"] = "*"
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def _unless_known(request: HttpRequest, access: ClubAccess, season: Season, make: Make) -> HttpResponseBase:
    """Return the feed of a season, or 304 if the reader has this state. It was read before: no feed is older."""
    state = state_of(request, season_state, club=access.club.slug, season=season.slug)
    etag = etag_of(access, app_version.version(), state and state.numbers, request.path)
    return answer_unless_known(request, etag, make)


def _json(request: HttpRequest, access: ClubAccess, season: Season) -> JsonResponse:
    return JsonResponse(
        {
            "club": access.club.name,
            "season": season.name,
            "url": request.build_absolute_uri(season.get_absolute_url()),
            "ranking": season.ranking,
            "counted_at": freshness_as_read(season).counted_at,
            "standings": [_line(season, row) for row in _rows(access, season)],
        }
    )


def _rows(access: ClubAccess, season: Season) -> list[Row]:
    lines = season_standings(season)
    notes = unranked_notes(formula_of(season), lines)
    return rows_for(access, lines, notes, imported=players_with_imported(season))


def _line(season: Season, row: Row) -> dict[str, Any]:
    """Return a line. `rank` is null for a player who is not ranked; points are as on the page, averages with their
    decimals. `imported`: some of the evenings came from a file."""
    line = row.standing
    points = exact_points(line.points, season.points_scale)
    values: dict[str, Any] = {
        "rank": row.rank,
        "player": row.name,
        "points": points if isinstance(points, int) else float(points),
        "evenings": line.evenings,
        "hands": line.hands,
        "unranked": line.unranked,
        "imported": row.is_imported,
    }
    if row.sees:
        values["balance_minor"] = line.balance_minor
        values["counted_minor"] = line.counted_minor
    return values


@versioned(season_state)
@require_safe
def standings_embed(request: HttpRequest, club: str, season: str) -> HttpResponseBase:
    """Show the standings without the frame of the site, for a page of another site (`<iframe>`)."""
    access, chosen_season = feed_season(request, club, season)
    response = _unless_known(request, access, chosen_season, lambda: _embed(request, access, chosen_season))
    # Any site may show this page in a frame: there is no form on it, and it is the same for everybody.
    response["Content-Security-Policy"] = build_policy(replace={"frame-ancestors": ["*"], "script-src": [SELF]})
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def _embed(request: HttpRequest, access: ClubAccess, season: Season) -> HttpResponse:
    by_points = season.ranking == Season.Ranking.POINTS
    rows = _rows(access, season)
    context = {
        "club": access.club,
        "season": season,
        "rows": rows,
        "with_imported": any(row.is_imported for row in rows),
        "by_points": by_points,
        "with_money": not by_points and access.sees_money(),
        "freshness": freshness_as_read(season),
    }
    return render(request, "league/reports/embed.html", context)


@never_cache
@require_safe
def feeds(request: HttpRequest, club: str) -> HttpResponse:
    """List the addresses of the feeds."""
    access = club_for(request.user, club)
    chosen_club = access.club
    season = current_season(chosen_club)
    # In an unlisted club only its people may see the planned evenings, and the link to them.
    where, end = (
        {"club": chosen_club.slug},
        tail(chosen_club) if access.role is not None or not chosen_club.public else "",
    )

    def address(name: str, **more: str) -> str:
        return request.build_absolute_uri(reverse(name, kwargs=where | more)) + end

    context = {
        "club": chosen_club,
        "season": season,
        "calendar": address("club-calendar"),
        "atom": address("club-results-atom"),
        "json": address("standings-json", season=season.slug) if season else "",
        "embed": address("standings-embed", season=season.slug) if season else "",
        "may_manage": access.may(Right.MANAGE),
        "secret": bool(end),
    }
    return render(request, "league/reports/feeds.html", context)


@login_required
@never_cache
@require_POST
def feeds_renew(request: HttpRequest, club: str) -> HttpResponse:
    """Make the secret links of a club invalid; there are new ones at once."""
    access = club_for(request.user, club, Right.MANAGE)
    links_renew(club=access.club, actor=actor_of(request))
    messages.success(request, _("The links are new. The ones before no longer open anything."))
    return see(reverse("club-feeds", kwargs={"club": club}))


def _host(request: HttpRequest) -> str:
    return request.get_host().partition(":")[0]
