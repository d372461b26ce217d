"""Hands card by card: entering one step by step, playing a stored one through, pasting a record."""
