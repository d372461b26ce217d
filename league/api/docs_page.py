"""Convert the API's description to data for a page: groups of operations with parameters, bodies and answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.conf import settings
from django.utils.text import slugify
from django.utils.translation import get_language

from .schema import document

LOCAL = "#/components/schemas/"
SHORT_LIST = re.compile(r"\[\n\s*([^][{}]{1,80}?)\s+\]")
"""A list of plain values in indented JSON."""


@dataclass(frozen=True)
class Field:
    """A member of a body or an answer, or a parameter. `depth` is the number of objects around it."""

    name: str
    kind: str
    required: bool
    about: str
    depth: int = 0
    place: str = ""


@dataclass(frozen=True)
class Example:
    """An example of a body; the first one has no name."""

    name: str
    text: str


@dataclass(frozen=True)
class Reply:
    """One status of an operation."""

    status: str
    about: str
    example: str


@dataclass(frozen=True)
class Operation:
    """One method of one address."""

    anchor: str
    method: str
    path: str
    summary: str
    about: str
    parameters: list[Field]
    body: list[Field]
    body_examples: list[Example]
    answer: list[Field]
    answer_example: str
    good: Reply
    bad: list[Reply]

    @property
    def parts(self) -> list[str]:
        """The parts of the address; a narrow page breaks it between them."""
        return self.path.strip("/").split("/")


@dataclass
class Group:
    """The operations of one kind of thing."""

    name: str
    operations: list[Operation] = field(default_factory=list)


def groups() -> list[Group]:
    """Return every operation in the order of its address, by tag; computed once a language."""
    return _groups(get_language() or settings.LANGUAGE_CODE)


@cache
def _groups(language: str) -> list[Group]:
    described = document()
    by_tag: dict[str, Group] = {}
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            tag = operation.get("tags", ["other"])[0]
            by_tag.setdefault(tag, Group(tag)).operations.append(_operation(described, path, method, operation))
    return list(by_tag.values())


def _operation(described: Mapping[str, Any], path: str, method: str, operation: Mapping[str, Any]) -> Operation:
    body: Mapping[str, Any] = next(iter(operation.get("requestBody", {}).get("content", {}).values()), {})
    replies = operation["responses"]
    good = next(status for status in replies if status.startswith("2"))
    content: Mapping[str, Any] = next(iter(replies[good].get("content", {}).values()), {})
    return Operation(
        anchor=slugify(operation["operationId"].replace("_", "-")),
        method=method.upper(),
        path=path,
        summary=operation.get("summary", ""),
        about=operation.get("description", "").replace("`", ""),
        parameters=[_parameter(parameter) for parameter in operation.get("parameters", [])],
        body=list(_fields(described, body.get("schema", {}))),
        body_examples=_examples(body),
        answer=list(_fields(described, content.get("schema", {}))),
        answer_example=next((example.text for example in _examples(content)), ""),
        good=Reply(good, replies[good].get("description", ""), ""),
        bad=[Reply(status, reply.get("description", ""), "") for status, reply in replies.items() if status != good],
    )


def _parameter(parameter: Mapping[str, Any]) -> Field:
    kind = _kind(parameter.get("schema", {}))
    return Field(
        parameter["name"],
        kind,
        bool(parameter.get("required")),
        parameter.get("description", ""),
        place=parameter["in"],
    )


def _examples(content: Mapping[str, Any]) -> list[Example]:
    examples = content.get("examples", {}).items()
    return [
        Example(name if place else "", _as_text(example["value"])) for place, (name, example) in enumerate(examples)
    ]


def _as_text(value: Any) -> str:
    """Return JSON with one member a line; a short list of plain values stays on its line."""
    text = json.dumps(value, indent=2, ensure_ascii=False, default=str)
    return SHORT_LIST.sub(lambda match: "[" + re.sub(r"\n\s*", " ", match[1]) + "]", text)


def _resolved(described: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    for part in schema.get("allOf", schema.get("oneOf", [])):
        if "$ref" in part:
            schema = part
    name = schema.get("$ref", "")
    if name.startswith(LOCAL):
        component: Mapping[str, Any] = described["components"]["schemas"][name.removeprefix(LOCAL)]
        return component
    return schema


def _kind(schema: Mapping[str, Any]) -> str:
    """Return the type as text: `string | null`, `[integer]`, or the choices."""
    if "enum" in schema:
        return " | ".join("null" if value is None else str(value) or '""' for value in schema["enum"])
    kinds = schema.get("type", "object" if "$ref" in schema or "allOf" in schema else "")
    words = [kinds] if isinstance(kinds, str) else list(kinds)
    if "array" in words:
        inner = _kind(schema.get("items", {})) or "object"
        words[words.index("array")] = f"[{inner}]"
    if "format" in schema and "string" in words:
        words[words.index("string")] = schema["format"]
    return " | ".join(word for word in words if word) or "…"


def _fields(described: Mapping[str, Any], schema: Mapping[str, Any], depth: int = 0) -> Iterator[Field]:
    schema = _resolved(described, schema)
    if schema.get("type") == "array":
        yield from _fields(described, schema["items"], depth)
        return
    required = set(schema.get("required", []))
    for name, spec in schema.get("properties", {}).items():
        inner = _resolved(described, spec)
        yield Field(
            name, _kind(spec if "enum" in spec else inner), name in required, spec.get("description", ""), depth
        )
        nested = inner.get("items", inner) if inner.get("type") == "array" else inner
        nested = _resolved(described, nested)
        if depth < 4 and nested.get("properties"):
            yield from _fields(described, nested, depth + 1)
