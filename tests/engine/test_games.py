"""A game has one package and one line in the registry: no other module of the engine names it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine
from engine.games import BY_NAME

ROOT = Path(engine.__file__).parent
REGISTRY = "games.py"
GAMES = sorted(path.parent.name for path in ROOT.glob("*/players.py"))


def docstrings(tree: ast.AST) -> set[int]:
    """Return the ids of the strings that stand alone as a statement: docstrings, also those of constants."""
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def named_in(source: str, games: list[str]) -> Iterator[str]:
    """Yield the names and texts of a module that name one of some games; comments and docstrings may."""
    tree = ast.parse(source)
    apart = docstrings(tree)
    for node in ast.walk(tree):
        texts: list[str] = []
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in apart:
            texts = [node.value]
        elif isinstance(node, ast.Name | ast.FunctionDef | ast.ClassDef | ast.arg | ast.alias | ast.Attribute):
            names = (getattr(node, field, None) for field in ("id", "name", "arg", "attr"))
            texts = [str(name) for name in names if name]
        elif isinstance(node, ast.ImportFrom):
            texts = [node.module or ""]
        for text in texts:
            if any(game in text.lower() for game in games):
                yield f"{getattr(node, 'lineno', 0)}: {text}"


def modules() -> list[Path]:
    return sorted(path for path in ROOT.rglob("*.py") if path.relative_to(ROOT).as_posix() != REGISTRY)


@pytest.mark.parametrize("module", modules(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_game_is_named_only_in_its_package_and_the_registry(module: Path) -> None:
    own = module.relative_to(ROOT).parts[0]
    others = [game for game in GAMES if game != own]
    # A call of Chratze has the name of the game; no other game has that word.
    assert list(named_in(module.read_text(encoding="utf-8"), others)) == []


@pytest.mark.parametrize(
    "source",
    [
        'if record["game"] == "kratzen":\n    pass',
        "from engine.kratzen import cutting",
        "from engine import kratzen",
        "def _kratzen_shares(): ...",
        'TITLE = f"Rules of Kratzen: {1}"',
        "kratzen_rules({})",
        "rules.kratzen",
    ],
)
def test_the_check_finds_a_name(source: str) -> None:
    assert len(list(named_in(source, GAMES))) == 1


def test_the_check_passes_over_docstrings_and_comments() -> None:
    assert list(named_in('"""Kratzen."""\nX = 1  # Kratzen\n"""In Kratzen 1."""\n', GAMES)) == []


def test_the_registry_has_every_package_under_its_name() -> None:
    assert sorted(BY_NAME) == GAMES
    for name, game in BY_NAME.items():
        assert (game.name, game.title) == (name, name.title())
        assert re.fullmatch(r"[a-z]+", name)
        assert engine.effective_rules(name, {}) == engine.RULE_DEFAULTS[name] == game.defaults._asdict()


def test_the_goals_of_each_game() -> None:
    goals = {name: (game.tricks, game.goal, game.declarer_goal) for name, game in BY_NAME.items()}
    assert goals == {"chratze": (4, 1, 2), "kratzen": (4, 1, 2), "zwicken": (3, 1, None)}


def test_a_question_about_antes_or_cuts_that_a_game_does_not_have_is_refused() -> None:
    with pytest.raises(engine.Fault, match="In Kratzen the ante is not the same for all seats"):
        engine.ante_of_deal("kratzen", {}, deal_number=1)
    with pytest.raises(engine.Fault, match="In Chratze the pack is not cut for the dealer"):
        engine.after_cuts({}, seats=4, dealer=0, cuts=[], game="chratze")
