"""Reads for the account page and the list of sessions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db.models import Count, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import ApiToken, Membership, Player, User


def memberships(user: User) -> QuerySet[Membership]:
    """Return the user's memberships with their clubs, by name. One query."""
    return Membership.objects.filter(user=user).select_related("club").order_by("club__name", "pk")


def players(user: User) -> QuerySet[Player]:
    """Return the players that are tied to the user, with their clubs. One query."""
    return Player.objects.filter(user=user).select_related("club").order_by("club__name", "nickname")


def factors(user: User) -> dict[str, int]:
    """Return the number of the user's second factors by type. One query."""
    counts = Authenticator.objects.filter(user=user).order_by().values_list("type").annotate(Count("pk"))
    return {str(kind): count for kind, count in counts}


def key_count(user: User) -> int:
    """Return the number of the user's valid API keys. One query."""
    return ApiToken.objects.filter(user=user, expiry__gt=timezone.now()).count()


@dataclass(frozen=True)
class SessionLine:
    """One session in the list; `seen` is exact to a quarter of an hour."""

    pk: int
    since: datetime
    seen: datetime
    device: str
    network: str
    current: bool


def session_count(user: User) -> int:
    """Return the number of the user's sessions, expired ones included. One query."""
    return UserSession.objects.filter(user=user).count()


def sessions(user: User, current: str) -> list[SessionLine]:
    """Return the user's sessions, the current one first, then the last used. Deletes expired sessions."""
    session_lines = [
        SessionLine(
            pk=each.pk,
            since=each.created_at,
            seen=each.last_seen_at,
            device=device(each.user_agent),
            network=each.ip,
            current=each.session_key == current,
        )
        for each in UserSession.objects.purge_and_list(user)
    ]
    return sorted(session_lines, key=lambda each: (not each.current, -each.seen.timestamp()))


Marks = tuple[tuple[str, str], ...]
BROWSERS: Marks = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS: Marks = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
"""Marks in a User-Agent and the names for people. The order matters: most browsers also name others."""


def device(agent: str) -> str:
    """Return browser and system of a User-Agent for people: *Firefox, Android*."""
    names = (_first(marks, agent) for marks in (BROWSERS, SYSTEMS))
    return ", ".join(filter(None, names)) or _("unknown browser")


def _first(marks: Marks, agent: str) -> str:
    return next((name for mark, name in marks if re.search(rf"\b{mark}\b", agent)), "")
