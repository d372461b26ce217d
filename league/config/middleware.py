"""The first middleware of every request: headers, the base address of links, and a limit for the body."""

import re
from collections.abc import Callable

from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from league.web import error_pages

FILE_PATH = re.compile(
    r"/c/[-\w]+/(?:tournaments/import|imports|logo|treasury/bank)/|/api/v1/clubs/[-\w]+/imports(?:/check)?"
)
ANY_FRAME = "frame-ancestors *"
"""In the policy of a page that every site may show in a frame."""
DRAIN_BYTES = 16 * 1024 * 1024
"""The part of a refused body that is read and dropped: a client that is still sending would miss the answer."""


class HeadersMiddleware:
    """Sets the headers that every answer has, and the base address of absolute links.

    The host of a request is not used for links: an attacker who chooses the host would get the token of a mailed link.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        # The policy has no part that depends on the request, so its text is made once.
        self.headers = {
            "Content-Security-Policy": build_policy(),
            "X-Frame-Options": settings.X_FRAME_OPTIONS,
            "Cross-Origin-Resource-Policy": "same-origin",
            "Permissions-Policy": settings.PERMISSIONS_POLICY,
        }

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.BASE_URL:
            # `build_absolute_uri` reads this, for links of the product and of packages.
            request._current_scheme_host = settings.BASE_URL  # type: ignore[attr-defined]
        response = self.get_response(request)
        any_frame = ANY_FRAME in response.headers.get("Content-Security-Policy", "")
        for name, value in self.headers.items():
            response.headers.setdefault(name, value)
        if any_frame:
            # This header has no value that allows every site.
            del response.headers["X-Frame-Options"]
        return response


class BodyLimitMiddleware:
    """Answers 411 for a body without a length, 413 for a body over `MAX_BODY_BYTES`, or over `MAX_FILE_BYTES` where a
    file is imported.

    Django's own limit applies to `request.body` only, not to a parser that reads the stream. For WSGI a body without
    Content-Length is empty: a chunked write would be carried out as if it had no content.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "HTTP_TRANSFER_ENCODING" in request.META:
            # The server knows the end of a chunked body, Django does not.
            _drain(request.META["wsgi.input"].read, DRAIN_BYTES)
            return _closed(error_pages.length_required(request))
        try:
            length = int(request.META.get("CONTENT_LENGTH") or 0)
        except ValueError:
            length = 0
        is_file = request.method == "POST" and FILE_PATH.fullmatch(request.path)
        if length <= (settings.MAX_FILE_BYTES if is_file else settings.MAX_BODY_BYTES):
            return self.get_response(request)
        _drain(request.read, min(length, DRAIN_BYTES))
        return _closed(error_pages.too_large(request))


def _drain(read: Callable[[int], bytes], left: int) -> None:
    while left > 0:
        try:
            piece = read(min(left, 64 * 1024))
        except Exception:
            # The rest is not used, so that an error while reading it does not matter.
            return
        if not piece:
            return
        left -= len(piece)


def _closed(response: HttpResponse) -> HttpResponse:
    response["Connection"] = "close"
    return response
