"""Pages of lists. A page begins after the last item of the one before, whatever was added meanwhile.

Each page costs the same, wherever it begins; the items are not counted.
"""

from __future__ import annotations

import base64
import inspect
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import reduce
from operator import or_
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.core.exceptions import EmptyResultSet, FieldDoesNotExist, ValidationError
from django.db.models import Field, Model, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.utils.translation import gettext as _
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from .parsing import whole_number
from .problems import Problem, wrong_field

T = TypeVar("T")

LIMIT = 50
MOST = 100
POSITION_PATTERN = "^WyI[A-Za-z0-9_-]*={0,2}$"
"""`after`: a JSON list of texts (`["…"]`) in base64."""


def limit_of(request: Request) -> int:
    """Return the number of items on a page. Raises Problem (400)."""
    limit = whole_number(request.query_params.get("limit", str(LIMIT)))
    if limit is None or not 1 <= limit <= MOST:
        raise wrong_field("limit", "limit", _("“limit” is a whole number from 1 to %(most)s.") % {"most": MOST})
    return limit


def _field(model: type[Model], path: str) -> Field[Any, Any]:
    """Return the column that an ordering names, following relations."""
    *relations, last = path.split("__")
    for name in relations:
        related = model._meta.get_field(name).related_model
        if not isinstance(related, type):
            raise FieldDoesNotExist(path)
        model = related
    field = model._meta.pk if last == "pk" else model._meta.get_field(last)
    if not isinstance(field, Field):
        raise FieldDoesNotExist(path)
    return field


def _value(thing: Any, path: str) -> Any:
    if isinstance(thing, dict):
        return thing[path]
    return reduce(getattr, path.split("__"), thing)


def _after(request: Request, model: type[Model], order: Sequence[str]) -> list[Any] | None:
    """Return the values of the item after which the page begins. Raises Problem (400)."""
    text = request.query_params.get("after")
    if text is None:
        return None
    try:
        values = []
        for name, item in zip(order, _decoded(text, len(order)), strict=True):
            item.encode()
            column = _field(model, name.lstrip("-"))
            value = column.to_python(item)
            if value is None or "\0" in item or (isinstance(value, int) and abs(value) >= 2**63):
                raise ValueError
            if isinstance(value, datetime):
                _check_moment(value)
            values.append(value)
    except (ValueError, ValidationError, OverflowError):
        raise _wrong_after() from None
    return values


def _decoded(text: str, length: int) -> list[str]:
    """Return the texts in a value of `after`. Raises ValueError if it is no list of this length."""
    try:
        # binascii.Error and UnicodeError are ValueErrors.
        sent = json.loads(base64.b64decode(text.encode("ascii"), altchars=b"-_", validate=True))
    except RecursionError:
        raise ValueError(text) from None
    if not isinstance(sent, list) or len(sent) != length or not all(isinstance(item, str) for item in sent):
        raise ValueError(text)
    return sent


def _wrong_after() -> Problem:
    return wrong_field("after", "after", _("“after” must come from the `next` of the page before."))


def _check_moment(value: datetime) -> None:
    """Raise ValueError or OverflowError for a time that the databases cannot store."""
    if value.tzinfo is None:
        raise ValueError
    value.astimezone(UTC)


def _position(thing: Any, order: Sequence[str]) -> list[str]:
    values = [_value(thing, name.lstrip("-")) for name in order]
    return [value.isoformat() if hasattr(value, "isoformat") else str(value) for value in values]


def _next_address(request: Request, position: list[str]) -> str:
    """Return the address of the page after the item at this position."""
    after = base64.urlsafe_b64encode(json.dumps(position).encode()).decode()
    query = {**request.query_params.dict(), "after": after}
    return f"{request.path}?{urlencode(query)}"


def page_of_list(
    request: Request, things: Sequence[T], *, newest_first: bool = False
) -> tuple[Sequence[T], str | None]:
    """Return the same for a list that was computed, such as the history of one hand.

    The list only grows at its newest end: an item is found again by its place, counted from the oldest one.

    Raises:
        Problem: 400 for an invalid `after` or `limit`.
    """
    limit, place = limit_of(request), _place_sent(request)
    if place is None:
        start = 0
    else:
        start = max(0, len(things) - place) if newest_first else place + 1
    items, rest = things[start : start + limit], len(things) - start - limit
    if rest <= 0:
        return items, None
    last = rest if newest_first else start + limit - 1
    return items, _next_address(request, [str(last)])


def _place_sent(request: Request) -> int | None:
    """Return the place of the item after which the page begins. Raises Problem (400)."""
    text = request.query_params.get("after")
    try:
        place = None if text is None else int(_decoded(text, 1)[0])
        if place is not None and place < 0:
            raise ValueError(text)
        return place
    except ValueError:
        raise _wrong_after() from None


