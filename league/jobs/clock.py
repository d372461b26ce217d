"""The clock: it sends the tasks of the schedule. Several may run, such as one on each machine; they take turns."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import structlog
from celery import beat
from django.db import DatabaseError, InterfaceError, close_old_connections
from django.db.models import Q

from .. import locks
from ..models import Heartbeat
from ..monitoring.marks import CLOCK

log = structlog.get_logger(__name__)

LEASE = timedelta(seconds=9)
"""A clock that was killed keeps its turn for so long. A running one looks at it every
`CELERY_BEAT_MAX_LOOP_INTERVAL` seconds."""
LOOK_SECONDS = 2.0
"""The time between two looks of a clock that does not have the turn."""


class TakingTurns(beat.Scheduler):
    """A scheduler that sends nothing while another one has the turn. If the turn cannot be read, it sends nothing: no
    task could do its work then. A task that two clocks send is done twice, which harms nothing."""

    def __init__(self, *args: Any, **more: Any) -> None:
        self.me = uuid.uuid4()
        super().__init__(*args, **more)

    def tick(self, *args: Any, **more: Any) -> float:
        """Send what is due, if this clock has the turn; return the seconds until the next call."""
        return super().tick(*args, **more) if self.has_turn() else LOOK_SECONDS

    def close(self) -> None:
        """Give the turn to the next clock."""
        try:
            Heartbeat.objects.filter(name=CLOCK, holder=self.me).update(busy_until=None, holder=None)
        except (DatabaseError, InterfaceError) as error:
            log.warning("turn_not_given_back", error=type(error).__name__)
        super().close()

    def has_turn(self) -> bool:
        """Take the turn, or keep it; return False while another clock has it."""
        turn = Heartbeat.objects.filter(locks.free("busy_until", LEASE) | Q(holder=self.me), name=CLOCK)
        close_old_connections()
        try:
            Heartbeat.objects.bulk_create([Heartbeat(name=CLOCK)], ignore_conflicts=True)
            return locks.claim(turn, "busy_until", LEASE, holder=self.me) is not None
        except (DatabaseError, InterfaceError) as error:
            log.warning("turn_not_read", error=type(error).__name__)
            return False
