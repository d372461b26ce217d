"""Lists page by page: a page goes on behind the last thing of the one before, whatever was added meanwhile, and costs
the same wherever it is. Nothing is counted."""

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

from .problems import wrong_field

LIMIT = 50
MOST = 100


def limit_of(request: Request) -> int:
    """How many things a page is to have. Raises Problem (400)."""
    text = request.query_params.get("limit", str(LIMIT))
    # Digits of every script are digits to Python.
    if not (text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= MOST):
        raise wrong_field("limit", "limit", _("“limit” is a whole number from 1 to %(most)s.") % {"most": MOST})
    return int(text)


def _field(model: type[Model], path: str) -> Field[Any, Any]:
    """The column that an ordering names, through relations."""
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


def _behind(request: Request, model: type[Model], order: Sequence[str]) -> list[Any] | None:
    """The values of the thing after which the page begins."""
    text = request.query_params.get("after")
    if text is None:
        return None
    try:
        told = json.loads(base64.b64decode(text.encode("ascii"), altchars=b"-_", validate=True))
        if not isinstance(told, list) or len(told) != len(order) or not all(isinstance(one, str) for one in told):
            raise ValueError
        found = []
        for name, one in zip(order, told, strict=True):
            one.encode()
            column = _field(model, name.lstrip("-"))
            value = column.to_python(one)
            if value is None or "\0" in one or (isinstance(value, int) and abs(value) >= 2**63):
                raise ValueError
            if isinstance(value, datetime):
                _check_moment(value)
            found.append(value)
    except (ValueError, binascii.Error, ValidationError, OverflowError):
        sentence = _("“after” is what the page before gave as its next.")
        raise wrong_field("after", "after", sentence) from None
    return found


def _check_moment(value: datetime) -> None:
    """Raises ValueError or OverflowError for a moment that no database here can hold."""
    if value.tzinfo is None:
        raise ValueError
    value.astimezone(UTC)


def _mark(thing: Any, order: Sequence[str]) -> str:
    values = [_value(thing, name.lstrip("-")) for name in order]
    told = [value.isoformat() if hasattr(value, "isoformat") else str(value) for value in values]
    return base64.urlsafe_b64encode(json.dumps(told).encode()).decode()


def page(request: Request, things: QuerySet[Any, Any], order: Sequence[str]) -> tuple[list[Any], str | None]:
    """The things of the page that is asked for, and the address of the next one (None: there is none).

    `order` are columns that are never empty, the last of them unique; `-` before one turns it round.

    Raises:
        Problem: 400 for an `after` or `limit` that cannot be.
    """
    limit = limit_of(request)
    behind = _behind(request, things.model, order)
    if behind is not None:
        clauses = []
        for place, name in enumerate(order):
            same = {one.lstrip("-"): value for one, value in zip(order[:place], behind, strict=False)}
            compare = "lt" if name.startswith("-") else "gt"
            clauses.append(Q(**same, **{f"{name.lstrip('-')}__{compare}": behind[place]}))
        things = things.filter(reduce(or_, clauses))
    found = list(things.order_by(*order)[: limit + 1])
    if len(found) <= limit:
        return found, None
    found = found[:limit]
    query = {**request.query_params.dict(), "after": _mark(found[-1], order)}
    return found, f"{request.path}?{urlencode(query)}"
