"""A year in review, of a player and of a club: seven screens, each with a picture."""
