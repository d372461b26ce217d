"""Tournaments: entrants, draws, rounds, sheets and the ranking. Has no card rules; the games register the playing of
tables (`tables.py`)."""
