"""The only writer of postings and transfers.

Money is whole Rappen. The ledger depends on no game: a move names two accounts, an amount and a kind.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Sum

from ..models import Account, Evening, Posting, Season, Transfer, User
from ..ordered_ids import ordered_id
from . import result_rows
from .round_trip import RoundTrip
from .season_mark import mark_uncounted

MAX_AMOUNT_MINOR = 1_000_000_000_000_000


class LedgerFault(Exception):
    """Moves that do not add up: a fault of the program, never of the recorder."""


@dataclass(frozen=True)
class Move:
    """`amount_minor` > 0 Rappen from one account to another."""

    from_account_id: int
    to_account_id: int
    amount_minor: int
    kind: str


@dataclass(frozen=True)
class Event:
    """The cause of a posting: `source` in its `revision`, in an evening."""

    evening: Evening
    source: uuid.UUID
    revision: int
    author: User | None
    reason: str = ""


@dataclass(frozen=True)
class ClubEvent:
    """The cause of a posting that belongs to no evening; `season` counts it in its balances."""

    season: Season
    source: uuid.UUID
    revision: int
    author: User | None
    reason: str = ""


def create_account(*, club_id: int, kind: str, player_id: int | None = None) -> Account:
    """Create a ledger account. A player has at most one, a club one kitty and one box."""
    return Account.objects.create(club_id=club_id, kind=kind, player_id=player_id)


def ensure_player_accounts(club_id: int, player_ids: Sequence[int]) -> dict[int, int]:
    """Return player → account, creating missing ones. The players are of this club."""
    found = dict(Account.objects.filter(player_id__in=player_ids).values_list("player_id", "id"))
    missing = [player for player in dict.fromkeys(player_ids) if player not in found]
    new = [Account(club_id=club_id, kind=Account.Kind.PLAYER, player_id=player) for player in missing]
    found |= {account.player_id or 0: account.pk for account in Account.objects.bulk_create(new)}
    return found


def create_pots(club_id: int, count: int) -> list[Account]:
    """Create the accounts of so many new pots."""
    return Account.objects.bulk_create(Account(club_id=club_id, kind=Account.Kind.POT) for _pot in range(count))


def balance(account_id: int) -> int:
    """Return the balance of an account, in Rappen."""
    into = Transfer.objects.filter(to_account_id=account_id).aggregate(s=Sum("amount_minor"))["s"] or 0
    out = Transfer.objects.filter(from_account_id=account_id).aggregate(s=Sum("amount_minor"))["s"] or 0
    return int(into - out)


def post(
    *,
    event: Event | ClubEvent,
    moves: Iterable[Move],
    outcomes: Sequence[result_rows.Outcome] = (),
    writes: RoundTrip | None = None,
) -> Posting:
    """Store one posting with its transfers and result rows, and mark the season. The caller holds the transaction.

    The posting is stored last: the database then checks that results and transfers add up, and refuses further
    rows for it. With `writes` it is stored when the caller sends these.

    Raises:
        LedgerFault: an amount that is no positive int, or a move within one account.
        django.db.IntegrityError: refused by the database.
    """
    return _write(event, list(moves), outcomes, None, writes)


def reverse(*, event: Event | ClubEvent, posting: Posting, writes: RoundTrip | None = None) -> Posting:
    """Reverse a posting: the same transfers, from and to exchanged. Its result rows must be deleted before. With
    `writes` it is reversed when the caller sends these."""
    transfers = sorted(posting.transfers.all(), key=lambda one: one.pk)
    moves = [Move(t.to_account_id, t.from_account_id, t.amount_minor, t.kind) for t in transfers]
    return _write(event, moves, (), posting, writes)


def _write(
    event: Event | ClubEvent,
    moves: list[Move],
    outcomes: Sequence[result_rows.Outcome],
    reverses: Posting | None,
    writes: RoundTrip | None,
) -> Posting:
    posting_id = ordered_id()
    evening = event.evening if isinstance(event, Event) else None
    season_id, club_id = _season_and_club(event)
    for move in moves:
        _check(move)
    now = RoundTrip() if writes is None else writes
    # The fields of a move are columns of a transfer.
    now.insert_values(Transfer, {"posting_id": posting_id, "season_id": season_id}, [vars(move) for move in moves])
    if evening is not None:
        result_rows.store(
            now,
            posting_id=posting_id,
            evening=evening,
            source=event.source,
            revision=event.revision,
            outcomes=outcomes,
        )
    posting = Posting(
        id=posting_id,
        club_id=club_id,
        season_id=season_id,
        evening=evening,
        source=event.source,
        revision=event.revision,
        reverses=reverses,
        author=event.author,
        reason=event.reason,
    )
    now.insert([posting])
    mark_uncounted(now, posting)
    if writes is None:
        now.send()
    return posting


def _season_and_club(event: Event | ClubEvent) -> tuple[int, int]:
    if isinstance(event, Event):
        return event.evening.season_id, event.evening.club_id
    return event.season.pk, event.season.club_id


def _check(move: Move) -> None:
    if type(move.amount_minor) is not int or not 0 < move.amount_minor <= MAX_AMOUNT_MINOR:
        raise LedgerFault(f"an amount must be a whole number of Rappen above 0, not {move.amount_minor!r}")
    if move.from_account_id == move.to_account_id:
        raise LedgerFault("a transfer needs two accounts")
