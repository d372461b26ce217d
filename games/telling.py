"""What other programs are told of the tables; they ask the API for the rest. docs/webhooks.md has each message."""

from __future__ import annotations

from league.hooks.queue import tell
from league.models import Closing, Evening, Webhook

from .models import Correction, Revision, Table


def hand_stored(table: Table, number: int, revision: Revision) -> None:
    """A hand was entered, or taken back. One query where the club wants to know, else none; `table` is locked."""
    tell(
        Webhook.Event.HAND,
        row=table.evening,
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
    """Stored hands were put right: one message for all that come out differently. `evening` is locked."""
    tell(
        Webhook.Event.HAND,
        row=evening,
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
    """An evening was closed, or closed anew after a correction. `evening` is locked."""
    tell(
        Webhook.Event.CLOSED,
        row=evening,
        subject=f"evening:{evening.pk}:{closing.number}",
        data={"kind": str(closing.kind), "evening": evening.pk, "closing": closing.number},
    )
