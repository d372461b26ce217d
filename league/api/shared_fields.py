"""Serializers whose fields are made once: Django REST framework copies all of them for each request."""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any

from rest_framework import serializers
from rest_framework.serializers import BaseSerializer
from rest_framework.utils.serializer_helpers import BindingDict


class SharedFields(serializers.Serializer[Any]):
    """A serializer of which all requests use the same fields. They may depend neither on the `context` nor on the data:
    no `SerializerMethodField` reads a view."""

    @cached_property
    def fields(self) -> BindingDict:
        # The fields of an object in a body belong to that body, which knows if all may be omitted (`partial`).
        inner: BaseSerializer[Any] | None = self.parent
        return super().fields if inner is not None else _fields(type(self), self.partial)


@cache
def _fields(kind: type[SharedFields], partial: bool) -> BindingDict:
    return super(SharedFields, kind(partial=partial)).fields
