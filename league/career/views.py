"""The public page of a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from ..access import ClubAccess, Right, club_for
from ..models import EveningScore, Player, Season, Standing
from ..money import unit
from ..payments.outstanding import outstanding_with
from ..records.lines import Scope, records_of
from ..standings import charts, selectors
from ..standings.formula.explanation import dropped_evenings
from ..standings.nights import Night, nights_of
from ..standings.player_statistics import player_facts
from ..standings.standing_lines import season_standings
from ..standings.versions import player_state
from ..statistics.selectors import decisions
from ..web.game_terms import season_terms
from ..web.page_versions import versioned
from . import last_look, person
from .charts import career_chart


@versioned(player_state, query=("season",))
@require_safe
def player(request: HttpRequest, club: str, player: int) -> HttpResponse:
    """Show a person: the career over all seasons, and one season with its statistics and evenings."""
    access = club_for(request.user, club)
    found = Player.objects.filter(club=access.club, pk=player).first()
    if found is None:
        raise Http404("no such player")
    if found.main_id is not None:
        # A merged player is counted under the main player.
        where = reverse("player", kwargs={"club": club, "player": found.main_id})
        return redirect(f"{where}?{request.GET.urlencode()}" if request.GET else where)
    lines = selectors.player_seasons(found)
    wanted = request.GET.get("season")
    seasons = [line.season for line in lines]
    chosen = next((one for one in seasons if one.slug == wanted), selectors.current_of(seasons))
    line = next((line for line in lines if line.season == chosen), None)
    context = _about(request, access, found, lines, chosen)
    if chosen is None or line is None:
        return render(request, "league/career/player.html", context)
    nights = nights_of(seasons, found.pk)
    context |= _career(access, found, lines, nights)
    within = access.within(chosen)
    context |= _season(within, found, chosen, line)
    context |= _season_decisions(within, found, chosen, line, nights)
    return _with_news(request, context, found, lines, nights)


def _about(
    request: HttpRequest, access: ClubAccess, found: Player, lines: Sequence[Standing], chosen: Season | None
) -> dict[str, Any]:
    """Return who it is, what the person owes, and the seasons."""
    mine = found.pk in access.player_ids
    # Outstanding payments are of the whole club and in its currency, also if the season counts points only.
    owing = outstanding_with(access.club, found.pk, access.names) if mine or access.may(Right.SEE_MONEY) else None
    return {
        "club": access.within(chosen).club if chosen else access.club,
        "player": found,
        "name": access.names.show(found.pk, found.nickname),
        "mine": mine,
        "owing": owing,
        "owing_net_minor": sum(one.amount_minor for one in owing or ()),
        "currency": access.club.currency,
        "seasons": [line.season for line in lines],
        "season": chosen or selectors.current_season(access.club),
        "may_edit": access.role is not None and access.may_own(Right.ROSTER, found.pk),
        "elsewhere": person.elsewhere(request.user, access) if mine else [],
    }


def _career(access: ClubAccess, found: Player, lines: Sequence[Standing], nights: Sequence[Night]) -> dict[str, Any]:
    """Return what all seasons together say. `nights` are the player's, and those of everybody who was there as well."""
    own = [night for night in nights if night.player_id == found.pk and night.present]
    chart = career_chart(own, [night.points for night in own])
    known = {line.season_id: line for line in lines}
    seasons = [line.season for line in lines]
    return {
        "since": own[0].held_on if own else None,
        "career": chart,
        "eras": [(era, known[era.season_id]) for era in chart.eras] if chart else [],
        "career_rows": [(row, known[row.night.season_id].season) for row in chart.rows] if chart else [],
        "season_lines": lines,
        "evenings_count": len(own),
        "evenings_won": person.evenings_won_by(nights, found.pk),
        "hands_count": sum(line.hands for line in lines),
        "points_sum": sum(line.points for line in lines if line.season.points_scale == 1),
        "games": person.games_played(own),
        "form": person.form(nights, found.pk),
        "rivals": person.rivals(access, nights, found.pk),
        "records": records_of(Scope(access, seasons, found.pk), nights),
    }


def _season(access: ClubAccess, found: Player, season: Season, line: Standing) -> dict[str, Any]:
    """Return the season: the bars and the list of its evenings, and its figures."""
    sees, currency = access.sees_money(found.pk), access.club.currency
    scores = selectors.player_evenings(found, season)
    in_money = sees and season.ranking == Season.Ranking.BALANCE
    terms = season_terms(season, [score.evening.game for score in scores if score.hands])
    dropped = dropped_evenings(found, season, scores)
    imported = sum(score.hands for score in scores if score.evening.imported_id is not None)
    return {
        "line": line,
        "sees_money": sees,
        "dropped": dropped,
        "scores": [score for score in reversed(scores) if score.hands],
        "chart": _bars(scores, in_money, dropped),
        "chart_unit": unit(currency) if in_money else "",
        "in_money": in_money,
        "terms": terms,
        "facts": player_facts(
            line,
            terms,
            currency=currency if sees else "",
            best=season.best_evenings,
            scale=season.points_scale,
            imported=imported,
        ),
        "freshness": selectors.freshness(season),
    }


def _bars(scores: Sequence[EveningScore], in_money: bool, dropped: set[int]) -> charts.EveningChart | None:
    values = [(score.change_minor if in_money else score.points) if score.hands else None for score in scores]
    struck = [] if in_money else [n for n, score in enumerate(scores) if score.evening_id in dropped]
    numbers = [score.evening.number for score in scores]
    show = charts.show_money if in_money else charts.show_points
    return charts.evening_chart(numbers, values, show, dropped=struck)


def _season_decisions(
    access: ClubAccess, found: Player, season: Season, line: Standing, nights: Sequence[Night]
) -> dict[str, Any]:
    """Return the gap to the next player of the season, and how often it was made."""
    lines = season_standings(season)
    terms = season_terms(season, [n.game for n in nights if n.season_id == season.pk and n.present])
    by_points = season.ranking == Season.Ranking.POINTS
    return {
        "ranked": len(lines),
        "gap": person.gap(access, line, lines) if by_points and season.points_scale == 1 else None,
        "rates": person.rates(decisions([season], found.pk), terms),
    }


def _with_news(
    request: HttpRequest, context: dict[str, Any], found: Player, lines: Sequence[Standing], nights: Sequence[Night]
) -> HttpResponse:
    """Render the page; for the person concerned with what is new since the last look."""
    own = [night for night in nights if night.player_id == found.pk and night.present]
    if not context["mine"] or not own:
        return render(request, "league/career/player.html", context)
    newest = lines[0]
    now = last_look.seen_now(timezone.now(), own, newest.season_id, newest.rank)
    before, looks = last_look.read(request, now)
    context["news"] = last_look.news_since(before, now, own) if before else None
    context["news_season"] = newest.season
    response = render(request, "league/career/player.html", context)
    last_look.keep(response, request.path, looks)
    return response
