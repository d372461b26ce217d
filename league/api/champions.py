"""API of the champions: the honours of a closed season, and the champions of a club's seasons."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import ClubAccess, Right
from league.champions.all_champions import PastSeason, all_champions
from league.champions.podium import Honours, honours_of
from league.models import Season

from .seasons import SeasonView
from .statistics import HolderAnswer, RecordAnswer
from .views import ClubView


class PodiumPlaceAnswer(serializers.Serializer[Any]):
    """A place of the podium; equal players share a rank. `points` in the scale of the formula, null where amounts rank;
    `amount_minor` the amount that ranks, null if the reader may not see it. `won`: evenings."""

    rank = serializers.IntegerField()
    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField()
    mine = serializers.BooleanField()
    points = serializers.IntegerField(allow_null=True)
    amount_minor = serializers.IntegerField(allow_null=True)
    evenings = serializers.IntegerField()
    won = serializers.IntegerField()


class PlayedAnswer(serializers.Serializer[Any]):
    """The numbers of a season, with the days of its first and last evening."""

    evenings = serializers.IntegerField()
    hands = serializers.IntegerField()
    players = serializers.IntegerField()
    first = serializers.DateField(allow_null=True)
    last = serializers.DateField(allow_null=True)


class SeasonChampionsAnswer(serializers.Serializer[Any]):
    """The honours of a closed season. Of a season that is not closed `closed_at` is null, and all the rest is empty.
    `rules`: how the season ranked, in sentences."""

    closed_at = serializers.DateTimeField(allow_null=True)
    champions = HolderAnswer(many=True)
    podium = PodiumPlaceAnswer(many=True)
    played = PlayedAnswer(allow_null=True)
    susi = RecordAnswer(allow_null=True)
    records = RecordAnswer(many=True)
    rules = serializers.ListField(child=serializers.CharField())


class SeasonChampionsView(SeasonView):
    """The honours of a season."""

    rights = {"get": Right.READ}
    serializer_class = SeasonChampionsAnswer

    @extend_schema(
        operation_id="seasonChampions_read", summary=_("The champions of a closed season, its podium and its records")
    )
    def get(self, request: Request, club: str, season: str) -> Response:
        access, chosen_season = self.access_and_season()
        return self.answer(_honours(access, chosen_season))


def _honours(access: ClubAccess, season: Season) -> dict[str, Any]:
    honours: Honours | None = None if season.closed_at is None else honours_of(access, season)
    return {
        "closed_at": season.closed_at,
        "champions": honours.champions if honours else [],
        "podium": honours.podium if honours else [],
        "played": honours.played if honours else None,
        "susi": honours.susi if honours else None,
        "records": honours.records if honours else [],
        "rules": honours.rules if honours else [],
    }


class BehindAnswer(HolderAnswer):
    """A player of the second or third rank."""

    rank = serializers.IntegerField()


class PastSeasonAnswer(serializers.Serializer[Any]):
    """A season that is over. While it is not `closed`, its champions may still change."""

    season = serializers.CharField()
    name = serializers.CharField()
    closed = serializers.BooleanField()
    champions = HolderAnswer(many=True)
    behind = BehindAnswer(many=True)
    evenings = serializers.IntegerField()
    players = serializers.IntegerField()


class TitlesAnswer(HolderAnswer):
    """A player with the number of closed seasons won."""

    titles = serializers.IntegerField()


class ClubChampionsAnswer(serializers.Serializer[Any]):
    """The seasons that are over, the newest first, and the winners of closed ones by number of titles, the most
    first."""

    seasons = PastSeasonAnswer(many=True)
    titles = TitlesAnswer(many=True)


class ClubChampionsView(ClubView):
    """The champions of a club."""

    rights = {"get": Right.READ}
    serializer_class = ClubChampionsAnswer

    @extend_schema(
        operation_id="clubChampions_read", summary=_("The seasons of a club that are over, each with its champions")
    )
    def get(self, request: Request, club: str) -> Response:
        past = all_champions(self.access)
        titles = [{**asdict(champion), "titles": number} for champion, number in past.titles]
        return self.answer({"seasons": [_past(past_season) for past_season in past.seasons], "titles": titles})


def _past(past_season: PastSeason) -> dict[str, Any]:
    return {
        "season": past_season.season.slug,
        "name": past_season.season.name,
        "closed": past_season.closed,
        "champions": past_season.champions,
        "behind": [{**asdict(each), "rank": rank} for rank, each in past_season.behind],
        "evenings": past_season.evenings,
        "players": past_season.players,
    }
