"""What every request meets first: headers, where links begin, and a limit to what is sent."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from league.config import errors

DRAIN_BYTES = 16 * 1024 * 1024
"""So much of a refused body is read and thrown away: who still sends would get a reset, not the answer."""


class HeadersMiddleware:
    """Sets what Django and its packages leave out: headers on every answer, and where whole links begin.

    Whoever sends a request says in it what host it is for. That name goes into no link: a mail with a link of somebody
    else's choice would hand them its token.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.BASE_URL:
            # What `build_absolute_uri` reads, for our own links and those of packages alike.
            request._current_scheme_host = settings.BASE_URL  # type: ignore[attr-defined]
        response = self.get_response(request)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        response.headers.setdefault("Permissions-Policy", settings.PERMISSIONS_POLICY)
        return response


class BodyLimitMiddleware:
    """411 for a body whose length is not told, 413 for one over `MAX_BODY_BYTES`.

    Django's own limit holds for `request.body` only; a parser that reads the stream passes it by. A body
    without a Content-Length is empty for WSGI: a write that came in pieces would be done as if nothing had been sent.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "HTTP_TRANSFER_ENCODING" in request.META:
            # The server knows where such a body ends, Django does not.
            _throw_away(request.META["wsgi.input"].read, DRAIN_BYTES)
            return _closed(errors.length_required(request))
        try:
            length = int(request.META.get("CONTENT_LENGTH") or 0)
        except ValueError:
            length = 0
        if length <= settings.MAX_BODY_BYTES:
            return self.get_response(request)
        _throw_away(request.read, min(length, DRAIN_BYTES))
        return _closed(errors.too_large(request))


def _throw_away(read: Callable[[int], bytes], left: int) -> None:
    while left > 0:
        try:
            piece = read(min(left, 64 * 1024))
        except Exception:
            # Whatever the server finds wrong about the rest of it: it was to be thrown away.
            return
        if not piece:
            return
        left -= len(piece)


def _closed(response: HttpResponse) -> HttpResponse:
    response["Connection"] = "close"
    return response
