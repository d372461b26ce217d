"""The tournaments of a club, and a new one."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from ...access import ClubAccess, Right, club_for
from ...errors import Refused
from ...models import DeskMember, Role, Tournament
from ...web.club_navigation import show_refusal
from ...web.requests import actor_of, see
from ..pasted_list import people_in
from ..presets import PRESETS
from ..quick_start import tournament_start
from .forms import NewForm
from .page_parts import check_number, key_of, whole
from .setup_views import EXPECTED, outlook_context


@require_safe
def tournaments(request: HttpRequest, club: str) -> HttpResponse:
    """List the tournaments of the club, newest first; those in preparation only for their desk."""
    access = club_for(request.user, club)
    mine = _run_by(request, access)
    rows = Tournament.objects.filter(club=access.club).annotate(
        people=Count("entrants", filter=Q(entrants__struck=False))
    )
    shown = [
        tournament
        for tournament in rows
        if tournament.state != Tournament.State.DRAFT or _runs(access, tournament, mine)
    ]
    for tournament in shown:
        desk = reverse("tournament-desk", kwargs=_where(access, tournament))
        tournament.desk_url = desk if _runs(access, tournament, mine) else ""  # type: ignore[attr-defined]
        tournament.page_url = reverse("tournament", kwargs=_where(access, tournament))  # type: ignore[attr-defined]
    context = {"club": access.club, "access": access, "tournaments": shown, "may_add": access.may(Right.MANAGE)}
    return render(request, "league/tournaments/desk/list.html", context)


def _run_by(request: HttpRequest, access: ClubAccess) -> set[int]:
    if not access.may(Right.RECORD):
        return set()
    named = DeskMember.objects.filter(tournament__club=access.club, user=actor_of(request))
    return set(named.values_list("tournament_id", flat=True))


def _runs(access: ClubAccess, tournament: Tournament, named: set[int]) -> bool:
    return access.may(Right.RECORD) and (access.role == Role.OWNER or tournament.pk in named)


def _where(access: ClubAccess, tournament: Tournament) -> dict[str, Any]:
    return {"club": access.club.slug, "tournament": tournament.slug}


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tournament_new(request: HttpRequest, club: str) -> HttpResponse:
    """Create a tournament from a preset, with its people if a list is given. A GET with `people` shows the consequences
    for this number."""
    access = club_for(request.user, club, Right.MANAGE)
    sent = request.POST if request.method == "POST" else None
    form = NewForm(sent, initial={"starts_on": timezone.localdate(), "preset": "evening"})
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                people = people_in(form.cleaned_data["names"], here=form.cleaned_data["here"])
                check_number(people)
                made = tournament_start(
                    club=access.club,
                    author=actor_of(request),
                    basics=form.basics(),
                    format=PRESETS[form.cleaned_data["preset"]].format,
                    people=people,
                    key=key_of(request),
                )
            except Refused as refused:
                show_refusal(form, refused)
                status = refused.status
            else:
                return see(reverse("tournament-desk" if people else "tournament-setup", kwargs=_where(access, made)))
    return _new_page(request, access, form, status)


def _new_page(request: HttpRequest, access: ClubAccess, form: NewForm, status: int) -> HttpResponse:
    data = request.POST if request.method == "POST" else request.GET
    chosen = PRESETS.get(data.get("preset", ""), PRESETS["evening"])
    typed = whole(data.get("people"))
    people = typed if typed is not None and 0 <= typed <= 2000 else EXPECTED
    try:
        begins_at = form.fields["begins_at"].clean(data.get("begins_at", "") or None)
    except ValidationError:
        begins_at = None
    context = {
        "club": access.club,
        "access": access,
        "form": form,
        "key": uuid.uuid4(),
        "presets": list(PRESETS.values()),
        "chosen": chosen,
        "people": people,
        **outlook_context(chosen.format, people, begins_at),
    }
    return render(request, "league/tournaments/desk/new.html", context, status=status)
