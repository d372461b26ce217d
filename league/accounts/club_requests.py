"""Reads of the clubs that people asked for: a person's own, and those that wait for the operator."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from league.models import ClubRequest, User

SHOWN = (ClubRequest.State.WAITING, ClubRequest.State.DECLINED)
"""The states that the first page shows: an opened club is in the list of clubs."""


@dataclass(frozen=True)
class RequestNotes:
    """What the first page and the account page say: the person's newest request, and how many wait for the operator."""

    own: ClubRequest | None
    waiting: int = 0


def own_requests(user: User) -> QuerySet[ClubRequest]:
    """Return the clubs that the person asked for, the newest first. One query."""
    return ClubRequest.objects.filter(user=user).select_related("club").order_by("-pk")


def waiting_requests() -> QuerySet[ClubRequest]:
    """Return the clubs that wait for the operator, the oldest first. One query."""
    return ClubRequest.objects.filter(state=ClubRequest.State.WAITING).select_related("user").order_by("pk")


def request_notes(user: User) -> RequestNotes:
    """Return what to say to this person. One query."""
    own = Q(user=user, state__in=SHOWN)
    if not user.is_superuser:
        return RequestNotes(ClubRequest.objects.filter(own).order_by("-pk").first())
    club_requests = list(ClubRequest.objects.filter(own | Q(state=ClubRequest.State.WAITING)).order_by("-pk"))
    waiting = sum(club_request.state == ClubRequest.State.WAITING for club_request in club_requests)
    return RequestNotes(
        next((club_request for club_request in club_requests if club_request.user_id == user.pk), None), waiting
    )
