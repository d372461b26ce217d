"""The page of a club's people: who is of it as what, who is which player, who is invited."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from .. import roles
from ..access import ClubAccess, Right, club_for
from ..accounts import invitations
from ..errors import Refused
from ..models import Invitation, Player, Role, User
from ..posted import actor_of, see
from ..qr import qr
from .forms import InviteForm, PersonForm
from .nav import desk_context


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HttpRequest, club: str) -> HttpResponse:
    """Everybody of the club, and what an owner does about them."""
    access = club_for(request.user, club, Right.PEOPLE)
    if request.method != "POST":
        return _page(request, access)
    if "invite" in request.POST:
        return _invite(request, access)
    if "revoke" in request.POST:
        return _revoke(request, access)
    form = PersonForm(request.POST)
    if not form.is_valid():
        sentence = _("The page sent something that this form has not. Load the page again.")
        return _page(request, access, problem=sentence, status=422)
    try:
        said = _do(access, actor_of(request), form.cleaned_data)
    except Refused as refused:
        return _page(request, access, problem=refused.sentence, status=refused.status)
    messages.success(request, said)
    # Who gave the own role away is no owner any more.
    still = access.club.memberships.filter(user=request.user.pk, role=Role.OWNER).exists()
    return see(reverse("club-people" if still else "club", kwargs={"club": club}))


def _do(access: ClubAccess, actor: User | None, sent: dict[str, Any]) -> str:
    """Carry it out; what to say then. Raises Refused as the services do."""
    club = access.club
    user = User.objects.filter(pk=sent["user"], memberships__club=club).first()
    if user is None:
        raise Refused(status=404, code="person", sentence=_("There is no such person in this club."), at="user")
    if sent["do"] == "role":
        given = roles.role_give(club=club, user=user, role=sent["role"], actor=actor)
        return _("%(person)s: %(role)s.") % {"person": user, "role": given.get_role_display()}
    if sent["do"] == "out":
        roles.role_take(club=club, user=user, actor=actor)
        return _("%(person)s is no longer of the club.") % {"person": user}
    player = Player.objects.filter(club=club, pk=sent["player"] or 0).first()
    if player is None or (sent["do"] == "untie" and player.user_id != user.pk):
        raise Refused(status=404, code="player", sentence=_("There is no such player in this club."), at="player")
    if sent["do"] == "untie":
        roles.player_tie(club=club, player=player, user=None, actor=actor)
        return _("%(player)s is tied to nobody now.") % {"player": player.nickname}
    roles.player_tie(club=club, player=player, user=user, actor=actor)
    return _("%(person)s is %(player)s.") % {"person": user, "player": player.nickname}


def _invite(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    form = _invite_form(access, request.POST)
    actor = actor_of(request)
    if not form.is_valid() or actor is None:
        return _page(request, access, form=form, status=422)
    try:
        made = invitations.invitation_create(club=access.club, author=actor, **form.cleaned_data)
    except invitations.InvitationError as fault:
        form.add_error(None, str(fault))
        return _page(request, access, form=form, status=422)
    # Shown in this answer alone: of the link only a digest is kept, so that no page can show it again.
    url = request.build_absolute_uri(reverse("join", kwargs={"token": made.token}))
    return _page(request, access, made={"invitation": made.invitation, "url": url, "qr": qr(url)})


def _revoke(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    wanted = request.POST["revoke"]
    found = next((one for one in invitations.invitations_open(access.club) if str(one.pk) == wanted), None)
    actor = actor_of(request)
    if found is None or actor is None or not invitations.invitation_revoke(invitation=found, author=actor):
        sentence = _("This invitation is not open any more.")
        return _page(request, access, problem=sentence, status=409)
    messages.success(request, _("The invitation is taken back; its link opens nothing any more."))
    return see(reverse("club-people", kwargs={"club": access.club.slug}))


def _free(access: ClubAccess) -> list[Player]:
    """Players who are nobody's yet."""
    free = Player.objects.filter(club=access.club, user=None, main=None, anonymised_at=None)
    return list(free.order_by("-active", "nickname"))


def _invite_form(access: ClubAccess, data: Any = None) -> InviteForm:
    form = InviteForm(data)
    free = Player.objects.filter(club=access.club, user=None, main=None, anonymised_at=None)
    form.fields["player"].queryset = free.order_by("-active", "nickname")  # type: ignore[attr-defined]
    return form


def _page(
    request: HttpRequest,
    access: ClubAccess,
    *,
    form: InviteForm | None = None,
    made: dict[str, Any] | None = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    open_ones: list[Invitation] = list(invitations.invitations_open(access.club))
    everybody = list(roles.people_of(access.club))
    owners = [one for one in everybody if one.role == Role.OWNER]
    context = desk_context(access, "club-people") | {
        "people": everybody,
        "last_owner": owners[0].user_id if len(owners) == 1 else None,
        "roles": Role.choices,
        "free": _free(access),
        "invitations": open_ones,
        "form": form or _invite_form(access),
        "made": made,
        "problem": problem,
        "me": request.user.pk,
    }
    return render(request, "league/desk/people.html", context, status=status)
