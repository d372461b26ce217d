"""A person's last look at the own page, with the figures shown then.

The account keeps it, so that a phone and a laptop agree. Looks within some hours are one visit: reloading the page
loses nothing, and a visit writes one row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from ..models import PlayerLook, User
from ..standings.nights import Night

VISIT = timedelta(hours=6)


@dataclass(frozen=True)
class Seen:
    """The figures shown at one visit: the sum of points, the rank in the newest season (None: not ranked), the newest
    evening (date and key), the points of the rating (None: too few evenings), and the kinds of the club's records that
    the player held."""

    at: datetime
    points: int
    season_id: int
    rank: int | None
    newest: tuple[str, int]
    rating: int | None = None
    records: tuple[str, ...] = ()

    def packed(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "at": self.at.isoformat(),
            "points": self.points,
            "season": self.season_id,
            "rank": self.rank,
            "newest": list(self.newest),
            "rating": self.rating,
            "records": list(self.records),
        }

    @classmethod
    def unpacked(cls, data: Mapping[str, Any]) -> Seen:
        """Read plain data. Raises ValueError, TypeError or LookupError for anything else."""
        held_on, evening_id = data["newest"]
        return cls(
            at=datetime.fromisoformat(data["at"]),
            points=int(data["points"]),
            season_id=int(data["season"]),
            rank=data["rank"],
            newest=(str(held_on), int(evening_id)),
            rating=data["rating"],
            records=tuple(map(str, data["records"])),
        )


def evening_key(night: Night) -> tuple[str, int]:
    """Return the place of a night in the order of evenings."""
    return night.held_on.isoformat(), night.evening_id


def visit(kept: Sequence[Seen], now: Seen) -> tuple[Seen | None, list[Seen]]:
    """Return the look of the visit before this one (None: there was none), and the looks to keep: that one, and the
    first look of this visit. `kept` is what was kept before."""
    if not kept:
        return None, [now]
    if now.at - kept[-1].at > VISIT:
        return kept[-1], [kept[-1], now]
    return (kept[0] if len(kept) > 1 else None), list(kept)


def read(user: User, player_id: int) -> list[Seen]:
    """Return the looks that the account keeps, the newest last; none if they cannot be read. One query."""
    data = PlayerLook.objects.filter(user=user, player=player_id).values_list("looks", flat=True).first()
    try:
        return [Seen.unpacked(look) for look in data or []][-2:]
    except (ValueError, TypeError, LookupError):
        return []


def keep(user: User, player_id: int, looks: Sequence[Seen]) -> None:
    """Let the account keep these looks. Of two visits that begin at once the second one counts."""
    PlayerLook.objects.update_or_create(
        user=user, player_id=player_id, defaults={"looks": [look.packed() for look in looks]}
    )
