"""The examples of the description fit the bodies and answers that they show, field by field."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema
import pytest
from django.utils import translation

from games import engine_bridge
from league.api.schema import document

OPEN = "additionalProperties"


@cache
def described() -> Any:
    with translation.override("en"):
        return document()


def resolved(schema: Any) -> Any:
    """Return a schema with its references replaced. An object without a rule for further fields may have none."""
    if isinstance(schema, list):
        return [resolved(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return resolved(described()["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    fields = {name: resolved(value) for name, value in schema.items()}
    return {OPEN: False, **fields} if "properties" in fields else fields


def shown() -> Iterator[tuple[str, Any, Any]]:
    """Yield the place, the schema and the value of each example of a body or an answer."""
    for path, item in described()["paths"].items():
        for method, operation in item.items():
            contents = [("body", operation.get("requestBody", {}).get("content", {}))]
            contents += [(s, a.get("content", {})) for s, a in operation["responses"].items() if s.startswith("2")]
            for kind, content in contents:
                for media, body in content.items():
                    if media == "application/json":
                        for name, example in body["examples"].items():
                            yield f"{method} {path} {kind} {name}", body["schema"], example["value"]


def faults(schema: Any, value: Any) -> list[str]:
    checked = jsonschema.Draft202012Validator(resolved(schema))
    return [f"{error.json_path}: {error.message}" for error in checked.iter_errors(value)]


def test_every_example_fits_its_schema():
    places = list(shown())
    wrong = {place: errors for place, schema, value in places if (errors := faults(schema, value))}
    assert wrong == {}
    assert len(places) > 200


def test_an_example_with_a_missing_or_an_unknown_field_is_found():
    fields = {"points": {"type": "integer"}, "name": {"type": "string"}}
    schema = {"type": "object", "properties": fields, "required": ["points"]}
    assert faults(schema, {"points": 1}) == []
    assert faults(schema, {"name": "Anna"}) == ["$: 'points' is a required property"]
    assert len(faults(schema, {"points": 1, "rank": 2})) == 1


@pytest.mark.parametrize("name", ["Body", "Kratzen"])
def test_an_example_of_a_hand_record_is_valid(name: str):
    bodies = described()["paths"]["/api/v1/hand-records/check"]["post"]["requestBody"]["content"]
    assert engine_bridge.replay(bodies["application/json"]["examples"][name]["value"]["record"])["ok"]
