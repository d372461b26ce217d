"""The pages and pictures of a year in review. The year of a player is seen by whoever sees the player's page.

A picture is the same for every reader, as those of `league.sharing`: the one for a visitor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ..access import ClubAccess, club_for
from ..logo.services import logo_file
from ..models import Player
from ..records.shown import Scope
from ..sharing.pictures import Heading, title_picture
from ..sharing.views import as_visitor, png
from ..standings.years import newest_year, reviewed_years
from ..web.page_versions import versioned
from . import selectors
from .club_year import club_screens
from .pictures import screen_picture
from .player_year import player_screens
from .screens import SCREENS, Screen, Year
from .versions import year_state


@versioned(year_state)
@require_safe
def club_year(request: HttpRequest, club: str, year: int) -> HttpResponse:
    """Show the year of a club."""
    access = club_for(request.user, club)
    _check_over(year)
    return _year_page(request, access, year, club_screens(_year(access, year)), "club-year", {})


@versioned(year_state)
@require_safe
def player_year(request: HttpRequest, club: str, player: int, year: int) -> HttpResponse:
    """Show the year of a player."""
    access = club_for(request.user, club)
    chosen_player = _player(access, player)
    _check_over(year)
    if chosen_player.main_id is not None:
        return redirect("player-year", club=club, player=chosen_player.main_id, year=year)
    screens = player_screens(_year(access, year, chosen_player.pk), chosen_player.pk)
    return _year_page(request, access, year, screens, "player-year", {"player": chosen_player.pk}, chosen_player)


@versioned(year_state)
@require_safe
def club_year_picture(request: HttpRequest, club: str, year: int, screen: int) -> HttpResponse:
    """The picture of a screen of a club's year."""
    access = as_visitor(club_for(request.user, club))
    _check_over(year)
    return _picture(access, year, club_screens(_year(access, year)), screen, access.club.name)


@versioned(year_state)
@require_safe
def player_year_picture(request: HttpRequest, club: str, player: int, year: int, screen: int) -> HttpResponse:
    """The picture of a screen of a player's year, under the name that the player agreed to."""
    access = as_visitor(club_for(request.user, club))
    chosen_player = _player(access, player)
    _check_over(year)
    if chosen_player.main_id is not None:
        return redirect("player-year-picture", club=club, player=chosen_player.main_id, year=year, screen=screen)
    above = f"{access.club.name} · {access.names.show(chosen_player.pk, chosen_player.nickname)}"
    return _picture(
        access, year, player_screens(_year(access, year, chosen_player.pk), chosen_player.pk), screen, above
    )


def _player(access: ClubAccess, player: int) -> Player:
    """Return a player whose page the reader may see. Raises Http404."""
    chosen_player = Player.objects.filter(club=access.club, pk=player).first()
    if chosen_player is None or access.names.hides(chosen_player):
        raise Http404("no such player")
    return chosen_player


def _check_over(year: int) -> None:
    if not 1900 <= year <= newest_year():
        raise Http404("the year is not over")


def _year(access: ClubAccess, year: int, player: int | None = None) -> Year:
    """Read the nights of a year. Five queries at most."""
    seasons = selectors.seasons_of(access.club.pk, year)
    return Year(Scope(access, seasons, player), year, selectors.nights_of_year(seasons, year, player))


def _year_page(
    request: HttpRequest,
    access: ClubAccess,
    year: int,
    screens: Sequence[Screen],
    route: str,
    names: dict[str, Any],
    player: Player | None = None,
) -> HttpResponse:
    """Render the screens, each with the address of its picture; without pictures for a player whom visitors do not
    see."""
    where = {"club": access.club.slug, **names, "year": year}
    shared = player is None or not as_visitor(access).names.hides(player)
    numbered = [
        (nth, screen, reverse(f"{route}-picture", kwargs={**where, "screen": nth}) if shared else "")
        for nth, screen in enumerate(screens, start=1)
    ]
    others = [
        (reviewed_year, reverse(route, kwargs={**where, "year": reviewed_year}))
        for reviewed_year in reviewed_years(access.club)
    ]
    context = {
        "club": access.club,
        "player": player,
        "name": access.names.show(player.pk, player.nickname) if player else "",
        "year": year,
        "screens": numbered,
        "others": others,
        "shared": shared,
    }
    return render(request, "league/year_review/year.html", context)


def _picture(access: ClubAccess, year: int, screens: Sequence[Screen], number: int, above: str) -> HttpResponse:
    """Draw a screen; a sentence for a year without a hand. Raises Http404 for a number that no screen has."""
    if not 1 <= number <= SCREENS:
        raise Http404("no such screen")
    note, logo = _("Year in review %(year)s") % {"year": year}, logo_file(access.club)
    if not screens:
        return png(title_picture(Heading(above, str(year), note, logo), _("No hand was counted in this year.")))
    screen = screens[number - 1]
    return png(screen_picture(Heading(above, screen.label, note, logo), screen))
