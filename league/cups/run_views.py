"""The pages of the club that runs a cup: a new one, its rules, its clubs, its final."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ..access import Right, club_for
from ..errors import Refused, form_outdated
from ..models import CupClub, CupInvitation
from ..web.club_navigation import show_refusal
from ..web.requests import actor_of, see
from . import services
from .final import final_make
from .forms import CupForm, FinalForm, InviteForm, form_of
from .gate import CupAccess, run_for


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def cup_new(request: HttpRequest, club: str) -> HttpResponse:
    """Make a cup."""
    access = club_for(request.user, club, Right.MANAGE)
    form = CupForm(request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                made = services.cup_create(club=access.club, actor=actor_of(request), basics=form.basics())
            except Refused as refused:
                show_refusal(form, refused)
                status = refused.status
            else:
                return see(reverse("cup-run", kwargs={"club": club, "cup": made.slug}))
    return render(request, "league/cups/rules.html", {"club": access.club, "form": form}, status=status)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def cup_rules(request: HttpRequest, club: str, cup: str) -> HttpResponse:
    """Change a cup."""
    access = run_for(request.user, club, cup)
    form = form_of(access.cup, request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                services.cup_change(cup=access.cup, actor=actor_of(request), basics=form.basics())
            except Refused as refused:
                show_refusal(form, refused)
                status = refused.status
            else:
                messages.success(request, _("Saved."))
                return see(reverse("cup-run", kwargs={"club": club, "cup": cup}))
    return render(
        request, "league/cups/rules.html", {"club": access.club, "cup": access.cup, "form": form}, status=status
    )


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def cup_run(request: HttpRequest, club: str, cup: str) -> HttpResponse:
    """Show the clubs, the invitations and the final of a cup; invite, withdraw, make the final, close."""
    access = run_for(request.user, club, cup)
    invite, final = InviteForm(), FinalForm(initial={"starts_on": timezone.localdate()})
    problem, code, status = None, "", 200
    if request.method == "POST":
        do = request.POST.get("do", "")
        invite = InviteForm(request.POST) if do == "invite" else invite
        final = FinalForm(request.POST) if do == "final" else final
        try:
            if (do == "invite" and not invite.is_valid()) or (do == "final" and not final.is_valid()):
                status = 422
            elif do == "code":
                _made, code = services.code_make(cup=access.cup, actor=actor_of(request))
            else:
                return see(_act(request, access, do, invite, final))
        except Refused as refused:
            status = refused.status
            if do == "invite":
                show_refusal(invite, refused)
            else:
                problem = refused
    return _run_page(request, access, {"invite": invite, "final_form": final, "problem": problem, "code": code}, status)


def _act(request: HttpRequest, access: CupAccess, do: str, invite: InviteForm, final: FinalForm) -> str:
    """Do what a form of the page asks for, and return the address of the next page."""
    cup, actor = access.cup, actor_of(request)
    if do == "invite":
        services.club_invite(cup=cup, actor=actor, short_name=invite.cleaned_data["short_name"])
        messages.success(request, _("Invited. The owners of that club find it on their page “Club”."))
    elif do == "withdraw":
        number = request.POST.get("number", "")
        if not (number.isascii() and number.isdecimal() and len(number) < 9):
            raise form_outdated()
        services.invitation_withdraw(cup=cup, actor=actor, number=int(number))
    elif do == "final":
        made = final_make(cup=cup, actor=actor, starts_on=final.cleaned_data["starts_on"])
        return reverse("tournament-desk", kwargs={"club": access.club.slug, "tournament": made.slug})
    elif do in ("close", "open"):
        services.cup_close(cup=cup, actor=actor, closed=do == "close")
    else:
        raise form_outdated()
    return request.path


def _run_page(request: HttpRequest, access: CupAccess, shown: dict[str, Any], status: int) -> HttpResponse:
    access.cup.refresh_from_db()
    parts = CupClub.objects.filter(cup=access.cup, left_at=None).select_related("club").order_by("joined_at", "pk")
    asked = CupInvitation.objects.filter(cup=access.cup)
    context = {
        "club": access.club,
        "cup": access.cup,
        "parts": list(parts),
        "waiting": [invitation for invitation in asked if invitation.state == CupInvitation.State.OPEN],
        "declined": [invitation for invitation in asked if invitation.state == CupInvitation.State.DECLINED],
        **shown,
    }
    return render(request, "league/cups/run.html", context, status=status)
