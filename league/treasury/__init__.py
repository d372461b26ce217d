"""The treasurer's room: pages of kitty, box, ledger and balances, and bills for debts of members to the kitty."""
