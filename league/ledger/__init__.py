"""The ledger: transfers, result rows, and idempotency keys."""

from .transfers import (
    MAX_AMOUNT_MINOR,
    Event,
    LedgerFault,
    Move,
    balance,
    create_account,
    ensure_player_accounts,
    player_accounts,
    post,
    reverse,
)

__all__ = [
    "MAX_AMOUNT_MINOR",
    "Event",
    "LedgerFault",
    "Move",
    "balance",
    "create_account",
    "ensure_player_accounts",
    "player_accounts",
    "post",
    "reverse",
]
