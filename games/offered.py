"""The registry of the games that the product offers: beside their own packages the only place that names them."""

from __future__ import annotations

from typing import Final

from . import chratze, kratzen, zwicken
from .game import Game

__all__ = ["GAMES", "Game", "game_of"]

GAMES: Final[dict[str, Game]] = {game.name: game for game in (chratze.GAME, kratzen.GAME, zwicken.GAME)}


def game_of(name: str) -> Game:
    """The game with this name, one of `engine_bridge.GAMES`."""
    return GAMES[name]
