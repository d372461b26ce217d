"""Public pages: clubs, seasons with their standings, players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.validators import slug_re
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from league.web.page_versions import versioned
from league.web.polling import answer_unless_known, etag_of, poll_headers

from ..access import ClubAccess, Right, admit, club_for
from ..models import Player, Season, Standing
from ..money import NONE, format_count, format_money, unit
from ..payments import services as payments
from ..payments.outstanding import outstanding_with
from ..web.club_navigation import club_pages
from ..web.game_terms import season_terms, terms_of
from . import charts, overview, selectors, standing_lines
from .player_statistics import player_facts
from .standing_lines import StandingLine
from .versions import club_state, player_state, season_state


@dataclass(frozen=True)
class Row:
    """A line of the standings as the reader sees it."""

    standing: StandingLine
    name: str
    mine: bool
    sees: bool


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


def rows_for(access: ClubAccess, standings: Sequence[StandingLine]) -> list[Row]:
    """Return the standings as the reader sees them."""
    return [
        Row(
            standing=standing,
            name=access.names.show(standing.player_id, standing.nickname),
            mine=standing.player_id in access.player_ids,
            sees=access.sees_money(standing.player_id),
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
    evenings = selectors.evenings_with_counts(found.evenings.all())
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
    """Return the standings and the chart of a season. At most six queries, for any number of players and evenings.

    The chart draws the line of the player whose id is the parameter `with` in any case.
    """
    standings = standing_lines.season_standings(season)
    rows = rows_for(access, standings)
    by_points = season.ranking == Season.Ranking.POINTS
    held = selectors.evenings_counted(season)
    return {
        "club": access.club,
        "season": season,
        "title": _standings_title(season, held),
        "rows": rows,
        "by_points": by_points,
        "with_money": access.sees_money() or (not by_points and any(row.sees for row in rows)),
        "freshness": selectors.freshness_as_read(season),
        "poll_headers": poll_headers(request, season_etag(access, season)),
        **_course(access, season, rows, by_points, request.GET.get("with", "")),
    }


def _standings_title(season: Season, held: int) -> str:
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
        by, title, short, long = "points", _("Chart"), charts.show_points, format_count
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


@versioned(player_state, query=("season",))
@require_safe
def player(request: HttpRequest, club: str, player: int) -> HttpResponse:
    """Show a player's season: statistics, a bar for each evening, and a list of the evenings."""
    access = club_for(request.user, club)
    found = Player.objects.filter(club=access.club, pk=player).first()
    if found is None:
        raise Http404("no such player")
    if found.main_id is not None:
        # A merged player is counted under the main player.
        where = reverse("player", kwargs={"club": club, "player": found.main_id})
        return redirect(f"{where}?{request.GET.urlencode()}" if request.GET else where)
    lines = selectors.player_seasons(found)
    seasons = [line.season for line in lines]
    wanted = request.GET.get("season")
    current = selectors.current_of(seasons)
    chosen = next((season for season in seasons if season.slug == wanted), current)
    line = next((line for line in lines if line.season == chosen), None)
    mine = found.pk in access.player_ids
    # Outstanding payments are of the whole club and in its currency, also if the season counts points only.
    owing = outstanding_with(access.club, found.pk, access.names) if mine or access.may(Right.SEE_MONEY) else None
    currency = access.club.currency
    if chosen is not None:
        access = access.within(chosen)
    sees = access.sees_money(found.pk)
    context: dict[str, Any] = {
        "club": access.club,
        "player": found,
        "name": access.names.show(found.pk, found.nickname),
        "mine": mine,
        "owing": owing,
        "owing_net_minor": sum(one.amount_minor for one in owing or ()),
        "currency": currency,
        "seasons": seasons,
        "season": chosen or selectors.current_season(access.club),
        "line": line,
        "sees_money": sees,
        "may_edit": access.role is not None and access.may_own(Right.ROSTER, found.pk),
    }
    if chosen and line:
        context |= _player_season(found, chosen, line, sees, access.club.currency)
    return render(request, "league/standings/player.html", context)


def _player_season(player: Player, season: Season, line: Standing, sees: bool, currency: str) -> dict[str, Any]:
    scores = selectors.player_evenings(player, season)
    in_money = sees and season.ranking == Season.Ranking.BALANCE
    terms = season_terms(season, [score.evening.game for score in scores if score.hands])
    values = [(score.change_minor if in_money else score.points) if score.hands else None for score in scores]
    dropped = selectors.dropped_evenings(scores, season.best_evenings)
    struck = [] if in_money else [n for n, score in enumerate(scores) if score.evening_id in dropped]
    return {
        "dropped": dropped,
        "scores": [score for score in reversed(scores) if score.hands],
        "chart": charts.evening_chart(
            [score.evening.number for score in scores],
            values,
            charts.show_money if in_money else charts.show_points,
            dropped=struck,
        ),
        "chart_title": _("Won and lost, evening by evening") if in_money else _("Points, evening by evening"),
        "chart_unit": unit(currency) if in_money else "",
        "ranked": season.standings.count(),
        "terms": terms,
        "facts": player_facts(line, terms, currency=currency if sees else "", best=season.best_evenings),
        "freshness": selectors.freshness(season),
    }
