"""The description of the API is as recorded in `tests/data/recorded_description.jsonl`, operation by operation.

The file has `openapi.json` in English without its examples, a line for each operation and schema.
`RECORD_DESCRIPTION=1 pytest tests/api/test_recorded_description.py` writes it again. Read its difference before you
commit it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.api.test_recorded_answers import differences

FILE = Path(__file__).parent.parent / "data" / "recorded_description.jsonl"
RECORDS = bool(os.environ.get("RECORD_DESCRIPTION"))
PARTS = ("operationId", "summary", "description", "tags", "security", "parameters", "requestBody", "responses")
SHOWN = 25


def without_examples(part: Any) -> Any:
    """Return a part of the description without `examples`; parameters in the order of their names."""
    if isinstance(part, list):
        return [without_examples(item) for item in part]
    if not isinstance(part, dict):
        return part
    fields = {name: without_examples(value) for name, value in part.items() if not _is_example(name, value)}
    if isinstance(fields.get("parameters"), list):
        fields["parameters"] = sorted(fields["parameters"], key=lambda parameter: (parameter["in"], parameter["name"]))
    return fields


def _is_example(name: str, value: Any) -> bool:
    # A schema may have a property of this name.
    return name == "examples" and isinstance(value, dict) and all("value" in example for example in value.values())


def parts(document: dict[str, Any]) -> dict[str, Any]:
    """Return the operations (method and path), schemas and all else of a description, by name."""
    by_name = {
        f"{method.upper()} {path}": operation
        for path, item in document["paths"].items()
        for method, operation in item.items()
    }
    by_name |= {f"schema {name}": schema for name, schema in document["components"]["schemas"].items()}
    others = {name: value for name, value in document.items() if name not in ("paths", "components")}
    return {
        **dict(sorted(by_name.items())),
        "document": {**others, "securitySchemes": document["components"]["securitySchemes"]},
    }


def compared(before: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    """Yield what differs between the parts of two descriptions."""
    yield from (f"{name}: missing" for name in before if name not in now)
    yield from (f"{name}: new" for name in now if name not in before)
    for name in before:
        if name in now:
            yield from (
                f"{name}: {difference.removeprefix('.')}" for difference in differences(before[name], now[name])
            )


@pytest.fixture
def described(db: None) -> dict[str, Any]:
    answer = Client().get("/api/v1/openapi.json", headers={"Accept-Language": "en"})
    document: dict[str, Any] = without_examples(answer.json())
    return document


def test_the_description_is_as_recorded(described: dict[str, Any]):
    if RECORDS:
        lines = (
            json.dumps({"name": name, "part": part}, ensure_ascii=False, sort_keys=True)
            for name, part in parts(described).items()
        )
        FILE.write_text("".join(f"{line}\n" for line in lines))
    recorded = {entry["name"]: entry["part"] for entry in map(json.loads, FILE.read_text().splitlines())}
    faults = list(compared(recorded, parts(described)))
    shown = "\n".join(faults[:SHOWN])
    assert not faults, f"{len(faults)} differences; the first of them:\n{shown}"


@pytest.mark.parametrize("part", PARTS)
def test_a_difference_in_each_part_of_an_operation_is_found(described: dict[str, Any], part: str):
    changed = json.loads(json.dumps(described))
    operation = changed["paths"]["/api/v1/clubs/{club}"]["patch"]
    assert part in operation
    operation[part] = "another"
    [fault] = compared(parts(described), parts(changed))
    assert fault.startswith(f"PATCH /api/v1/clubs/{{club}}: {part}: recorded ")
