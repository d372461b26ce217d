"""The days on which an evening or a tournament can be planned: none that only a mistyped year explains."""

from __future__ import annotations

from datetime import date, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from ..errors import Refused

EARLIEST = date(1900, 1, 1)
YEARS_AHEAD = 3
AHEAD = timedelta(days=366 * YEARS_AHEAD)


def check_planned_day(day: date, *, code: str, at: str) -> None:
    """Raise Refused (422) for a day before 1900, or more than `YEARS_AHEAD` years ahead."""
    if not EARLIEST <= day <= timezone.localdate() + AHEAD:
        sentence = _("A day before 1900 or more than %(years)d years ahead cannot be planned. Check the date.")
        raise Refused(status=422, code=code, sentence=sentence % {"years": YEARS_AHEAD}, at=at)
