"""The public page of a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Q, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from ..access import ClubAccess, Right, club_for
from ..features import uses
from ..luck.views import player_part
from ..models import EveningScore, ImportedTotal, Player, Season, Standing, User
from ..money import unit
from ..payments.outstanding import outstanding_with
from ..records.lines import records_of
from ..records.shown import Scope
from ..standings import charts, selectors
from ..standings.formula.explanation import dropped_evenings, evenings_unranked, unranked_notes
from ..standings.formula.inputs import formula_of
from ..standings.formula.sentences import dropping
from ..standings.nights import Night, nights_of, places_in
from ..standings.overview import runs
from ..standings.player_statistics import player_figures
from ..standings.standing_lines import season_standings
from ..standings.versions import player_state
from ..standings.years import newest_year
from ..statistics.selectors import decisions
from ..web.game_terms import season_terms
from ..web.page_versions import versioned
from . import last_look, news, person
from .charts import career_chart
from .clubs import elsewhere
from .games import games_played
from .last_look import Seen
from .rating import person_rating


@versioned(player_state, query=("season",))
@require_safe
def player(request: HttpRequest, club: str, player: int) -> HttpResponse:
    """Show a person: the career over all seasons, and one season with its statistics and evenings."""
    access = club_for(request.user, club)
    chosen_player = Player.objects.filter(club=access.club, pk=player).first()
    if chosen_player is None or access.names.hides(chosen_player):
        raise Http404("no such player")
    if chosen_player.main_id is not None:
        # A merged player is counted under the main player.
        where = reverse("player", kwargs={"club": club, "player": chosen_player.main_id})
        return redirect(f"{where}?{request.GET.urlencode()}" if request.GET else where)
    lines = selectors.player_seasons(chosen_player)
    wanted = request.GET.get("season")
    seasons = [line.season for line in lines]
    chosen = next((season for season in seasons if season.slug == wanted), selectors.current_of(seasons))
    line = next((line for line in lines if line.season == chosen), None)
    context = _about(request, access, chosen_player, lines, chosen)
    if chosen is None or line is None:
        return render(request, "league/career/player.html", context)
    nights = nights_of(seasons, chosen_player.pk)
    context |= _career(access, chosen_player, lines, nights)
    within = access.within(chosen)
    context |= _season(within, chosen_player, chosen, line)
    context |= _season_decisions(within, chosen_player, chosen, line, nights)
    if uses(access.club, "season-luck"):
        context["luck"] = player_part(within, chosen, chosen_player.pk, context["terms"])
    context["news"] = _news(request, access, context, chosen_player, lines, nights) if context["mine"] else None
    return render(request, "league/career/player.html", context)


def _about(
    request: HttpRequest, access: ClubAccess, player: Player, lines: Sequence[Standing], chosen: Season | None
) -> dict[str, Any]:
    """Return name, debts and seasons."""
    mine = player.pk in access.player_ids
    # Outstanding payments are of the whole club and in its currency, also if the season counts points only.
    owing = outstanding_with(access.club, player.pk, access.names) if mine or access.may(Right.SEE_MONEY) else None
    return {
        "access": access,
        "club": access.within(chosen).club if chosen else access.club,
        "player": player,
        "name": access.names.show(player.pk, player.nickname),
        "mine": mine,
        "guest": player.called_guest(sum(line.evenings for line in lines)),
        "owing": owing,
        "owing_net_minor": sum(payment.amount_minor for payment in owing or ()),
        "currency": access.club.currency,
        "seasons": [line.season for line in lines],
        "season": chosen or selectors.current_season(access.club),
        "may_edit": access.role is not None and access.may_own(Right.ROSTER, player.pk),
        "elsewhere": elsewhere(request.user, access) if mine else [],
    }


def _career(access: ClubAccess, player: Player, lines: Sequence[Standing], nights: Sequence[Night]) -> dict[str, Any]:
    """Return the career over all seasons. `nights` are those of all players of the player's evenings."""
    own = [night for night in nights if night.player_id == player.pk and night.present]
    chart = career_chart(own, [night.points for night in own])
    rows = person.season_rows(access, lines)
    known = {row.season.pk: row for row in rows}
    seasons = [line.season for line in lines]
    return {
        "since": own[0].held_on if own else None,
        "reviewed_year": max(
            (own_night.held_on.year for own_night in own if own_night.held_on.year <= newest_year()), default=None
        ),
        "career": chart,
        "eras": [(era, known[era.season_id]) for era in chart.eras] if chart else [],
        "career_rows": [(row, known[row.night.season_id].season) for row in chart.rows] if chart else [],
        "season_rows": rows,
        "with_amounts": any(row.amount_minor is not None for row in rows),
        "evenings_count": len(own),
        "evenings_won": person.evenings_won_by(nights, player.pk),
        "hands_count": sum(line.hands for line in lines),
        "points_sum": sum(line.points for line in lines if line.season.points_scale == 1),
        "games": games_played(nights, player.pk),
        "form": person.form(nights, player.pk),
        "rating": person_rating(player.pk),
        "rivals": person.rivals(access, nights, player.pk),
        "records": records_of(Scope(access, seasons, player.pk), nights, places_in(access.club)),
    }


