"""The modules of the rules on the phone: small, and apart from the page and from all other scripts.

tests/modules/test_rules_on_the_phone.py compares their results with the engine.
"""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "static/js/rules"
TEXTS = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.rglob("*") if path.is_file()}
MOST_BYTES = 30_000

IMPORT = re.compile(r'^(?:import|export) [^;]*? from "\./(\w+\.js)";$', re.MULTILINE)
ANY_IMPORT = re.compile(r"\bimport\b|\bfrom\s*[\"'`]|\brequire\s*\(")
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", re.DOTALL)
OUTSIDE = re.compile(
    r"\b(?:document|window|self|globalThis|navigator|location|history|localStorage|sessionStorage|indexedDB|caches|crypto"
    r"|fetch|XMLHttpRequest|postMessage|addEventListener|console|alert|Date|performance|setTimeout|eval|Function)\b"
    r"|\bMath\.random\b"
)


def faults(text: str, names: set[str]) -> list[str]:
    """Return the imports of a module from outside its folder."""
    code = COMMENT.sub("", text)
    imports = IMPORT.findall(code)
    found = [f"imports {name}" for name in imports if name not in names]
    rest = IMPORT.sub("", code)
    return found + [match.group() for pattern in (ANY_IMPORT, OUTSIDE) for match in pattern.finditer(rest)]


def test_all_modules_together_are_small() -> None:
    assert set(TEXTS) >= {"index.js", "replay.js", "record.js", "houserules.js", "effects.js"}
    # Without comments: browsers load none.
    assert sum(len(COMMENT.sub("", text).encode()) for text in TEXTS.values()) <= MOST_BYTES


def test_no_module_uses_the_page_or_imports_from_outside() -> None:
    assert {name: found for name, text in TEXTS.items() if (found := faults(text, set(TEXTS)))} == {}
    assert sum(len(IMPORT.findall(text)) for text in TEXTS.values()) > 20


@pytest.mark.parametrize(
    "text",
    [
        'import { money } from "../money.js";',
        'import { money } from "./money.js";',
        'import "./replay.js";',
        'const rules = await import("./replay.js");',
        'export * from "https://example.org/rules.js";',
        "document.title = 1; // page",
        "const now = Date.now();",
        "const one = Math.random();",
        "new Function(text)",
    ],
)
def test_the_check_finds_imports_from_outside(text: str) -> None:
    assert faults(text, {"replay.js"})


def test_every_module_is_reached_from_the_first() -> None:
    reached, open_names = set(), ["index.js"]
    while open_names:
        name = open_names.pop()
        if name not in reached:
            reached.add(name)
            open_names += IMPORT.findall(TEXTS[name])
    assert reached == set(TEXTS)
