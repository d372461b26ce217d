"""Answers to failed requests: a page for people, a problem (RFC 9457) under /api/.

These pages use neither database nor user, so that they work when those have failed.
"""

import sys
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

import structlog
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template import loader
from django.utils.html import escape
from django.utils.translation import gettext as _

from .. import database_away, request_ids

log = structlog.get_logger(__name__)

API_PREFIX = "/api/"
PROBLEM_TYPE = "application/problem+json"
PROBLEMS_EXPLAINED = "/api/docs/#problems"
RENAMED = {413: "Content Too Large", 422: "Unprocessable Content"}
"""Titles of RFC 9110. `http.HTTPStatus` has them from Python 3.13 on; an answer does not depend on that."""


def title_of(status: int) -> str:
    """Return the name of an HTTP status."""
    return RENAMED.get(status, HTTPStatus(status).phrase)


def problem(
    status: int, code: str, sentence: str, *, errors: Sequence[dict[str, Any]] = (), **more: Any
) -> dict[str, Any]:
    """Return the members of a problem: `code` for programs, `detail` for people; `type` is a page that explains it."""
    members = {
        "type": PROBLEMS_EXPLAINED,
        "title": title_of(status),
        "status": int(status),
        "detail": sentence,
        "code": code,
    }
    return {**members, **({"errors": list(errors)} if errors else {}), **more}


def answer(request: HttpRequest, status: HTTPStatus, code: str, sentence: str) -> HttpResponse:
    """Return an error as a problem under /api/, else as the page `<status>.html`."""
    if request.path.startswith(API_PREFIX):
        return JsonResponse(problem(status, code, sentence), status=status, content_type=PROBLEM_TYPE)
    values = {"sentence": sentence, "request_id": request_ids.current()}
    try:
        body = loader.render_to_string(f"{status.value}.html", values, request=request)
    except Exception:
        # If the error page fails too, the answer must not become a bare 500 of the web server.
        log.exception("error_page_failed", status=status.value)
        plain = f"<!doctype html><title>{status.value}</title><p>{escape(sentence)}</p>"
        return HttpResponse(plain, status=status)
    return HttpResponse(body, status=status)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return answer(request, HTTPStatus.BAD_REQUEST, "bad_request", _("The request cannot be understood."))


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return answer(request, HTTPStatus.FORBIDDEN, "forbidden", _("You may not do this."))


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return answer(request, HTTPStatus.NOT_FOUND, "not_found", _("There is no such page here."))


def length_required(request: HttpRequest) -> HttpResponse:
    return answer(
        request,
        HTTPStatus.LENGTH_REQUIRED,
        "length_required",
        _("Send the body in one piece, with its length in Content-Length; nothing was stored."),
    )


def too_large(request: HttpRequest) -> HttpResponse:
    return answer(
        request,
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "too_large",
        _("The request is too large; nothing was stored."),
    )


def too_many(
    request: HttpRequest, exception: Exception | None = None, *, sentence: str = "", seconds: int = 300
) -> HttpResponse:
    response = answer(
        request,
        HTTPStatus.TOO_MANY_REQUESTS,
        "too_many",
        sentence or _("Too many requests at once. Wait a few minutes; nothing was stored."),
    )
    response["Retry-After"] = str(seconds)
    return response


def unavailable_sentence(error: BaseException | None) -> str:
    """Return what the person reads while the database does not carry out a request."""
    if database_away.took_too_long(error):
        return _("This took the database too long. Try again in a minute: what you send twice is stored once.")
    return _("The database is not answering. Try again in a minute: what you send twice is stored once.")


def unavailable(request: HttpRequest) -> HttpResponse:
    response = answer(request, HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", unavailable_sentence(sys.exception()))
    response["Retry-After"] = str(database_away.RETRY_SECONDS)
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer an exception that nobody handled: 503 while the database is away, else 500."""
    if database_away.is_away(sys.exception()):
        return unavailable(request)
    return answer(
        request,
        HTTPStatus.INTERNAL_SERVER_ERROR,
        "server_error",
        _("Something went wrong on our side; the fault has been logged."),
    )
