"""The handouts, A5 to print: how to record a hand, for the table, and where the standings are, for the players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from league.access import Right, club_for
from league.models import Club
from league.web.qr import qr

from ..engine_bridge import GAME
from ..evening.house_rules import last_game
from ..hands.gate import signed_in
from ..offered import GAMES, game_of
from .examples import printed_hand


@dataclass(frozen=True)
class PlayersHandout:
    """The address of the club's standings as it is printed, its QR code, and if only people of the club read it."""

    shown: str
    code: str
    private: bool


@login_not_required
@require_safe
def handout(request: HttpRequest) -> HttpResponse:
    """Show the handout for the table, for everybody; `?game=` chooses the game."""
    asked = request.GET.get("game", "")
    return _handout_page(request, asked if asked in GAMES else GAME)


@signed_in
@require_safe
def club_handouts(request: HttpRequest, club: str) -> HttpResponse:
    """Show both handouts of a club; that for the table is for the game of its newest evening, or for `?game=`."""
    access = club_for(request.user, club, Right.RECORD)
    asked = request.GET.get("game", "")
    game = asked if asked in GAMES else last_game(access.club)
    standings = reverse("club-standings", kwargs={"club": access.club.slug})
    private = access.club.visibility == Club.Visibility.PRIVATE
    # A private club does not exist for a phone that is not signed in: its code leads there by the sign-in.
    target = reverse("login", query={"next": standings}) if private else standings
    shown = request.build_absolute_uri(standings).partition("://")[2].rstrip("/")
    return _handout_page(
        request, game, access.club, PlayersHandout(shown, qr(request.build_absolute_uri(target)), private)
    )


def _handout_page(
    request: HttpRequest, game: str, club: Club | None = None, players: PlayersHandout | None = None
) -> HttpResponse:
    context: dict[str, Any] = {
        "club": club,
        "players": players,
        "game": game_of(game),
        "steps": f"games/{game}/_handout_steps.html",
        "foot": f"games/{game}/_handout_foot.html",
        "games": [(option.name, option.title, option.name == game) for option in GAMES.values()],
        "coins": printed_hand(game),
    }
    return render(request, "games/help/handouts.html", context)
