"""A middleware for tests of the limits of the database: `/stuck/` is a statement that takes a minute, under a short
limit. Each other address answers as the product does."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse

from league.config import database_limits

SECONDS = 1


class StuckStatement:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.limits = database_limits._limits
        if self.limits is not None:
            database_limits.use(dataclasses.replace(self.limits, statement=SECONDS))

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path == "/limits/":
            limits = self.limits
            return JsonResponse(dataclasses.asdict(limits) if limits else {})
        if request.path == "/stuck/":
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_sleep(60)")
        return self.get_response(request)
