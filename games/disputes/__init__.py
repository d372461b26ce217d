"""Disputes: a player disputes a hand; a recorder settles the dispute."""
