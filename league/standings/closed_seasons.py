"""A closed season keeps its final standings: their data do not change until an owner opens it again.

All its evenings are closed, so no hand can be recorded in it. Every other service that would change its standings calls
this module first. Payments can still be marked: they change balances, no standings. The guests of a closed season are
those of the day on which it was closed.
"""

from __future__ import annotations

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ..errors import Refused
from ..models import Evening, Season


def why_closed(season: Season) -> str:
    """Return a sentence if the season is closed, so that its evenings cannot change; an empty text if it is open."""
    if season.closed_at is None:
        return ""
    return _("The season %(name)s is closed: its final standings stay. An owner of the club can open it again.") % {
        "name": season.name
    }


def check_evenings_open(season: Season) -> None:
    """Check that the evenings of a season may change.

    Raises:
        Refused: 409 if it is closed.
    """
    sentence = why_closed(season)
    if sentence:
        raise Refused(status=409, code="season_closed", sentence=sentence)


def lock_open(season_id: int) -> Season:
    """Lock a season's row, so that nobody closes the season before the transaction ends, and check that it is open. A
    writer locks evening, tables and club before.

    Raises:
        Refused: 409 if it is closed.
    """
    season = Season.every.select_for_update().get(pk=season_id)
    check_evenings_open(season)
    return season


def check_no_evening_runs(season: Season) -> None:
    """Check that a season can be closed. The caller holds the season's lock.

    Raises:
        Refused: 409 if one of its evenings is open, named by its number and its date.
    """
    running = season.evenings.filter(state=Evening.State.OPEN).order_by("number").first()
    if running is not None:
        values = {"number": running.number, "date": date_format(running.held_on, "SHORT_DATE_FORMAT")}
        sentence = _("Evening %(number)s of %(date)s is still open. Close it first, then the season.") % values
        raise Refused(status=409, code="evening_open", sentence=sentence, details={"evening": running.pk})


def check_open(season: Season) -> None:
    """Raise Refused (409) if the season is closed."""
    if season.closed_at is not None:
        sentence = _("The season is closed: what counts does not change any more.")
        raise Refused(status=409, code="season_closed", sentence=sentence)


def locked(season: Season) -> Season:
    """Return the season, locked.

    Raises:
        Refused: 409 if it is closed.
    """
    fresh = Season.objects.select_for_update(of=("self",)).select_related("club").get(pk=season.pk)
    check_open(fresh)
    return fresh
