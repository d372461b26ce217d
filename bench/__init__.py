"""Speeds: what the project promises, measured against something known. `python -m bench` prints the table."""
