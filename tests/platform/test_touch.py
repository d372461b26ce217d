"""Touch: no colour of a hovering mouse stays after a tap, no tap waits for a second one, and the tests tap."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
STYLES = sorted((PROJECT / "static" / "css").glob("*.css"))
BROWSER_TESTS = sorted(path for room in ("browser", "screens") for path in (PROJECT / "tests" / room).glob("*.py"))


HOVER = "@media (hover: hover)"


def outside_of(query: str, text: str) -> str:
    """Return a style sheet without its blocks of this media query."""
    before, separator, rest = text.partition(query)
    depth = 0
    for place, sign in enumerate(rest):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if sign == "}" and depth == 0:
            return before + outside_of(query, rest[place + 1 :])
    assert not separator, "a block without an end"
    return before


@pytest.mark.parametrize("sheet", STYLES, ids=lambda path: path.name)
def test_hover_is_for_pointers_that_can_hover(sheet: Path) -> None:
    lines = outside_of(HOVER, sheet.read_text()).splitlines()
    assert [line for line in lines if ":hover" in line] == []


def test_a_rule_for_every_pointer_is_found() -> None:
    inside = f"{HOVER} {{\n  a:hover {{ color: red; }}\n  b:hover {{\n    color: red;\n  }}\n}}\n"
    assert ":hover" not in outside_of(
        "@media (hover: hover)", f"a {{ color: red; }}\n{inside}i {{ top: 0; }}\n{inside}"
    )
    assert "i:hover" in outside_of(HOVER, f"{inside}i:hover {{ top: 0; }}\n")


def test_no_tap_waits_for_a_second_one() -> None:
    base = (PROJECT / "static" / "css" / "base.css").read_text()
    quick = re.findall(r"^([^{}\n]+) \{ touch-action: manipulation; \}", base, re.MULTILINE)
    assert {"a", "button", "summary", "label", "input"} <= {selector for rule in quick for selector in rule.split(", ")}


def test_the_browser_tests_tap() -> None:
    calls = [
        f"{path.name}:{node.lineno}"
        for path in BROWSER_TESTS
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "click"
    ]
    assert calls == []
