"""Benchmarks: the promised speeds, each measured against a known program. `python -m bench` prints the table."""
