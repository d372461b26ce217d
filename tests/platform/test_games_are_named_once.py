"""A game is named in its own packages and in the registries: no other module, template or script names one.

Comments and docstrings may, and so may migrations, texts of the catalogue and tests.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.engine_bridge import GAMES

ROOT = Path(__file__).parent.parent.parent
NAME = re.compile("|".join(GAMES).replace("chratze", "chratze(?!te)"), re.IGNORECASE)
"""The name of a game; that of the product is no game."""
REGISTRIES = {
    *("league/played_games.py", "games/offered.py"),
    *("static/js/rules/games.js", "static/js/entry/games.js", "static/js/hand_worth/games.js"),
}
OWN = re.compile(rf"(games|templates/games|static/js(/\w+)*)/({'|'.join(GAMES)})[./_]")
"""The packages of the games, and scripts that begin with the name of one."""
DATA = {
    "games/game/file_cells.py": "a text that several games share",
    "games/game/declared_codes.py": "texts that several games share",
    "games/management/demo_league.py": "each club of the demo plays one",
    "games/management/demo_cup.py": "the cup of the demo",
    "league/tournaments/presets.py": "a preset is a tournament of one game",
    "league/models/people.py": "a text of the tables of the database, which migrations have",
    "league/club_admin/forms.py": "the same text in a form",
    "templates/games/help/": "the help explains with hands of the first game",
    "templates/games/hand_worth/_model.html": "how the tables of two games were counted",
    "templates/league/standings/home.html": "the sentence of the first page",
}
"""Files, or folders, that name a game as data, with the reason."""


def modules() -> Iterator[Path]:
    for folder, pattern in (("games", "*.py"), ("league", "*.py"), ("templates", "*.html"), ("static/js", "*.js")):
        yield from (path for path in sorted((ROOT / folder).rglob(pattern)) if "migrations" not in path.parts)


def is_free(path: str) -> bool:
    return path in REGISTRIES or OWN.match(path) is not None or any(path.startswith(known) for known in DATA)


def named_in(path: str, source: str) -> list[str]:
    """Return the lines of a file that name a game, without comments and docstrings."""
    if path.endswith(".py"):
        source = without_docs(source)
    elif path.endswith(".js"):
        source = re.sub(r"/\*.*?\*/|(?<![:\"'`\\])//[^\n]*", blank, source, flags=re.DOTALL)
    else:
        source = re.sub(r"{#.*?#}|{% comment %}.*?{% endcomment %}|<!--.*?-->", blank, source, flags=re.DOTALL)
    return [f"{n}: {line.strip()[:100]}" for n, line in enumerate(source.splitlines(), start=1) if NAME.search(line)]


def blank(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def without_docs(source: str) -> str:
    """Return a module without comments and without strings that stand alone as a statement."""
    tree = ast.parse(source)
    lines = source.splitlines()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            for number in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[number] = ""
    return "\n".join(re.sub(r"(^|\s)#(?!\w*['\"]).*", "", line) for line in lines)


def test_a_game_is_named_in_its_packages_and_the_registries_alone() -> None:
    by_path = {}
    for module in modules():
        path = module.relative_to(ROOT).as_posix()
        if not is_free(path):
            by_path[path] = named_in(path, module.read_text(encoding="utf-8"))
    left = {path: lines for path, lines in by_path.items() if lines}
    assert left == {}, "\n".join(f"{path}\n    " + "\n    ".join(lines) for path, lines in left.items())


def test_no_file_is_listed_that_names_none() -> None:
    for known in DATA:
        files = [ROOT / known] if (ROOT / known).is_file() else sorted((ROOT / known).rglob("*.html"))
        named = [named_in(file.name, file.read_text(encoding="utf-8")) for file in files]
        assert any(named), known


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.py", 'if game == "kratzen":\n    pass'),
        ("a.py", "from ..kratzen import hand"),
        ("a.py", "def _of_chratze(): ..."),
        ("a.html", '{% if game == "kratzen" %}all weiter{% endif %}'),
        ("a.html", '<p>{% translate "Rules of Zwicken" %}</p>'),
        ("a.js", 'if (game === "kratzen") {}'),
        ("a.js", 'import { settle } from "./kratzen.js";'),
    ],
)
def test_a_name_is_found(path: str, source: str) -> None:
    assert len(named_in(path, source)) == 1


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.py", '"""Kratzen."""\nX = 1  # Kratzen\n'),
        ("a.html", "{# Kratzen #}<b>Chratzete</b>"),
        ("a.js", "/** Kratzen. */\nconst x = 1; // Kratzen"),
    ],
)
def test_comments_and_the_name_of_the_product_are_passed_over(path: str, source: str) -> None:
    assert named_in(path, source) == []
