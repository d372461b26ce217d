"""The ledger: transfers, result rows, and idempotency keys."""

from .idempotency import new_claims
from .round_trip import RoundTrip
from .transfers import (
    MAX_AMOUNT_MINOR,
    ClubEvent,
    Event,
    LedgerFault,
    Move,
    balance,
    create_account,
    create_pots,
    ensure_player_accounts,
    post,
    reverse,
)

__all__ = [
    "MAX_AMOUNT_MINOR",
    "ClubEvent",
    "Event",
    "LedgerFault",
    "Move",
    "RoundTrip",
    "balance",
    "create_account",
    "create_pots",
    "ensure_player_accounts",
    "new_claims",
    "post",
    "reverse",
]
