"""Records of a season and of a club, each with the hand or evening where it was set; the table of all seasons."""
