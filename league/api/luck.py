"""API of the luck of a season: what each player made and won, and what was to be expected."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.features import uses
from league.luck.selectors import LuckLine, season_luck
from league.luck.sums import Goals

from .seasons import SeasonView


class GoalsAnswer(serializers.Serializer[Any]):
    """`made` of `of` hands. In the same situations others make `expected`; nine of ten players are within ± `spread` of
    it by luck alone. Both are null with fewer than 20 hands."""

    made = serializers.IntegerField()
    of = serializers.IntegerField()
    expected = serializers.IntegerField(allow_null=True)
    spread = serializers.IntegerField(allow_null=True)


class LuckOfPlayerAnswer(serializers.Serializer[Any]):
    """A player's luck over the final evenings of a season. `luck_minor` is `balance_minor` − `expected_minor`; by luck
    alone nine of ten balances are from `low_minor` to `high_minor`. Amounts are null if the reader may not see them,
    and with fewer than 20 hands; in a season of points only there is `luck_antes` alone."""

    player = serializers.IntegerField()
    name = serializers.CharField()
    mine = serializers.BooleanField()
    evenings = serializers.IntegerField()
    hands = serializers.IntegerField()
    declared = GoalsAnswer()
    joined = GoalsAnswer()
    musses = GoalsAnswer()
    balance_minor = serializers.IntegerField(allow_null=True)
    expected_minor = serializers.IntegerField(allow_null=True)
    luck_minor = serializers.IntegerField(allow_null=True)
    low_minor = serializers.IntegerField(allow_null=True)
    high_minor = serializers.IntegerField(allow_null=True)
    luck_antes = serializers.IntegerField(allow_null=True)


class LuckAnswer(serializers.Serializer[Any]):
    """The luck of a season, the luckiest first; empty while the club has the feature off."""

    items = LuckOfPlayerAnswer(many=True)


class Luck(SeasonView):
    """The luck of a season."""

    rights = {"get": Right.READ}
    serializer_class = LuckAnswer

    @extend_schema(operation_id="luck_read", summary=_("The luck of a season: what was to be expected, and what came"))
    def get(self, request: Request, club: str, season: str) -> Response:
        access, chosen_season = self.access_and_season()
        if not uses(access.club, "season-luck"):
            return self.answer({"items": []})
        luck = season_luck(access, chosen_season)
        return self.answer({"items": [_player(line, in_money=luck.in_money) for line in luck.lines]})


def _player(line: LuckLine, *, in_money: bool) -> dict[str, Any]:
    luck = line.luck
    sees = line.sees and luck.known
    shown = sees and in_money
    return {
        "player": line.player_id,
        "name": line.name,
        "mine": line.mine,
        "evenings": len(luck.nights),
        "hands": luck.hands,
        "declared": _goals(luck.declared),
        "joined": _goals(luck.joined),
        "musses": _goals(luck.musses),
        "balance_minor": luck.actual_minor if shown else None,
        "expected_minor": luck.expected_minor if shown else None,
        "luck_minor": luck.luck_minor if shown else None,
        "low_minor": luck.low_minor if shown else None,
        "high_minor": luck.high_minor if shown else None,
        "luck_antes": luck.antes if sees else None,
    }


def _goals(goals: Goals) -> dict[str, int | None]:
    return {
        "made": goals.made,
        "of": goals.hands,
        "expected": goals.expected if goals.known else None,
        "spread": goals.spread if goals.known else None,
    }
