"""The table as the others see it while one of them writes, and the pencil that goes from hand to hand."""

from __future__ import annotations

from collections.abc import Callable

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from league.access import Right, admit, club_for
from league.models import User
from league.posted import see
from league.views import answer_once

from . import chain as chains
from . import pencil, selectors
from .device import device_of, remember
from .errors import Refused
from .looking import hold_for, look_on_context, table_etag, user_of, writer_context
from .models import Table
from .views import signed_in, table_for

NO_CONTENT, CONFLICT = 204, 409


class PencilForm(forms.Form):
    """What somebody does with the pencil; `to` is the user whom it is handed to."""

    ACTS = ("beat", "take", "over", "ask", "decline", "give", "down")
    act = forms.ChoiceField(choices=[(act, act) for act in ACTS])
    to = forms.IntegerField(required=False, min_value=1, max_value=2**53)


@signed_in
@require_safe
def table_live(request: HttpRequest, club: str, table: int) -> HttpResponseBase:
    """The part of the table's screen that renews itself: for who writes a line about the pencil, for the others all
    of it. 304 while nothing changed."""
    at = selectors.table_at(slug=club, table_id=table)
    if at is None:
        raise Http404("no such table")
    access = admit(request.user, at.evening.club, Right.RECORD)
    access.counts_plainly(at.evening.season)
    hold = hold_for(request, at)
    etag = table_etag(request, access, at, hold)

    def piece() -> HttpResponse:
        if request.GET.get("as") != "writer":
            return render(request, "games/_look_on.html", look_on_context(request, access, at, hold, etag))
        context = writer_context(request, access, at, hold, etag, players=chains.seating(at))
        return render(request, "games/_pencil.html", context)

    return answer_once(request, etag, piece)


@signed_in
@never_cache
@require_POST
def table_pencil(request: HttpRequest, club: str, table: int) -> HttpResponse:
    """Take the pencil, ask for it, hand it over, put it down. A `beat` says that one is still there."""
    access = club_for(request.user, club, Right.RECORD)
    at = table_for(access, table)
    user, device = user_of(request), device_of(request)
    form = PencilForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("The page sent something that this form has not. Load the page again."))
        return see(reverse("table", kwargs={"club": club, "table": table}))
    act = form.cleaned_data["act"]
    if act == "beat":
        here = pencil.take(at, user, device)
        return remember(HttpResponse(status=NO_CONTENT if here else CONFLICT), device)
    try:
        told = _done(at, user, device, act, form.cleaned_data["to"])
    except Refused as refused:
        messages.error(request, refused.sentence)
    else:
        if told:
            messages.success(request, told)
    return remember(see(reverse("table", kwargs={"club": club, "table": table})), device)


def _done(table: Table, user: User, device: str, act: str, to: int | None) -> str:
    """Carry it out; what to tell the person, if anything. Raises Refused."""
    if act == "give":
        to_name = str(pencil.hand_over(table, user, device, to or 0))
        return _("%(name)s has the pencil now.") % {"name": to_name}
    simple: dict[str, Callable[[Table, User, str], object]] = {
        "take": pencil.take,
        "over": pencil.take_over,
        "ask": pencil.ask,
        "decline": pencil.decline,
        "down": pencil.put_down,
    }
    simple[act](table, user, device)
    return ""
