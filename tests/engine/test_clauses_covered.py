"""Every clause of the rulebook, and every code of the record, has a test named after it."""

import re
from pathlib import Path

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs/rulebook"


def clauses_of(rulebook: str) -> set[str]:
    return set(re.findall(r"^- \*\*(C\d\.\d+)\*\*", rulebook, re.MULTILINE))


def codes_of(record: str) -> set[str]:
    return set(re.findall(r"^\| `(R\d)` \|", record, re.MULTILINE))


def named_in(source: str) -> set[str]:
    clauses = re.findall(r"^def test_c(\d)_(\d+)_", source, re.MULTILINE)
    codes = re.findall(r"^def test_r(\d)_", source, re.MULTILINE)
    return {f"C{section}.{number}" for section, number in clauses} | {f"R{number}" for number in codes}


def test_every_clause_and_code_has_a_test() -> None:
    wanted = clauses_of((DOCS / "chratze.md").read_text()) | codes_of((DOCS / "hand-record.md").read_text())
    assert len(wanted) == 42
    assert wanted - named_in("\n".join(path.read_text() for path in HERE.glob("test_*.py"))) == set()


def test_a_clause_without_a_test_would_be_seen() -> None:
    assert clauses_of("- **C7.1** Nobody whistles.\n") - named_in("def test_c6_1_goal() -> None: ...") == {"C7.1"}
    assert codes_of("| `R7` | something |\n") - named_in("def test_r6_claimed() -> None: ...") == {"R7"}
