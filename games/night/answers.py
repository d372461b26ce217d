"""The answers to writes, as plain data (docs/night.md)."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from league.access import ClubAccess

from ..errors import Refused
from ..hands import selectors
from ..hands.clause_sentences import clause_of
from ..models import Table
from ..table.snapshot import final_on, snapshot
from .services import Stored
from .writes import ChoiceWrite, HandWrite, Write

MOVED_ON = frozenset({"taken", "seating", "number", "chain", "closed", "dissolved"})
"""The refusals after which the table has another story than the phone, or has ended without its hands."""

Data = dict[str, Any]


def state_of(access: ClubAccess, table: Table | None) -> Data | None:
    """The snapshot of a table as it is now; None without a table, and where the reader may not see its amounts."""
    if table is None:
        return None
    now = selectors.table_of(club=access.club, table_id=table.pk)
    if now is None or not selectors.sees_table_amounts(access, now.evening):
        return None
    return snapshot(access, selectors.table_view(now))


def stored_answer(access: ClubAccess, stored: Stored) -> Data:
    """The answer to a write that is stored."""
    state = state_of(access, stored.table)
    return {"stored": _stored(access, stored, sees=state is not None), "snapshot": state}


def part_answer(access: ClubAccess, stored: Stored) -> Data:
    """The answer to a stored write of several: the snapshot follows after the last one."""
    return {"stored": _stored(access, stored, sees=selectors.sees_table_amounts(access, stored.table.evening))}


def _stored(access: ClubAccess, stored: Stored, *, sees: bool) -> Data:
    screen = reverse("table", kwargs={"club": access.club.slug, "table": stored.table.pk})
    difference = stored.difference
    return {
        "at": _paid_address(access, stored) if stored.number else screen,
        "table": stored.table.pk,
        "table_url": screen,
        "number": stored.number,
        "players": {
            ref: {"player": player.player_id, "name": player.nickname} for ref, player in stored.players.items()
        },
        # The amounts of a final evening are not shown to all of its recorders.
        "difference": None
        if difference is None or not sees
        else {
            "sentence": difference.sentence,
            "deltas": list(difference.deltas),
            "pot_after": difference.pot_after,
        },
    }


def _paid_address(access: ClubAccess, stored: Stored) -> str:
    return reverse("hand-paid", kwargs={"club": access.club.slug, "table": stored.table.pk, "number": stored.number})


def refused_answer(access: ClubAccess, refused: Refused, table: Table | None, write: Write | None) -> Data:
    """The answer to a write that is refused."""
    state = state_of(access, table)
    return {
        "refused": {
            "code": refused.code,
            "sentence": refused.sentence,
            "clause": clause_of(refused),
            "at": refused.at,
            "details": refused.details if state is not None or table is None else {},
        },
        "snapshot": state,
        "stories": _stories(access, refused, table, write) if state is not None else None,
        "final_on": None if table is None else final_on(table.evening),
    }


def hidden_answer(access: ClubAccess, table: Table) -> Data:
    """The answer in place of a snapshot whose amounts the reader may not see."""
    sentence = _("This evening is closed. Its amounts are on the page of the evening.")
    return refused_answer(access, Refused(status=409, code="closed", sentence=sentence), table, None)


def _stories(access: ClubAccess, refused: Refused, table: Table | None, write: Write | None) -> str | None:
    body = write.body if write is not None else None
    chosen = isinstance(body, ChoiceWrite) and body.first > 0
    if table is None or not (refused.code in MOVED_ON or chosen):
        return None
    number = (
        body.number if isinstance(body, HandWrite) else body.first if isinstance(body, ChoiceWrite) else table.hands
    )
    screen = reverse("table", kwargs={"club": access.club.slug, "table": table.pk})
    return f"{screen}stories/?from={max(number, 1)}"
