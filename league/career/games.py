"""A person's evenings of each game, over all seasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..played_games import GAMES
from ..rounding import divided
from ..standings.nights import Night
from .person import FormNight, evenings_won_by, form


@dataclass(frozen=True)
class GameLine:
    """A person's figures of one game: evenings, those won, points and their mean in tenths, and the last evenings."""

    title: str
    evenings: int
    won: int
    points: int
    mean_tenths: int
    form: Sequence[FormNight]


def games_played(nights: Sequence[Night], player_id: int) -> list[GameLine]:
    """Return a line for each game, by name, where there are several. `nights` are those of all players of the
    evenings."""
    own = [night for night in nights if night.player_id == player_id and night.present]
    games = sorted({night.game for night in own})
    if len(games) < 2:
        return []
    return [_line(GAMES[game].title, [n for n in nights if n.game == game], player_id) for game in games]


def _line(title: str, nights: Sequence[Night], player_id: int) -> GameLine:
    own = [night.points for night in nights if night.player_id == player_id and night.present]
    return GameLine(
        title=title,
        evenings=len(own),
        won=evenings_won_by(nights, player_id),
        points=sum(own),
        mean_tenths=divided(10 * sum(own), len(own)),
        form=form(nights, player_id),
    )
