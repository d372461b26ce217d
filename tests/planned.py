"""A planned evening for tests that need one in an address."""

from __future__ import annotations

from datetime import time, timedelta

from django.utils import timezone

from league.models import PlannedEvening
from tests.cast import House


def planned_evening(house: House) -> PlannedEvening:
    """Return a planned evening of the club's season."""
    known = PlannedEvening.objects.filter(season=house.season).first()
    if known is not None:
        return known
    day = {"held_on": timezone.localdate() + timedelta(days=30), "begins_at": time(20)}
    return PlannedEvening.objects.create(club=house.club, season=house.season, **day)
