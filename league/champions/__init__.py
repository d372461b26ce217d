"""The end of a season: podium, figures, list of a club's seasons, checks before closing."""
