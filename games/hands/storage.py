"""The only writer of revisions, each with its seats, its posting and its result rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import connection

from league import ledger
from league.ledger import RoundTrip, result_rows
from league.models import Posting, Submission, User

from .. import engine_bridge
from ..engine_bridge import Record, Result
from ..models import Correction, Hand, Revision, Table

# The database assigns the revision's key in the same round trip.
_SEATS = """INSERT INTO games_seat (revision_id, number, player_id)
SELECT revision.id, seat.column1, seat.column2
FROM games_revision AS revision, (VALUES {seats}) AS seat WHERE revision.posting_id = %s"""


@dataclass(frozen=True)
class Cause:
    """The request that a revision is written for: a submission or a correction, its author and the reason given."""

    author: User | None
    submission: Submission | None = None
    correction: Correction | None = None
    reason: str = ""


@dataclass(frozen=True)
class Content:
    """The content of a revision: the complete record, the engine's result and the players by seat. `dealer_set`: the
    dealer was named. `moved_minor` are the coins that came into the pot since the hand before, other than by
    a hand. The recorder is the user who wrote the hand down first."""

    record: Record
    result: Result
    players: tuple[int, ...]
    dealer_set: bool
    moved_minor: int
    recorder_id: int | None


def next_number(hand: Hand) -> int:
    """The number of the hand's next revision."""
    newest = hand.revisions.order_by("-number").values_list("number", flat=True).first()
    return (newest or 0) + 1


def enter(
    writes: RoundTrip,
    table: Table,
    hand: Hand,
    number: int,
    content: Content,
    accounts: Mapping[int, int],
    cause: Cause,
) -> Revision:
    """Add revision `number` of a hand to `writes`, with its transfers and result rows. `accounts` are those of its
    players."""
    posting = ledger.post(
        event=_event(table, hand, number, cause),
        moves=engine_bridge.moves(content.result, [accounts[p] for p in content.players], table.pot_account_id),
        outcomes=engine_bridge.outcomes(content.record, content.result, content.players),
        writes=writes,
    )
    return _store(writes, hand, number, Revision.Kind.ENTERED, content, posting, cause)


def void(writes: RoundTrip, table: Table, valid: Revision, cause: Cause) -> Revision:
    """Add a revision that voids the valid one to `writes`: its transfers are reversed. Its result rows are deleted at
    once."""
    result_rows.clear(source=valid.hand_id)
    return void_cleared(writes, table, valid, cause)


def void_cleared(writes: RoundTrip, table: Table, valid: Revision, cause: Cause) -> Revision:
    """As `void`, for a hand whose result rows are deleted already. It reads nothing where `seats` and
    `posting__transfers` are prefetched."""
    number = valid.number + 1
    posting = ledger.reverse(event=_event(table, valid.hand, number, cause), posting=valid.posting, writes=writes)
    content = Content(
        record=valid.record,
        result=valid.result,
        players=tuple(seat.player_id for seat in sorted(valid.seats.all(), key=lambda one: one.number)),
        dealer_set=valid.dealer_set,
        moved_minor=valid.moved_minor,
        recorder_id=valid.recorder_id,
    )
    return _store(writes, valid.hand, number, Revision.Kind.VOIDED, content, posting, cause)


def _event(table: Table, hand: Hand, number: int, cause: Cause) -> ledger.Event:
    return ledger.Event(
        evening=table.evening, source=hand.pk, revision=number, author=cause.author, reason=cause.reason
    )


def _store(
    writes: RoundTrip, hand: Hand, number: int, kind: str, content: Content, posting: Posting, cause: Cause
) -> Revision:
    revision = Revision(
        hand=hand,
        number=number,
        kind=kind,
        record=content.record,
        result=content.result,
        posting=posting,
        submission=cause.submission,
        correction=cause.correction,
        dealer_set=content.dealer_set,
        moved_minor=content.moved_minor,
        author=cause.author,
        recorder_id=content.recorder_id,
        reason=cause.reason,
    )
    writes.insert([revision])
    seats = ", ".join(["(%s, %s)"] * len(content.players))
    values = [value for seat in enumerate(content.players) for value in seat]
    writes.add(_SEATS.format(seats=seats), [*values, Revision.posting.field.get_db_prep_value(posting.pk, connection)])
    return revision