def _season(access: ClubAccess, player: Player, season: Season, line: Standing) -> dict[str, Any]:
    """Return the season: the bars and the list of its evenings, and its figures."""
    sees, currency = access.sees_money(player.pk), access.club.currency
    scores = selectors.player_evenings(player, season)
    in_money = sees and season.ranking == Season.Ranking.BALANCE
    terms = season_terms(season, [score.evening.game for score in scores if score.hands])
    dropped = dropped_evenings(player, season, scores)
    imported = _hands_of_totals(player, season, scores)
    formula = formula_of(season)
    return {
        "line": line,
        "worth": person.worth(access, season, line),
        "unranked": evenings_unranked(formula, season, player, scores),
        "sees_money": sees,
        "dropped": dropped,
        "dropping": " ".join(dropping(formula)),
        "scores": [score for score in reversed(scores) if score.hands],
        "held": selectors.evenings_counted(season),
        "running": {score.evening_id: score.evening.number for score in scores if score.hands and runs(score.evening)},
        "charts": _bars(scores, in_money, dropped),
        "chart_unit": unit(currency) if in_money else "",
        "in_money": in_money,
        "terms": terms,
        "figures": player_figures(
            line,
            terms,
            currency=currency if sees else "",
            played=sum(score.points for score in scores if score.hands),
            best=season.best_evenings,
            scale=season.points_scale,
            imported=imported,
        ),
        "freshness": selectors.freshness(season),
    }


def _hands_of_totals(player: Player, season: Season, scores: Sequence[EveningScore]) -> int:
    """Return the number of hands that are known only from imported totals. One query where evenings were imported."""
    if all(score.evening.imported_id is None for score in scores):
        return 0
    # The season may count one game alone.
    counted = [score.evening_id for score in scores if score.hands]
    totals = ImportedTotal.objects.filter(season=season, undone=False, evening__in=counted)
    own = totals.filter(Q(player=player) | Q(player__main=player))
    return int(own.aggregate(n=Sum("hands"))["n"] or 0)


def _bars(scores: Sequence[EveningScore], in_money: bool, dropped: set[int]) -> list[charts.EveningChart]:
    values = [(score.change_minor if in_money else score.points) if score.hands else None for score in scores]
    struck = [] if in_money else [n for n, score in enumerate(scores) if score.evening_id in dropped]
    numbers = [score.evening.number for score in scores]
    show = charts.show_money if in_money else charts.show_points
    return charts.evening_charts(numbers, values, show, dropped=struck)


def _season_decisions(
    access: ClubAccess, player: Player, season: Season, line: Standing, nights: Sequence[Night]
) -> dict[str, Any]:
    """Return the gap to the next player of the season, and the rates of success."""
    lines = season_standings(season)
    terms = season_terms(season, [n.game for n in nights if n.season_id == season.pk and n.present])
    by_points = season.ranking == Season.Ranking.POINTS
    notes = unranked_notes(formula_of(season), lines) if line.unranked else {}
    return {
        "ranked": sum(not standing.unranked for standing in lines),
        "why_unranked": notes.get(player.pk, ""),
        "gap": person.gap(access, line, lines) if by_points and season.points_scale == 1 else None,
        "rates": person.rates(decisions([season], player.pk), terms),
    }


def _news(
    request: HttpRequest,
    access: ClubAccess,
    context: dict[str, Any],
    player: Player,
    lines: Sequence[Standing],
    nights: Sequence[Night],
) -> news.News | None:
    """Return the news for the person concerned since the visit before this one; None at the first one."""
    own = [night for night in nights if night.player_id == player.pk and night.present]
    if not own or not isinstance(request.user, User):
        return None
    records = news.club_records(access, list(access.club.seasons.order_by("starts_on", "pk")))
    rating = context["rating"]
    now = Seen(
        at=timezone.now(),
        points=sum(night.points for night in own),
        season_id=lines[0].season_id,
        rank=lines[0].shown_rank,
        newest=last_look.evening_key(own[-1]),
        rating=rating.now.skill.points if rating and rating.known else None,
        records=news.held_by(records, player.pk),
    )
    kept = last_look.read(request.user, player.pk)
    before, looks = last_look.visit(kept, now)
    if looks != kept and request.method == "GET":
        last_look.keep(request.user, player.pk, looks)
    context["news_season"] = lines[0].season
    if before is None:
        return None
    items = news.items_since(access, access.player_ids, before, now, records)
    return news.news_since(before, now, own, items)
