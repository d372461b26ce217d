"""Health checks for a supervisor: the process is alive, and the process can serve requests."""

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@require_safe
@never_cache
def alive(request: HttpRequest) -> HttpResponse:
    """Answer 200 without using the database or the broker."""
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """Answer 200 if the database answers and is migrated, else 503. Hands can be stored while the broker is down."""
    try:
        executor = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return JsonResponse({"ready": False, "database": "unreachable"}, status=503)
    if waiting:
        return JsonResponse({"ready": False, "database": "not migrated"}, status=503)
    return JsonResponse({"ready": True})
