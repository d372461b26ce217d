"""Evenings, tables, seats and hands; the rules come from the engine."""
