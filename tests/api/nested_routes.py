"""The routes of a list of patterns, with those of the lists that it includes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.urls import URLPattern, URLResolver


def routes(entries: Iterable[Any], outer: frozenset[str] = frozenset()) -> Iterator[tuple[URLPattern, frozenset[str]]]:
    """Yield each route with the names of its arguments, those of the address around it included."""
    for entry in entries:
        names = outer | entry.pattern.converters.keys()
        if isinstance(entry, URLResolver):
            yield from routes(entry.url_patterns, names)
        else:
            yield entry, names
