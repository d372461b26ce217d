"""The gate itself: which test runs in which part, and a closing line that counts both."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import PROJECT

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
"""


@pytest.fixture
def sample() -> Path:
    """A test file inside the suite's folder, where its conftest holds; gone afterwards."""
    # Named so that no other run collects it meanwhile.
    path = PROJECT / "tests" / "platform" / f"sample_{os.getpid()}.py"
    path.write_text(SAMPLE)
    yield path  # type: ignore[misc]
    path.unlink()


def pytest_says(*arguments: str) -> list[str]:
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=PROJECT, env=env, capture_output=True, text=True).stdout.splitlines()


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("sqlite", ["test_rows", "test_fixture", "test_sqlite"]),
        ("servers", ["test_plain", "test_rows", "test_fixture", "test_postgres", "test_redis"]),
    ],
)
def test_each_part_runs_what_it_can(sample: Path, part: str, expected: list[str]) -> None:
    said = pytest_says("--collect-only", f"--part={part}", str(sample))
    assert sorted(line.partition("::")[2] for line in said if "::" in line) == sorted(expected)


def test_the_closing_line_counts_the_earlier_part(tmp_path: Path, sample: Path) -> None:
    counts = tmp_path / "counts.json"
    counts.write_text(json.dumps({"passed": 40, "failed": 2, "skipped": 0}))
    *_, closing = pytest_says(f"--counts-from={counts}", f"{sample}::test_plain")
    assert closing.startswith("2 failed, 41 passed in ")


def test_a_part_tells_the_next_what_it_counted(tmp_path: Path, sample: Path) -> None:
    counts = tmp_path / "counts.json"
    pytest_says(f"--counts-to={counts}", f"{sample}::test_plain")
    assert json.loads(counts.read_text())["passed"] == 1
