"""Writes of the user's own account that allauth does not have: ending sessions."""

from __future__ import annotations

from allauth.usersessions.models import UserSession
from django.db import transaction
from django.db.models import QuerySet

from league import audit
from league.audit import What
from league.models import User

from .push_sign_out import forget_device_of


@transaction.atomic
def session_end(*, user: User, session: int) -> int:
    """End one of the user's sessions; return 0 if it is not the user's, or has already ended."""
    return _end(user, UserSession.objects.filter(user=user, pk=session))


@transaction.atomic
def sessions_end_others(*, user: User, current: str) -> int:
    """End all sessions of the user except the one with the key `current`; return their number."""
    return _end(user, UserSession.objects.filter(user=user).exclude(session_key=current))


def _end(user: User, user_sessions: QuerySet[UserSession]) -> int:
    ended = 0
    for session in user_sessions:
        forget_device_of(user, session.session_key)
        # This deletes the session of the browser's cookie, too: its next request is a visitor's.
        session.end()
        ended += 1
    if ended:
        audit.write_for_person(What.SESSIONS_ENDED, person=user, actor=user, data={"count": ended})
    return ended
