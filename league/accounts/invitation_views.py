"""The page of an invitation link, for signed-in users and for visitors without an account."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.models import Invitation, Membership, User

from .invitations import InvitationError, InvitationGone, digest_of, gone_because, invitation_accept, invitation_of
from .visited_invitation import VISITED, visited_invitation


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str = "") -> HttpResponse:
    """Show an invitation, or accept it. Without a token: the invitation that was visited in this session."""
    invitation = invitation_of(digest_of(token)) if token else visited_invitation(request)
    if invitation is None:
        sentence = _("This invitation does not exist. Check that the link is complete.")
        return _unusable(request, sentence, HTTPStatus.NOT_FOUND)
    if request.session.get(VISITED) != invitation.digest:
        request.session[VISITED] = invitation.digest
    if request.method == "POST":
        return _accept(request, invitation.digest)
    person = request.user if isinstance(request.user, User) else None
    if person and _accepted_by(invitation, person):
        return redirect(invitation.club)
    gone = gone_because(invitation, person)
    if gone:
        return _unusable(request, gone, HTTPStatus.GONE)
    return render(request, "account/join.html", {"invitation": invitation, "here": reverse("join-opened")})


def _accept(request: HttpRequest, digest: str) -> HttpResponse:
    if not isinstance(request.user, User):
        return redirect_to_login(reverse("join-opened"))
    try:
        membership = invitation_accept(digest=digest, user=request.user)
    except InvitationGone as gone:
        return _unusable(request, str(gone), HTTPStatus.GONE)
    except InvitationError as refused:
        return _unusable(request, str(refused), HTTPStatus.CONFLICT)
    request.session.pop(VISITED, None)
    messages.success(request, _("Welcome to %(club)s.") % {"club": membership.club})
    return redirect(membership.club)


def _accepted_by(invitation: Invitation, user: User) -> bool:
    """Return True if this user accepted the invitation before and is still in the club."""
    return invitation.used_by_id == user.pk and Membership.objects.filter(club=invitation.club, user=user).exists()


def _unusable(request: HttpRequest, sentence: str, status: HTTPStatus) -> HttpResponse:
    return render(request, "account/join_over.html", {"sentence": sentence}, status=status)
