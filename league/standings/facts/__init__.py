"""What workers count from the hands of each evening for statistics, records and ratings, evening by evening."""
