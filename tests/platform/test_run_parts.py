"""The parts of a test run: the tests of each part, and the closing line that counts both."""

import itertools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import time_machine

from tests import sizes
from tests.conftest import in_turn, is_due
from tests.processes import PROJECT

pytestmark = pytest.mark.rest

SAMPLE = """
import pytest

def test_plain(): pass

@pytest.mark.django_db
def test_rows(): pass

def test_fixture(transactional_db): pass

@pytest.mark.django_db
@pytest.mark.needs_postgres
def test_postgres(): pass

@pytest.mark.needs_redis
def test_redis(): pass

@pytest.mark.needs_sqlite
def test_sqlite(): pass

@pytest.mark.servers_only
def test_strict(): pass

@pytest.mark.both_databases
@pytest.mark.django_db
def test_both(): pass

@pytest.mark.services
@pytest.mark.django_db
def test_service(): pass

@pytest.mark.services
@pytest.mark.long
def test_long_one(): pass

@pytest.mark.rest
def test_left_out(): pass

@pytest.mark.rest
@pytest.mark.both_databases
def test_left_out_of_both(): pass

@pytest.mark.browser
def test_screen(): pass

@pytest.mark.browser
@pytest.mark.core
def test_core_screen(): pass

@pytest.mark.sized
def test_at_random(): pass
"""
EVERYWHERE = ["test_rows", "test_fixture", "test_plain", "test_both", "test_service", "test_long_one"]
EVERYWHERE += ["test_core_screen", "test_at_random"]


@pytest.fixture
def sample() -> Path:
    """A test file in the suite's folder, so that its conftest applies; removed afterwards."""
    # No other run collects a file with this name.
    path = PROJECT / "tests" / "platform" / f"sample_{os.getpid()}.py"
    path.write_text(SAMPLE)
    yield path  # type: ignore[misc]
    path.unlink()


def pytest_output(*arguments: str, **more: str) -> list[str]:
    env = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "TEST_END"))} | more
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=PROJECT, env=env, capture_output=True, text=True).stdout.splitlines()


@pytest.fixture
def faulty() -> Iterator[Path]:
    """A test file without a marker that fails when it is imported."""
    folder = PROJECT / "tests" / "platform" / f"samples_{os.getpid()}"
    folder.mkdir()
    try:
        (folder / "test_faulty.py").write_text("raise RuntimeError('imported')")
        yield folder
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("part", "expected", "imports_all"),
    [
        ("sqlite", [*EVERYWHERE, "test_sqlite"], True),
        ("servers", ["test_postgres", "test_redis", "test_strict"], False),
        ("quick", ["test_service"], False),
    ],
)
def test_each_part_runs_the_tests_of_its_markers_and_imports_no_file_without_them(
    sample: Path, faulty: Path, part: str, expected: list[str], imports_all: bool
) -> None:
    output = pytest_output("--collect-only", f"--part={part}", str(sample), str(faulty))
    selected = [line.partition("::")[2] for line in output if line.startswith("tests/") and "::" in line]
    # On the servers the day decides about this one.
    by_day = {"test_both"} if part == "servers" else set()
    assert sorted({*selected} - by_day) == sorted(expected)
    assert any("RuntimeError: imported" in line for line in output) is imports_all, output


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("sqlite", ["test_left_out", "test_left_out_of_both", "test_screen", "test_at_random"]),
        ("servers", ["test_left_out_of_both"]),
    ],
)
def test_the_rest_is_what_a_part_leaves_out(sample: Path, faulty: Path, part: str, expected: list[str]) -> None:
    output = pytest_output("--collect-only", "--rest", f"--part={part}", str(sample), str(faulty))
    selected = [line.partition("::")[2] for line in output if "::" in line]
    assert [name for name in selected if name != "test_both"] == expected
    assert not any("RuntimeError: imported" in line for line in output)


