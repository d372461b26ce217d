"""Checks over all records: verify and rebuild, personal data at the tables, the check of merged players."""
