"""Standings in answers of the API."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from league.access import ClubAccess
from league.models import Standing
from league.standings.standing_lines import StandingLine

COUNTERS = (
    "points", "evenings", "hands", "declared", "declared_made", "joined", "joined_made", "out", "blinds",
    "blinds_made", "walkovers", "susi", "musses", "musses_made", "best_night_points", "worst_night_points",
)  # fmt: skip
UNRANKED = ("evenings", "hands", "guest")
AMOUNTS = ("balance_minor", "counted_minor", "biggest_pot_minor", "best_night_minor", "worst_night_minor")


class StandingAnswer(serializers.Serializer[Any]):
    """A player's standing. Amounts are null if the reader may not see them."""

    rank = serializers.IntegerField(allow_null=True, help_text=_("Null for who is not ranked."))
    rank_before = serializers.IntegerField(
        allow_null=True, help_text=_("Before the last evening; null for who was not ranked before it or is not now.")
    )
    unranked = serializers.ChoiceField(
        ["", *UNRANKED],
        help_text=_("Why the player is not ranked: too few evenings or hands, or a guest. Empty for who is."),
    )
    player = serializers.IntegerField()
    name = serializers.CharField()
    mine = serializers.BooleanField()
    points = serializers.IntegerField()
    balance_minor = serializers.IntegerField(allow_null=True)
    counted_minor = serializers.IntegerField(
        allow_null=True, help_text=_("The amount by which a formula of amounts ranks; null without such a formula.")
    )
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
    imported = serializers.BooleanField(help_text=_("Whether an evening behind these sums came from a file."))


class SeasonStandingAnswer(StandingAnswer):
    """A player's standing in the list of a season."""

    points_behind = serializers.IntegerField(
        allow_null=True,
        help_text=_("Behind the first one; null for players who are not ranked, and where amounts rank."),
    )


def shown_standing(
    line: Standing | StandingLine, nickname: str, access: ClubAccess, *, imported: bool
) -> dict[str, Any]:
    """Return the standing of a player of this nickname as the reader may see it. `imported`: an evening of it was."""
    sees = access.sees_money(line.player_id)
    return {
        **{name: getattr(line, name) for name in COUNTERS},
        **{name: getattr(line, name) if sees else None for name in AMOUNTS},
        "rank": line.shown_rank,
        "rank_before": line.shown_rank_before,
        "unranked": line.unranked,
        "player": line.player_id,
        "name": access.names.show(line.player_id, nickname),
        "mine": line.player_id in access.player_ids,
        "imported": imported,
    }
