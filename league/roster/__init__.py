"""The roster of a club: its players, their names, and players that are merged into one person."""
