"""What a supervisor asks: is the process alive, and may it get traffic?"""

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@require_safe
@never_cache
def alive(request: HttpRequest) -> HttpResponse:
    """200 as long as the process answers at all; touches nothing else."""
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """200 when the database answers and is migrated, else 503. A broker may be down: hands still go in."""
    try:
        executor = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return JsonResponse({"ready": False, "database": "unreachable"}, status=503)
    if waiting:
        return JsonResponse({"ready": False, "database": "not migrated"}, status=503)
    return JsonResponse({"ready": True})
