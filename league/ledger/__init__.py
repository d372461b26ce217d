"""The ledger: transfers, result rows, and idempotency keys."""

from .idempotency import new_claims
from .transfers import (
    MAX_AMOUNT_MINOR,
    ClubEvent,
    Draft,
    Event,
    LedgerFault,
    Move,
    balance,
    create_account,
    create_pots,
    ensure_player_accounts,
    post,
    post_all,
    reversal_of,
    reverse,
)

__all__ = [
    "MAX_AMOUNT_MINOR",
    "ClubEvent",
    "Draft",
    "Event",
    "LedgerFault",
    "Move",
    "balance",
    "create_account",
    "create_pots",
    "ensure_player_accounts",
    "new_claims",
    "post",
    "post_all",
    "reversal_of",
    "reverse",
]
