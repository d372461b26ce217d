"""What a person does with their own account beside what the machinery does."""

from __future__ import annotations

from allauth.usersessions.models import UserSession
from django.db import transaction
from django.db.models import QuerySet

from league import audit
from league.audit import What
from league.models import User


@transaction.atomic
def session_end(*, user: User, session: int) -> int:
    """End one of the person's sessions; 0 where it is none of theirs, or was over."""
    return _end(user, UserSession.objects.filter(user=user, pk=session))


@transaction.atomic
def sessions_end_others(*, user: User, current: str) -> int:
    """End all of the person's sessions but the one with the key `current`; how many there were."""
    return _end(user, UserSession.objects.filter(user=user).exclude(session_key=current))


def _end(user: User, found: QuerySet[UserSession]) -> int:
    ended = 0
    for session in found:
        # Deletes what the browser's cookie names: its next request is a visitor's.
        session.end()
        ended += 1
    if ended:
        audit.write_for_person(What.SESSIONS_ENDED, person=user, actor=user, data={"count": ended})
    return ended
