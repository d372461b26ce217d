"""A middleware for tests of slow readers: `/long/` is an answer of many bytes, sent piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

LONG_BYTES = 4 * 1024 * 1024


def pieces() -> Iterator[bytes]:
    for _ in range(LONG_BYTES // 65536):
        yield b"x" * 65536


class LongAnswer:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return StreamingHttpResponse(pieces()) if request.path == "/long/" else self.get_response(request)
