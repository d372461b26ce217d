"""The league's refusals as problems."""

from __future__ import annotations

import re
from typing import Any

from league.errors import Refused

from .problems import Problem, told_as

CLAUSE = re.compile(r"[A-Z]+\d+(\.\d+)?")
SEAT = re.compile(r"\bseats?[.\[](\d+)")


@told_as(Refused)
def of_refused(refused: Refused) -> Problem:
    """A clause of the rulebook stands as `clause` beside the code; `at` names the place in the record, and `seat` the
    seat in it."""
    clause = refused.code if CLAUSE.fullmatch(refused.code) else None
    at = refused.at or None
    seat = SEAT.search(refused.at or "")
    more: dict[str, Any] = {"clause": clause, "at": at, "details": refused.details}
    if seat:
        more["seat"] = int(seat.group(1))
    errors = [{"at": at, "code": refused.code, "detail": refused.sentence}] if at else []
    return Problem(refused.status, refused.code, refused.sentence, errors=errors, **more)
