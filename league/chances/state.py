"""The state of a season's chances for one reader: the stored ones, and the evening that is played now."""

from __future__ import annotations

from dataclasses import dataclass

from ..access import ClubAccess
from ..models import Evening, Season, SeasonChances
from ..standings.formula.parts import Formula
from ..standings.selectors import freshness_as_read
from ..web.polling import etag_of
from . import selectors, services


@dataclass(frozen=True)
class ChancesState:
    """The reader, the season, its stored chances and the evening that is played now. `chosen`: the player whose needs
    are shown."""

    access: ClubAccess
    season: Season
    stored: SeasonChances | None
    running: Evening | None
    chosen: int | None = None

    @property
    def mark(self) -> int:
        """The counted mark of the season."""
        return freshness_as_read(self.season).mark

    @property
    def fresh(self) -> bool:
        """Return True if no computation is to come."""
        if self.season.closed_at is not None or not self.mark:
            return True
        return selectors.is_fresh(self.stored, self.mark, self.running)

    @property
    def etag(self) -> str:
        """An ETag that changes with all data of the page."""
        version = self.stored and (self.stored.computed_at, self.stored.counted_mark)
        running = self.running and self.running.pk
        return etag_of(self.access, self.season.pk, self.mark, version, running, self.season.closed_at, self.chosen)

    def sees_needs(self, formula: Formula, player: int) -> bool:
        """Return True if the reader may see the needs of a player: amounts need the right to the player's amounts."""
        return not formula.by_amounts or self.access.sees_money(player)


def read_state(access: ClubAccess, season: Season, chosen: int | None = None) -> ChancesState:
    """Read the state, and wake a worker if the stored chances are outdated. Two queries."""
    state = ChancesState(
        access=access,
        season=season,
        stored=selectors.stored_chances(season),
        running=selectors.running_evening(season),
        chosen=chosen,
    )
    if not state.fresh:
        services.wake(season.pk)
    return state
