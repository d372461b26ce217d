"""Announce the last hand of an evening, or take that back. Each call is one transaction."""

from __future__ import annotations

import uuid

from django.utils.translation import gettext as _

from league.ledger.idempotency import submit_once
from league.models import Evening, User

from .. import engine_bridge
from ..errors import Refused
from ..hands import chain as chains
from ..hands.rounds import check_no_round
from ..models import Happening, Table
from . import pots


def last_hand(*, evening: Evening, author: User | None, key: uuid.UUID, on: bool = True) -> None:
    """Announce at every table of the evening that the next hand is the last one and all play in it, or take that back.

    Raises:
        Refused: 409 where the evening is closed, or a round of a tournament; 422 for a key that was used for another
            request.
    """
    submit_once(
        club_id=evening.club_id,
        key=key,
        body_hash=engine_bridge.body_hash(["last", evening.pk, on]),
        author=author,
        write=lambda _submission: _last_hand(evening, author, on),
        stored=lambda _first: None,
    )


def _last_hand(evening: Evening, author: User | None, on: bool) -> None:
    locked = chains.lock_evening(evening.pk)
    check_no_round(locked)
    if locked.state != Evening.State.OPEN:
        raise Refused(status=409, code="closed", sentence=_("This evening is closed."))
    for table in pots.locked_tables(locked):
        if table.last_hand != on and not table.dissolved:
            _store_last_hand(table, author, on)


def _store_last_hand(table: Table, author: User | None, on: bool) -> None:
    table.last_hand = on
    table.save(update_fields=["last_hand"])
    Happening.objects.create(
        table=table,
        after=table.hands,
        kind=Happening.Kind.LAST,
        data={} if on else {"off": True},
        author=author,
    )
