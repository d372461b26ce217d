"""Head to head: for each two players the evenings that one ended ahead of the other, as a table with shaded cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from ..access import ClubAccess
from ..intervals import Interval, wilson
from ..money import MINUS
from ..standings.charts import shorten_all
from ..standings.nights import Night, meetings

MOST = 10
"""The number of players that are compared with each other: those with the most evenings."""
LETTERS = 4
"""The most letters of a name above a narrow column."""
Z = 2.575829
"""The normal quantile of 99 %. A map compares up to 45 pairs at once: with 95 % about two of them would be a lead by
chance alone."""

CSS = {1: "heat-ahead", -1: "heat-behind"}
SIGNS = {1: "+", -1: MINUS}


def shade_words(shade: int) -> str:
    """Return a shade in words; an empty text for none."""
    return {1: _("ahead"), -1: _("behind")}.get(shade, "")


def heat_key() -> list[Cell]:
    """Return a cell of each shade, for the key of the table."""
    return [Cell(0, 0, shade) for shade in SIGNS]


@dataclass(frozen=True)
class Cell:
    """Two players: the evenings that the first one ended ahead and behind. `shade`: 1 (more often ahead, by more than
    chance explains), -1 (more often behind), 0 if there are too few evenings to say."""

    ahead: int
    behind: int
    shade: int

    @property
    def css(self) -> str:
        """The CSS class of the shade."""
        return CSS.get(self.shade, "heat-even")

    @property
    def sign(self) -> str:
        """The shade as a sign, for readers without colours; empty for no shade."""
        return SIGNS.get(self.shade, "")

    @property
    def words(self) -> str:
        """The shade in words, for screen readers; empty for no shade."""
        return shade_words(self.shade)


@dataclass(frozen=True)
class HeatRow:
    """A player with a cell for each player; None where they never met, and beside themselves. `short`: the name as the
    head of a narrow column."""

    player_id: int
    name: str
    short: str
    mine: bool
    cells: Sequence[Cell | None]


def heat_map(access: ClubAccess, nights: Sequence[Night], also: Sequence[int] = ()) -> list[HeatRow]:
    """Return the rows for the players with the most evenings, and for `also`; none with fewer than two players."""
    shown = most_present(nights, also)
    if len(shown) < 2:
        return []
    met = meetings([night for night in nights if night.player_id in shown])
    names = [access.names.show(player, name) for player, name in shown.items()]
    return [
        HeatRow(player, name, short, player in access.player_ids, [cell(met, player, other) for other in shown])
        for player, name, short in zip(shown, names, shorten_all(names, LETTERS), strict=True)
    ]


def most_present(nights: Sequence[Night], also: Sequence[int] = ()) -> dict[int, str]:
    """Return the players with the most evenings and those of `also`, with their nicknames; the most present first."""
    count: Counter[int] = Counter()
    names: dict[int, str] = {}
    for night in nights:
        count[night.player_id] += night.present
        names[night.player_id] = night.nickname
    order = sorted(
        (player for player in count if count[player]), key=lambda player: (-count[player], names[player].casefold())
    )
    first = order[:MOST]
    return {player: names[player] for player in [*first, *(person for person in order[MOST:] if person in also)]}


def cell(met: Mapping[tuple[int, int], tuple[int, int, int]], player: int, other: int) -> Cell | None:
    """Return the cell of two players, or None if they never met."""
    if (player, other) not in met:
        return None
    ahead, behind, _equal = met[player, other]
    return Cell(ahead, behind, shade(ahead, behind))


def shade(ahead: int, behind: int) -> int:
    """Return the shade of a cell: a lead only if the 99 % interval of the share leaves out one half."""
    bounds = interval(ahead, behind)
    if bounds.low > 500:
        return 1
    return -1 if bounds.high < 500 else 0


def interval(ahead: int, behind: int) -> Interval:
    """Return the 99 % interval of the share of the evenings ahead."""
    return wilson(ahead, ahead + behind, Z)
