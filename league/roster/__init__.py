"""The roster: who plays in a club, under which name, and which two of them are one person."""
