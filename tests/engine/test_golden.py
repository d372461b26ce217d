"""Golden hands: a stored hand gives the same result in every later version."""

import collections
import json
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.pot import KINDS

GOLDEN = [json.loads(line) for line in (Path(__file__).parents[1] / "data/golden.jsonl").read_text().splitlines()]
RECORD_FAULTS = {"R1", "R2", "R3", "R4", "R5", "R6"}
FAULTS = {
    "chratze": {
        *("C1.1", "C2.2", "C2.4", "C2.5", "C3.1", "C3.2", "C3.3", "C3.4", "C3.5", "C3.6"),
        *("C4.1", "C4.2", "C4.3", "C4.4", "C4.5", "C5.1", "C5.2", "C5.3", "C6.3"),
        *RECORD_FAULTS,
    },
    "kratzen": {
        *("K1.1", "K3.1", "K3.4", "K4.1", "K4.2", "K5.1", "K5.2", "K5.3", "K5.4", "K5.5", "K5.6"),
        *("K6.1", "K6.2", "K6.3", "K6.4", "K6.5", "K7.1", "K7.2", "K7.3", "K7.4", "K8.2"),
        *RECORD_FAULTS,
    },
    "zwicken": {
        *("Z1.1", "Z2.3", "Z2.4", "Z3.1", "Z4.1", "Z4.2", "Z4.3", "Z5.1", "Z6.1", "Z6.2", "Z6.3", "Z6.4", "Z7.3"),
        *RECORD_FAULTS,
    },
}
"""All codes that a fault can have; the other clauses cannot be broken, because they define results."""
AT_LEAST = {"chratze": 500, "kratzen": 300, "zwicken": 300}
SEATS = {"chratze": set(range(2, 8)), "kratzen": set(range(3, 7)), "zwicken": set(range(3, 7))}


def of_game(game: str) -> list[dict[str, Any]]:
    return [case for case in GOLDEN if case["record"]["game"] == game]


def test_every_golden_hand_replays_identically() -> None:
    differing = []
    for case in GOLDEN:
        result = engine.replay_line(json.dumps(case["record"]))
        result.get("error", {}).pop("message", None)
        if json.dumps(result) != json.dumps(case["result"]):
            differing.append((case["name"], result, case["result"]))
    assert differing == []


@pytest.mark.parametrize("game", engine.GAMES)
def test_the_golden_hands_cover_all_kinds(game: str) -> None:
    cases = of_game(game)
    assert len(cases) >= AT_LEAST[game]
    valid = [case for case in cases if case["result"]["ok"]]
    assert {case["result"]["error"]["clause"] for case in cases if not case["result"]["ok"]} == FAULTS[game]
    assert {case["record"]["seats"] for case in valid} == SEATS[game]
    assert {case["result"]["outcome"] for case in valid} == {"played", "walkover", "passed_out"}
    assert {"deal" in case["record"] for case in valid} == {True, False}
    varied: dict[str, set[object]] = collections.defaultdict(set)
    for case in valid:
        for name, value in case["record"].get("rules", {}).items():
            varied[name].add(value)
    assert set(varied) == set(engine.RULE_DEFAULTS[game])
    assert all(len(values) > 1 for values in varied.values())


def test_the_golden_hands_of_chratze_cover_blind_hands_and_robs() -> None:
    valid = [case for case in of_game("chratze") if case["result"]["ok"]]
    assert {case["result"]["blind"] for case in valid} == {None, "blind", "double"}
    assert {case["record"].get("rob", {}).get("when") for case in valid} == {None, "before", "after"}


def test_the_golden_hands_of_kratzen_cover_cuts_and_trumps_laid_open() -> None:
    valid = [case for case in of_game("kratzen") if case["result"]["ok"]]
    tallies = [case["record"] for case in valid if "deal" not in case["record"]]
    entries = [entry for case in valid for entry in case["record"].get("exchanges", [])]
    assert {case["result"]["muss"] for case in valid} == {True, False}
    assert {len(case["record"]["cuts"]) for case in valid} >= {1, 2, 3}
    assert {record.get("game_type") for record in tallies} == {None, "schlagen", "oder", "weiter-oder"}
    assert {record.get("seven", False) for record in tallies} == {True, False}
    assert {name for entry in entries for name in entry} == {
        *("seat", "discard", "draw", "show", "open", "hidden", "drop"),
    }
    assert any("last_word" in case["record"] for case in valid)


def test_the_golden_hands_of_zwicken_cover_cuts_and_lost_sevens() -> None:
    valid = [case for case in of_game("zwicken") if case["result"]["ok"]]
    assert {case["result"]["muss"] for case in valid} == {True, False}
    assert {len(case["record"].get("cuts", [])) for case in valid} >= {0, 1, 2, 3}
    assert {line["kind"] for case in valid for line in case["result"]["lines"]} == set(KINDS)
    assert {type(case["record"].get("seven_lost")) for case in valid} == {int, type(None)}
    assert {case["result"]["declarer"] for case in valid} == {None}
