"""The examples of the league's resources have exactly the fields of the answers and bodies that they show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from rest_framework import serializers

from league.api.base import Op
from league.api.bodies import Patch
from league.api.urls import urlpatterns

OPS = [
    pytest.param(op, id=f"{entry.name}-{method}")
    for entry in urlpatterns
    for method, op in getattr(getattr(getattr(entry, "callback", None), "cls", None), "ops", {}).items()
]


def differences(fields: Any, shown: Any, where: str = "") -> Iterator[str]:
    """Yield each field that only the serializer or only the example has, through lists and nested objects."""
    if isinstance(fields, serializers.ListSerializer):
        fields = fields.child
    for one in shown if isinstance(shown, list) else [shown]:
        if isinstance(fields, serializers.Serializer) and isinstance(one, dict):
            yield from (f"{where}{name}" for name in set(fields.fields) ^ set(one))
            for name in set(fields.fields) & set(one):
                yield from differences(fields.fields[name], one[name], f"{where}{name}.")


@pytest.mark.parametrize("op", [param for param in OPS if param.values[0].answer is not None])
def test_an_example_has_the_fields_of_the_answer(op: Op):
    assert op.example is not None
    assert op.answer is not None
    assert sorted(differences(op.answer(), op.example)) == []


@pytest.mark.parametrize("op", [param for param in OPS if param.values[0].body is not None])
def test_an_example_of_a_body_is_valid(op: Op):
    assert op.body is not None
    body = op.body(data=op.body_example, partial=issubclass(op.body, Patch))
    assert body.is_valid(), body.errors


def test_a_field_that_is_missing_in_an_example_is_found():
    class Inner(serializers.Serializer[Any]):
        points = serializers.IntegerField()

    class Answer(serializers.Serializer[Any]):
        id = serializers.IntegerField()
        lines = Inner(many=True)

    assert list(differences(Answer(), {"id": 1, "lines": [{"points": 2}]})) == []
    assert list(differences(Answer(), {"id": 1, "lines": [{"points": 2}, {}]})) == ["lines.points"]
    assert sorted(differences(Answer(), {"lines": [], "note": ""})) == ["id", "note"]
