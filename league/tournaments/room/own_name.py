"""A person's own name in the hall: who is entered with a player of the own account says no, or agrees after all."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from ...access import Right
from ...errors import Refused
from ...web.requests import actor_of, see
from .. import entries
from ..gate import TournamentAccess, tournament_for


@login_required
@require_POST
def own_name(request: HttpRequest, club: str, tournament: str) -> HttpResponse:
    """Note that the person's name is not shown in the hall (`hidden`), or is."""
    access = tournament_for(request.user, club, tournament)
    own = access.access.player_ids
    numbers = sorted(
        access.tournament.entrants.filter(player_id__in=own, struck=False).values_list("number", flat=True)
    )
    if not numbers and not access.access.may(Right.ROSTER):
        raise PermissionDenied
    page = "tournament-seat" if request.POST.get("from") == "seat" else "tournament"
    hidden = request.POST.get("hidden") == "yes"
    try:
        for number in numbers:
            entries.hide_name(
                tournament=access.tournament, author=actor_of(request), number=number, hidden=hidden, only=own
            )
    except Refused as refused:
        messages.error(request, refused.sentence)
    else:
        messages.success(request, _sentence(access, hidden=hidden, entered=bool(numbers)))
    return see(reverse(page, kwargs={"club": access.club.slug, "tournament": access.tournament.slug}))


def _sentence(access: TournamentAccess, *, hidden: bool, entered: bool) -> str:
    if not entered:
        return _("You are not entered in %(name)s.") % {"name": access.tournament.name}
    return _("Your name is not shown in the hall.") if hidden else _("Your name may be shown in the hall.")
