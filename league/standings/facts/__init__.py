"""Facts counted by workers: the hands of each evening for statistics, records and ratings, evening by evening."""
