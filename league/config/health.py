"""Health checks for a supervisor: the process is alive, and the process can serve requests.

They answer under every host name: a supervisor calls them at 127.0.0.1 or at the address of a container, and the
service is known under neither.
"""

import os
from collections.abc import Callable
from functools import cache

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.monitoring.page import metrics


@require_safe
@never_cache
def alive(request: HttpRequest) -> HttpResponse:
    """Answer 200 without using the database or the broker."""
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """Answer 200 if hands can be stored, else 503: the database answers, is migrated and takes writes, and the disk of
    `DATA_DIR` has room. Hands can be stored while the broker is down."""
    try:
        database = _fault_of_database()
    except (DatabaseError, InterfaceError):
        database = "unreachable"
    if database:
        return JsonResponse({"ready": False, "database": database}, status=503)
    if _disk_is_full():
        return JsonResponse({"ready": False, "disk": "full"}, status=503)
    return JsonResponse({"ready": True})


@cache
def _newest_migrations() -> frozenset[tuple[str, str]]:
    """Return the last migration of each app. Read once: the files of a running service do not change."""
    return frozenset(MigrationLoader(None).graph.leaf_nodes())


def _fault_of_database() -> str:
    if not _newest_migrations() <= MigrationRecorder(connection).applied_migrations().keys():
        return "not migrated"
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SHOW transaction_read_only")
            if cursor.fetchone() == ("on",):
                return "read-only"
    return ""


def _disk_is_full() -> bool:
    disk = os.statvfs(settings.DATA_DIR)
    no_files = disk.f_files > 0 and disk.f_favail == 0
    return no_files or disk.f_bavail * disk.f_frsize < settings.FREE_DISK_MB * 1024 * 1024


class HealthMiddleware:
    """Answers the health checks and the metrics before the host name of the request is checked."""

    checks = {"/healthz": alive, "/readyz": ready, "/metrics": metrics}

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        check = self.checks.get(request.path)
        if check is None:
            return self.get_response(request)
        return check(request)
