"""Filters of lists: django-filter, with types of this API, and their description."""

from __future__ import annotations

from typing import Any

import django_filters
from django import forms
from django.db.models import Q, QuerySet
from django_filters import filters as kinds
from django_filters.rest_framework import DjangoFilterBackend
from drf_spectacular.extensions import OpenApiFilterExtension

from .bodies import MAX_ID, SLUG_PATTERN


class SlugFilter(django_filters.CharFilter):  # type: ignore[misc]
    """A short name in a query, such as `2026`."""

    field_class = forms.SlugField


class IdFilter(django_filters.NumberFilter):  # type: ignore[misc]
    """An id in a query: a whole number that fits into a column. The decimal `-1e99999999` would take forever."""

    field_class = forms.IntegerField

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=0, max_value=MAX_ID, **kwargs)


class PersonFilter(IdFilter):
    """The id of a player in a query: rows of this player, and of those who were merged with them."""

    def filter(self, qs: QuerySet[Any], value: int | None) -> QuerySet[Any]:
        return qs if value is None else qs.filter(Q(player=value) | Q(player__main=value))


class Filters(DjangoFilterBackend):  # type: ignore[misc]
    """Filter a list by the view's `filterset_class`. A wrong value is a 400."""


class FiltersExtension(OpenApiFilterExtension):  # type: ignore[no-untyped-call]
    """Describe the parameters of a filterset."""

    target_class = Filters
    priority = 1

    def get_schema_operation_parameters(self, auto_schema: Any, *args: Any, **kwargs: Any) -> list[dict[str, Any]]:
        return [
            {
                "in": "query",
                "name": name,
                "schema": _schema(field_filter),
                "description": str(field_filter.extra.get("help_text", "") or field_filter.label or ""),
            }
            for name, field_filter in auto_schema.view._filters().items()
        ]


def _schema(field_filter: Any) -> dict[str, Any]:
    if isinstance(field_filter, kinds.ChoiceFilter):
        return {"type": "string", "enum": [str(value) for value, _name in field_filter.extra["choices"]]}
    if isinstance(field_filter, kinds.DateFilter):
        return {"type": "string", "format": "date"}
    if isinstance(field_filter, IdFilter):
        return {"type": "integer", "minimum": 0, "maximum": MAX_ID}
    schema: dict[str, Any] = {"type": "string"}
    if "max_length" in field_filter.extra:
        schema["maxLength"] = field_filter.extra["max_length"]
    return {**schema, "pattern": SLUG_PATTERN} if isinstance(field_filter, SlugFilter) else schema
