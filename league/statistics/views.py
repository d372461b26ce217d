"""The public page with the statistics of a season."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ..access import ClubAccess
from ..intervals import FEWEST_TRIES
from ..models import Season
from ..money import format_count, format_money, unit
from ..standings.facts.ratings import ratings_of
from ..standings.imported import rated_by_imported
from ..standings.nights import Night, nights_of
from ..standings.standing_lines import season_standings
from ..standings.versions import season_facts_state
from ..standings.views import season_for
from ..web.game_terms import season_terms
from ..web.page_versions import versioned
from . import tables
from .distribution import histogram
from .meetings import heat_key, heat_map, most_present
from .people import few_decided, profiles, streaks
from .rating import ratings
from .selectors import decisions


@versioned(season_facts_state)
@require_safe
def season_statistics(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """Show shares with intervals, and head to head.

    The parameter `player` shows the decisions of one player beside those of everybody.
    """
    access, chosen_season = season_for(request, club, season)
    nights = nights_of([chosen_season])
    lines = season_standings(chosen_season)
    wanted = request.GET.get("player", "")
    chosen = next((line.player_id for line in lines if str(line.player_id) == wanted), None)
    terms = season_terms(chosen_season, [night.game for night in nights if night.present])
    counts = decisions([chosen_season], chosen)
    people = profiles(access, lines, terms)
    also = [*access.player_ids, *([chosen] if chosen else [])]
    context: dict[str, Any] = {
        "access": access,
        "club": access.club,
        "season": chosen_season,
        "terms": terms,
        "chosen": chosen,
        "players": [(player, access.names.show(player, name)) for player, name in most_present(nights, also).items()],
        "parts": tables.known_first(tables.parts(counts, terms, chosen=chosen is not None)),
        "with_imported": any(night.is_imported and night.present for night in nights),
        "heat": heat_map(access, nights, also),
        "heat_key": heat_key(),
        "ratings": ratings(access, lines, ratings_of(chosen_season), rated_by_imported(chosen_season)),
        "streaks": streaks(access, nights),
        "profiles": [profile for profile in people if profile.known],
        "few_decided": few_decided(people),
        "fewest_tries": FEWEST_TRIES,
        **_nights(access, chosen_season, [night for night in nights if chosen in (None, night.player_id)]),
    }
    return render(request, "league/statistics/season.html", context)


def _nights(access: ClubAccess, season: Season, nights: Sequence[Night]) -> dict[str, Any]:
    """Return the distribution of nights: of amounts if the season ranks by them and the reader sees them."""
    in_money = not season.by_points and access.sees_money()
    values = [night.change_minor if in_money else night.points for night in nights if night.present]
    chart = histogram(values)
    show = format_money if in_money else format_count
    return {
        "nights": chart,
        "nights_unit": unit(access.club.currency) if in_money else "",
        "nights_rows": [(show(bar.low), show(bar.high), bar) for bar in chart.bars] if chart else [],
    }
