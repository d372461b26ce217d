"""The pages that anybody may read: clubs, seasons with their standings, players."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from django.core.validators import slug_re
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from . import charts, overview, payments, selectors
from .access import ClubAccess, Right, admit, club_for
from .desk.nav import ways
from .facts import player_facts
from .models import Player, Season, Standing
from .open_debts import open_with
from .templatetags.league_tags import NONE, format_count, format_money, unit
from .words import season_words


@dataclass(frozen=True)
class Row:
    """A line of the standings as one person sees it. `contested` are the declared hands that somebody joined."""

    standing: Standing
    name: str
    mine: bool
    sees: bool

    @property
    def contested(self) -> int:
        """A walkover was never played, so it says nothing about success."""
        return self.standing.declared - self.standing.walkovers


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """One's own clubs with the next step, and the clubs that show themselves to anybody."""
    mine = overview.my_clubs(request.user) if request.user.is_authenticated else []
    listed, after = overview.listed_clubs(
        after=_slug(request.GET.get("after", "")), without=[entry.club.pk for entry in mine]
    )
    return render(request, "league/home.html", {"mine": mine, "listed": listed, "after": after})


def _slug(text: str) -> str:
    """The text where it is a short name, else nothing: a database need not see what cannot be one."""
    return text if slug_re.fullmatch(text) else ""


@require_safe
def club(request: HttpRequest, club: str) -> HttpResponse:
    """A club's front page: who leads, what was played last, what to do next."""
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
        "may_see_rules": access.may(Right.SEE_RULES),
        "ways": ways(access),
        "evenings": evenings,
        "more_evenings": season is not None and season.evenings_held > len(evenings),  # type: ignore[attr-defined]
        "open_evening": overview.running_evenings([access.club.pk]).get(access.club.pk),
    }
    if access.may(Right.SEE_RULES):
        context["open_minor"] = payments.open_of(
            access.club, None if access.may(Right.SEE_MONEY) else access.player_ids
        )
    if season:
        context["top"] = rows_for(access.within(season), selectors.season_standings(season, top=3))
        context["by_points"] = season.ranking == Season.Ranking.POINTS
        context["freshness"] = selectors.freshness(season)
    return render(request, "league/club.html", context)


def with_running(evenings: list[Any]) -> list[Any]:
    """The same evenings, each with whether it `runs`."""
    for evening in evenings:
        evening.runs = overview.runs(evening)
    return evenings


def rows_for(access: ClubAccess, standings: list[Standing]) -> list[Row]:
    """Standings as the person sees them."""
    return [
        Row(
            standing=standing,
            name=access.names.show(standing.player_id, standing.player.nickname),
            mine=standing.player_id in access.player_ids,
            sees=access.sees_money(standing.player_id),
        )
        for standing in standings
    ]


def season_for(request: HttpRequest, club: str, season: str, right: Right = Right.READ) -> tuple[ClubAccess, Season]:
    """The gate of a season's pages; the club comes with the season, in one query. Raises as `access.admit` does."""
    found = Season.objects.select_related("club", "count").filter(club__slug=club, slug=season).first()
    if found is None:
        raise Http404("no such season")
    return admit(request.user, found.club, right).within(found), found


