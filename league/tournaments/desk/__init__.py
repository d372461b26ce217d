"""The desk of a tournament: its pages for those who set it up and run it."""
