"""The band behind the balances of a season: how far apart they are by luck alone (docs/luck.md)."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from django.db.models import Count, F, Sum

from ..intervals import NINE_OF_TEN
from ..models import LuckOfPlayer, Season

Bounds = tuple[int, int]


def chance_bounds(season: Season, evenings: Sequence[int]) -> list[Bounds]:
    """Return the bounds of a balance after each of these evenings, in the smallest unit of money: nine of ten balances
    of people who were at each of them end within by luck alone. `evenings` are ids in their order; the bounds end
    before the first one whose luck is not counted. One query.

    Each evening adds what its players were to expect in the mean, and the mean square of their deviations.
    """
    counted = (
        LuckOfPlayer.objects.filter(season=season)
        .order_by()
        .values("evening")
        .annotate(
            people=Count("pk"), expected=Sum("expected_minor"), squares=Sum(F("spread_minor") * F("spread_minor"))
        )
    )
    known = {row["evening"]: row for row in counted}
    bounds: list[Bounds] = []
    expected = squares = 0
    for evening in evenings:
        if evening not in known:
            break
        row = known[evening]
        expected += int(row["expected"]) // row["people"]
        squares += int(row["squares"]) // row["people"]
        half = int(NINE_OF_TEN * isqrt(squares))
        bounds.append((expected - half, expected + half))
    return bounds
