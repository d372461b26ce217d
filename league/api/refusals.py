"""The league's refusals as problems."""

from __future__ import annotations

import re
from typing import Any

from league.errors import Refused

from .problems import Problem, told_as

CLAUSE = re.compile(r"[A-Z]+\d+(\.\d+)?")


def is_clause(code: str) -> bool:
    """Whether a code is a clause of a rulebook (`C5.2`) or a code of the hand record (`R1`)."""
    return CLAUSE.fullmatch(code) is not None


@told_as(Refused)
def of_refused(refused: Refused) -> Problem:
    """A clause of the rulebook stands as `clause` beside the code; `at` names the place in the record."""
    clause = refused.code if is_clause(refused.code) else None
    at = refused.at or None
    more: dict[str, Any] = {"clause": clause, "at": at, "details": refused.details}
    errors = [{"at": at, "code": refused.code, "detail": refused.sentence}] if at else []
    return Problem(refused.status, refused.code, refused.sentence, errors=errors, **more)
