"""Every clause of the rulebooks, and every code of the record, has a test named after it."""

import re
from pathlib import Path

import engine

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs/rulebook"


def clauses_of(rulebook: str) -> set[str]:
    return set(re.findall(r"^- \*\*([CKZ]\d\.\d+)\*\*", rulebook, re.MULTILINE))


def codes_of(record: str) -> set[str]:
    return set(re.findall(r"^\| `(R\d)` \|", record, re.MULTILINE))


def clauses_with_test(source: str) -> set[str]:
    clauses = re.findall(r"^def test_([ckz])(\d)_(\d+)_", source, re.MULTILINE)
    codes = re.findall(r"^def test_r(\d)_", source, re.MULTILINE)
    return {f"{game.upper()}{section}.{number}" for game, section, number in clauses} | {f"R{code}" for code in codes}


def test_every_clause_and_code_has_a_test() -> None:
    chratze, kratzen, zwicken = (clauses_of((DOCS / f"{game}.md").read_text()) for game in engine.GAMES)
    codes = codes_of((DOCS / "hand-record.md").read_text())
    assert (len(chratze), len(kratzen), len(zwicken), len(codes)) == (36, 39, 26, 6)
    required = chratze | kratzen | zwicken | codes
    assert required - clauses_with_test("\n".join(path.read_text() for path in HERE.glob("test_*.py"))) == set()


def test_the_check_finds_a_clause_without_a_test() -> None:
    assert clauses_of("- **C7.1** Nobody whistles.\n") - clauses_with_test("def test_c6_1_goal() -> None: ...") == {
        "C7.1"
    }
    assert clauses_of("- **K9.1** Nobody hums.\n") - clauses_with_test("def test_c9_1_goal() -> None: ...") == {"K9.1"}
    assert clauses_of("- **Z9.1** Nobody sings.\n") - clauses_with_test("def test_z9_2_song() -> None: ...") == {"Z9.1"}
    assert codes_of("| `R7` | something |\n") - clauses_with_test("def test_r6_claimed() -> None: ...") == {"R7"}
