"""What a person's account page and list of sessions show."""

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
    """The person's clubs with the role in each, by name. One query."""
    return Membership.objects.filter(user=user).select_related("club").order_by("club__name", "pk")


def players(user: User) -> QuerySet[Player]:
    """The players that the person is, with their clubs. One query."""
    return Player.objects.filter(user=user).select_related("club").order_by("club__name", "nickname")


def factors(user: User) -> dict[str, int]:
    """How many of each kind of second factor the person has. One query."""
    found = Authenticator.objects.filter(user=user).order_by().values_list("type").annotate(Count("pk"))
    return {str(kind): count for kind, count in found}


def key_count(user: User) -> int:
    """How many keys of the person's programs hold. One query."""
    return ApiToken.objects.filter(user=user, expiry__gt=timezone.now()).count()


@dataclass(frozen=True)
class Sitting:
    """One session: since when, last used to the quarter of an hour, on what, from which network."""

    pk: int
    since: datetime
    seen: datetime
    device: str
    network: str
    current: bool


def session_count(user: User) -> int:
    """How many sessions the person has, those that ran out by themselves among them. One query."""
    return UserSession.objects.filter(user=user).count()


def sessions(user: User, current: str) -> list[Sitting]:
    """The person's sessions, this one first, then the last used. Forgets those that ran out."""
    found = [
        Sitting(
            pk=each.pk,
            since=each.created_at,
            seen=each.last_seen_at,
            device=device(each.user_agent),
            network=each.ip,
            current=each.session_key == current,
        )
        for each in UserSession.objects.purge_and_list(user)
    ]
    return sorted(found, key=lambda each: (not each.current, -each.seen.timestamp()))


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
"""What a browser says of itself and how people call it; the first that fits holds, since each names others too."""


def device(agent: str) -> str:
    """A browser's word about itself, as a person would say it: *Firefox, Android*."""
    said = (_first(marks, agent) for marks in (BROWSERS, SYSTEMS))
    return ", ".join(filter(None, said)) or _("unknown browser")


def _first(marks: Marks, agent: str) -> str:
    return next((name for mark, name in marks if re.search(rf"\b{mark}\b", agent)), "")
