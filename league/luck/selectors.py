"""The luck of seasons, evenings and players, as a reader may see it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Sum

from ..access import ClubAccess, Right
from ..models import Evening, LuckOfEvening, LuckOfPlayer, Season
from .sums import Luck, NightLuck, luck_of

COLUMNS = (
    *("evening_id", "evening__evening__number", "evening__held_on", "evening__ante_minor", "player_id"),
    *("player__nickname", "hands", "actual_minor", "expected_minor", "low_minor", "high_minor", "spread_minor"),
    "calls",
)


@dataclass(frozen=True)
class LuckLine:
    """A player's luck of a season. `sees`: the reader may see amounts of this player. In a season of points they are
    shown in antes (`in_money` false)."""

    player_id: int
    name: str
    mine: bool
    sees: bool
    luck: Luck


@dataclass(frozen=True)
class SeasonLuck:
    """The luck of a season, the luckiest first. `evenings` that are counted; `pot_luck_minor`: what went into the pots
    beyond what was to be expected. The luck of all players and of the pots adds up to 0."""

    lines: list[LuckLine]
    evenings: int
    in_money: bool
    pot_minor: int
    pot_expected_minor: int

    @property
    def sees_all(self) -> bool:
        """True if the reader sees the amounts of all players, so that their sums say something."""
        return all(line.sees for line in self.lines)

    @property
    def seen(self) -> list[LuckLine]:
        """The players whose amounts the reader sees."""
        return [line for line in self.lines if line.sees]

    @property
    def pot_luck_minor(self) -> int:
        """What went into the pots beyond what was to be expected."""
        return self.pot_minor - self.pot_expected_minor


def sees_luck(access: ClubAccess, season: Season, player_id: int) -> bool:
    """Return True if the reader may see what luck was worth to a player: whoever sees the player's amounts. In a season
    of points nobody sees amounts; there it is shown in antes, to those who see amounts elsewhere."""
    return access.sees_money(player_id) or (season.points_only and access.may_own(Right.SEE_MONEY, player_id))


def _nights(**wanted: Any) -> list[NightLuck]:
    rows = LuckOfPlayer.objects.filter(**wanted).order_by("evening__held_on", "evening_id", "player_id")
    return [NightLuck(*row) for row in rows.values_list(*COLUMNS)]


def season_luck(access: ClubAccess, season: Season) -> SeasonLuck:
    """Return the luck of a season; `access` is within the season. Two queries."""
    by_player: dict[int, list[NightLuck]] = {}
    for night in _nights(season=season):
        by_player.setdefault(night.player_id, []).append(night)
    pots = LuckOfEvening.objects.filter(season=season).order_by()
    sums = pots.aggregate(pot=Sum("pot_minor"), expected=Sum("pot_expected_minor"))
    lines = [_line(access, season, nights) for nights in by_player.values()]
    known = {night.evening_id for line in lines for night in line.luck.nights}
    return SeasonLuck(
        lines=sorted(lines, key=lambda line: (-line.luck.antes if line.sees else 1, line.name.casefold())),
        evenings=len(known),
        in_money=not season.points_only,
        pot_minor=sums["pot"] or 0,
        pot_expected_minor=sums["expected"] or 0,
    )


def player_luck(access: ClubAccess, season: Season, player_id: int) -> LuckLine | None:
    """Return a player's luck of a season; None without a counted evening. One query."""
    nights = _nights(season=season, player=player_id)
    return _line(access, season, nights) if nights else None


def evening_luck(access: ClubAccess, evening: Evening, player_ids: Iterable[int]) -> list[LuckLine]:
    """Return the luck of these players of an evening whose amounts the reader may see. One query."""
    nights = _nights(evening=evening.pk, player__in=[*player_ids])
    lines = [_line(access, evening.season, [night]) for night in nights]
    return [line for line in lines if line.sees]


def _line(access: ClubAccess, season: Season, nights: list[NightLuck]) -> LuckLine:
    first = nights[0]
    return LuckLine(
        player_id=first.player_id,
        name=access.names.show(first.player_id, first.name),
        mine=first.player_id in access.player_ids,
        sees=sees_luck(access, season, first.player_id),
        luck=luck_of(nights),
    )


def file_row(line: LuckLine, *, in_money: bool) -> Mapping[str, Any]:
    """Return a player's line of the file; what the reader may not see is missing."""
    luck = line.luck
    row: dict[str, Any] = {"player_id": line.player_id, "player": line.name, "evenings": len(luck.nights)}
    row |= {"hands": luck.hands, "declared": luck.declared.hands, "declared_made": luck.declared.made}
    row |= {"joined": luck.joined.hands, "joined_made": luck.joined.made}
    row |= {"musses": luck.musses.hands, "musses_made": luck.musses.made}
    for name, goals in (("declared", luck.declared), ("joined", luck.joined), ("musses", luck.musses)):
        if goals.known:
            row |= {f"{name}_expected": goals.expected, f"{name}_spread": goals.spread}
    if line.sees and luck.known:
        row["luck_antes"] = luck.antes
        if in_money:
            row |= {"balance_minor": luck.actual_minor, "expected_minor": luck.expected_minor}
            row |= {"luck_minor": luck.luck_minor, "low_minor": luck.low_minor, "high_minor": luck.high_minor}
    return row
