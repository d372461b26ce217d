"""A game as pages, forms and API see it: one object that holds all its parts. docs/adding-a-game.md says what they are.

The rules of the game are in the engine; `engine_bridge` answers what follows from them.
"""

from __future__ import annotations

from dataclasses import dataclass

from league.played_games import PlayedGame

from .records import Records
from .screen import Screen
from .texts import Texts


@dataclass(frozen=True)
class Game:
    """A game that the product offers.

    `league` is what the league knows of it: its name and its terms. `ante_rule` is the house rule with the amount of
    one ante. `screen` describes how a hand is entered at the table, `records` how its records are read, written and
    corrected, `texts` what is said about the game.
    """

    league: PlayedGame
    ante_rule: str
    screen: Screen
    records: Records
    texts: Texts

    @property
    def name(self) -> str:
        return self.league.name

    @property
    def title(self) -> str:
        return self.league.title
