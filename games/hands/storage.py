"""The only writer of revisions, each with its seats, its posting and its result rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from league import ledger
from league.ledger import result_rows
from league.models import Posting, Submission, User

from .. import engine_bridge
from ..engine_bridge import Record, Result
from ..models import Correction, Hand, Revision, Seat, Table


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
    table: Table,
    hand: Hand,
    number: int,
    content: Content,
    accounts: Mapping[int, int],
    cause: Cause,
) -> Revision:
    """Store revision `number` of a hand with its transfers and result rows. `accounts` are those of its players."""
    posting = ledger.post(
        event=_event(table, hand, number, cause),
        moves=engine_bridge.moves(content.result, [accounts[p] for p in content.players], table.pot_account_id),
        outcomes=engine_bridge.outcomes(content.record, content.result, content.players),
    )
    return _store(hand, number, Revision.Kind.ENTERED, content, posting, cause)


def void(table: Table, valid: Revision, cause: Cause) -> Revision:
    """Store a revision that voids the valid one: its transfers are reversed, its result rows deleted."""
    result_rows.clear(source=valid.hand_id)
    return void_cleared(table, valid, cause)


def void_cleared(table: Table, valid: Revision, cause: Cause) -> Revision:
    """As `void`, for a hand whose result rows are deleted already. It reads nothing where `seats` and
    `posting__transfers` are prefetched."""
    number = valid.number + 1
    posting = ledger.reverse(event=_event(table, valid.hand, number, cause), posting=valid.posting)
    content = Content(
        record=valid.record,
        result=valid.result,
        players=tuple(seat.player_id for seat in sorted(valid.seats.all(), key=lambda row: row.number)),
        dealer_set=valid.dealer_set,
        moved_minor=valid.moved_minor,
        recorder_id=valid.recorder_id,
    )
    return _store(valid.hand, number, Revision.Kind.VOIDED, content, posting, cause)


def _event(table: Table, hand: Hand, number: int, cause: Cause) -> ledger.Event:
    return ledger.Event(
        evening=table.evening, source=hand.pk, revision=number, author=cause.author, reason=cause.reason
    )


def _store(hand: Hand, number: int, kind: str, content: Content, posting: Posting, cause: Cause) -> Revision:
    revision = Revision.objects.create(
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
    Seat.objects.bulk_create(
        Seat(revision=revision, number=seat, player_id=player) for seat, player in enumerate(content.players)
    )
    return revision
