"""The desk of a tournament: the pages for its set-up and its course."""
