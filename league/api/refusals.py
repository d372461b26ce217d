"""Convert the refusals of services to problems."""

from __future__ import annotations

import re
from typing import Any

from league.errors import Refused

from .problems import Problem, problem_for

CLAUSE = re.compile(r"[A-Z]+\d+(\.\d+)?")


def is_clause(code: str) -> bool:
    """Return True if a code is a clause of a rulebook (`C5.2`) or a code of the hand record (`R1`)."""
    return CLAUSE.fullmatch(code) is not None


@problem_for(Refused)
def of_refused(refused: Refused) -> Problem:
    """Convert a refusal: `clause` is the broken rule of the rulebook, if it is one; `at` the place in the record."""
    clause = refused.code if is_clause(refused.code) else None
    path = refused.at or None
    more: dict[str, Any] = {"clause": clause, "at": path, "details": refused.details}
    errors = [{"at": path, "code": refused.code, "detail": refused.sentence}] if path else []
    return Problem(refused.status, refused.code, refused.sentence, errors=errors, **more)
