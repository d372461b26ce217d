"""The league knows no cards, so it states of each game what the engine knows: both say the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.games import BY_NAME
from games import engine_bridge, offered
from league.played_games import GAMES, PlayedGame


def differs(game: PlayedGame) -> set[str]:
    """Return the properties of a game that the engine has otherwise."""
    known = BY_NAME[game.name]
    facts = {
        "title": known.title,
        "tricks": known.tricks,
        "has_declarer": engine_bridge.has_declarer(game.name),
        # Who deals is known before the hand, unless cuts decide it.
        "dealer_is_counted": not engine_bridge.has_cuts(game.name),
    }
    return {name for name, fact in facts.items() if getattr(game, name) != fact}


def test_every_registry_has_the_same_games() -> None:
    assert list(GAMES) == list(offered.GAMES) == list(engine_bridge.GAMES)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_the_league_says_what_the_engine_knows(game: PlayedGame) -> None:
    assert differs(game) == set()
    assert offered.game_of(game.name).league is game
    assert offered.game_of(game.name).screen.tricks == game.tricks


def test_a_difference_is_found() -> None:
    wrong = replace(GAMES["zwicken"], tricks=4, has_declarer=True)
    assert differs(wrong) == {"tricks", "has_declarer"}
