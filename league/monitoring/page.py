"""The page of metrics, for Prometheus and what reads its format."""

from __future__ import annotations

from celery import current_app
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from .. import measures


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer the metrics to whoever has the token. Without `METRICS_TOKEN` there is no such page."""
    if not settings.METRICS_TOKEN:
        raise Http404
    sent = request.headers.get("Authorization", "")
    if not constant_time_compare(sent, f"Bearer {settings.METRICS_TOKEN}"):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

    from .collector import StateCollector

    registry = measures.all_processes()
    # A registry of its own: that of the counters is kept, and would collect this state twice.
    state = type(registry)()
    state.register(StateCollector(current_app))
    return HttpResponse(generate_latest(registry) + generate_latest(state), content_type=CONTENT_TYPE_LATEST)
