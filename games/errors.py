"""The errors of the games: the league's `Refused`, and `Problem` for a form."""

from __future__ import annotations

from dataclasses import dataclass

from league.errors import Refused, form_outdated, unknown_player

__all__ = ["Problem", "Refused", "form_outdated", "unknown_player"]


@dataclass(frozen=True)
class Problem:
    """The refusal of a form: a sentence, a rulebook clause or an error code, and the place in the record."""

    sentence: str
    code: str = "form"
    at: str = ""

    @classmethod
    def of(cls, refused: Refused) -> Problem:
        """The problem that a refused request shows in its form."""
        return cls(refused.sentence, refused.code, refused.at)
