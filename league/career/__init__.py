"""The page of a person: the career over all seasons, the form, the rivals, the own records, the news."""
