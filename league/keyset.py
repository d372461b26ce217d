"""Read a long result in pages: each query asks for the rows after the last one that was read.

No query stays open between two pages. So a slow reader holds no lock and no connection, and the database may be behind
pgbouncer in transaction mode, where a server-side cursor does not work.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Q, QuerySet

CHUNK = 2000
FIRST = 500
"""The rows of the first page: a file begins as soon as these are read."""


def pages(rows: QuerySet[Any, Any], order: Sequence[str] = ("pk",), size: int = CHUNK) -> Iterator[list[Any]]:
    """Yield the rows as lists of at most `size`, in ascending `order`; the first list is shorter.

    `order` are lookup paths whose values together are unique and never null. The rows are model objects, or dicts
    (`.values()`) that contain these paths.
    """
    ordered, wanted = rows.order_by(*order), min(size, FIRST)
    page = list(ordered[:wanted])
    while page:
        yield page
        if len(page) < wanted:
            return
        wanted = size
        page = list(ordered.filter(_after(order, page[-1]))[:wanted])


def each(rows: QuerySet[Any, Any], order: Sequence[str] = ("pk",), size: int = CHUNK) -> Iterator[Any]:
    """Yield the rows of all pages."""
    for page in pages(rows, order, size):
        yield from page


def _after(order: Sequence[str], row: Any) -> Q:
    """Match the rows that come after this one."""
    after, equal = Q(), Q()
    for path in order:
        value = _value(row, path)
        after |= equal & Q(**{f"{path}__gt": value})
        equal &= Q(**{path: value})
    # Implied by the rest. An index is read from here on; from the alternatives no database concludes it.
    return Q(**{f"{order[0]}__gte": _value(row, order[0])}) & after


def _value(row: Any, path: str) -> Any:
    if isinstance(row, Mapping):
        return row[path]
    for name in path.split("__"):
        row = getattr(row, name)
    return row
