"""The addresses of a viewset: a list and its things, named as the pages of Django usually are."""

from __future__ import annotations

from typing import Any

from rest_framework.routers import DynamicRoute, Route, SimpleRouter

LIST: dict[str, Any] = {"get": "list", "post": "create"}
DETAIL: dict[str, Any] = {"get": "retrieve", "patch": "partial_update", "delete": "destroy"}


class Router(SimpleRouter):
    """Addresses without a slash at the end. The basename `api-team` gives the names `api-teams` and `api-team`, and
    `api-team-NAME` for an extra action."""

    routes = [
        Route(url="{prefix}", mapping=LIST, name="{basename}s", detail=False, initkwargs={}),
        DynamicRoute(url="{prefix}/{url_path}", name="{basename}-{url_name}", detail=False, initkwargs={}),
        Route(url="{prefix}/{lookup}", mapping=DETAIL, name="{basename}", detail=True, initkwargs={}),
        DynamicRoute(url="{prefix}/{lookup}/{url_path}", name="{basename}-{url_name}", detail=True, initkwargs={}),
    ]

    def __init__(self) -> None:
        super().__init__(trailing_slash=False, use_regex_path=False)
