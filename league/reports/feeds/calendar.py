"""The calendar of a club's evenings and tournaments (iCalendar, RFC 5545)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from icalendar import Calendar, Event

from ...models import Club, Evening, Tournament
from ...standings.selectors import evenings_with_counts

MOST = 500
"""The newest evenings of a calendar."""


def calendar_of(club: Club, absolute: Callable[[str], str], host: str) -> bytes:
    """Return the calendar. `absolute` makes a link of an address. Two queries."""
    calendar = Calendar()
    calendar.add("prodid", "-//Chratzete//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("name", club.name)
    calendar.add("x-wr-calname", club.name)
    newest = Evening.nights.filter(club=club).order_by("-held_on", "-number").values_list("pk", flat=True)[:MOST]
    found = evenings_with_counts(Evening.objects.filter(pk__in=list(newest)))
    for evening in found.select_related("season"):
        evening.club = club
        calendar.add_component(_evening(evening, absolute, host))
    announced = Tournament.objects.filter(club=club).exclude(state=Tournament.State.DRAFT)
    for tournament in announced.order_by("-starts_on", "-pk")[:MOST]:
        tournament.club = club
        calendar.add_component(_tournament(tournament, absolute, host))
    return bytes(calendar.to_ical())


def _evening(evening: Evening, absolute: Callable[[str], str], host: str) -> Event:
    name = evening.tournament_name or evening.title  # type: ignore[attr-defined]
    count = evening.hands_count  # type: ignore[attr-defined]
    hands = ngettext("%(n)d hand", "%(n)d hands", count) % {"n": count}
    event = Event()
    event.add("uid", f"evening-{evening.pk}@{host}")
    event.add("summary", f"{evening.club.name}: {name}")
    event.add("dtstamp", evening.created_at)
    event.add("dtstart", evening.held_on)
    event.add("dtend", evening.held_on + timedelta(days=1))
    event.add("description", " · ".join([evening.season.name, hands, str(evening.stage().label)]))
    _finish(event, evening.club, absolute(evening.get_absolute_url()))
    return event


def _tournament(tournament: Tournament, absolute: Callable[[str], str], host: str) -> Event:
    event = Event()
    event.add("uid", f"tournament-{tournament.pk}@{host}")
    event.add("summary", f"{tournament.club.name}: {tournament.name}")
    event.add("dtstamp", tournament.created_at)
    event.add("dtstart", tournament.starts_on)
    event.add("dtend", (tournament.ends_on or tournament.starts_on) + timedelta(days=1))
    event.add("description", _("Tournament") + f" · {tournament.get_state_display()}")
    _finish(event, tournament.club, absolute(tournament.get_absolute_url()))
    return event


def _finish(event: Event, club: Club, url: str) -> None:
    if club.place:
        event.add("location", club.place)
    event.add("url", url)
    event.add("transp", "TRANSPARENT")
