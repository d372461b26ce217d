"""The public page on which somebody enters to a tournament: name, label, the code of the mail."""

from __future__ import annotations

import uuid
from typing import Any

from allauth.account.adapter import get_adapter
from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ...accounts import sign_in_limits
from ...errors import Refused
from ...models import OwnEntry, Tournament
from ...roster.services import MAX_NICKNAME
from ...web.requests import see
from .. import own_entries
from ..gate import TournamentAccess, tournament_for

FROM_PLACE = sign_in_limits.Limit(20, 24 * 60 * 60)
"""Own entries from one network address. A family, or a table in a pub, has one address."""
SESSION = "own_entry"


class OwnEntryForm(forms.Form):
    """Name, label and mail address of somebody who enters."""

    name = forms.CharField(label=gettext_lazy("Your name"), max_length=MAX_NICKNAME)
    label = forms.ChoiceField(label=gettext_lazy("Category"), widget=forms.RadioSelect)
    mail = forms.EmailField(
        label=gettext_lazy("Your email address"),
        max_length=254,
        help_text=gettext_lazy("A code is sent to it. It is deleted as soon as the organisers have answered you."),
    )

    def __init__(self, *args: Any, tournament: Tournament, **options: Any) -> None:
        super().__init__(*args, **options)
        labels = tournament.own_entry_labels or []
        if labels:
            self.fields["label"].choices = [(label, label) for label in labels]  # type: ignore[attr-defined]
        else:
            del self.fields["label"]
        if not settings.MAIL_ON:
            del self.fields["mail"]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def own_entry(request: HttpRequest, club: str, tournament: str) -> HttpResponse:
    """Show how many places are left, and take an entry; then the code that confirms it."""
    access = tournament_for(request.user, club, tournament)
    entry = _entry(request, access)
    if request.method != "POST":
        return _own_entry_page(request, access, entry)
    try:
        if request.POST.get("do") == "another":
            request.session.pop(SESSION, None)
            return see(request.path)
        return _confirm(request, access, entry) if "code" in request.POST else _ask(request, access)
    except Refused as refused:
        if refused.code == "code":
            request.session.pop(SESSION, None)
            entry = None
        return _own_entry_page(request, access, entry, problem=refused.sentence, status=refused.status)


def _ask(request: HttpRequest, access: TournamentAccess) -> HttpResponse:
    form = OwnEntryForm(request.POST, tournament=access.tournament)
    if not form.is_valid():
        return _own_entry_page(request, access, None, form=form, status=422)
    place = f"own-entry:{sign_in_limits.mark_of_place(get_adapter().get_client_ip(request))}"
    mail = form.cleaned_data.get("mail", "")
    if sign_in_limits.spent(place, FROM_PLACE) or (mail and not sign_in_limits.may_send(mail)):
        sentence = _("Too many entries came from here. Try again later, or ask the organisers.")
        raise Refused(status=429, code="limit", sentence=sentence)
    sign_in_limits.count(place, FROM_PLACE)
    try:
        entry = own_entries.own_entry_ask(
            tournament=access.tournament,
            name=form.cleaned_data["name"],
            label=form.cleaned_data.get("label", ""),
            mail=mail,
        )
    except Refused as refused:
        if refused.at not in form.fields:
            raise
        form.add_error(refused.at, refused.sentence)
        return _own_entry_page(request, access, None, form=form, status=refused.status)
    request.session[SESSION] = str(entry.pk)
    return see(request.path)


def _confirm(request: HttpRequest, access: TournamentAccess, entry: OwnEntry | None) -> HttpResponse:
    entry_id = entry.pk if entry is not None else uuid.UUID(int=0)
    code = request.POST["code"]
    if own_entries.own_entry_confirm(tournament=access.tournament, entry_id=entry_id, code=code) is None:
        sentence = _("This is not the code. Look at the mail once more.")
        return _own_entry_page(request, access, entry, problem=sentence, status=422)
    return see(request.path)


def _entry(request: HttpRequest, access: TournamentAccess) -> OwnEntry | None:
    """Return the entry that this browser made to this tournament. One query at most."""
    kept = request.session.get(SESSION, "")
    return OwnEntry.objects.filter(tournament=access.tournament, pk=kept).first() if kept else None


def _own_entry_page(
    request: HttpRequest,
    access: TournamentAccess,
    entry: OwnEntry | None,
    *,
    form: OwnEntryForm | None = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    places = own_entries.places_of(access.tournament)
    on_list = 0
    if entry is not None and entry.confirmed_at is not None:
        waiting = list(own_entries.waiting(access.tournament).values_list("pk", flat=True))
        on_list = max(waiting.index(entry.pk) + 1 - places.free, 0) if entry.pk in waiting else 0
    context = {
        "club": access.club,
        "tournament": access.tournament,
        "open": own_entries.takes_own_entries(access.tournament),
        "places": places,
        "entry": entry,
        "on_list": on_list,
        "form": form or OwnEntryForm(tournament=access.tournament),
        "problem": problem,
    }
    return render(request, "league/tournaments/room/own_entry.html", context, status=status)