Split = Callable[[Q, int], Sequence[QuerySet[Any, Any]]]


def _in_one_of(things: QuerySet[Any, Any], parts: Sequence[QuerySet[Any, Any]]) -> QuerySet[Any, Any]:
    """Return the things that are in one of these parts."""
    statements = []
    for part in parts:
        # The ORM knows of some parts that they are empty.
        with suppress(EmptyResultSet):
            statements.append(part.values("pk").query.sql_with_params())
    if not statements:
        return things.none()
    texts, values = zip(*statements, strict=True)
    # SQLite takes no LIMIT in the parts of a UNION, but in a subquery.
    union = " UNION ALL ".join(f"SELECT * FROM ({text}) part_{nth}" for nth, text in enumerate(texts))  # noqa: S608
    chosen = RawSQL(union, [value for some in values for value in some])  # noqa: S611 - SQL of the ORM
    return things.filter(pk__in=chosen)


def page(
    request: Request, things: QuerySet[Any, Any], order: Sequence[str], split: Split | None = None
) -> tuple[list[Any], str | None]:
    """Return the items of the requested page, and the address of the next one (None on the last page).

    `order` are columns that are never empty, the last of them unique; `-` reverses one. `split(after, count)`
    returns querysets that have all the things together: of each those that match `after`, in this order, and not more
    than `count` where they may be many. Each can so be read from an index of its own.

    Raises:
        Problem: 400 for an invalid `after` or `limit`.
    """
    limit = limit_of(request)
    after, following = _after(request, things.model, order), Q()
    if after is not None:
        clauses = []
        for place, name in enumerate(order):
            same = {column.lstrip("-"): value for column, value in zip(order[:place], after, strict=False)}
            compare = "lt" if name.startswith("-") else "gt"
            clauses.append(Q(**same, **{f"{name.lstrip('-')}__{compare}": after[place]}))
        first = order[0]
        # Implied by the clauses. An index is read from here on; from their alternatives no database concludes it.
        begin = Q(**{f"{first.lstrip('-')}__{'lte' if first.startswith('-') else 'gte'}": after[0]})
        following = begin & reduce(or_, clauses)
    things = things.filter(following)
    if split is not None:
        things = _in_one_of(things, split(following, limit + 1))
    rows = list(things.order_by(*order)[: limit + 1])
    if len(rows) <= limit:
        return rows, None
    rows = rows[:limit]
    return rows, _next_address(request, _position(rows[-1], order))


class PositionPagination(BasePagination):
    """Pages of a queryset in the view's `ordering`; see `page`. A view may have a `split`."""

    following: str | None = None

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        items, self.following = page(request, queryset, view.ordering, getattr(view, "split", None))
        return items

    def get_paginated_response(self, data: Any) -> Response:
        return Response({"items": data, "next": self.following})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        following = {"type": ["string", "null"], "description": _("The address of the next page.")}
        return {"type": "object", "properties": {"items": schema, "next": following}, "required": ["items", "next"]}

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        limit = {"type": "integer", "minimum": 1, "maximum": MOST, "default": LIMIT}
        after = {"type": "string", "pattern": POSITION_PATTERN}
        begin = _("Where the page begins; use the address in `next` unchanged.")
        return [
            {"name": "limit", "in": "query", "schema": limit, "description": _("Items on a page.")},
            {"name": "after", "in": "query", "schema": after, "description": begin},
        ]


class ListPagination(PositionPagination):
    """Pages of a list that was computed; see `page_of_list`. A view may be `newest_first`."""

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        newest_first = getattr(view, "newest_first", False)
        items, self.following = page_of_list(request, queryset, newest_first=newest_first)
        return list(items)


class SumsPagination(PositionPagination):
    """Pages of a queryset, with the sums of all its things if the query requests them (`SUMS_QUERY`). The view
    computes them (`sums_of`), as whole numbers with the names of `sums`."""

    sums: type[Serializer[Any]]
    found: Any = None

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        if "sums" in request.query_params:
            self.found = view.sums_of(queryset)
        return super().paginate_queryset(queryset, request, view)

    def get_paginated_response(self, data: Any) -> Response:
        response = super().get_paginated_response(data)
        if self.found is not None:
            response.data["sums"] = self.sums(self.found).data
        return response

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        page = super().get_paginated_response_schema(schema)
        names = {name: {"type": "integer"} for name in self.sums().fields}
        sums = {
            "type": "object",
            "properties": names,
            "required": sorted(str(name) for name in names),
            "description": inspect.getdoc(self.sums),
        }
        return {**page, "properties": {**page["properties"], "sums": sums}}
