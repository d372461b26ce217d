"""The live view of a table for viewers, and the requests about the pencil."""

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
from league.web.page_versions import versioned
from league.web.polling import answer_unless_known
from league.web.requests import see
from league.web.streamed import streamed

from ..errors import Refused, form_outdated
from ..hands import chain as chains
from ..hands import selectors
from ..hands.gate import shows, signed_in, table_for
from ..models import Table
from . import pencil
from .device import device_of, remember
from .live_context import (
    LINE_PAGES,
    hold_for,
    line_context,
    line_etag,
    recorder_context,
    table_etag,
    user_of,
    viewer_context,
)
from .versions import table_state, table_topics

NO_CONTENT, CONFLICT = 204, 409
LINE = "games/table/_pencil_line.html"


class PencilForm(forms.Form):
    """A request about the pencil; `to` is the user who gets it, `page` the route of the page that sent it,
    `device` the number of the device that the browser remembers."""

    ACTS = ("beat", "take", "over", "ask", "decline", "give", "down")
    act = forms.ChoiceField(choices=[(act, act) for act in ACTS])
    to = forms.IntegerField(required=False, min_value=1, max_value=2**53)
    device = forms.UUIDField(required=False)
    page = forms.ChoiceField(choices=[(page, page) for page in LINE_PAGES], required=False)


@streamed(table_topics)
@versioned(table_state)
@signed_in
@require_safe
def table_live(request: HttpRequest, club: str, table: int) -> HttpResponseBase:
    """The part of a page that is polled: the notice about the pencil for the recorder, the line about it for the pages
    beside the table screen, the whole table for viewers. 304 while nothing changed."""
    card_table = selectors.table_at(slug=club, table_id=table)
    if card_table is None:
        raise Http404("no such table")
    access = admit(request.user, card_table.evening.club, Right.RECORD)
    shows(access, card_table)
    access.drop_currency_if_points_only(card_table.evening.season)
    hold = hold_for(request, card_table)
    page = request.GET.get("as", "")
    if page in LINE_PAGES:
        context = line_context(request, access, card_table, hold, page)
        etag = line_etag(request, access, card_table, hold)
        return answer_unless_known(request, etag, lambda: render(request, LINE, context))
    etag = table_etag(request, access, card_table, hold)

    def fragment() -> HttpResponse:
        if page != "recorder":
            return render(request, "games/table/_viewer.html", viewer_context(request, access, card_table, hold, etag))
        context = recorder_context(request, access, card_table, hold, etag, players=chains.seating(card_table))
        return render(request, "games/table/_pencil.html", context)

    return answer_unless_known(request, etag, fragment)


@signed_in
@never_cache
@require_POST
def table_pencil(request: HttpRequest, club: str, table: int) -> HttpResponse:
    """Take the pencil, ask for it, hand it over, put it down. A `beat` reports that the holder is still there.

    The answer is the page that sent the request; with scripts only its line about the pencil, so that nothing entered
    there is lost.
    """
    access = club_for(request.user, club, Right.RECORD)
    card_table = table_for(access, table)
    user, device = user_of(request), device_of(request)
    form = PencilForm(request.POST)
    if not form.is_valid():
        messages.error(request, form_outdated().sentence)
        return see(reverse("table", kwargs={"club": club, "table": table}))
    act = form.cleaned_data["act"]
    if act == "beat":
        here = pencil.take(card_table, user, device, known_as=str(form.cleaned_data["device"] or ""))
        return remember(HttpResponse(status=NO_CONTENT if here else CONFLICT), device)
    page, notice, problem = form.cleaned_data["page"], "", ""
    try:
        notice = _apply(card_table, user, device, act, form.cleaned_data["to"])
    except Refused as refused:
        problem = refused.sentence
    if page and request.htmx:  # type: ignore[attr-defined]
        context = line_context(
            request, access, card_table, pencil.hold_of(card_table, user, device), page, problem=problem
        )
        return remember(render(request, LINE, context), device)
    if problem:
        messages.error(request, problem)
    elif notice:
        messages.success(request, notice)
    return remember(see(reverse(page or "table", kwargs={"club": club, "table": table})), device)


def _apply(table: Table, user: User, device: str, act: str, to: int | None) -> str:
    """Carry out the request. Return the notice for the person, or an empty text. Raises Refused."""
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
