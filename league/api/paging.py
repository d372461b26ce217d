"""Pages of lists. A page begins after the last item of the one before, whatever was added meanwhile.

Each page costs the same, wherever it begins; the items are not counted.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import reduce
from operator import or_
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db.models import Field, Model, Q, QuerySet
from django.utils.translation import gettext as _
from rest_framework.request import Request

from .parsing import whole_number
from .problems import wrong_field

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
    found = model._meta.pk if last == "pk" else model._meta.get_field(last)
    if not isinstance(found, Field):
        raise FieldDoesNotExist(path)
    return found


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
        sent = json.loads(base64.b64decode(text.encode("ascii"), altchars=b"-_", validate=True))
        if not isinstance(sent, list) or len(sent) != len(order) or not all(isinstance(one, str) for one in sent):
            raise ValueError
        found = []
        for name, one in zip(order, sent, strict=True):
            one.encode()
            column = _field(model, name.lstrip("-"))
            value = column.to_python(one)
            if value is None or "\0" in one or (isinstance(value, int) and abs(value) >= 2**63):
                raise ValueError
            if isinstance(value, datetime):
                _check_moment(value)
            found.append(value)
    except (ValueError, binascii.Error, ValidationError, OverflowError):
        sentence = _("“after” must come from the `next` of the page before.")
        raise wrong_field("after", "after", sentence) from None
    return found


def _check_moment(value: datetime) -> None:
    """Raise ValueError or OverflowError for a time that the databases cannot store."""
    if value.tzinfo is None:
        raise ValueError
    value.astimezone(UTC)


def _position(thing: Any, order: Sequence[str]) -> str:
    values = [_value(thing, name.lstrip("-")) for name in order]
    texts = [value.isoformat() if hasattr(value, "isoformat") else str(value) for value in values]
    return base64.urlsafe_b64encode(json.dumps(texts).encode()).decode()


def page(request: Request, things: QuerySet[Any, Any], order: Sequence[str]) -> tuple[list[Any], str | None]:
    """Return the items of the requested page, and the address of the next one (None on the last page).

    `order` are columns that are never empty, the last of them unique; `-` reverses one.

    Raises:
        Problem: 400 for an invalid `after` or `limit`.
    """
    limit = limit_of(request)
    after = _after(request, things.model, order)
    if after is not None:
        clauses = []
        for place, name in enumerate(order):
            same = {one.lstrip("-"): value for one, value in zip(order[:place], after, strict=False)}
            compare = "lt" if name.startswith("-") else "gt"
            clauses.append(Q(**same, **{f"{name.lstrip('-')}__{compare}": after[place]}))
        things = things.filter(reduce(or_, clauses))
    found = list(things.order_by(*order)[: limit + 1])
    if len(found) <= limit:
        return found, None
    found = found[:limit]
    query = {**request.query_params.dict(), "after": _position(found[-1], order)}
    return found, f"{request.path}?{urlencode(query)}"
