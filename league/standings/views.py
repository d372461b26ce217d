"""Public pages: clubs, and seasons with their standings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.conf import settings
from django.core.validators import slug_re
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from league.web.page_versions import versioned
from league.web.polling import answer_unless_known, etag_of, poll_headers

from ..access import ClubAccess, Right, admit, club_for
from ..models import Season
from ..money import NONE, format_money, format_points, unit
from ..payments import services as payments
from ..web.club_navigation import club_pages
from ..web.game_terms import season_terms, terms_of
from . import charts, overview, selectors, standing_lines
from .formula.explanation import team_rules, unranked_notes
from .formula.team_table import team_rows
from .standing_lines import StandingLine
from .versions import club_state, season_state


@dataclass(frozen=True)
class Row:
    """A line of the standings as the reader sees it."""

    standing: StandingLine
    name: str
    mine: bool
    sees: bool
    note: str = ""
    """Why the player is not ranked."""

    @property
    def amount_minor(self) -> int:
        """The amount that counts: by a formula of amounts, or the balance."""
        counted = self.standing.counted_minor
        return self.standing.balance_minor if counted is None else counted


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the person's own clubs with the next step, and the listed clubs, each with its leader and last evening."""
    memberships = overview.memberships_of(request.user) if request.user.is_authenticated else []
    own = [membership.club for membership in memberships]
    listed, after = overview.listed_clubs(after=_slug(request.GET.get("after", "")), without=[club.pk for club in own])
    cards = overview.club_cards([*own, *listed], memberships)
    mine, others = cards[: len(own)], cards[len(own) :]
    context = {"mine": mine, "listed": others, "after": after, "terms": terms_of(())}
    context["contact_mail"] = settings.CONTACT_MAIL
    return render(request, "league/standings/home.html", context)


def _slug(text: str) -> str:
    """Return the text if it is a valid short name, else an empty one, which needs no query."""
    return text if slug_re.fullmatch(text) else ""


@versioned(club_state)
@require_safe
def club(request: HttpRequest, club: str) -> HttpResponse:
    """Show a club: the leaders, the latest evenings, the next step."""
    access = club_for(request.user, club)
    seasons = selectors.club_seasons(access.club)
    season = selectors.current_of(seasons)
    evenings = with_running(overview.latest_evenings(access.club))
    context = {
        "club": access.club,
        "seasons": seasons,
        "season": season,
        "may_record": access.may(Right.RECORD),
        "may_manage": access.may(Right.MANAGE),
        "may_see_rules": access.sees_rules(),
        "pages": club_pages(access),
        "evenings": evenings,
        "champions": any(one.closed_at is not None for one in seasons),
        "more_evenings": season is not None and season.evenings_held > len(evenings),  # type: ignore[attr-defined]
        "open_evening": overview.running_evenings([access.club.pk]).get(access.club.pk),
        "running_tournament": overview.running_tournament(access.club),
    }
    if access.may(Right.SEE_RULES):
        context["open_minor"] = payments.outstanding_sum(
            access.club, None if access.may(Right.SEE_MONEY) else access.player_ids
        )
    if season:
        context["terms"] = terms_of([season.games] if season.games else [])
        context["top"] = rows_for(access.within(season), standing_lines.season_standings(season, top=3))
        context["by_points"] = season.ranking == Season.Ranking.POINTS
        context["freshness"] = selectors.freshness(season)
    return render(request, "league/standings/club.html", context)


def with_running(evenings: list[Any]) -> list[Any]:
    """Add `runs` to each evening."""
    for evening in evenings:
        evening.runs = overview.runs(evening)
    return evenings


def rows_for(
    access: ClubAccess, standings: Sequence[StandingLine], notes: Mapping[int, str] | None = None
) -> list[Row]:
    """Return the standings as the reader sees them. `notes`: why players are not ranked."""
    return [
        Row(
            standing=standing,
            name=access.names.show(standing.player_id, standing.nickname),
            mine=standing.player_id in access.player_ids,
            sees=access.sees_money(standing.player_id),
            note=(notes or {}).get(standing.player_id, ""),
        )
        for standing in standings
    ]


def season_for(request: HttpRequest, club: str, season: str, right: Right = Right.READ) -> tuple[ClubAccess, Season]:
    """The gate of a season's pages. Loads season and club in one query. Raises as `access.admit` does."""
    found = Season.objects.select_related("club", "count").filter(club__slug=club, slug=season).first()
    if found is None:
        raise Http404("no such season")
    return admit(request.user, found.club, right).within(found), found


