"""The API of tournaments: set-up, entrants, draws, rounds, sheets, ranking."""
