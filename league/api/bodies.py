"""Bodies of requests: named fields of one type each.

An unknown field is refused by its name. Values are not converted: the text "1" is not a number, and 1 is not a text.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import time
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

from .shared_fields import SharedFields

SLUG_PATTERN = "^[-a-zA-Z0-9_]+$"
TIME_PATTERN = "^([01][0-9]|2[0-3]):[0-5][0-9]$"
MAX_ID = 2**53 - 1
"""JavaScript has no larger whole number without loss."""


def _wrong_type(field: Any, value: Any) -> str:
    """Return a sentence if a value has the wrong type, else ''. Needed because fields of Django REST framework accept
    a text for a number, and a number for a text."""
    if value is None:
        return ""
    if isinstance(field, serializers.BooleanField):
        return "" if isinstance(value, bool) else _("This is neither true nor false.")
    if isinstance(field, serializers.IntegerField):
        whole = isinstance(value, int) and not isinstance(value, bool)
        return "" if whole else _("This is no whole number.")
    if isinstance(field, serializers.ChoiceField | serializers.CharField | serializers.UUIDField):
        if not isinstance(value, str):
            return _("This is no text.")
        control = any(ord(sign) < 32 for sign in value)
        return _("A text here is one line, without control characters.") if control else ""
    if isinstance(field, serializers.DateField | serializers.DateTimeField):
        return "" if isinstance(value, str) else _("This is no date.")
    return ""


def _faults(field: Any, value: Any, path: str) -> dict[str, list[ErrorDetail]]:
    sentence = _wrong_type(field, value)
    if sentence:
        return {path: [ErrorDetail(sentence, code="wrong_type")]}
    child = getattr(field, "child", None)
    faults: dict[str, list[ErrorDetail]] = {}
    if isinstance(field, serializers.ListField) and isinstance(value, list):
        for number, item in enumerate(value):
            faults |= _faults(child, item, f"{path}.{number}")
    elif isinstance(field, serializers.DictField) and isinstance(value, Mapping):
        for name, item in value.items():
            faults |= _faults(child, item, f"{path}.{name}")
    return faults


class Body(SharedFields):
    """A body, or an object in it. A PATCH may omit every field. Of the fields in `one_of` exactly one is sent."""

    one_of: ClassVar[tuple[str, ...]] = ()

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            faults: dict[str, list[ErrorDetail]] = {}
            for name in sorted(data):
                if name not in self.fields:
                    faults[name] = [ErrorDetail(_("There is no such field."), code="unknown_field")]
                else:
                    faults |= _faults(self.fields[name], data[name], name)
            if faults:
                raise serializers.ValidationError(faults)
        return super().to_internal_value(data)


class Patch(Body):
    """The body of a PATCH: at least one field."""

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise serializers.ValidationError(_("Name at least one field to change."), code="empty")
        return attrs


class ClockTime(serializers.RegexField):
    """Hours and minutes, such as `19:30`."""

    def __init__(self, **options: Any) -> None:
        super().__init__(TIME_PATTERN, **options)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        text = super().run_validation(data)
        return time.fromisoformat(text) if isinstance(text, str) else text

    def to_representation(self, value: Any) -> str:
        return f"{value:%H:%M}"
