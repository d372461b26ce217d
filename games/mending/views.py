"""The pages of corrections. What an edit would do is shown first; saving it is a step of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from league.access import ClubAccess, Right, club_for
from league.models import Evening

from .. import selectors as tables
from ..errors import Refused
from ..pages import evening_for
from ..views import signed_in
from . import forms, reading
from .desk import Desk, Matter, blocking, desk, joins, mend, plan_page, stored_before
from .edits import Move, Reseat, TakeOut
from .hand_page import HandPage


def mending(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
    """A page that can be saved: the gate and the desk before it. A save that was stored already gets its answer before
    anything else is asked: the hands are others since."""

    @signed_in
    @never_cache
    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(view)
    def page(request: HttpRequest, club: str, table: int, **names: int) -> HttpResponse:
        at = desk(request, club, table)
        return stored_before(at) or view(at, **names)

    return page


# --- A hand as it should have been -----------------------------------------------------------------------


@mending
def hand_edit(at: Desk, number: int) -> HttpResponse:
    """A stored hand in the form in which hands are entered, to be put right."""
    at.check(number)
    return HandPage(at, number, at.entries[number - 1]).answer()


@mending
def hand_insert(at: Desk, number: int) -> HttpResponse:
    """A hand that was forgotten, as hand `number`."""
    at.check(number, more=1)
    return HandPage(at, number, None).answer()


# --- Out, elsewhere, other people ------------------------------------------------------------------------


@mending
def hand_out(at: Desk, number: int) -> HttpResponse:
    """A hand that was never played."""
    at.check(number)
    matter = Matter(
        title=_("Take out hand %(number)d") % {"number": number},
        save=_("Take out hand %(number)d") % {"number": number},
        done=_("Hand %(number)d is taken out.") % {"number": number},
        then=at.url("hand-history", number),
        back=at.url("hand-edit", number),
        number=number,
    )
    keep = forms.keeps(at.data, at.table.evening.game)
    return mend(at, matter, lambda kept: TakeOut(number, kept), keep, lambda no: plan_page(at, matter, refused=no))


@mending
def hand_move(at: Desk, number: int) -> HttpResponse:
    """A hand that was played earlier or later than it is written down."""
    at.check(number)
    to = forms.whole(at.data, "to") or (number - 1 if number > 1 else number + 1)
    to = min(max(1, to), len(at.entries))
    matter = Matter(
        title=_("Move hand %(number)d") % {"number": number},
        save=_("Make it hand %(to)d") % {"to": to},
        done=_("Hand %(number)d is hand %(to)d now.") % {"number": number, "to": to},
        then=at.url("hand-history", to),
        back=at.url("hand-edit", number),
        number=number,
    )
    more = {"move": number, "to": to, "up": to - 1, "down": to + 1 if to < len(at.entries) else 0}

    def no(refused: Refused) -> HttpResponse:
        return plan_page(at, matter, refused=refused, more=more)

    keep = forms.keeps(at.data, at.table.evening.game)
    return mend(at, matter, lambda kept: Move(number, to, kept), keep, no, more)


@mending
def table_seats(at: Desk) -> HttpResponse:
    """Other people than written down, over a range of hands."""
    if not at.entries:
        raise Http404("no hand at this table")
    first = min(max(1, forms.whole(at.data, "from") or 1), len(at.entries))
    last = min(max(first, forms.whole(at.data, "last") or len(at.entries)), len(at.entries))
    span = at.entries[first - 1 : last]
    written = sorted({player for entry in at.entries for player in entry.players})
    together = {player for entry in span for player in entry.players}
    who = forms.pairs_of(at.data, written, together)
    matter = Matter(
        title=_("Who sat there"),
        save=_("Put the seats right"),
        done=_("The seats of hands %(first)d to %(last)d are put right.") % {"first": first, "last": last},
        then=at.url("hand-history", first),
        back=at.url("table-seats"),
        number=first,
    )

    def form(refused: Refused | None = None) -> HttpResponse:
        names = dict(reading.roster(at.table, at.entries))
        said = dict(who)
        context = at.context() | {
            "matter": matter,
            "first": first,
            "last": last,
            "written": [(player, names.get(player, "?"), said.get(player, player)) for player in written],
            "roster": list(names.items()),
            "refused": refused,
            "blocking": blocking(at, refused, first),
            "joins": joins(at, refused),
        }
        status = refused.status if refused else 200
        return render(at.request, "games/mend_seats.html", context, status=status)

    if at.step in ("", "back"):
        return form()
    return mend(at, matter, lambda _keep: Reseat(first, last, who), False, form)


# --- Who changed what ------------------------------------------------------------------------------------


@never_cache
@require_safe
def hand_history(request: HttpRequest, club: str, table: int, number: int) -> HttpResponse:
    """What was done to a hand: who, when, why, before and after."""
    access = club_for(request.user, club, Right.READ)
    found = tables.table_of(club_id=access.club.pk, table_id=table)
    events = reading.history_of(found, number, access.names) if found else []
    if found is None or not events:
        raise Http404("no such hand")
    context = _reading(access.within(found.evening.season), found.evening) | {
        "table": found,
        "number": number,
        "events": events,
        "stands": bool(events[0].after),
        "mine": bool(events[0].after and access.player_ids.intersection(events[0].after.view.player_ids)),
        "hands": found.hands,
    }
    return render(request, "games/mend_history.html", context)


@never_cache
@require_safe
def evening_corrections(request: HttpRequest, club: str, evening: int) -> HttpResponse:
    """Everything that was put right in an evening, newest first."""
    access, found = evening_for(request, club, evening)
    context = _reading(access, found) | {"corrections": reading.corrections_of(found, access.names)}
    return render(request, "games/mend_corrections.html", context)


def _reading(access: ClubAccess, evening: Evening) -> dict[str, Any]:
    """Who reads: amounts are for those who may see them, names of writers and their reasons for people of the club."""
    return {
        "access": access,
        "club": access.club,
        "evening": evening,
        "sees_money": (access.sees_money() or tables.writes_amounts(access, evening)) and not access.points_only,
        "own": () if access.points_only else access.player_ids,
        "may_record": access.may(Right.RECORD),
        "inside": access.role is not None,
    }
