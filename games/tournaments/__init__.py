"""Making, reading and closing the tables of a tournament (`league.tournaments.tables`)."""
