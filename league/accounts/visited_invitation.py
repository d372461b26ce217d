"""The invitation whose link was visited in a session: it is accepted after sign-in or sign-up."""

from __future__ import annotations

from django.http import HttpRequest

from league.models import Invitation

from .invitations import invitation_of

VISITED = "invitation"
"""The session's key for the digest of the visited invitation; it stays through sign-in and sign-up."""


def visited_invitation(request: HttpRequest) -> Invitation | None:
    """Return the invitation whose link was visited in this session, also if it is used, withdrawn or expired."""
    digest = request.session.get(VISITED, "")
    return invitation_of(digest) if digest else None
