"""The reports of the league: season, player, treasurer."""

from __future__ import annotations

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ..access import Right, club_for
from ..models import Player, Season
from ..standings.views import season_for
from .pages import Large, answer
from .player import player_statement
from .season import season_report
from .treasurer import treasurer_list


class DayForm(forms.Form):
    """The day of the treasurer's list, from the address."""

    day = forms.DateField(required=False)


@require_safe
def season(request: HttpRequest, club: str, season: str) -> HttpResponseBase:
    """Show the report on a season."""
    access, chosen_season = season_for(request, club, season)
    report = season_report(access, chosen_season)
    return answer(
        request, access, report, about=f"season:{chosen_season.pk}", large=Large("season-report", chosen_season.pk)
    )


@require_safe
def player(request: HttpRequest, club: str, player: int) -> HttpResponseBase:
    """Show a player's statement over all seasons, or over that of `?season=`."""
    access = club_for(request.user, club)
    chosen_player = Player.objects.filter(club=access.club, pk=player, main__isnull=True).first()
    if chosen_player is None or access.names.hides(chosen_player):
        raise Http404("no such player")
    chosen_player.club = access.club
    wanted = request.GET.get("season", "")
    chosen = Season.objects.filter(club=access.club, slug=wanted).first() if wanted else None
    if wanted and chosen is None:
        raise Http404("no such season")
    report = player_statement(access, chosen_player, chosen)
    large = Large("player-statement", chosen_player.pk, {"season": wanted})
    return answer(request, access, report, about=f"player:{chosen_player.pk}", large=large)


@login_required
@never_cache
@require_safe
def treasurer(request: HttpRequest, club: str) -> HttpResponseBase:
    """Show the treasurer's list at the end of a day, by default of today."""
    access = club_for(request.user, club, Right.SEE_LEDGER)
    form = DayForm(request.GET)
    day = (form.cleaned_data["day"] if form.is_valid() else None) or timezone.localdate()
    more = {"choose": "league/reports/_day.html", "day": day}
    large = Large("treasurer-list", access.club.pk, {"day": day.isoformat()})
    report = treasurer_list(access, day)
    return answer(request, access, report, about=f"club:{access.club.pk}", large=large, more=more)
