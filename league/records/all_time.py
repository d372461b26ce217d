"""The table of all seasons: each player's sums of all standings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Min, Q, Sum
from django.utils import timezone

from ..access import ClubAccess
from ..models import Season, Standing
from ..standings.imported import players_with_imported


@dataclass(frozen=True)
class Career:
    """A player's line: sums over the seasons. `best_rank` is None for a player who was never ranked, `balance_minor`
    where the reader may not see it."""

    rank: int
    player_id: int
    name: str
    mine: bool
    seasons: int
    titles: int
    best_rank: int | None
    evenings: int
    hands: int
    points: int
    declared_made: int
    contested: int
    joined_made: int
    joined: int
    balance_minor: int | None
    is_imported: bool = False
    """True if an evening behind these sums was imported."""


@dataclass(frozen=True)
class AllTime:
    """The table; `with_money`: some line has a balance."""

    lines: Sequence[Career]
    with_money: bool

    @property
    def with_imported(self) -> bool:
        """True if a line has an imported evening."""
        return any(line.is_imported for line in self.lines)


def all_time(access: ClubAccess, seasons: Sequence[Season]) -> AllTime:
    """Return the players over these seasons, the most points first. Two queries."""
    today = timezone.localdate()
    over = [
        season.pk
        for season in seasons
        if season.closed_at is not None or (season.ends_on is not None and season.ends_on < today)
    ]
    in_money = [season.pk for season in seasons if not season.points_only]
    sums: Iterable[Mapping[str, Any]] = (
        Standing.objects.filter(season__in=seasons)
        .order_by()
        .values("player_id", "player__nickname")
        .annotate(
            seasons=Count("pk"),
            titles=Count("pk", filter=Q(rank=1, unranked="", season__in=over)),
            best_rank=Min("rank", filter=Q(unranked="")),
            balance=Sum("balance_minor", filter=Q(season__in=in_money)),
            **{f"{name}_sum": Sum(name) for name in SUMS},
            # Averages are no points that could be added up.
            points_sum=Sum("points", filter=~Q(season__formula_scale__gt=1), default=0),
        )
    )
    rows: list[Mapping[str, Any]] = sorted(
        sums, key=lambda row: (-row["points_sum"], row["player__nickname"].casefold())
    )
    ranks: dict[int, int] = {}
    for place, row in enumerate(rows, start=1):
        ranks.setdefault(row["points_sum"], place)
    imported = players_with_imported(*seasons)
    lines = [_line(access, row, ranks[row["points_sum"]], row["player_id"] in imported) for row in rows]
    return AllTime(lines, any(line.balance_minor is not None for line in lines))


SUMS = ("evenings", "hands", "declared", "declared_made", "walkovers", "joined", "joined_made")


def _line(access: ClubAccess, row: Mapping[str, Any], rank: int, is_imported: bool) -> Career:
    player = row["player_id"]
    return Career(
        rank=rank,
        player_id=player,
        name=access.names.show(player, row["player__nickname"]),
        mine=player in access.player_ids,
        seasons=row["seasons"],
        titles=row["titles"],
        best_rank=row["best_rank"],
        evenings=row["evenings_sum"],
        hands=row["hands_sum"],
        points=row["points_sum"],
        declared_made=row["declared_made_sum"],
        contested=row["declared_sum"] - row["walkovers_sum"],
        joined_made=row["joined_made_sum"],
        joined=row["joined_sum"],
        balance_minor=row["balance"] if access.sees_money(player) else None,
        is_imported=is_imported,
    )
