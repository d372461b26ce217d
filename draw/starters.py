"""First rounds."""

STARTERS: dict[tuple[int, int], tuple[int, tuple[tuple[tuple[int, ...], ...], ...]]] = {}
