"""A line of the standings as a reader sees it."""

from __future__ import annotations

from dataclasses import dataclass

from .standing_lines import StandingLine
from .trends import Trend


@dataclass(frozen=True)
class Row:
    """A line of the standings as the reader sees it."""

    standing: StandingLine
    name: str
    mine: bool
    sees: bool
    note: str = ""
    """Why the player is not ranked."""
    trend: Trend | None = None
    gap: str = ""
    """How far the player is behind the first one."""
    is_imported: bool = False
    """True if an evening behind this sum was imported."""
    counting: int | None = None
    """The number of the player's evenings that count; None if all of them do, or if the player is a guest who is not
    ranked."""

    @property
    def rank(self) -> int | None:
        """The rank; None for a player who is not ranked."""
        return self.standing.shown_rank

    @property
    def rank_before(self) -> int | None:
        """The rank before the last evening."""
        return self.standing.shown_rank_before

    @property
    def amount_minor(self) -> int:
        """The amount that counts."""
        return self.standing.amount_minor
