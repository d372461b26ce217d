"""A stored hand replays to the same money in every later version."""

import collections
import json
from pathlib import Path

import engine

GOLDEN = [json.loads(line) for line in (Path(__file__).parents[1] / "data/golden.jsonl").read_text().splitlines()]
FAULTS = {
    *("C1.1", "C2.2", "C2.4", "C2.5", "C3.1", "C3.2", "C3.3", "C3.4", "C3.5", "C3.6"),
    *("C4.1", "C4.2", "C4.3", "C4.4", "C4.5", "C5.1", "C5.2", "C5.3", "C6.3"),
    *("R1", "R2", "R3", "R4", "R5", "R6"),
}
"""Every code that the engine can answer with; the other clauses say what follows, not what can be broken."""


def test_every_golden_hand_replays_identically() -> None:
    differing = []
    for case in GOLDEN:
        result = engine.replay_line(json.dumps(case["record"]))
        result.get("error", {}).pop("message", None)
        if json.dumps(result) != json.dumps(case["result"]):
            differing.append((case["name"], result, case["result"]))
    assert differing == []


def test_the_golden_hands_are_of_all_kinds() -> None:
    assert len(GOLDEN) >= 500
    valid = [case for case in GOLDEN if case["result"]["ok"]]
    faults = collections.Counter(case["result"]["error"]["clause"] for case in GOLDEN if not case["result"]["ok"])
    assert set(faults) == FAULTS
    assert {case["record"]["seats"] for case in valid} == set(range(2, 8))
    assert {case["result"]["outcome"] for case in valid} == {"played", "walkover", "passed_out"}
    assert {case["result"]["blind"] for case in valid} == {None, "blind", "double"}
    assert {case["record"].get("rob", {}).get("when") for case in valid} == {None, "before", "after"}
    assert {"deal" in case["record"] for case in valid} == {True, False}
    varied: dict[str, set[object]] = collections.defaultdict(set)
    for case in valid:
        for name, value in case["record"].get("rules", {}).items():
            varied[name].add(value)
    assert set(varied) == set(engine.RULE_DEFAULTS["chratze"])
    assert all(len(values) > 1 for values in varied.values())
