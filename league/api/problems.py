"""Refusals of the API: `application/problem+json` (RFC 9457).

`code` is for programs, `detail` one sentence for people in the requested language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from django.core.exceptions import ValidationError
from rest_framework import exceptions


class Problem(exceptions.APIException):
    """The refusal of a request.

    `errors` name the places in the body or query: `at` (a path with dots), `code`, `detail`. `more` are further
    members of the answer, such as the `clause` of a rulebook or the `seat` at a table (plain data).
    """

    def __init__(
        self,
        status: int,
        code: str,
        sentence: str,
        *,
        errors: Sequence[dict[str, Any]] = (),
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(sentence, code)
        self.status_code = status
        self.code = code
        self.sentence = sentence
        self.errors = list(errors)
        self.headers = dict(headers or {})
        self.more = {name: value for name, value in more.items() if value not in (None, "", {})}


def wrong_field(path: str, code: str, sentence: str) -> Problem:
    """Return a 400 for one place of a body or query."""
    return Problem(HTTPStatus.BAD_REQUEST, "invalid", sentence, errors=[{"at": path, "code": code, "detail": sentence}])


_PROBLEMS: dict[type[Exception], Callable[[Any], Problem]] = {}


def problem_for(kind: type[Exception]) -> Callable[[Callable[[Any], Problem]], Callable[[Any], Problem]]:
    """Register a function that converts an exception of a service to a `Problem`."""

    def add(convert: Callable[[Any], Problem]) -> Callable[[Any], Problem]:
        _PROBLEMS[kind] = convert
        return convert

    return add


def as_problem(fault: Exception) -> Problem | None:
    """Return the problem for an exception, None if no function is registered for it."""
    for kind in type(fault).__mro__:
        if kind in _PROBLEMS:
            return _PROBLEMS[kind](fault)
    return None


@problem_for(ValidationError)
def _of_model(fault: ValidationError) -> Problem:
    """Convert the errors of a model's own checks."""
    by_field: Mapping[str, Sequence[ValidationError]]
    by_field = fault.error_dict if hasattr(fault, "error_dict") else {"": fault.error_list}
    errors = [
        {"at": "" if name == "__all__" else name, "code": error.code or "invalid", "detail": sentence}
        for name, faults in by_field.items()
        for error in faults
        for sentence in error.messages
    ]
    return Problem(HTTPStatus.BAD_REQUEST, "invalid", str(errors[0]["detail"]), errors=errors)
