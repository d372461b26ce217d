"""The pages on which a club is run: its people, its roster, its seasons, what it shows of itself, its log."""
