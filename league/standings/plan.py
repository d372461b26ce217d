"""The next evenings of a club or a season: those that are planned, and those that were opened for a later day."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone

from ..access import ClubAccess
from ..models import Club, Evening, PlannedEvening, Season

NEXT = 6
"""The next evenings of a page."""


@dataclass(frozen=True)
class NextEvening:
    """An evening that is to come, as the reader sees it: planned (`planned`), or opened already (`evening`). `place` is
    empty where it is held where the club plays."""

    day: date
    begins_at: time | None
    place: str
    note: str
    season: Season
    planned: PlannedEvening | None = None
    evening: Evening | None = None

    @property
    def cancelled(self) -> bool:
        """True if it was planned and will not be held."""
        return self.planned is not None and self.planned.cancelled_at is not None


def sees_plan(access: ClubAccess) -> bool:
    """Return True if the reader sees planned evenings: everybody in a listed club, else the people of the club. Of a
    private club others see only what a secret link shows them."""
    return access.role is not None or access.club.visibility != Club.Visibility.UNLISTED


def next_evenings(
    access: ClubAccess, season: Season | None = None, *, most: int = NEXT, cancelled: bool = True
) -> list[NextEvening]:
    """Return the evenings from today on, of one season or of all, the nearest first: planned ones from today on,
    opened ones of later days. With `cancelled` also the cancelled ones. Two queries; one for a reader who does not see
    planned evenings."""
    today = timezone.localdate()
    opened = Evening.nights.filter(club=access.club, held_on__gt=today).order_by("held_on", "number")
    planned = PlannedEvening.objects.still_planned().filter(club=access.club, held_on__gte=today).order_by("held_on")
    if season is not None:
        opened, planned = opened.filter(season=season), planned.filter(season=season)
    if not cancelled:
        planned = planned.filter(cancelled_at=None)
    entries = [_opened(access, evening) for evening in opened.select_related("season")[:most]]
    if sees_plan(access):
        entries += [shown(access, evening) for evening in planned.select_related("season")[:most]]
    return sorted(entries, key=lambda entry: (entry.day, entry.begins_at or time.min))[:most]


def _opened(access: ClubAccess, evening: Evening) -> NextEvening:
    return NextEvening(evening.held_on, None, "", "", evening.season, evening=evening)


def shown(access: ClubAccess, planned: PlannedEvening) -> NextEvening:
    """Return a planned evening as the reader sees it. The note is free text, for people of the club."""
    return NextEvening(
        day=planned.held_on,
        begins_at=planned.begins_at,
        place=planned.place,
        note=access.names.free_text(planned.note),
        season=planned.season,
        planned=planned,
    )


def with_evening(rows: QuerySet[PlannedEvening]) -> QuerySet[PlannedEvening]:
    """Add `evening` to planned evenings: the id of the evening that took its place, or None."""
    opened = Evening.nights.filter(season=OuterRef("season"), held_on=OuterRef("held_on")).order_by("number")
    return rows.annotate(evening=Subquery(opened.values("pk")[:1]))


def plan_of(season: Season) -> Sequence[PlannedEvening]:
    """Return all planned evenings of a season, by date, with the `evening` that took its place. One query."""
    return list(with_evening(PlannedEvening.objects.filter(season=season)).order_by("held_on"))


def planned_days(season: Season, after: date | None) -> set[date]:
    """Return the days after a day on which evenings are planned and not cancelled. One query."""
    rows = PlannedEvening.objects.filter(season=season, cancelled_at=None)
    return set((rows if after is None else rows.filter(held_on__gt=after)).values_list("held_on", flat=True))


def plan_by_day(club: Club, days: Collection[date]) -> Mapping[tuple[int, date], PlannedEvening]:
    """Return the planned evenings of a club on these days, by season and day. One query."""
    rows = PlannedEvening.objects.filter(club=club, held_on__in=days)
    return {(planned.season_id, planned.held_on): planned for planned in rows}
