"""Cups: tournaments of several clubs that count together. A club sees of another one what the cup publishes."""