@require_safe
def season(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """Standings, the season's course, its evenings, and what can be taken along as a file."""
    access, found = season_for(request, club, season)
    others = access.club.seasons.exclude(pk=found.pk).order_by("-starts_on", "-pk")
    evenings = selectors.evenings_with_counts(found.evenings.all())
    context = {
        **live_context(access, found),
        "evenings": with_running(list(evenings)),
        "other_seasons": list(others),
        "downloads": _downloads(access, found),
    }
    return render(request, "league/season.html", context)


@require_safe
def season_standings(request: HttpRequest, club: str, season: str) -> HttpResponseBase:
    """The part of a season's page that renews itself: 304 until something new is counted or waits."""
    access, found = season_for(request, club, season)
    etag = season_etag(access, found)
    return answer_once(request, etag, lambda: render(request, "league/_live.html", live_context(access, found)))


def answer_once(request: HttpRequest, etag: str, make: Any) -> HttpResponseBase:
    """The page piece that `make` renders, or 304 where the reader has this state already."""
    response = get_conditional_response(request, etag=etag) or make()
    response["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    return response


def etag_of(access: ClubAccess, *state: object) -> str:
    """A mark for a state as this person sees it in this language."""
    may = (access.sees_money(), access.role, sorted(access.player_ids), access.club.names_mark)
    scopes = None if access.scopes is None else sorted(access.scopes)
    seen = (get_language(), *may, scopes, *state)
    return '"' + hashlib.sha256(repr(seen).encode()).hexdigest()[:24] + '"'


def season_etag(access: ClubAccess, season: Season) -> str:
    """Changes when hands were counted, when more of them wait, and when the season was set up anew."""
    fresh = selectors.freshness_as_read(season)
    setup = (season.name, season.ranking, season.planned_evenings, season.best_evenings, season.points_only)
    return etag_of(access, season.pk, season.ledger_mark, fresh.mark, fresh.counted_at, setup)


def poll_headers(etag: str) -> str:
    """What the piece sends with its next poll, as JSON."""
    return json.dumps({"If-None-Match": etag})


def live_context(access: ClubAccess, season: Season) -> dict[str, Any]:
    """Standings and chart of a season. Seven queries at most, however many players and evenings."""
    standings = selectors.season_standings(season)
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
        "poll_headers": poll_headers(season_etag(access, season)),
        **_course(access, season, by_points),
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


def _course(access: ClubAccess, season: Season, by_points: bool) -> dict[str, Any]:
    """The chart with its table (points, balances where the person sees all of them, else ranks), and the words of what
    was played."""
    say: charts.Say
    long_say: charts.Say
    if by_points:
        by, title, say, long_say = "points", _("Course"), charts.say_points, format_count
    elif access.sees_money():
        by, title, say, long_say = "balance", _("Course of the balances"), charts.say_money, format_money
    else:
        by, title, say, long_say = "rank", _("Course of the ranks"), charts.say_rank, charts.say_rank
    course = selectors.season_course(season, by=by)
    played = [evening.game for evening in course.evenings]
    sign = -1 if by == "rank" else 1
    name = access.names.show
    lines = [
        (name(line.player_id, line.nickname), [None if v is None else sign * v for v in line.values])
        for line in course.lines
    ]
    numbers = [evening.number for evening in course.evenings]
    told = [[NONE if v is None else long_say(v) for v in values] for _name, values in lines]
    return {
        "chart": charts.course_chart(numbers, lines, say, from_zero=by != "rank"),
        "course_title": title,
        "course_unit": unit(access.club.currency) if by == "balance" else "",
        "words": season_words(season, played),
        "course_rows": list(zip(course.evenings, zip(*told, strict=True), strict=True)) if told else [],
    }


def _downloads(access: ClubAccess, season: Season) -> list[dict[str, str]]:
    files = [("standings-csv", _("Standings as CSV")), ("results-csv", _("Results of every hand as CSV"))]
    if access.may(Right.SEE_LEDGER) and not access.points_only:
        files.append(("ledger-csv", _("Ledger as CSV")))
    where = {"club": access.club.slug, "season": season.slug}
    return [{"href": reverse(name, kwargs=where), "text": text} for name, text in files]


@require_safe
def player(request: HttpRequest, club: str, player: int) -> HttpResponse:
    """A player's season: statistics, a bar for each evening, and the evenings one by one."""
    access = club_for(request.user, club)
    found = Player.objects.filter(club=access.club, pk=player).first()
    if found is None:
        raise Http404("no such player")
    if found.main_id is not None:
        # Counted is what the two are together, and that stands under the other name.
        where = reverse("player", kwargs={"club": club, "player": found.main_id})
        return redirect(f"{where}?{request.GET.urlencode()}" if request.GET else where)
    lines = selectors.player_seasons(found)
    seasons = [line.season for line in lines]
    wanted = request.GET.get("season")
    current = selectors.current_of(seasons)
    chosen = next((season for season in seasons if season.slug == wanted), current)
    line = next((line for line in lines if line.season == chosen), None)
    mine = found.pk in access.player_ids
    # What is open is of the whole club and in its money, whatever the season chosen counts in.
    owing = open_with(access.club, found.pk, access.names) if mine or access.may(Right.SEE_MONEY) else None
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
    return render(request, "league/player.html", context)


def _player_season(player: Player, season: Season, line: Standing, sees: bool, currency: str) -> dict[str, Any]:
    nights = selectors.player_nights(player, season)
    in_money = sees and season.ranking == Season.Ranking.BALANCE
    words = season_words(season, [night.evening.game for night in nights if night.hands])
    values = [(night.change_minor if in_money else night.points) if night.hands else None for night in nights]
    return {
        "nights": [night for night in reversed(nights) if night.hands],
        "chart": charts.night_chart(
            [night.evening.number for night in nights], values, charts.say_money if in_money else charts.say_points
        ),
        "chart_title": _("Won and lost, evening by evening") if in_money else _("Points, evening by evening"),
        "chart_unit": unit(currency) if in_money else "",
        "ranked": season.standings.count(),
        "words": words,
        "facts": player_facts(line, words, currency=currency if sees else ""),
        "freshness": selectors.freshness(season),
    }
