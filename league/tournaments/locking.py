"""One write at a time for each tournament: every service takes the lock of its row first."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from ..errors import Refused
from ..ledger.idempotency import submit
from ..models import Submission, Tournament, User


def locked(tournament: Tournament) -> Tournament:
    """Lock the tournament's row until the transaction ends, and return it as it is now.

    Rows are locked in one order: the tournament, the evening, its tables, the club, the season.
    """
    rows = Tournament.objects.order_by().select_for_update(no_key=True, of=("self",))
    return rows.select_related("season", "house_rules", "club").get(pk=tournament.pk)


@dataclass(frozen=True)
class DeskWrite:
    """A write to a tournament: the locked tournament as it is now, who writes, and the submission of the key."""

    now: Tournament
    author: User | None
    submission: Submission | None


@contextmanager
def desk_write(
    tournament: Tournament, author: User | None, key: uuid.UUID | None = None, body: Sequence[Any] = ()
) -> Iterator[DeskWrite]:
    """Write to the locked tournament in one transaction. `body`: what is requested under the key, as JSON.

    Raises:
        Refused: 409 for an archived tournament, 422 for a key that was used for another request.
        Repeated: the key was used before for this request; `keyed` returns the answer.
    """
    with transaction.atomic():
        submission = None
        if key is not None:
            text = json.dumps(["tournament", tournament.pk, *body], sort_keys=True, separators=(",", ":"))
            body_hash = hashlib.sha256(text.encode()).hexdigest()
            submission = submit(club_id=tournament.club_id, key=key, body_hash=body_hash, author=author)
        now = locked(tournament)
        if now.state == Tournament.State.ARCHIVED:
            raise Refused(status=409, code="archived", sentence=_("This tournament is archived. Take it back first."))
        yield DeskWrite(now, author, submission)


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
