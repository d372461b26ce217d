"""Writes of a phone that recorded without a network: read, stored in order, answered (docs/night.md)."""
