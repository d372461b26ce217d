"""Own entries at the desk: accept or refuse those who wait, and let people enter themselves."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from ...errors import Refused, form_outdated
from ...web.requests import actor_of
from .. import own_entries
from ..gate import TournamentAccess, desk_for
from ..pasted_list import names_in
from .page_parts import back, whole


@login_required
@never_cache
@require_POST
def own_entries_decide(request: HttpRequest, club: str, tournament: str) -> HttpResponse:
    """Accept or refuse one who waits; accept as many as there are places; or set places and labels (`offer`)."""
    access = desk_for(request.user, club, tournament)
    do = request.POST.get("do", "")
    try:
        messages.success(request, _decide(request, access, do))
    except Refused as refused:
        messages.error(request, refused.sentence)
    return back(access, "tournament-setup" if do == "offer" else "tournament-entrants")


def _decide(request: HttpRequest, access: TournamentAccess, do: str) -> str:
    who: dict[str, Any] = {"tournament": access.tournament, "author": actor_of(request)}
    if do == "offer":
        places = request.POST.get("places", "").strip()
        number = whole(places)
        if places and number is None:
            raise form_outdated()
        own_entries.own_entries_offer(**who, places=number, labels=names_in(request.POST.get("labels", "")))
        return _("People can enter themselves.") if places else _("People cannot enter themselves.")
    if do == "refuse":
        name = own_entries.own_entry_refuse(**who, entry_id=_id(request))
        return _("%(name)s is refused.") % {"name": name}
    if do == "accept":
        entry_id = _id(request)
        entered = own_entries.own_entries_accept(**who, entry_id=entry_id)
    elif do == "accept_all":
        entered = own_entries.own_entries_accept(**who)
    else:
        raise form_outdated()
    names = ", ".join(f"{entrant.number} {entrant.player.nickname}" for entrant in entered)
    sentence = ngettext("Entered: %(names)s.", "%(n)d entered: %(names)s.", len(entered))
    return sentence % {"n": len(entered), "names": names}


def _id(request: HttpRequest) -> uuid.UUID:
    try:
        return uuid.UUID(request.POST.get("entry", ""))
    except ValueError as fault:
        raise form_outdated() from fault
