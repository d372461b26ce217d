"""The tables of tests in docs/security.md and docs/accounts.md are complete, and each of their tests exists."""

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
DOCS = PROJECT / "docs"
TEXT = (DOCS / "security.md").read_text(encoding="utf-8")
ACCOUNTS = (DOCS / "accounts.md").read_text(encoding="utf-8")
TABLE = "## Tests of this page"


def rows_of(text: str) -> list[list[str]]:
    """Return the cells of a page's table, without its heading."""
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")
    ][2:]


ROWS = rows_of(TEXT)
ACCOUNT_ROWS = rows_of(ACCOUNTS.partition(TABLE)[2])


def test_the_table_has_the_twenty_cases() -> None:
    assert [row[0] for row in ROWS] == list(CASES)
    assert len(CASES) == 20


@pytest.mark.parametrize("named", sorted(set(re.findall(r"`(tests/[\w/]+\.py(?:::\w+)?)`", TEXT + ACCOUNTS))))
def test_each_test_that_is_named_exists(named: str) -> None:
    path, _, test = named.partition("::")
    assert (PROJECT / path).is_file()
    assert not test or f"def {test}(" in (PROJECT / path).read_text(encoding="utf-8")


def test_each_case_names_a_test() -> None:
    assert [row[0] for row in ROWS + ACCOUNT_ROWS if "`tests/" not in row[2]] == []


def test_each_of_the_other_guards_names_a_test() -> None:
    guards = re.split(r"^- ", TEXT.partition("## Other guards")[2], flags=re.MULTILINE)[1:]
    assert len(guards) > 9
    assert [guard.splitlines()[0] for guard in guards if "`tests/" not in guard] == []


def test_each_section_about_accounts_has_a_row() -> None:
    sections = re.findall(r"^## (.*)$", ACCOUNTS.partition(TABLE)[0], flags=re.MULTILINE)
    assert {row[0] for row in ACCOUNT_ROWS} == set(sections)
