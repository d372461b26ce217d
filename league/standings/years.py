"""The years that can be reviewed: a year from its December on, and all years before."""

from __future__ import annotations

from datetime import date

from django.utils import timezone

from ..models import Club, Evening

DECEMBER = 12


def newest_year(today: date | None = None) -> int:
    """Return the newest year that can be reviewed."""
    today = today or timezone.localdate()
    return today.year if today.month == DECEMBER else today.year - 1


def reviewed_years(club: Club) -> list[int]:
    """Return the years of a club with evenings that can be reviewed, newest first. One query."""
    held = Evening.nights.filter(club=club).dates("held_on", "year", order="DESC")
    return [day.year for day in held if day.year <= newest_year()]
