"""Convert the exceptions of views to problem answers."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_standardized_errors.formatter import ExceptionFormatter
from drf_standardized_errors.handler import ExceptionHandler
from drf_standardized_errors.types import Error, ErrorResponse, ErrorType
from rest_framework import exceptions
from rest_framework.response import Response

from league import database_away
from league.access.suspended import Suspended
from league.web.error_pages import PROBLEM_TYPE, problem, unavailable_sentence

from .problems import Problem, as_problem

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

SENTENCES: dict[str, _StrPromise] = {
    "parse_error": gettext_lazy("The body is not valid JSON."),
    "not_authenticated": gettext_lazy("Sign in, or send a valid API key."),
    "authentication_failed": gettext_lazy("This key is not valid: unknown, expired or revoked."),
    "permission_denied": gettext_lazy("You may not do this."),
    "not_found": gettext_lazy("There is no such thing here."),
    "method_not_allowed": gettext_lazy("This address does not support that method."),
    "unsupported_media_type": gettext_lazy("A body is sent as application/json."),
    "throttled": gettext_lazy("Too many requests; wait before the next one."),
    "error": gettext_lazy("Something went wrong on our side; the fault has been logged."),
}
"""A sentence for each error code of Django REST framework."""


class Handler(ExceptionHandler):
    """Convert every exception to a problem; an unexpected one to a 500 without details."""

    def convert_known_exceptions(self, exc: Exception) -> Exception:
        converted = as_problem(exc)
        if converted is not None:
            return converted
        if database_away.is_away(exc):
            headers = {"Retry-After": str(database_away.RETRY_SECONDS)}
            sentence = unavailable_sentence(exc)
            return Problem(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", sentence, headers=headers)
        if isinstance(exc, Http404):
            return exceptions.NotFound()
        if isinstance(exc, Suspended):
            return Problem(HTTPStatus.FORBIDDEN, "suspended", exc.sentence)
        if isinstance(exc, PermissionDenied):
            return exceptions.PermissionDenied()
        return exc

    def get_response(self, exc: exceptions.APIException, data: dict[str, Any]) -> Response:
        headers = self.get_headers(exc) | getattr(exc, "headers", {})
        return Response(data, status=exc.status_code, headers=headers, content_type=PROBLEM_TYPE)


class Formatter(ExceptionFormatter):
    """The body of a problem."""

    def get_error_response(self, error_type: ErrorType, errors: list[Error]) -> ErrorResponse:
        return ErrorResponse(error_type, errors)

    def format_error_response(self, error_response: ErrorResponse) -> dict[str, Any]:
        exc = self.exc
        if isinstance(exc, Problem):
            return problem(exc.status_code, exc.code, exc.sentence, errors=exc.errors, **exc.more)
        if isinstance(exc, exceptions.ValidationError):
            places = [{"at": e.attr or "", "code": e.code, "detail": e.detail} for e in error_response.errors]
            first = places[0] if places else {"at": "", "detail": _("The body does not fit.")}
            sentence = f"{first['at']}: {first['detail']}" if first["at"] else first["detail"]
            return problem(exc.status_code, "invalid", sentence, errors=places)
        code = error_response.errors[0].code if error_response.errors else "error"
        if isinstance(exc, exceptions.ParseError):
            return problem(exc.status_code, code, str(exc.detail))
        return problem(exc.status_code, code, str(SENTENCES.get(code, exc.detail)))
