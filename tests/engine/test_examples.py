"""The rulebook's own examples, word for word."""

import json
from pathlib import Path
from typing import Any

import pytest

import engine

EXAMPLES = [json.loads(line) for line in (Path(__file__).parents[1] / "data/examples.jsonl").read_text().splitlines()]
CHRATZE = [example for example in EXAMPLES if example["record"].get("game") == "chratze"]


def test_there_are_examples() -> None:
    assert len(CHRATZE) == 40


@pytest.mark.parametrize("example", CHRATZE, ids=lambda example: example["name"])
def test_example_gives_exactly_its_result(example: dict[str, Any]) -> None:
    result = engine.replay_line(json.dumps(example["record"]))
    if not result["ok"]:
        result["error"]["message"] = "(one sentence)"
    assert json.dumps(result) == json.dumps(example["result"])


@pytest.mark.parametrize(
    "example", [example for example in EXAMPLES if example not in CHRATZE], ids=lambda example: example["name"]
)
def test_kratzen_is_refused_in_a_sentence(example: dict[str, Any]) -> None:
    error = engine.replay(example["record"])["error"]
    assert (error["clause"], error["at"]) == ("R1", "game")
    assert "Kratzen is not supported yet" in error["message"]
