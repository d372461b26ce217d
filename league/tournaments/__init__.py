"""Tournaments: entrants, draws, rounds, sheets and the ranking. Knows no cards; the games register how a table is
played (`tables.py`)."""
