"""How the tables of a tournament are made, read and closed (`league.tournaments.tables`)."""
