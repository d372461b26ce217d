"""The only writer of postings and transfers.

Money is whole Rappen. The ledger depends on no game: a move names two accounts, an amount and a kind.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Sum

from ..models import Account, Evening, Posting, ResultRow, Season, Transfer, User
from ..ordered_ids import ordered_id
from . import result_rows
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
    accounts = dict(Account.objects.filter(player_id__in=player_ids).values_list("player_id", "id"))
    missing = [player for player in dict.fromkeys(player_ids) if player not in accounts]
    new = [Account(club_id=club_id, kind=Account.Kind.PLAYER, player_id=player) for player in missing]
    accounts |= {account.player_id or 0: account.pk for account in Account.objects.bulk_create(new)}
    return accounts


def create_pots(club_id: int, count: int) -> list[Account]:
    """Create the accounts of so many new pots."""
    return Account.objects.bulk_create(Account(club_id=club_id, kind=Account.Kind.POT) for _pot in range(count))


def balance(account_id: int) -> int:
    """Return the balance of an account, in Rappen."""
    into = Transfer.objects.filter(to_account_id=account_id).aggregate(s=Sum("amount_minor"))["s"] or 0
    out = Transfer.objects.filter(from_account_id=account_id).aggregate(s=Sum("amount_minor"))["s"] or 0
    return int(into - out)


@dataclass(frozen=True)
class Draft:
    """A posting to store: its cause, its transfers, the result rows of its hand, and the posting that it reverses."""

    event: Event | ClubEvent
    moves: Sequence[Move]
    outcomes: Sequence[result_rows.Outcome] = ()
    reverses: Posting | None = None


def post(*, event: Event | ClubEvent, moves: Iterable[Move], outcomes: Sequence[result_rows.Outcome] = ()) -> Posting:
    """Store one posting with its transfers and result rows, and mark the season. The caller holds the transaction.

    Raises:
        LedgerFault: an amount that is no positive int, or a move within one account.
        django.db.IntegrityError: refused by the database.
    """
    (posting,) = post_all([Draft(event, list(moves), outcomes)])
    return posting


def reverse(*, event: Event | ClubEvent, posting: Posting) -> Posting:
    """Reverse a posting: the same transfers, from and to exchanged. Its result rows must be deleted before."""
    (reversal,) = post_all([reversal_of(event, posting)])
    return reversal


def reversal_of(event: Event | ClubEvent, posting: Posting) -> Draft:
    """Return the draft that reverses a posting."""
    transfers = sorted(posting.transfers.all(), key=lambda transfer: transfer.pk)
    moves = [Move(t.to_account_id, t.from_account_id, t.amount_minor, t.kind) for t in transfers]
    return Draft(event, moves, reverses=posting)


def post_all(drafts: Sequence[Draft]) -> list[Posting]:
    """Store several postings as `post` stores one, in a constant number of statements.

    The postings are stored after their rows: the database then checks that results and transfers add up, and refuses
    further rows for them.
    """
    postings = [_posting(draft) for draft in drafts]
    transfers: list[Transfer] = []
    results: list[ResultRow] = []
    for posting, draft in zip(postings, drafts, strict=True):
        for move in draft.moves:
            _check(move)
            # The fields of a move are columns of a transfer.
            transfers.append(Transfer(posting_id=posting.pk, season_id=posting.season_id, **vars(move)))
        if isinstance(draft.event, Event):
            results += result_rows.rows(
                posting_id=posting.pk,
                evening=draft.event.evening,
                source=posting.source,
                revision=posting.revision,
                outcomes=draft.outcomes,
            )
    Transfer.objects.bulk_create(transfers)
    ResultRow.objects.bulk_create(results)
    Posting.objects.bulk_create(postings)
    mark_uncounted(postings)
    return postings


def _posting(draft: Draft) -> Posting:
    event = draft.event
    season_id, club_id = _season_and_club(event)
    return Posting(
        id=ordered_id(),
        club_id=club_id,
        season_id=season_id,
        evening=event.evening if isinstance(event, Event) else None,
        source=event.source,
        revision=event.revision,
        reverses=draft.reverses,
        author=event.author,
        reason=event.reason,
    )


def _season_and_club(event: Event | ClubEvent) -> tuple[int, int]:
    if isinstance(event, Event):
        return event.evening.season_id, event.evening.club_id
    return event.season.pk, event.season.club_id


def _check(move: Move) -> None:
    if type(move.amount_minor) is not int or not 0 < move.amount_minor <= MAX_AMOUNT_MINOR:
        raise LedgerFault(f"an amount must be a whole number of Rappen above 0, not {move.amount_minor!r}")
    if move.from_account_id == move.to_account_id:
        raise LedgerFault("a transfer needs two accounts")
