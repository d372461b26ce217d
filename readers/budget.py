"""What one file may have altogether, over all its parts. The first thing beyond it ends the reading."""

from __future__ import annotations

from dataclasses import dataclass

from .faults import Unreadable


@dataclass
class Budget:
    """What is left of each kind.

    `unpacked`: bytes after unpacking; `cells`: cells of tables, also empty ones; `texts`: texts that cells share;
    `lines`: rows as they are written, also empty ones; `signs`: characters that are kept; `rows`: rows from the first
    one with data to the last, of all sheets.
    """

    rows: int
    unpacked: int = 64 * 1024 * 1024
    cells: int = 1_200_000
    texts: int = 400_000
    lines: int = 200_000
    signs: int = 16 * 1024 * 1024

    def take(self, kind: str, many: int = 1) -> None:
        """Take some of it. Raises Unreadable where too little is left."""
        left = getattr(self, kind) - many
        setattr(self, kind, left)
        if left < 0:
            raise Unreadable("too_complicated")
