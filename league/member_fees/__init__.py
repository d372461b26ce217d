"""Member fees: an amount that members owe to the kitty every year."""
