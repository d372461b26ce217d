"""The page behind an invitation's link, for who is signed in and for who has no account yet."""

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

from .invitations import InvitationError, InvitationGone, digest_of, gone_because, invitation_of, invitation_take_up

OPENED = "invitation"
"""Where a session keeps the digest of the invitation that was opened in it, through sign-in and sign-up."""


def opened(request: HttpRequest) -> Invitation | None:
    """The invitation that was opened in this browser, whatever became of it."""
    digest = request.session.get(OPENED, "")
    return invitation_of(digest) if digest else None


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str = "") -> HttpResponse:
    """What the link opens, and what takes the invitation up. Without a token: the invitation opened before."""
    invitation = invitation_of(digest_of(token)) if token else opened(request)
    if invitation is None:
        sentence = _("This invitation does not exist. Look whether the link is whole.")
        return _over(request, sentence, HTTPStatus.NOT_FOUND)
    if request.session.get(OPENED) != invitation.digest:
        request.session[OPENED] = invitation.digest
    if request.method == "POST":
        return _take_up(request, invitation.digest)
    person = request.user if isinstance(request.user, User) else None
    if person and _mine(invitation, person):
        return redirect(invitation.club)
    gone = gone_because(invitation, person)
    if gone:
        return _over(request, gone, HTTPStatus.GONE)
    return render(request, "account/join.html", {"invitation": invitation, "here": reverse("join-opened")})


def _take_up(request: HttpRequest, digest: str) -> HttpResponse:
    if not isinstance(request.user, User):
        return redirect_to_login(reverse("join-opened"))
    try:
        membership = invitation_take_up(digest=digest, user=request.user)
    except InvitationGone as gone:
        return _over(request, str(gone), HTTPStatus.GONE)
    except InvitationError as refused:
        return _over(request, str(refused), HTTPStatus.CONFLICT)
    request.session.pop(OPENED, None)
    messages.success(request, _("Welcome to %(club)s.") % {"club": membership.club})
    return redirect(membership.club)


def _mine(invitation: Invitation, user: User) -> bool:
    """Whether this person took it up before, and is still of the club."""
    return invitation.used_by_id == user.pk and Membership.objects.filter(club=invitation.club, user=user).exists()


def _over(request: HttpRequest, sentence: str, status: HTTPStatus) -> HttpResponse:
    return render(request, "account/join_over.html", {"sentence": sentence}, status=status)
