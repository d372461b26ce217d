"""Counters of a web process, for `/metrics`: requests, hands and refusals. Without `METRICS_TOKEN` nothing is counted.

With several processes prometheus-client keeps them in files of `PROMETHEUS_MULTIPROC_DIR`, which gunicorn's
configuration sets, so that each process shows the sums of all.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry, Counter, Histogram

SECONDS = (0.05, 0.2, 1.0, 5.0)
"""The bounds of the histogram: few, as each route has its own."""


@dataclass(frozen=True)
class Measures:
    """The counters, and the registry in which they are."""

    registry: CollectorRegistry
    requests: Histogram
    hands: Counter
    refusals: Counter


_lock = threading.Lock()
_measures: Measures | None = None


def begin() -> Measures:
    """Let this process count from now on. The library is imported here: no other process needs it."""
    global _measures
    with _lock:
        if _measures is None:
            _measures = _made()
        return _measures


def _made() -> Measures:
    from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics

    disable_created_metrics()  # type: ignore[no-untyped-call]
    own = CollectorRegistry()
    return Measures(
        registry=own,
        requests=Histogram(
            "chratzete_request_seconds",
            "Requests and their seconds, by route and status",
            ["route", "status"],
            buckets=SECONDS,
            registry=own,
        ),
        hands=Counter("chratzete_hands", "Hands recorded", registry=own),
        refusals=Counter("chratzete_refusals", "Refusals, by code", ["code"], registry=own),
    )


def all_processes() -> CollectorRegistry:
    """Return a registry with the counters of all processes of this server."""
    measures = begin()
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return measures.registry
    from prometheus_client import CollectorRegistry
    from prometheus_client.multiprocess import MultiProcessCollector

    summed = CollectorRegistry()
    MultiProcessCollector(summed)  # type: ignore[no-untyped-call]
    return summed


def count_request(route: str, status: int, seconds: float) -> None:
    """Count a request that was answered."""
    if _measures is not None:
        _measures.requests.labels(route, status).observe(seconds)


def count_hands(number: int = 1) -> None:
    """Count hands that were recorded: to be called after their commit."""
    if _measures is not None:
        _measures.hands.inc(number)


def count_refusal(code: str) -> None:
    """Count a request that was refused."""
    if _measures is not None:
        _measures.refusals.labels(code).inc()
