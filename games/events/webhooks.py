"""Queue webhook messages about tables; a receiver gets the rest from the API. docs/webhooks.md has each message.

Rounds of tournaments send none of these: a receiver that adds up amounts would take chips for money.
"""

from __future__ import annotations

from league.models import Closing, Evening, Webhook
from league.webhooks.queue import enqueue

from ..models import Correction, Revision, Table


def hand_stored(table: Table, number: int, revision: Revision) -> None:
    """A hand was entered or voided. `table` is locked."""
    enqueue(
        Webhook.Event.HAND,
        club_id=table.evening.club_id,
        subject=f"hand:{revision.hand_id}:{revision.number}",
        data={
            "kind": str(revision.kind),
            "evening": table.evening_id,
            "table": table.pk,
            "hands": [number],
            "revision": revision.number,
        },
    )


def hands_corrected(evening: Evening, correction: Correction, numbers: list[int]) -> None:
    """Stored hands were corrected: one message for all that were revised. `evening` is locked."""
    enqueue(
        Webhook.Event.HAND,
        club_id=evening.club_id,
        subject=f"correction:{correction.pk}",
        data={
            "kind": "corrected",
            "evening": evening.pk,
            "table": correction.table_id,
            "hands": numbers,
            "correction": str(correction.pk),
        },
    )


def evening_closed(evening: Evening, closing: Closing) -> None:
    """An evening was closed, or closed again after a correction. `evening` is locked."""
    enqueue(
        Webhook.Event.CLOSED,
        club_id=evening.club_id,
        subject=f"evening:{evening.pk}:{closing.number}",
        data={"kind": str(closing.kind), "evening": evening.pk, "closing": closing.number},
    )