@versioned(season_state)
@require_safe
def season(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """Show a season: standings, chart, evenings and downloads."""
    access, found = season_for(request, club, season)
    others = access.club.seasons.exclude(pk=found.pk).order_by("-starts_on", "-pk")
    evenings = selectors.evenings_with_counts(found.evenings.filter(undone_at__isnull=True))
    context = {
        **live_context(request, access, found),
        "evenings": with_running(list(evenings)),
        "other_seasons": list(others),
        "downloads": _downloads(access, found),
    }
    return render(request, "league/standings/season.html", context)


@versioned(season_state)
@require_safe
def season_standings(request: HttpRequest, club: str, season: str) -> HttpResponseBase:
    """Render the part of a season's page that polls: 304 until something new was counted or waits."""
    access, found = season_for(request, club, season)
    etag = season_etag(access, found)
    return answer_unless_known(
        request,
        etag,
        lambda: render(request, "league/standings/_live.html", live_context(request, access, found)),
        shared=True,
    )


def season_etag(access: ClubAccess, season: Season) -> str:
    """Return an ETag that changes when hands were counted or stored, and when the season was changed."""
    fresh = selectors.freshness_as_read(season)
    setup = (season.name, season.ranking, season.planned_evenings, season.best_evenings, season.points_only)
    return etag_of(access, season.pk, season.ledger_mark, fresh.mark, fresh.counted_at, setup)


def live_context(request: HttpRequest, access: ClubAccess, season: Season) -> dict[str, Any]:
    """Return the standings and the chart of a season. At most six queries, for any number of players and evenings,
    and four more with teams.

    The chart draws the line of the player whose id is the parameter `with` in any case.
    """
    standings = standing_lines.season_standings(season)
    rows = rows_for(access, standings, unranked_notes(season))
    by_points = season.ranking == Season.Ranking.POINTS
    held = selectors.evenings_counted(season)
    teams = team_rows(access, season)
    return {
        "club": access.club,
        "season": season,
        "title": standings_title(season, held),
        "rows": rows,
        "teams": teams,
        "team_rules": team_rules(season, teams),
        "team_amounts": any(team.counted_minor is not None for team in teams),
        "by_points": by_points,
        "with_money": access.sees_money() or (not by_points and any(row.sees for row in rows)),
        "freshness": selectors.freshness_as_read(season),
        "poll_headers": poll_headers(request, season_etag(access, season)),
        **_course(access, season, rows, by_points, request.GET.get("with", "")),
    }


def standings_title(season: Season, held: int) -> str:
    """Return the heading of a season's standings after so many evenings."""
    if not held:
        return _("Standings")
    if season.planned_evenings and season.planned_evenings >= held:
        planned = season.planned_evenings
        return ngettext(
            "Standings after %(held)s of %(planned)s evening",
            "Standings after %(held)s of %(planned)s evenings",
            planned,
        ) % {"held": held, "planned": planned}
    return ngettext("Standings after %(held)s evening", "Standings after %(held)s evenings", held) % {"held": held}


def _course(access: ClubAccess, season: Season, rows: Sequence[Row], by_points: bool, chosen: str) -> dict[str, Any]:
    """Return the chart with its table, and the terms of the games played. The chart draws the leaders, the reader and
    the chosen player; `others` are the other players with a line, and the table has all.

    It shows points; in a season by balance the balances if the reader sees all of them, else the ranks.
    """
    short: charts.Format
    long: charts.Format
    if by_points:
        by, title = "points", _("Chart")
        short = long = partial(format_points, scale=season.points_scale)
    elif access.sees_money():
        by, title, short, long = "balance", _("Balances over the season"), charts.show_money, format_money
    else:
        by, title, short, long = "rank", _("Ranks over the season"), charts.show_rank, charts.show_rank
    course = selectors.season_course(season, [row.standing.player_id for row in rows], by=by)
    played = [evening.game for evening in course.evenings]
    sign = -1 if by == "rank" else 1
    name = access.names.show
    lines = [
        (name(line.player_id, line.nickname), [None if v is None else sign * v for v in line.values])
        for line in course.lines
    ]
    numbers = [evening.number for evening in course.evenings]
    cells = [[NONE if v is None else long(v) for v in values] for _name, values in lines]
    players = [line.player_id for line in course.lines]
    own = [n for n, player in enumerate(players) if str(player) == chosen or player in access.player_ids]
    drawn = charts.drawn_places(len(lines), own)
    chart = charts.course_chart(
        numbers,
        [lines[place] for place in drawn],
        short,
        from_zero=by != "rank",
        own=[drawn.index(place) for place in own],
    )
    return {
        "chart": chart,
        "course_names": [name for name, _values in lines],
        "others": [(players[n], lines[n][0]) for n in range(len(lines)) if n not in drawn],
        "chosen": next((player for player in players if str(player) == chosen), None),
        "course_title": title,
        "course_unit": unit(access.club.currency) if by == "balance" else "",
        "terms": season_terms(season, played),
        "course_rows": list(zip(course.evenings, zip(*cells, strict=True), strict=True)) if cells else [],
    }


def _downloads(access: ClubAccess, season: Season) -> list[dict[str, str]]:
    files = [("standings-csv", _("Standings as CSV")), ("results-csv", _("Results of every hand as CSV"))]
    if access.may(Right.SEE_LEDGER) and not access.points_only:
        files.append(("ledger-csv", _("Ledger as CSV")))
    where = {"club": access.club.slug, "season": season.slug}
    return [{"href": reverse(name, kwargs=where), "text": text} for name, text in files]
