"""What the API answers when it does not do what was asked: one shape for all of it, `application/problem+json` (RFC
9457). `code` is for programs, `detail` one sentence for people in the language they asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from django.core.exceptions import ValidationError
from rest_framework import exceptions


class Problem(exceptions.APIException):
    """A request that is not carried out.

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


def wrong_field(at: str, code: str, sentence: str) -> Problem:
    """400 for one place of a body or query."""
    return Problem(HTTPStatus.BAD_REQUEST, "invalid", sentence, errors=[{"at": at, "code": code, "detail": sentence}])


_TELLERS: dict[type[Exception], Callable[[Any], Problem]] = {}


def told_as(kind: type[Exception]) -> Callable[[Callable[[Any], Problem]], Callable[[Any], Problem]]:
    """Name how an exception of a service is told: the function makes a `Problem` of it."""

    def add(tell: Callable[[Any], Problem]) -> Callable[[Any], Problem]:
        _TELLERS[kind] = tell
        return tell

    return add


def as_problem(fault: Exception) -> Problem | None:
    """How the exception is told, if somebody said so."""
    for kind in type(fault).__mro__:
        if kind in _TELLERS:
            return _TELLERS[kind](fault)
    return None


@told_as(ValidationError)
def _of_model(fault: ValidationError) -> Problem:
    """A model's own check of its values."""
    by_field: Mapping[str, Sequence[ValidationError]]
    by_field = fault.error_dict if hasattr(fault, "error_dict") else {"": fault.error_list}
    errors = [
        {"at": "" if name == "__all__" else name, "code": one.code or "invalid", "detail": sentence}
        for name, faults in by_field.items()
        for one in faults
        for sentence in one.messages
    ]
    return Problem(HTTPStatus.BAD_REQUEST, "invalid", str(errors[0]["detail"]), errors=errors)
