"""Queries of the start page and a club's page: current seasons, running evenings, listed clubs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.utils import timezone

from ..access import Right, rights_of
from ..models import Club, Evening, Membership, Season, User
from . import selectors

STILL_ON = timedelta(days=2)
"""An open evening counts as running until this time after its date: it may pass midnight, and may never be closed."""
CLUBS_A_PAGE = 60


@dataclass(frozen=True)
class MyClub:
    """A club of the signed-in person, with its current season and its running evening."""

    club: Club
    role: str
    may_record: bool
    season: Season | None
    open_evening: Evening | None


def runs(evening: Evening, today: date | None = None) -> bool:
    """Return True if hands may be stored in this evening now."""
    return evening.state == Evening.State.OPEN and evening.held_on >= (today or timezone.localdate()) - STILL_ON


def running_evenings(club_ids: Iterable[int]) -> dict[int, Evening]:
    """Return the newest running evening by club. One query."""
    since = timezone.localdate() - STILL_ON
    found = Evening.objects.filter(club_id__in=list(club_ids), state=Evening.State.OPEN, held_on__gte=since)
    # The dict keeps the last one of a club.
    return {evening.club_id: evening for evening in found.order_by("held_on", "number", "pk")}


def my_clubs(user: User) -> list[MyClub]:
    """Return the person's clubs. Three queries."""
    memberships = list(Membership.objects.filter(user=user).select_related("club").order_by("club__name", "pk"))
    club_ids = [membership.club_id for membership in memberships]
    running = running_evenings(club_ids)
    seasons: dict[int, list[Season]] = {}
    for season in Season.objects.filter(club_id__in=club_ids).order_by("-starts_on", "-pk"):
        seasons.setdefault(season.club_id, []).append(season)
    return [
        MyClub(
            club=membership.club,
            role=membership.get_role_display(),
            may_record=Right.RECORD in rights_of(membership.role),
            season=selectors.current_of(seasons.get(membership.club_id, [])),
            open_evening=running.get(membership.club_id),
        )
        for membership in memberships
    ]


def listed_clubs(*, after: str = "", without: Sequence[int] = ()) -> tuple[list[Club], str | None]:
    """Return a page of the listed clubs by short name, and its last short name if there is a next page."""
    clubs = list(
        Club.objects.filter(visibility=Club.Visibility.LISTED, slug__gt=after)
        .exclude(pk__in=without)
        .order_by("slug")[: CLUBS_A_PAGE + 1]
    )
    return clubs[:CLUBS_A_PAGE], clubs[CLUBS_A_PAGE - 1].slug if len(clubs) > CLUBS_A_PAGE else None


def latest_evenings(club: Club, count: int = 6) -> list[Evening]:
    """Return the club's newest evenings with their counts; only the hands of these are counted."""
    newest = Evening.objects.filter(club=club).order_by("-held_on", "-number").values_list("pk", flat=True)[:count]
    return list(selectors.evenings_with_counts(Evening.objects.filter(pk__in=list(newest))))
