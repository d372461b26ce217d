"""The points of a hand, as a season sets them. `counting.py` adds up the same points in SQL for a whole season."""

from __future__ import annotations

from django.db.models import Case, F, IntegerField, Q, Sum, Value, When
from django.db.models.expressions import Combinable

from ..models import ResultRow, Season

Role = ResultRow.Role
ALONE = Q(walkover=True, role__in=[Role.DECLARER, Role.JOINER])
"""A player who alone plays and takes the pot without play: the declarer, or a joiner where nobody declares."""


def hand_points(season: Season, *, role: str, made: bool | None, walkover: bool = False, muss: bool = False) -> int:
    """Return the points of one player for one hand. In a Muss everybody counts as a joiner."""
    plays = role in (Role.DECLARER, Role.JOINER)
    if plays and walkover:
        return season.points_walkover
    if not plays and not muss:
        return 0
    if role == Role.DECLARER and not muss:
        return season.points_declared if made else season.points_declared_failed
    return season.points_joined if made else season.points_joined_failed


def points_sum(season: Season | None = None) -> Sum:
    """Return the same as an aggregate of result rows; without a season, each row by its own one."""

    def worth(field: str) -> Combinable:
        return F(f"season__{field}") if season is None else Value(getattr(season, field))

    return Sum(
        Case(
            When(muss=True, made=True, then=worth("points_joined")),
            When(muss=True, then=worth("points_joined_failed")),
            When(ALONE, then=worth("points_walkover")),
            When(role=Role.DECLARER, made=True, then=worth("points_declared")),
            When(role=Role.DECLARER, then=worth("points_declared_failed")),
            When(role=Role.JOINER, made=True, then=worth("points_joined")),
            When(role=Role.JOINER, then=worth("points_joined_failed")),
            default=Value(0),
            output_field=IntegerField(),
        )
    )
