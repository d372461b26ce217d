"""The errors of the games: the league's `Refused`, and `FormProblem` for a form."""

from __future__ import annotations

from dataclasses import dataclass

from league.errors import Refused, form_outdated, unknown_player

__all__ = ["FormProblem", "Refused", "form_outdated", "is_clause", "unknown_player"]


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

    @property
    def clause(self) -> str:
        """The clause of a rulebook or of the record format that the problem names; empty for any other code."""
        return self.code if is_clause(self.code) else ""


def is_clause(code: str) -> bool:
    """True if a code is that of a clause (`C5.2`, `K8.1`), or of the record format (`R1`)."""
    return code[:1].isupper() and code[1:2].isdigit()
