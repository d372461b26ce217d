"""The addresses of features. Each room names its feature once, in its `urls.py`; links ask by the name of a route."""

from __future__ import annotations

from collections.abc import Iterator

from django.core.exceptions import ImproperlyConfigured
from django.urls import URLPattern, URLResolver, get_resolver

from ..models import Club
from .table import BY_KEY, Feature

Pattern = URLPattern | URLResolver

_of_route: dict[str, Feature] = {}


def feature_patterns(key: str, *patterns: Pattern) -> list[Pattern]:
    """Return the patterns, as addresses of a feature: a club that has switched it off has no page at them."""
    feature = BY_KEY[key]
    for name in _names(patterns):
        if _of_route.setdefault(name, feature) is not feature:
            raise ImproperlyConfigured(f"the route {name} belongs to two features")
    return list(patterns)


def _names(patterns: tuple[Pattern, ...]) -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _names(tuple(pattern.url_patterns))
        elif pattern.name:
            yield pattern.name


def feature_of(route: str) -> Feature | None:
    """Return the feature of a route; None for a route that every club has."""
    # A command or a worker may not have read the addresses yet.
    _read = get_resolver().url_patterns
    return _of_route.get(route)


def uses(club: Club, route: str) -> bool:
    """Return True if the club has a page at this route: its feature is on, or it belongs to none."""
    feature = feature_of(route)
    return feature is None or feature.is_on(club)
