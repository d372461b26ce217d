"""Locks of rows that several packages take: until the transaction ends, or for a time by the database's clock. A claim
for a time is renewed by its worker; that of a killed one runs out."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.db.models.functions import Now

from .models import Club

Row = TypeVar("Row", bound=Model)


def lock_club(club_id: int) -> Club:
    """Lock the club's row until the transaction ends, and return the club as it is now.

    Take this lock first to change something that a club has once: the last owner, box and kitty, the chain of receipts.
    Writers whose rows only refer to the club do not wait.
    """
    return Club.objects.order_by().select_for_update(no_key=True).get(pk=club_id)


def free(until: str, length: timedelta, now: datetime | None = None) -> Q:
    """Return the condition of rows without a claim; `until` is the column with its end. An end that is too far away was
    written while the database's clock was wrong."""
    moment = now or Now()
    return Q(**{until: None}) | Q(**{f"{until}__lte": moment}) | Q(**{f"{until}__gt": moment + 2 * length})


@transaction.atomic
def claim(rows: QuerySet[Row], until: str, length: timedelta, **values: Any) -> Row | None:
    """Claim the first of these free rows for this time, set the values, and return it; None if there is none."""
    for row in rows[:5]:
        # One statement: of two workers the second finds that the row is no longer free.
        if rows.filter(pk=row.pk).order_by().update(**{until: Now() + length}, **values):
            row.refresh_from_db()
            return row
    return None
