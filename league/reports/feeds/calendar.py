"""The calendar of a club's evenings and tournaments (iCalendar, RFC 5545).

A planned evening has a time, in the time zone of the service. An evening that was opened on its day takes its place,
with its UID, so that a calendar shows one entry.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from icalendar import Calendar, Event

from ...imported_mark import imported_note
from ...models import Club, Evening, PlannedEvening, Tournament
from ...standings.plan import plan_by_day
from ...standings.selectors import evenings_with_counts

MOST = 500
"""The newest evenings of a calendar."""
LASTS = timedelta(hours=3)
"""A planned evening says when it begins; a calendar also wants an end."""


def calendar_of(club: Club, absolute: Callable[[str], str], host: str, *, with_plan: bool) -> bytes:
    """Return the calendar, `with_plan` also the planned evenings. `absolute` makes a link of an address. Four
    queries."""
    calendar = new_calendar(club.name)
    newest = Evening.nights.filter(club=club).order_by("-held_on", "-number").values_list("pk", flat=True)[:MOST]
    with_counts = evenings_with_counts(Evening.objects.filter(pk__in=list(newest)))
    evenings = list(with_counts.select_related("season"))
    plan = plan_by_day(club, {evening.held_on for evening in evenings}) if with_plan else {}
    # From the first one on, as several evenings may be held on one day.
    for evening in sorted(evenings, key=lambda evening: (evening.held_on, evening.number)):
        evening.club = club
        planned = plan.pop((evening.season_id, evening.held_on), None)  # type: ignore[attr-defined]
        calendar.add_component(_evening(evening, planned, absolute, host))
    if with_plan:
        rows = PlannedEvening.objects.still_planned().filter(club=club).select_related("season").order_by("-held_on")
        for planned in rows[:MOST]:
            planned.club = planned.season.club = club
            calendar.add_component(_planned(planned, absolute, host))
    announced = Tournament.objects.filter(club=club).exclude(state=Tournament.State.DRAFT)
    for tournament in announced.order_by("-starts_on", "-pk")[:MOST]:
        tournament.club = club
        calendar.add_component(_tournament(tournament, absolute, host))
    return finished(calendar, club)


def new_calendar(name: str) -> Calendar:
    """Return a calendar without an entry."""
    calendar = Calendar()
    calendar.add("prodid", "-//Chratzete//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("name", name)
    calendar.add("x-wr-calname", name)
    return calendar


def finished(calendar: Calendar, club: Club) -> bytes:
    """Return a calendar as it is sent, with the time zone of its entries."""
    calendar.add_missing_timezones(first_date=club.created_at.date().replace(month=1, day=1))
    return bytes(calendar.to_ical())


def planned_event(planned: PlannedEvening, host: str, *, description: str, url: str, changed_at: datetime) -> Event:
    """Return the entry of a planned evening. Notes are for people of the club, and a link can be passed on."""
    event = Event()
    event.add("summary", f"{planned.club.name}: {planned.season.name}")
    event.add("description", description)
    event.add("status", "CONFIRMED" if planned.cancelled_at is None else "CANCELLED")
    _timed(event, planned, host, changed_at)
    _finish(event, planned.place or planned.club.place, url)
    return event


def _planned(planned: PlannedEvening, absolute: Callable[[str], str], host: str) -> Event:
    url = absolute(planned.season.get_absolute_url())
    return planned_event(planned, host, description=planned.season.name, url=url, changed_at=planned.changed_at)


def _timed(event: Event, planned: PlannedEvening, host: str, changed_at: datetime) -> None:
    """Add when an evening was planned for, and which entry of the calendar it is."""
    begins = datetime.combine(planned.held_on, planned.begins_at, tzinfo=timezone.get_default_timezone())
    event.add("uid", f"planned-{planned.pk}@{host}")
    event.add("sequence", planned.sequence)
    event.add("dtstamp", changed_at.astimezone(UTC))
    event.add("last-modified", changed_at.astimezone(UTC))
    event.add("dtstart", begins)
    # One on the last day of the calendar ends when it begins.
    event.add("dtend", begins + LASTS if planned.held_on < date.max else begins)


def _whole_days(event: Event, first: date, last: date) -> None:
    """Add the days of an entry. Its end is the day after the last one; where there is none, the last one."""
    event.add("dtstart", first)
    event.add("dtend", min(last, date.max - timedelta(days=1)) + timedelta(days=1))


def _evening(evening: Evening, planned: PlannedEvening | None, absolute: Callable[[str], str], host: str) -> Event:
    """Return the entry of an evening: on its whole day or, if it was planned, at that time and under that UID."""
    name = evening.tournament_name or evening.title  # type: ignore[attr-defined]
    count = evening.hands_count  # type: ignore[attr-defined]
    hands = ngettext("%(n)d hand", "%(n)d hands", count) % {"n": count}
    event = Event()
    event.add("summary", f"{evening.club.name}: {name}")
    if planned is not None:
        _timed(event, planned, host, planned.changed_at)
    else:
        event.add("uid", f"evening-{evening.pk}@{host}")
        event.add("dtstamp", evening.created_at)
        _whole_days(event, evening.held_on, evening.held_on)
    # A file of totals names no hands.
    played = hands if count or not evening.is_imported else ""
    parts = [evening.season.name, played, str(evening.stage().label), imported_note(evening)]
    event.add("description", " · ".join(filter(None, parts)))
    place = planned.place if planned is not None else ""
    _finish(event, place or evening.club.place, absolute(evening.get_absolute_url()))
    return event


def _tournament(tournament: Tournament, absolute: Callable[[str], str], host: str) -> Event:
    event = Event()
    event.add("uid", f"tournament-{tournament.pk}@{host}")
    event.add("summary", f"{tournament.club.name}: {tournament.name}")
    event.add("dtstamp", tournament.created_at)
    _whole_days(event, tournament.starts_on, tournament.ends_on or tournament.starts_on)
    event.add("description", _("Tournament") + f" · {tournament.get_state_display()}")
    _finish(event, tournament.club.place, absolute(tournament.get_absolute_url()))
    return event


def _finish(event: Event, place: str, url: str) -> None:
    if place:
        event.add("location", place)
    if url:
        event.add("url", url)
    event.add("transp", "TRANSPARENT")
