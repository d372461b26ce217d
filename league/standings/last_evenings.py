"""The last evenings of a club's page: who was first, and how the reader did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..access import ClubAccess
from ..models import Evening, EveningScore, Season
from ..money import format_count, format_money, gain_class


@dataclass(frozen=True)
class Scorer:
    """A player of an evening. `worth` are the points or the amount with their sign, empty where the reader may not see
    them."""

    rank: int
    name: str
    worth: str
    css: str
    mine: bool


class _Score(NamedTuple):
    evening_id: int
    player_id: int
    nickname: str
    points: int
    change_minor: int

    def value(self, season: Season) -> int:
        """Return the value by which the evening ranks."""
        return self.points if season.by_points else self.change_minor


def add_scores(access: ClubAccess, evenings: Sequence[Evening], seasons: Sequence[Season]) -> None:
    """Set `scorers` on each evening, who was there, the best first, and `winners`, as last counted; nobody
    where its season is not given. One query."""
    known = {season.pk: season for season in seasons}
    rows: dict[int, list[_Score]] = {}
    evening_scores = EveningScore.objects.filter(
        evening__in=[evening.pk for evening in evenings], hands__gt=0
    ).order_by()
    columns = ("evening_id", "player_id", "player__nickname", "points", "change_minor")
    for row in map(_Score._make, evening_scores.values_list(*columns)):
        rows.setdefault(row.evening_id, []).append(row)
    for evening in evenings:
        season = known.get(evening.season_id)
        found_here = scorers(access, season, rows.get(evening.pk, [])) if season else []
        evening.scorers = found_here  # type: ignore[attr-defined]
        evening.winners = [scorer for scorer in found_here if scorer.rank == 1]  # type: ignore[attr-defined]


def scorers(access: ClubAccess, season: Season, rows: Sequence[_Score]) -> list[Scorer]:
    """Return the players of one evening as the reader sees them, the best first; equal ones share a rank."""
    within = access.within(season)
    ordered = sorted(rows, key=lambda row: (-row.value(season), row.nickname.casefold()))
    return [
        Scorer(
            rank=1 + sum(other.value(season) > row.value(season) for other in ordered),
            name=access.names.show(row.player_id, row.nickname),
            worth=_worth(within, season, row),
            css=gain_class(row.value(season)),
            mine=row.player_id in access.player_ids,
        )
        for row in ordered
    ]


def _worth(access: ClubAccess, season: Season, row: _Score) -> str:
    if season.by_points:
        return format_count(row.points, plus="+")
    return format_money(row.change_minor, plus="+") if access.sees_money(row.player_id) else ""
