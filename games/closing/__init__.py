"""The end of an evening: what becomes of the pots, who pays whom, and the receipt."""
