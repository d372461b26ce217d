"""The treasurer's room: kitty, box, ledger and balances as pages, and bills for what members owe the kitty."""
