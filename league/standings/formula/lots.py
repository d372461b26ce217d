"""The draws of a ranking: where the lot parted equal players, all that somebody needs to draw the lots again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...access import ClubAccess
from .ranking import Race, lot

DIGITS = 12
"""The digits of a lot that pages show: the first ones decide."""


@dataclass(frozen=True)
class Lot:
    """The lot of a player, with its first digits."""

    player_id: int
    name: str
    digits: str


@dataclass(frozen=True)
class Draw:
    """A draw between equal players, the lowest lot first."""

    seed: str
    lots: tuple[Lot, ...]


def draws_of(access: ClubAccess, race: Race, nicknames: Mapping[int, str]) -> list[Draw]:
    """Return the draws of the race's last ranking, the first ranks first, with the names that this reader may see. For
    a visitor one query, if there is a draw."""
    groups = list(dict.fromkeys(race.drawn.values()))
    return [_draw(access, race, group, nicknames) for group in groups]


def draw_of(access: ClubAccess, race: Race, player: int, nicknames: Mapping[int, str]) -> Draw | None:
    """Return the draw that gave a player the rank; None if no lot did."""
    group = race.drawn.get(player)
    return _draw(access, race, group, nicknames) if group else None


def _draw(access: ClubAccess, race: Race, group: tuple[int, ...], nicknames: Mapping[int, str]) -> Draw:
    seed = race.formula.lot_seed

    def of(player: int) -> Lot:
        name = access.names.show(player, nicknames.get(player))
        return Lot(player, name, lot(seed, player)[:DIGITS])

    return Draw(seed, tuple(map(of, group)))
