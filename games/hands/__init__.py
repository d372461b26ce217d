"""Hands: enter and void them, store their revisions, the chain of a table, read them."""
