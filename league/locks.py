"""Database locks that several packages take."""

from __future__ import annotations

from django.db import connection

from .models import Club


def lock_club(club_id: int) -> Club:
    """Lock the club's row until the transaction ends, and return the club as it is now.

    Take this lock first to change something that a club has once: the last owner, box and kitty, the chain of receipts.
    Writers whose rows only refer to the club do not wait.
    """
    rows = Club.objects.order_by()
    if connection.features.has_select_for_no_key_update:
        rows = rows.select_for_update(no_key=True)
    else:
        rows = rows.select_for_update()
    return rows.get(pk=club_id)
