"""Hands from a file: their cells read, the hands replayed, stored and taken back. The port `league.imports.hands`."""
