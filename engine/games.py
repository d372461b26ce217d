"""The registry of games: the only place outside their own packages that names them."""

from collections.abc import Sequence
from typing import Final

from engine import chratze, kratzen, zwicken
from engine.errors import Fault, printable
from engine.game import Game

BY_NAME: Final[dict[str, Game]] = {game.name: game for game in (chratze.GAME, kratzen.GAME, zwicken.GAME)}
GAMES: Final = tuple(BY_NAME)

DEFAULT: Final = chratze.GAME.name
"""The game of a sample hand if none is given."""
DEFAULT_WITH_CUTS: Final = kratzen.GAME.name
"""The game whose cuts `engine.after_cuts` counts if none is given."""

RULE_DEFAULTS: Final[dict[str, dict[str, int | str | bool | None]]] = {
    name: game.defaults._asdict() for name, game in BY_NAME.items()
}
"""The default house rules of each game. ``rounding`` is computed from ``stake`` and ``coin`` unless it is given."""


def find(name: object) -> Game | None:
    """Return the game with a name, which may be any value of a record; None if there is none."""
    return BY_NAME.get(name) if type(name) is str else None


def game_of(name: object) -> Game:
    """Return the game with a name; raise R1 if there is none."""
    game = find(name)
    if game is None:
        raise no_such_game(name)
    return game


def no_such_game(name: object, games: Sequence[str] = GAMES) -> Fault:
    """Return the fault R1 for a value that is not the name of one of some games."""
    *others, last = (f'"{game}"' for game in games)
    return Fault("R1", "game", f"There is no game {printable(name)}: it is {', '.join(others)} or {last}.")
