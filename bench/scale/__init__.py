"""A realistic server of many clubs on PostgreSQL, and what its pages, commands and tasks cost at different sizes."""
