"""The points of a hand, as a season sets them. `counting.py` adds up the same points in SQL for a whole season."""

from __future__ import annotations

from django.db.models import Case, IntegerField, Sum, Value, When

from ..models import ResultRow, Season

Role = ResultRow.Role


def hand_points(season: Season, *, role: str, made: bool | None, walkover: bool = False, muss: bool = False) -> int:
    """Return the points of one player for one hand. In a Muss everybody counts as a joiner."""
    if role == Role.DECLARER and walkover:
        return season.points_walkover
    if role not in (Role.DECLARER, Role.JOINER) and not muss:
        return 0
    if role == Role.DECLARER and not muss:
        return season.points_declared if made else season.points_declared_failed
    return season.points_joined if made else season.points_joined_failed


def points_sum(season: Season) -> Sum:
    """Return the same as an aggregate of result rows."""
    return Sum(
        Case(
            When(muss=True, made=True, then=Value(season.points_joined)),
            When(muss=True, then=Value(season.points_joined_failed)),
            When(role=Role.DECLARER, walkover=True, then=Value(season.points_walkover)),
            When(role=Role.DECLARER, made=True, then=Value(season.points_declared)),
            When(role=Role.DECLARER, then=Value(season.points_declared_failed)),
            When(role=Role.JOINER, made=True, then=Value(season.points_joined)),
            When(role=Role.JOINER, then=Value(season.points_joined_failed)),
            default=Value(0),
            output_field=IntegerField(),
        )
    )
