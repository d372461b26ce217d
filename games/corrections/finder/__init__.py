"""The difference finder: it searches for the single mistake that explains the counted coins."""
