"""The table of abuse cases in docs/security.md is complete, and each of its tests exists."""

from __future__ import annotations

import re

import pytest

from tests.processes import PROJECT

CASES = (
    *("foreign ids", "extra fields in a body", "self-promotion", "ex-organiser's session and token"),
    *("rewriting history", "hands for absentees", "replayed submit", "another's key", "flood of hands"),
    *("credential stuffing", "account enumeration", "leaked invitation", "script in a nickname"),
    *("spreadsheet formula in a nickname", "CSRF on every unsafe route", "poisoned Host"),
    *("private page from a shared cache", "forged X-Forwarded-For", "huge JSON and slow export"),
    "forged broker message",
)
TEXT = (PROJECT / "docs" / "security.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in TEXT.splitlines() if line.startswith("|")][2:]


def test_the_table_has_the_twenty_cases() -> None:
    assert [row[0] for row in ROWS] == list(CASES)
    assert len(CASES) == 20


@pytest.mark.parametrize("named", sorted(set(re.findall(r"`(tests/[\w/]+\.py(?:::\w+)?)`", TEXT))))
def test_each_test_in_the_table_exists(named: str) -> None:
    path, _, test = named.partition("::")
    assert (PROJECT / path).is_file()
    assert not test or f"def {test}(" in (PROJECT / path).read_text(encoding="utf-8")


def test_each_case_names_a_test() -> None:
    assert [row[0] for row in ROWS if "`tests/" not in row[2]] == []
