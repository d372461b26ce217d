"""Note that the link of a receipt was opened, so that its owner notices other readers.

A reader of a link is not signed in: only the number of openings and their times are stored.
"""

from __future__ import annotations

import structlog
from django.db import IntegrityError, OperationalError, transaction
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone

from league.models import Receipt, ReceiptOpening

log = structlog.get_logger(__name__)


def openings_of(receipt: Receipt) -> dict[int, ReceiptOpening]:
    """Return the openings of a receipt by player. One query."""
    return {opening.player_id: opening for opening in ReceiptOpening.objects.filter(receipt=receipt)}


def opened_before(receipt: Receipt, player: int) -> ReceiptOpening | None:
    """Return the openings of a link so far, None if it was never opened."""
    return ReceiptOpening.objects.filter(receipt=receipt, player=player).first()


def note_opening(request: HttpRequest, receipt: Receipt, player: int) -> None:
    """Note that a link was opened. A HEAD and a page that a browser loads in advance are no openings.

    The receipt is shown even if the note cannot be stored, for example while the database is locked.
    """
    if request.method != "GET" or "prefetch" in request.headers.get("Sec-Purpose", ""):
        return
    try:
        if not _one_more(receipt, player):
            _first(receipt, player)
    except OperationalError as error:
        log.warning("receipt_opening_not_noted", error=type(error).__name__)


def _one_more(receipt: Receipt, player: int) -> bool:
    opened = ReceiptOpening.objects.filter(receipt=receipt, player=player)
    return opened.update(count=F("count") + 1, last_at=timezone.now()) > 0


def _first(receipt: Receipt, player: int) -> None:
    now = timezone.now()
    try:
        with transaction.atomic():
            ReceiptOpening.objects.create(receipt=receipt, player_id=player, first_at=now, last_at=now)
    except IntegrityError:
        # Another request was first.
        _one_more(receipt, player)
