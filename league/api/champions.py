"""API of the champions: the honours of a closed season, and the champions of a club's seasons."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import ClubAccess, Right
from league.champions.all_champions import AllChampions, PastSeason, all_champions
from league.champions.podium import Honours, honours_of
from league.models import Season

from .base import ClubView, Op
from .seasons import SeasonView
from .statistics import RECORD, HolderAnswer, RecordAnswer, shown_record

HOLDER = {"player": 3, "name": "Anna"}


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


PLACE = {
    "rank": 1,
    **HOLDER,
    "mine": False,
    "points": 148,
    "amount_minor": None,
    "evenings": 18,
    "won": 5,
}
SEASON_CHAMPIONS = {
    "closed_at": "2027-06-30T21:40:00+02:00",
    "champions": [HOLDER],
    "podium": [PLACE],
    "played": {"evenings": 20, "hands": 1180, "players": 11, "first": "2026-08-07", "last": "2027-06-25"},
    "susi": None,
    "records": [RECORD],
    "rules": ["What counts: Points per hand.", "The best 8 evenings count."],
}


class SeasonChampions(SeasonView):
    """The honours of a season."""

    ops = {
        "GET": Op(
            Right.READ,
            _("The champions of a closed season, its podium and its records"),
            answer=SeasonChampionsAnswer,
            example=SEASON_CHAMPIONS,
        )
    }

    def get(self, request: Request, club: str, season: str) -> Response:
        access, found = self.access_and_season()
        return self.answer(_honours(access, found))


def _honours(access: ClubAccess, season: Season) -> dict[str, Any]:
    honours: Honours | None = None if season.closed_at is None else honours_of(access, season)
    return {
        "closed_at": season.closed_at,
        "champions": [_holder(one.player_id, one.name) for one in honours.champions] if honours else [],
        "podium": honours.podium if honours else [],
        "played": honours.played if honours else None,
        "susi": shown_record(honours.susi) if honours and honours.susi else None,
        "records": [shown_record(one) for one in honours.records] if honours else [],
        "rules": honours.rules if honours else [],
    }


def _holder(player: int, name: str) -> dict[str, Any]:
    return {"player": player, "name": name}


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


CLUB_CHAMPIONS = {
    "seasons": [
        {
            "season": "2025",
            "name": "Season 2025/26",
            "closed": True,
            "champions": [HOLDER],
            "behind": [{"player": 4, "name": "Beni", "rank": 2}],
            "evenings": 20,
            "players": 11,
        }
    ],
    "titles": [{**HOLDER, "titles": 2}],
}


class ClubChampions(ClubView):
    """The champions of a club."""

    ops = {
        "GET": Op(
            Right.READ,
            _("The seasons of a club that are over, each with its champions"),
            answer=ClubChampionsAnswer,
            example=CLUB_CHAMPIONS,
        )
    }

    def get(self, request: Request, club: str) -> Response:
        past: AllChampions = all_champions(self.access)
        return self.answer(
            {
                "seasons": [_past(one) for one in past.seasons],
                "titles": [{**_holder(one.player_id, one.name), "titles": number} for one, number in past.titles],
            }
        )


def _past(one: PastSeason) -> dict[str, Any]:
    return {
        "season": one.season.slug,
        "name": one.season.name,
        "closed": one.closed,
        "champions": [_holder(each.player_id, each.name) for each in one.champions],
        "behind": [{**_holder(each.player_id, each.name), "rank": rank} for rank, each in one.behind],
        "evenings": one.evenings,
        "players": one.players,
    }
