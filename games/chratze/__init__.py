"""Chratze in pages, forms and API: docs/adding-a-game.md."""

from __future__ import annotations

from typing import Final

from league import played_games

from ..game import Game
from .records import RECORDS
from .screen import SCREEN
from .texts import TEXTS

GAME: Final = Game(
    league=played_games.CHRATZE,
    ante_rule="stake",
    screen=SCREEN,
    records=RECORDS,
    texts=TEXTS,
)
