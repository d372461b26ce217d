"""The middleware that counts requests by route and status."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve

from .. import measures

STATIC, UNKNOWN = "static", "unknown"


class MeasuringMiddleware:
    """Counts each request with the seconds until its answer begins. Without `METRICS_TOKEN` it is left out."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        if not settings.METRICS_TOKEN:
            raise MiddlewareNotUsed
        measures.begin()
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        began = time.perf_counter()
        response = self.get_response(request)
        measures.count_request(_route(request), response.status_code, time.perf_counter() - began)
        return response


def _route(request: HttpRequest) -> str:
    """Return the name of the route, never a path, which may have an id or a secret."""
    match = request.resolver_match
    return match.view_name or UNKNOWN if match is not None else _of_path(request.path_info)


@lru_cache(maxsize=2048)
def _of_path(path: str) -> str:
    """Return the route of a request that a middleware answered before its route was looked up."""
    if path.startswith(settings.STATIC_URL):
        return STATIC
    try:
        return resolve(path).view_name or UNKNOWN
    except Resolver404:
        return UNKNOWN
