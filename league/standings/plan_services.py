"""Plan the evenings of a season: one or a series, change, cancel, restore and remove them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date, time, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from .. import audit
from ..audit import What
from ..errors import Refused
from ..ledger.season_mark import mark_for_recount
from ..models import Attendance, PlannedEvening, Season, User
from .closed_seasons import locked
from .day_limits import check_planned_day

CHANGEABLE = ("held_on", "begins_at", "place", "note", "least_players")
TEXTS = {"place": 120, "note": 200}
"""The most characters of a text."""
MOST = 100
"""The most evenings of a series, and of a plan from today on."""
MOST_WEEKS = 8
LEAST_PLAYERS = (2, 99)
"""The smallest and the largest least number of players."""


def series_days(first: date, *, weeks: int, until: date) -> list[date]:
    """Return every day that is `weeks` weeks after the one before, from the first one until the last day.

    Raises:
        Refused: 422 if the last day is before the first one, for too many weeks or too many days.
    """
    if not 1 <= weeks <= MOST_WEEKS:
        sentence = _("The weeks between two evenings are from 1 to %(most)d.") % {"most": MOST_WEEKS}
        raise Refused(status=422, code="plan", sentence=sentence, at="weeks")
    if until < first:
        raise Refused(status=422, code="plan", sentence=_("The last day is before the first one."), at="until")
    days = []
    while first <= until:
        days.append(first)
        if len(days) > MOST:
            sentence = _("A series has at most %(most)d evenings.") % {"most": MOST}
            raise Refused(status=422, code="plan", sentence=sentence, at="until")
        if first > date.max - timedelta(weeks=weeks):
            break
        first += timedelta(weeks=weeks)
    return days


@transaction.atomic
def evenings_plan(
    *,
    season: Season,
    actor: User | None,
    days: Collection[date],
    begins_at: time,
    place: str = "",
    note: str = "",
    least_players: int | None = None,
) -> list[PlannedEvening]:
    """Plan an evening on each of these days. A day on which one is planned already keeps it, so that the same request
    stores nothing twice. Returns the new ones.

    Raises:
        Refused: 409 if the season is closed, or all days have one; 422 for a day outside the season or too far away,
            without a day, for too many, a text that is too long, or a wrong least number.
    """
    fresh = locked(season)
    texts: dict[str, Any] = {"place": _text("place", place), "note": _text("note", note)}
    texts["least_players"] = _least(least_players)
    if not days:
        raise Refused(status=422, code="plan", sentence=_("Choose at least one day."), at="held_on")
    for day in days:
        _check_day(fresh, day)
    taken = set(PlannedEvening.objects.filter(season=fresh, held_on__in=days).values_list("held_on", flat=True))
    new = sorted(set(days) - taken)
    if not new:
        raise _taken(min(days))
    waiting = PlannedEvening.objects.filter(season=fresh, held_on__gte=timezone.localdate()).count()
    if waiting + len(new) > MOST:
        sentence = _("A season has at most %(most)d planned evenings from today on.") % {"most": MOST}
        raise Refused(status=422, code="plan", sentence=sentence, at="held_on")
    made = [
        PlannedEvening(club_id=fresh.club_id, season=fresh, held_on=day, begins_at=begins_at, author=actor, **texts)
        for day in new
    ]
    PlannedEvening.objects.bulk_create(made)
    _changed(fresh, actor, {"did": "planned", "evenings": len(made), "day": new[0].isoformat()})
    return made


@transaction.atomic
def planned_change(*, planned: PlannedEvening, actor: User | None, changes: Mapping[str, Any]) -> PlannedEvening:
    """Change some of `CHANGEABLE`; a call without a change stores nothing. Nobody has said yet who comes on another
    day: the answers to the day before are deleted.

    Raises:
        Refused: 409 if the season is closed, or another evening is planned on that day; 422 as `evenings_plan`.
    """
    season, fresh = _locked(planned)
    wanted: dict[str, Any] = {name: _text(name, value) if name in TEXTS else value for name, value in changes.items()}
    _least(wanted.get("least_players"))
    changed = [name for name, value in wanted.items() if getattr(fresh, name) != value]
    if not changed:
        return fresh
    if "held_on" in changed:
        _check_day(season, wanted["held_on"])
    for name in changed:
        setattr(fresh, name, wanted[name])
    _store(fresh, changed)
    if "held_on" in changed:
        Attendance.objects.filter(planned_evening=fresh).delete()
    _changed(season, actor, {"did": "plan_changed", "day": fresh.held_on.isoformat()})
    return fresh


@transaction.atomic
def planned_cancel(*, planned: PlannedEvening, actor: User | None, cancelled: bool = True) -> PlannedEvening:
    """Cancel a planned evening, or take that back; a second time changes nothing.

    Raises:
        Refused: 409 if the season is closed.
    """
    season, fresh = _locked(planned)
    if (fresh.cancelled_at is not None) == cancelled:
        return fresh
    fresh.cancelled_at = timezone.now() if cancelled else None
    _store(fresh, ["cancelled_at"])
    did = "plan_cancelled" if cancelled else "plan_restored"
    _changed(season, actor, {"did": did, "day": fresh.held_on.isoformat()})
    return fresh


@transaction.atomic
def planned_remove(*, planned: PlannedEvening, actor: User | None) -> None:
    """Remove a planned evening that was entered by mistake: calendars lose it without a word.

    Raises:
        Refused: 409 if the season is closed.
    """
    season, fresh = _locked(planned)
    day = fresh.held_on.isoformat()
    fresh.delete()
    _changed(season, actor, {"did": "plan_removed", "day": day})


def _locked(planned: PlannedEvening) -> tuple[Season, PlannedEvening]:
    season = locked(planned.season)
    return season, PlannedEvening.objects.select_for_update(of=("self",)).get(pk=planned.pk)


def _store(planned: PlannedEvening, changed: Sequence[str]) -> None:
    planned.sequence += 1
    try:
        with transaction.atomic():
            planned.save(update_fields=[*changed, "sequence", "changed_at"])
    except IntegrityError as fault:
        raise _taken(planned.held_on) from fault


def _taken(day: date) -> Refused:
    sentence = _("An evening is planned on %(day)s already.") % {"day": date_format(day, "SHORT_DATE_FORMAT")}
    return Refused(status=409, code="planned", sentence=sentence, at="held_on")


def _check_day(season: Season, day: date) -> None:
    """Raise Refused (422) for a day before the season or after it, or one that is too far away."""
    if day < season.starts_on or (season.ends_on is not None and day > season.ends_on):
        values = {"day": date_format(day, "SHORT_DATE_FORMAT"), "season": season.name}
        sentence = _("%(day)s is not within the season %(season)s.") % values
        raise Refused(status=422, code="plan", sentence=sentence, at="held_on")
    check_planned_day(day, code="plan", at="held_on")


def _text(name: str, value: str) -> str:
    text = value.strip()
    if len(text) > TEXTS[name] or not text.isprintable():
        sentence = _("Enter one line of at most %(most)d characters.") % {"most": TEXTS[name]}
        raise Refused(status=422, code="plan", sentence=sentence, at=name)
    return text


def _least(number: int | None) -> int | None:
    fewest, most = LEAST_PLAYERS
    if number is not None and not fewest <= number <= most:
        sentence = _("The least number of players is from %(fewest)d to %(most)d.") % {"fewest": fewest, "most": most}
        raise Refused(status=422, code="plan", sentence=sentence, at="least_players")
    return number


def _changed(season: Season, actor: User | None, data: audit.Data) -> None:
    """Log a change of the plan. Where the number of evenings comes from the plan alone, the chances depend on it."""
    audit.write(What.SEASON_CHANGED, club=season.club, actor=actor, about=f"season:{season.pk}", data=data)
    if not season.planned_evenings:
        mark_for_recount(season.pk)