def test_a_test_for_both_databases_is_on_the_servers_in_one_of_both_runs_and_each_third_day_in_the_first() -> None:
    items: list[Any] = [Item(f"test_{number}", "both_databases") for number in range(40)]
    days = []
    for day in (1, 2, 3):
        with time_machine.travel(datetime(2026, 2, day, tzinfo=UTC), tick=False):
            days.append([item.nodeid for item in items if is_due(item, "servers", rest=False)])
            rest = [item.nodeid for item in items if is_due(item, "servers", rest=True)]
            assert sorted(days[-1] + rest) == sorted(item.nodeid for item in items)
    assert sorted(itertools.chain(*days)) == sorted(item.nodeid for item in items)
    assert all(is_due(item, "sqlite", rest=False) for item in items)


def test_the_closing_line_counts_both_parts_and_names_the_slowest_tests(tmp_path: Path, sample: Path) -> None:
    counts = tmp_path / "counts.json"
    slow = [[f"tests/test_slow.py::test_{number}", 60.0 + number] for number in range(10)]
    counts.write_text(json.dumps({"counts": {"passed": 40, "failed": 2, "skipped": 0}, "slowest": slow[:9]}))
    *output, closing = pytest_output("--part=sqlite", f"--counts-from={counts}", f"{sample}::test_plain")
    assert closing.startswith("2 failed, 41 passed in ")
    named = [line.split()[-1].rpartition("::")[2] for line in output if line.lstrip()[:1].isdigit() and " s " in line]
    assert named == [*(f"test_{number}" for number in range(8, -1, -1)), "test_plain"]


def test_a_part_writes_its_counts_for_the_next(tmp_path: Path, sample: Path) -> None:
    counts = tmp_path / "counts.json"
    pytest_output(f"--counts-to={counts}", f"{sample}::test_plain")
    written = json.loads(counts.read_text())
    assert written["counts"]["passed"] == 1
    assert [name.rpartition("::")[2] for name, _seconds in written["slowest"]] == ["test_plain"]


@pytest.mark.parametrize(("end", "closing"), [("1", "1 skipped in "), ("9999999999", "1 passed in ")])
def test_after_its_time_a_run_begins_no_test_and_says_so(sample: Path, end: str, closing: str) -> None:
    output = pytest_output("-ra", f"{sample}::test_plain", TEST_END=end)
    assert output[-1].startswith(closing)
    assert any("left out: the time of this run is over" in line for line in output) is (end == "1")


def test_a_run_with_a_limit_begins_with_another_test_each_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizes, "END_OF_RUN", 9999999999.0)
    orders = set()
    for day in range(1, 29):
        with time_machine.travel(datetime(2026, 2, day, tzinfo=UTC), tick=False):
            orders.add(tuple(sizes.in_turn_of_today([1, 2, 3])))
    assert orders == {(1, 2, 3), (2, 3, 1), (3, 1, 2)}
    monkeypatch.setattr(sizes, "END_OF_RUN", float("inf"))
    assert sizes.in_turn_of_today([1, 2, 3]) == [1, 2, 3]


class Item:
    """A test with its markers, as far as the choice and the order of the tests read it."""

    def __init__(self, name: str, *markers: str) -> None:
        self.name, self.nodeid, self.markers = name, f"tests/test_a.py::{name}", markers
        self.fixturenames = ["transactional_db"] if "commits" in markers else []

    def get_closest_marker(self, name: str) -> Any:
        return name if name in self.markers else None


@pytest.mark.parametrize("processes", [1, 2, 3, 4])
def test_each_process_begins_with_long_tests_and_ends_with_those_that_commit(processes):
    plain = [Item(f"plain {n}") for n in range(40)]
    long = [Item(f"long {n}", "long", "commits") for n in range(5)]
    committing = [Item(f"commits {n}", "commits") for n in range(11)]
    items = [*committing, *long, *plain]
    ordered = in_turn(items, processes)  # type: ignore[arg-type]
    assert sorted(item.name for item in ordered) == sorted(item.name for item in items)
    start = 0
    for process in range(processes):
        # As xdist divides them.
        size = (len(ordered) - start) // (processes - process)
        piece = [item.name.split()[0] for item in ordered[start : start + size]]
        assert piece == sorted(piece, key=["long", "plain", "commits"].index)
        assert abs(piece.count("long") - 5 / processes) < 1
        assert abs(piece.count("commits") - 11 / processes) < 1
        start += size
