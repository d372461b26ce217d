"""`make faults`: its table names tests that exist, for every promise and fault; its report fails if one is missing."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from scripts.faults import Result, in_part, main, read_results, report, run, sizes_of
from tests.faults import KINDS, LONG, PROMISES, PROOFS, Proof, proof
from tests.sizes import OVER

TESTS = Path(__file__).resolve().parent.parent
ROW = proof("P4", "a fault", "a/test_b.py", "test_c", "test_d")
XML = """<testsuites><testsuite>
<testcase classname="tests.a.test_b" name="test_c[1]" time="2.0"/>
<testcase classname="tests.a.test_b" name="test_c[2]" time="3.0">
  <properties><property name="tries" value="40"/></properties></testcase>
<testcase classname="tests.a.test_b" name="test_d" time="1.0"><{tag}/></testcase>
</testsuite></testsuites>"""


def missing(proofs: Iterable[Proof]) -> Iterator[str]:
    """Yield the tests that no file has."""
    for test in itertools.chain.from_iterable(entry.tests for entry in proofs):
        file, _, function = test.partition("::")
        path = TESTS / file
        tree = ast.parse(path.read_text(encoding="utf-8")) if path.exists() else ast.Module([], [])
        if function not in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}:
            yield test


def test_every_test_of_the_table_exists() -> None:
    assert list(missing(PROOFS)) == []


def test_a_test_that_does_not_exist_is_found() -> None:
    known = PROOFS[0].tests[0]
    wrong = [f"{known}_", "nowhere.py::test_a", known.replace("promises", "platform")]
    assert list(missing([Proof("P4", "a fault", (*wrong, known))])) == wrong


def test_every_promise_and_every_kind_of_fault_has_a_test() -> None:
    by_day = [proof for proof in PROOFS if not proof.long]
    assert {proof.promise for proof in by_day} == set(PROMISES)
    assert set(KINDS) <= {proof.fault for proof in by_day}
    assert all(proof.tests for proof in PROOFS)


def test_each_size_of_a_night_is_read_somewhere() -> None:
    texts = [path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py")]
    assert [name for name in LONG if not any(f'os.environ.get("{name}"' in text for text in texts)] == []


# --- The report --------------------------------------------------------------------------------------------------


def results(tmp_path: Path, tag: str) -> list[Result]:
    file = tmp_path / "results.xml"
    file.write_text(XML.replace("{tag}", tag))
    return read_results(file)


@pytest.mark.parametrize(
    ("tag", "said", "holds"),
    [
        ("system-out", "| P4 | a fault | 3 | 42 | ok | 6 |", True),
        ("failure", "| P4 | a fault | 3 | 42 | FAILED: a/test_b.py::test_d | 6 |", False),
        ("error", "| P4 | a fault | 3 | 42 | FAILED: a/test_b.py::test_d | 6 |", False),
        ("skipped", "| P4 | a fault | 2 | 41 | NOT TRIED: a/test_b.py::test_d | 5 |", False),
        (f'skipped message="{OVER}"', "| P4 | a fault | 2 | 41 | NOT TRIED: a/test_b.py::test_d | 5 |", False),
    ],
)
def test_a_row_holds_only_if_each_of_its_tests_ran_and_passed(tmp_path: Path, tag: str, said: str, holds: bool) -> None:
    text, held = report([ROW], results(tmp_path, tag), ["P4"])
    assert text.splitlines()[-1] == said
    assert held is holds


def test_a_test_that_ran_on_one_database_and_was_left_out_on_the_other_one_ran() -> None:
    both = [Result(test, outcome, 1, 1.0) for test in ROW.tests for outcome in ("left out", "passed")]
    assert report([ROW], both, ["P4"])[1]


def test_a_test_with_a_parameter_for_which_the_time_was_over_does_not_hold() -> None:
    some = [Result(test, outcome, 1, 1.0) for test in ROW.tests for outcome in ("passed", "too late")]
    text, held = report([ROW], some, ["P4"])
    assert text.splitlines()[-1] == "| P4 | a fault | 2 | 2 | TOO LATE: 2 of 4 tests | 2 |"
    assert not held


def test_a_promise_without_a_test_fails_the_run(tmp_path: Path) -> None:
    text, held = report([ROW], results(tmp_path, "system-out"), ["P4", "P5"])
    assert "| P5 |  | 0 | 0 | NO TEST | 0 |" in text
    assert not held


def test_a_part_gets_the_names_in_its_files_alone() -> None:
    slow, upgrade = "tests/security/test_slow_peers.py::test_a", "tests/promises/test_upgrade.py::test_b"
    assert in_part([slow, upgrade], "sqlite") == [slow, upgrade]
    assert in_part([slow, upgrade], "servers") == [upgrade]


@pytest.mark.parametrize("long", [True, False])
def test_a_test_of_a_night_has_more_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, long: bool) -> None:
    commands: list[list[str]] = []
    monkeypatch.setattr("scripts.faults.test_run.real_servers", lambda stack: ({}, []))
    monkeypatch.setattr("scripts.faults.test_run.pytest", lambda options, env: commands.append(options))
    run(list(PROOFS), 1, tmp_path, long=long)
    assert len(commands) == 2
    assert [("--timeout=7200" in command) for command in commands] == [long, long]


def test_the_report_names_the_sizes() -> None:
    assert sizes_of(long=True).startswith("Sizes of a night: RACE_KEYS 2,500, ")
    assert [name for name in LONG if f"{name} {int(LONG[name]):,}" not in sizes_of(long=True)] == []


@pytest.mark.parametrize(("holds", "status"), [(True, 0), (False, 1)])
def test_the_exit_status_says_if_every_promise_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, holds: bool, status: int
) -> None:
    monkeypatch.setattr("scripts.faults.run", lambda *args, **more: [])
    monkeypatch.setattr("scripts.faults.run_folder.make", lambda: tmp_path)
    monkeypatch.setattr("scripts.faults.REPORT", tmp_path / "faults.md")
    monkeypatch.setattr("scripts.faults.report", lambda *args: ("a table", holds))
    assert main(["--only", "P4"]) == status
    assert (tmp_path / "faults.md").read_text() == "Small sizes.\n\na table\n"
