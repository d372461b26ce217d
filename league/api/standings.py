"""Standings in answers of the API."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from league.access import ClubAccess
from league.models import Standing
from league.standings.standing_lines import StandingLine

COUNTERS = (
    "rank", "points", "evenings", "hands", "declared", "declared_made", "joined", "joined_made", "out", "blinds",
    "blinds_made", "walkovers", "susi", "musses", "musses_made", "best_night_points", "worst_night_points",
)  # fmt: skip
AMOUNTS = ("balance_minor", "biggest_pot_minor", "best_night_minor", "worst_night_minor")

LINE = {
    **dict.fromkeys(COUNTERS, 0),
    "player": 3,
    "name": "Anna",
    "mine": False,
    "rank": 1,
    "rank_before": 2,
    "points": 41,
    "evenings": 5,
    "hands": 140,
    "declared": 38,
    "declared_made": 25,
    "joined": 61,
    "joined_made": 44,
    "out": 41,
    "best_night_points": 14,
    "worst_night_points": -2,
    "balance_minor": 1240,
    "biggest_pot_minor": 360,
    "best_night_minor": 820,
    "worst_night_minor": -400,
}


class StandingAnswer(serializers.Serializer[Any]):
    """A player's standing. Amounts are null if the reader may not see them."""

    rank = serializers.IntegerField()
    rank_before = serializers.IntegerField(allow_null=True, help_text=_("Before the last evening."))
    player = serializers.IntegerField()
    name = serializers.CharField()
    mine = serializers.BooleanField()
    points = serializers.IntegerField()
    balance_minor = serializers.IntegerField(allow_null=True)
    evenings = serializers.IntegerField()
    hands = serializers.IntegerField()
    declared = serializers.IntegerField()
    declared_made = serializers.IntegerField()
    joined = serializers.IntegerField()
    joined_made = serializers.IntegerField()
    out = serializers.IntegerField()
    blinds = serializers.IntegerField()
    blinds_made = serializers.IntegerField()
    walkovers = serializers.IntegerField()
    susi = serializers.IntegerField()
    musses = serializers.IntegerField()
    musses_made = serializers.IntegerField()
    biggest_pot_minor = serializers.IntegerField(allow_null=True)
    best_night_minor = serializers.IntegerField(allow_null=True)
    worst_night_minor = serializers.IntegerField(allow_null=True)
    best_night_points = serializers.IntegerField()
    worst_night_points = serializers.IntegerField()


class SeasonStandingAnswer(StandingAnswer):
    """A player's standing in the list of a season."""

    points_behind = serializers.IntegerField(
        allow_null=True,
        help_text=_("Behind the first one; null for who is not ranked, and where amounts rank."),
    )


def shown_standing(line: Standing | StandingLine, nickname: str, access: ClubAccess) -> dict[str, Any]:
    """Return the standing of a player of this nickname as the reader may see it."""
    sees = access.sees_money(line.player_id)
    return {
        **{name: getattr(line, name) for name in COUNTERS},
        **{name: getattr(line, name) if sees else None for name in AMOUNTS},
        "rank_before": line.rank_before,
        "player": line.player_id,
        "name": access.names.show(line.player_id, nickname),
        "mine": line.player_id in access.player_ids,
    }
