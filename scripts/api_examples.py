"""Write league/api/examples.json, the examples in the description of the API: `python scripts/api_examples.py`.

The examples of an operation are taken from the recorded answers (tests/data/recorded_answers.jsonl): `answer` is the
successful answer with the fewest empty lists, with lists cut to two items; `body` is the body of that request, and
`bodies` has its further bodies by name. Where no recorded request succeeded, the example that the description has
stays. Each answer and each body must fit its schema in the description; the script names those that do not, and
writes nothing.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

PROJECT = Path(__file__).resolve().parent.parent
RECORDED = PROJECT / "tests" / "data" / "recorded_answers.jsonl"
OUT = PROJECT / "league" / "api" / "examples.json"
ITEMS = 2
JSON = "application/json"
OWNERS = ("owner", "owner in a browser", "server admin", "member", "visitor")
"""The people whose answers are examples, best first."""
PLACEHOLDER = re.compile(r"<(uuid \d+|key|secret|token)>")
MADE_ID = "0b6f1d1e-7c55-4c1b-9d0a-3f0f6a1f2c{:02d}"
"""In place of a UUID that a write made."""

Lines = dict[str, list[dict[str, Any]]]


def described() -> dict[str, Any]:
    """Return the description as the code makes it now, in English."""
    words = [sys.executable, "manage.py", "spectacular", "--format", "openapi-json", "--lang", "en"]
    done = subprocess.run(words, cwd=PROJECT, check=True, capture_output=True, text=True)
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def recorded() -> Lines:
    """Return the recorded requests that succeeded, by operation; those that people like the owner sent come first."""
    by_operation: Lines = defaultdict(list)
    for line in map(json.loads, RECORDED.read_text().splitlines()):
        known = line["part"] in ("reads", "writes", "filters") and line["who"] in OWNERS
        plain = known and not line["name"].endswith("again")
        if plain and 200 <= line["status"] < 300:
            by_operation[line["name"].partition(",")[0]].append(line)
    for lines in by_operation.values():
        lines.sort(key=lambda line: (_empty_lists(line["answer"]), OWNERS.index(line["who"])))
    return by_operation


def _empty_lists(answer: Any) -> int:
    """Return the number of empty lists in an answer: the fewer, the more it shows."""
    if isinstance(answer, dict):
        return sum(map(_empty_lists, answer.values()))
    return sum(map(_empty_lists, answer)) or not answer if isinstance(answer, list) else 0


def shortened(value: Any) -> Any:
    """Return a value whose lists of objects have at most two items."""
    if isinstance(value, dict):
        return {name: shortened(item) for name, item in value.items()}
    if isinstance(value, list):
        kept = value[:ITEMS] if value and isinstance(value[0], dict | list) else value
        return [shortened(item) for item in kept]
    return value


def filled(value: Any, shown: Any) -> Any:
    """Return an answer with values in place of those that were not recorded: keys are those of the shown example."""
    if isinstance(value, dict):
        of = shown if isinstance(shown, dict) else {}
        return {name: filled(item, of.get(name)) for name, item in value.items()}
    if isinstance(value, list):
        of_items = shown if isinstance(shown, list) and shown else [None]
        return [filled(item, of_items[min(number, len(of_items) - 1)]) for number, item in enumerate(value)]
    if not isinstance(value, str) or not (match := PLACEHOLDER.fullmatch(value)):
        return value
    kind, _, number = match.group(1).partition(" ")
    return MADE_ID.format(int(number)) if kind == "uuid" else shown


def shown_in(content: dict[str, Any]) -> dict[str, Any]:
    """Return the examples of a body or an answer by name."""
    examples = content.get(JSON, {}).get("examples", {}).items()
    return {example.get("summary", name): example["value"] for name, example in examples}


def examples_of(operation: dict[str, Any], lines: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the examples of an operation."""
    examples: dict[str, Any] = {}
    shown = next(
        (shown_in(response.get("content", {})) for code, response in operation["responses"].items() if code[0] == "2"),
        {},
    )
    answers = [line["answer"] for line in lines if isinstance(line["answer"], dict | list)]
    if answers:
        examples["answer"] = shortened(filled(answers[0], shown.get("Answer")))
    elif shown:
        examples["answer"] = shown["Answer"]
    bodies = shown_in(operation.get("requestBody", {}).get("content", {}))
    sent = {line["name"].partition(", ")[2]: line["body"] for line in lines}
    named = {name: sent.get(name) or value for name, value in bodies.items()}
    if "Body" in named:
        examples["body"] = named.pop("Body")
    return {**examples, "bodies": named} if named else examples


def faults(operation: dict[str, Any], examples: dict[str, Any], components: Any) -> Iterator[str]:
    """Yield what does not fit its schema in the description."""
    body = operation.get("requestBody", {}).get("content", {}).get(JSON, {}).get("schema")
    answer = next(response for code, response in operation["responses"].items() if code[0] == "2")
    schema = answer.get("content", {}).get(JSON, {}).get("schema")
    tried = [("answer", schema, examples.get("answer")), ("body", body, examples.get("body"))]
    tried += [(name, body, value) for name, value in examples.get("bodies", {}).items()]
    for name, wanted, value in tried:
        if wanted is not None and value is not None:
            for fault in Draft202012Validator({**wanted, "components": components}).iter_errors(value):
                yield f"{operation['operationId']}, {name}: {fault.json_path}: {fault.message[:200]}"


def main() -> int:
    """Write the file; return 1 if an example does not fit."""
    document, lines = described(), recorded()
    operations = [operation for item in document["paths"].values() for operation in item.values()]
    made = {
        operation["operationId"]: examples_of(operation, lines[operation["operationId"]]) for operation in operations
    }
    wrong = [
        fault
        for operation in operations
        for fault in faults(operation, made[operation["operationId"]], document["components"])
    ]
    for fault in wrong:
        print(fault)
    if wrong:
        return 1
    texts = (f"{json.dumps(name)}: {json.dumps(made[name], ensure_ascii=False)}" for name in sorted(made))
    OUT.write_text("{\n" + ",\n".join(texts) + "\n}\n")
    print(f"{len(made)} operations; not recorded with success: {', '.join(sorted(set(made) - set(lines))) or 'none'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
