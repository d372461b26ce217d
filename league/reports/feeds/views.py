"""The feeds of a club, and the page that lists their addresses."""

from __future__ import annotations

from typing import Any

from csp.constants import SELF
from csp.utils import build_policy
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from ...access import ClubAccess, Right, club_for
from ...models import Season
from ...standings.selectors import current_season, freshness_as_read
from ...standings.standing_lines import StandingLine, season_standings
from ...web.csv_download import file_name
from ...web.requests import actor_of, see
from .atom import TYPE, feed_of
from .calendar import calendar_of
from .link import feed_club, feed_season, tail
from .services import links_renew


@require_safe
def calendar(request: HttpRequest, club: str) -> HttpResponse:
    """Send the calendar of the club's evenings."""
    access = feed_club(request, club)
    body = calendar_of(access.club, request.build_absolute_uri, _host(request))
    response = HttpResponse(body, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{file_name(access, "evenings")}.ics"'
    return response


@require_safe
def results_atom(request: HttpRequest, club: str) -> HttpResponse:
    """Send the feed of the club's results."""
    access = feed_club(request, club)
    here = request.build_absolute_uri()
    return HttpResponse(feed_of(access, request.build_absolute_uri, _host(request), here), content_type=TYPE)


@require_safe
def standings_json(request: HttpRequest, club: str, season: str) -> JsonResponse:
    """Send the standings as JSON, which pages of other sites may fetch."""
    access, found = feed_season(request, club, season)
    response = JsonResponse(
        {
            "club": access.club.name,
            "season": found.name,
            "url": request.build_absolute_uri(found.get_absolute_url()),
            "ranking": found.ranking,
            "counted_at": freshness_as_read(found).counted_at,
            "standings": [_line(access, found, line) for line in season_standings(found)],
        }
    )
    response["Access-Control-Allow-Origin"] = "*"
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def _line(access: ClubAccess, season: Season, line: StandingLine) -> dict[str, Any]:
    found: dict[str, Any] = {
        "rank": line.rank,
        "player": access.names.show(line.player_id, line.nickname),
        "points": line.points,
        "evenings": line.evenings,
        "hands": line.hands,
    }
    if access.sees_money(line.player_id):
        found["balance_minor"] = line.balance_minor
    return found


@require_safe
def standings_embed(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """Show the standings without the frame of the site, for a page of another site (`<iframe>`)."""
    access, found = feed_season(request, club, season)
    rows = [
        (line, access.names.show(line.player_id, line.nickname), access.sees_money(line.player_id))
        for line in season_standings(found)
    ]
    by_points = found.ranking == Season.Ranking.POINTS
    context = {
        "club": access.club,
        "season": found,
        "rows": rows,
        "by_points": by_points,
        "with_money": not by_points and access.sees_money(),
        "freshness": freshness_as_read(found),
    }
    response = render(request, "league/reports/embed.html", context)
    # Any site may show this page in a frame: there is no form on it, and it is the same for everybody.
    response["Content-Security-Policy"] = build_policy(replace={"frame-ancestors": ["*"], "script-src": [SELF]})
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


@never_cache
@require_safe
def feeds(request: HttpRequest, club: str) -> HttpResponse:
    """List the addresses of the feeds."""
    access = club_for(request.user, club)
    found = access.club
    season = current_season(found)
    where, end = {"club": found.slug}, tail(found)

    def address(name: str, **more: str) -> str:
        return request.build_absolute_uri(reverse(name, kwargs=where | more)) + end

    context = {
        "club": found,
        "season": season,
        "calendar": address("club-calendar"),
        "atom": address("club-results-atom"),
        "json": address("standings-json", season=season.slug) if season else "",
        "embed": address("standings-embed", season=season.slug) if season else "",
        "may_manage": access.may(Right.MANAGE),
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
