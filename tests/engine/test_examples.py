"""The examples of the rulebooks."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import engine

EXAMPLES = [json.loads(line) for line in (Path(__file__).parents[1] / "data/examples.jsonl").read_text().splitlines()]


def test_there_are_examples_of_all_games() -> None:
    assert Counter(example["record"].get("game") for example in EXAMPLES) == {
        "chratze": 40,
        "kratzen": 34,
        "zwicken": 33,
    }


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["name"])
def test_example_gives_exactly_its_result(example: dict[str, Any]) -> None:
    result = engine.replay_line(json.dumps(example["record"]))
    if not result["ok"]:
        result["error"]["message"] = "(one sentence)"
    assert json.dumps(result) == json.dumps(example["result"])
