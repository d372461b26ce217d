"""Checks over all records: verify and rebuild, personal data at the tables, who cannot be one person."""
