"""The page of a club's people: roles, players tied to accounts, invitations."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ..access import ClubAccess, Right, club_for, roles
from ..accounts import invitations
from ..errors import Refused, form_outdated
from ..features import uses
from ..models import Invitation, Player, Role, User
from ..player_messages.choices import refused_names
from ..web.club_navigation import club_admin_context
from ..web.qr import qr
from ..web.requests import actor_of, see
from .forms import InviteForm, PersonForm


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HttpRequest, club: str) -> HttpResponse:
    """List the people of the club, and carry out an owner's actions on them."""
    access = club_for(request.user, club, Right.PEOPLE)
    if request.method != "POST":
        return _people_page(request, access)
    if "invite" in request.POST:
        return _invite(request, access)
    if "revoke" in request.POST:
        return _revoke(request, access)
    form = PersonForm(request.POST)
    if not form.is_valid():
        return _people_page(request, access, problem=form_outdated().sentence, status=422)
    try:
        notice = _do(access, actor_of(request), form.cleaned_data)
    except Refused as refused:
        return _people_page(request, access, problem=refused.sentence, status=refused.status)
    messages.success(request, notice)
    # An owner who changed their own role may not open this page any more.
    still_owner = access.club.memberships.filter(user=request.user.pk, role=Role.OWNER).exists()
    return see(reverse("club-people" if still_owner else "club", kwargs={"club": club}))


def _do(access: ClubAccess, actor: User | None, sent: dict[str, Any]) -> str:
    """Carry out the action and return the notice for the next page. Raises Refused as the services do."""
    club = access.club
    user = User.objects.filter(pk=sent["user"], memberships__club=club).first()
    if user is None:
        raise Refused(status=404, code="person", sentence=_("There is no such person in this club."), at="user")
    if sent["do"] == "role":
        given = roles.role_give(club=club, user=user, role=sent["role"], actor=actor)
        return _("%(person)s: %(role)s.") % {"person": user, "role": given.get_role_display()}
    if sent["do"] == "out":
        roles.role_take(club=club, user=user, actor=actor)
        return _("%(person)s is no longer in the club.") % {"person": user}
    player = Player.objects.filter(club=club, pk=sent["player"] or 0).first()
    if player is None or (sent["do"] == "untie" and player.user_id != user.pk):
        raise Refused(status=404, code="player", sentence=_("There is no such player in this club."), at="player")
    if sent["do"] == "untie":
        roles.player_tie(club=club, player=player, user=None, actor=actor)
        return _("%(player)s is no longer linked to an account.") % {"player": player.nickname}
    roles.player_tie(club=club, player=player, user=user, actor=actor)
    return _("%(person)s plays as %(player)s.") % {"person": user, "player": player.nickname}


def _invite(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    form = _invite_form(access, request.POST)
    actor = actor_of(request)
    if not form.is_valid() or actor is None:
        return _people_page(request, access, form=form, status=422)
    try:
        made = invitations.invitation_create(club=access.club, author=actor, **form.cleaned_data)
    except invitations.InvitationError as fault:
        form.add_error(None, str(fault))
        return _people_page(request, access, form=form, status=422)
    # Only this answer can show the link: the database stores only its digest.
    url = request.build_absolute_uri(reverse("join", kwargs={"token": made.token}))
    return _people_page(request, access, made={"invitation": made.invitation, "url": url, "qr": qr(url)})


def _revoke(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    wanted = request.POST["revoke"]
    invitation = next(
        (invitation for invitation in invitations.usable_invitations(access.club) if str(invitation.pk) == wanted), None
    )
    actor = actor_of(request)
    if invitation is None or actor is None or not invitations.invitation_revoke(invitation=invitation, author=actor):
        sentence = _("This invitation is no longer open.")
        return _people_page(request, access, problem=sentence, status=409)
    messages.success(request, _("The invitation is withdrawn; its link no longer works."))
    return see(reverse("club-people", kwargs={"club": access.club.slug}))


def _untied_players(access: ClubAccess) -> QuerySet[Player]:
    """Return the players without an account."""
    untied = Player.objects.filter(club=access.club, user=None, main=None, anonymised_at=None)
    return untied.order_by("-active", "nickname")


def _invite_form(access: ClubAccess, data: Any = None) -> InviteForm:
    form = InviteForm(data)
    form.fields["player"].queryset = _untied_players(access)  # type: ignore[attr-defined]
    return form


def _people_page(
    request: HttpRequest,
    access: ClubAccess,
    *,
    form: InviteForm | None = None,
    made: dict[str, Any] | None = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    usable: list[Invitation] = list(invitations.usable_invitations(access.club))
    everybody = list(roles.people_of(access.club))
    owners = [member for member in everybody if member.role == Role.OWNER]
    context = club_admin_context(access) | {
        "people": everybody,
        "last_owner": owners[0].user_id if len(owners) == 1 else None,
        "roles": Role.choices,
        "untied": list(_untied_players(access)),
        "invitations": usable,
        "form": form or _invite_form(access),
        "made": made,
        "problem": problem,
        "me": request.user.pk,
        "refused": refused_names(access.club) if uses(access.club, "own-messages") else [],
    }
    return render(request, "league/club_admin/people.html", context, status=status)
