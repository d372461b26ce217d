"""The errors of the games: the league's `Refused`, and `FormProblem` for a form."""

from __future__ import annotations

from dataclasses import dataclass

from league.errors import Refused, form_outdated, unknown_player

__all__ = ["FormProblem", "Refused", "form_outdated", "unknown_player"]


@dataclass(frozen=True)
class FormProblem:
    """The refusal of a form: a sentence, a rulebook clause or an error code, and the place in the record."""

    sentence: str
    code: str = "form"
    at: str = ""

    @classmethod
    def of(cls, refused: Refused) -> FormProblem:
        """The problem that a refused request shows in its form."""
        return cls(refused.sentence, refused.code, refused.at)
