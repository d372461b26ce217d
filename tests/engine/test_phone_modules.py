"""The modules of the rules on the phone: small, and apart from the page and from all other scripts.

tests/modules/test_rules_on_the_phone.py compares their results with the engine.
"""

import re
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest

SCRIPTS = Path(__file__).parents[2] / "static/js"
FOLDER = SCRIPTS / "rules"
TEXTS = {
    path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8")
    for path in FOLDER.rglob("*")
    if path.is_file()
}
MOST_BYTES = 40_000

IMPORT = re.compile(r'^(?:import|export) [^;]*? from "(\.\.?/[\w/]+\.js)";$', re.MULTILINE)
ANY_IMPORT = re.compile(r"\bimport\b|\bfrom\s*[\"'`]|\brequire\s*\(")
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", re.DOTALL)
OUTSIDE = re.compile(
    r"\b(?:document|window|self|globalThis|navigator|location|history|localStorage|sessionStorage|indexedDB|caches|crypto"
    r"|fetch|XMLHttpRequest|postMessage|addEventListener|console|alert|Date|performance|setTimeout|eval|Function)\b"
    r"|\bMath\.random\b"
)


def imports_of(name: str, text: str) -> list[str]:
    """Return the places of the modules that a module imports, from the folder of the rules."""
    return [normpath(join(dirname(name), place)) for place in IMPORT.findall(COMMENT.sub("", text))]


def faults(name: str, text: str, names: set[str]) -> list[str]:
    """Return the imports of a module from outside the folder of the rules."""
    code = COMMENT.sub("", text)
    imports = imports_of(name, text)
    problems = [f"imports {name}" for name in imports if name not in names]
    rest = IMPORT.sub("", code)
    return problems + [match.group() for pattern in (ANY_IMPORT, OUTSIDE) for match in pattern.finditer(rest)]


def test_all_modules_together_are_small() -> None:
    assert set(TEXTS) >= {"index.js", "replay.js", "record.js", "houserules.js", "effects.js"}
    # Without comments: browsers load none.
    assert sum(len(COMMENT.sub("", text).encode()) for text in TEXTS.values()) <= MOST_BYTES


def test_no_module_uses_the_page_or_imports_from_outside() -> None:
    assert {name: problems for name, text in TEXTS.items() if (problems := faults(name, text, set(TEXTS)))} == {}
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
    assert faults("index.js", text, {"replay.js"})


def test_every_module_is_reached_from_the_first() -> None:
    reached, open_names = set(), ["index.js"]
    while open_names:
        name = open_names.pop()
        if name not in reached:
            reached.add(name)
            open_names += imports_of(name, TEXTS[name])
    assert reached == set(TEXTS)


def test_no_game_imports_another_one() -> None:
    games = {name.split("/")[0] for name in TEXTS if "/" in name}
    assert len(games) == 3
    for name, text in TEXTS.items():
        imported = {place.split("/")[0] for place in imports_of(name, text)} & games
        assert name == "games.js" or imported <= {name.split("/")[0]}, name


NAMES = re.compile(r"\b(?:chratze|kratzen|zwicken)\b", re.IGNORECASE)
OF_GAMES = re.compile(r"(?:rules|entry)/(?:games\.js$|(?:chratze|kratzen|zwicken)[/.])|hand_worth/games\.js$")
"""The registries, and the packages of the games."""


def naming_games(texts: dict[str, str]) -> list[str]:
    """Return the scripts that name a game in their code, and are neither a registry nor of a game."""
    return [name for name, text in texts.items() if not OF_GAMES.match(name) and NAMES.search(COMMENT.sub("", text))]


def test_only_registries_and_packages_of_games_name_games() -> None:
    paths = [path for path in SCRIPTS.rglob("*.js") if path.is_file()]
    texts = {path.relative_to(SCRIPTS).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    assert naming_games(texts) == []


def test_the_check_finds_the_name_of_a_game() -> None:
    texts = {
        "hand_state.js": 'if (state.game === "kratzen") return; // Chratze',
        "words.js": "// In Kratzen the dealer pays.",
        "entry/zwicken.js": 'const name = "zwicken";',
        "rules/index.js": "export const CHRATZE = 1;",
        "app.js": 'const KEY = "chratzete.draft";',
    }
    assert naming_games(texts) == ["hand_state.js", "rules/index.js"]
