"""One write at a time for each tournament: every service takes the lock of its row first."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import transaction
from django.utils.translation import gettext as _

from ..errors import Refused
from ..ledger.idempotency import submit_once
from ..models import Submission, Tournament, User

Stored = TypeVar("Stored")


def locked(tournament: Tournament) -> Tournament:
    """Lock the tournament's row until the transaction ends, and return it as it is now.

    Rows are locked in one order: the tournament, the evening, its tables, the club, the season.
    """
    rows = Tournament.objects.order_by().select_for_update(no_key=True, of=("self",))
    return rows.select_related("season", "house_rules", "club").get(pk=tournament.pk)


@dataclass(frozen=True)
class DeskRequest:
    """A write to a tournament: who asks for it, under which key, and what is requested, as JSON."""

    tournament: Tournament
    author: User | None
    key: uuid.UUID | None = None
    body: Sequence[Any] = ()


def desk_write(
    request: DeskRequest,
    write: Callable[[Tournament, Submission | None], Stored],
    stored: Callable[[Submission], Stored],
) -> Stored:
    """Run `write` with the locked tournament in one transaction; with a key only once, however often it is sent.

    `stored` returns the answer to a repeated request.

    Raises:
        Refused: 409 for an archived tournament, 422 for a key that was used for another request; and the refusals of
            `write`.
    """

    def run(submission: Submission | None) -> Stored:
        now = locked(request.tournament)
        if now.state == Tournament.State.ARCHIVED:
            raise Refused(status=409, code="archived", sentence=_("This tournament is archived. Take it back first."))
        return write(now, submission)

    if request.key is None:
        with transaction.atomic():
            return run(None)
    text = json.dumps(["tournament", request.tournament.pk, *request.body], sort_keys=True, separators=(",", ":"))
    return submit_once(
        club_id=request.tournament.club_id,
        key=request.key,
        body_hash=hashlib.sha256(text.encode()).hexdigest(),
        author=request.author,
        write=run,
        stored=stored,
    )


def must_be(tournament: Tournament, *states: str) -> None:
    """Refuse with 409 unless the tournament is in one of these states."""
    if tournament.state in states:
        return
    sentences = {
        Tournament.State.DRAFT: _("This tournament is still in preparation."),
        Tournament.State.OPEN: _("This tournament has not begun."),
        Tournament.State.RUNNING: _("This tournament has begun."),
        Tournament.State.FINISHED: _("This tournament is finished."),
        Tournament.State.ARCHIVED: _("This tournament is archived. Take it back first."),
    }
    raise Refused(status=409, code="state", sentence=sentences[Tournament.State(tournament.state)])
