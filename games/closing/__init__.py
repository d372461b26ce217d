"""The end of an evening: distribute the pots, settle up, hand out receipts."""
