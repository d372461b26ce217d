"""Webhook messages about tournaments; a receiver gets the rest from the API. docs/webhooks.md has each message.

Each call belongs in the transaction of the reported change, under the tournament's lock.
"""

from __future__ import annotations

import uuid
from typing import Literal

from ..models import Draw, Round, Sheet, Tournament, Webhook
from ..webhooks.queue import Data, enqueue

STATES = {"opened": Webhook.Event.OPENED, "finished": Webhook.Event.FINISHED}


def state_changed(tournament: Tournament, did: str) -> None:
    """A tournament was opened for entries, or is finished; other steps send nothing."""
    if did in STATES:
        # Each step can be taken back and done again: every time is an event of its own.
        _send(STATES[did], tournament, f"tournament:{tournament.pk}:{uuid.uuid4()}", {})


def draw_published(tournament: Tournament, draw: Draw) -> None:
    """A draw seats a round now."""
    data = {"round": draw.round, "draw": draw.pk, "tables": len(draw.plan["tables"])}
    _send(Webhook.Event.DRAWN, tournament, f"draw:{draw.pk}:{uuid.uuid4()}", data)


def round_started(tournament: Tournament, current: Round) -> None:
    """A drawn round has begun."""
    subject = f"round:{current.pk}:{uuid.uuid4()}"
    _send(Webhook.Event.STARTED, tournament, subject, {"round": current.number})


def round_finished(tournament: Tournament, current: Round, kind: Literal["finished", "corrected"]) -> None:
    """A round is finished, or a sheet corrected its results."""
    subject = f"round:{current.pk}:{uuid.uuid4()}"
    _send(Webhook.Event.ROUND_FINISHED, tournament, subject, {"round": current.number, "kind": kind})


def sheet_disagrees(tournament: Tournament, current: Round, sheet: Sheet) -> None:
    """A sheet contradicts another one of its table: the desk decides."""
    data = {"round": current.number, "table": sheet.table_number, "sheet": sheet.number}
    _send(Webhook.Event.DISAGREES, tournament, f"sheet:{sheet.pk}", data)


def _send(event: Webhook.Event, tournament: Tournament, subject: str, data: Data) -> None:
    enqueue(event, club_id=tournament.club_id, subject=subject, data={"tournament": tournament.slug, **data})
