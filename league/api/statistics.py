"""API of the records of a season or a club, statistics with their uncertainty, ratings, the table of all seasons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import ClubAccess, Right
from league.models import Season
from league.records.all_time import all_time
from league.records.lines import KINDS, records_of
from league.records.shown import Scope
from league.standings.facts.ratings import ratings_of
from league.standings.imported import rated_by_imported
from league.standings.nights import Night, nights_of
from league.standings.standing_lines import season_standings
from league.statistics import meetings, people, rating, tables
from league.statistics.selectors import decisions
from league.web.game_terms import season_terms

from .bodies import MAX_ID
from .seasons import SeasonView
from .views import ClubView

IMPORTED = _("Whether the evening came from a file.")
RUNNING = _("Whether this run of evenings still goes on.")


class PlaceAnswer(serializers.Serializer[Any]):
    """What a record is read about: an evening; `table` and `hand` if it is one hand of it, else null."""

    season = serializers.CharField(source="evening.season.slug")
    evening = serializers.IntegerField(source="evening.pk")
    table = serializers.IntegerField(allow_null=True)
    hand = serializers.IntegerField(allow_null=True)
    imported = serializers.BooleanField(source="evening.is_imported", help_text=IMPORTED)


class HolderAnswer(serializers.Serializer[Any]):
    """A player who holds a title or a record."""

    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField()


class RecordHolderAnswer(HolderAnswer):
    """A player who holds a record. `places`: the hand or the evening of this player; of a run the first and the last
    one; of a number of hands or evenings the last one."""

    places = PlaceAnswer(source="links", many=True)
    running = serializers.BooleanField(help_text=RUNNING)


class RecordAnswer(serializers.Serializer[Any]):
    """A record. `text` is its value in words. `number`: points, goals, hands, evenings, times, or an amount in minor
    units (`pot`, `best_money`); null for a pot that the reader sees in antes. The place is the first holder's: the
    first one of a run of hands, the last one of a run of evenings."""

    season = serializers.CharField(source="link.evening.season.slug")
    evening = serializers.IntegerField(source="link.evening.pk")
    table = serializers.IntegerField(source="link.table", allow_null=True)
    hand = serializers.IntegerField(source="link.hand", allow_null=True)
    imported = serializers.BooleanField(source="link.evening.is_imported", help_text=IMPORTED)
    kind = serializers.ChoiceField(choices=[(kind, kind) for kind in KINDS])
    title = serializers.CharField(source="label")
    text = serializers.CharField(source="value")
    number = serializers.IntegerField(allow_null=True)
    holders = RecordHolderAnswer(many=True)
    running = serializers.BooleanField(help_text=RUNNING)


class RecordsAnswer(serializers.Serializer[Any]):
    """The records, none before the first hand."""

    items = RecordAnswer(many=True)


class ClubRecordsView(ClubView):
    """The records of all seasons."""

    rights = {"get": Right.READ}
    serializer_class = RecordsAnswer

    @extend_schema(operation_id="clubRecords_read", summary=_("The records of all seasons of a club"))
    def get(self, request: Request, club: str) -> Response:
        seasons = list(self.access.club.seasons.order_by("starts_on", "pk"))
        return self.answer({"items": records_of(Scope(self.access, seasons))})


class SeasonRecordsView(SeasonView):
    """The records of a season."""

    rights = {"get": Right.READ}
    serializer_class = RecordsAnswer

    @extend_schema(operation_id="seasonRecords_read", summary=_("The records of a season"))
    def get(self, request: Request, club: str, season: str) -> Response:
        access, chosen_season = self.access_and_season()
        return self.answer({"items": records_of(Scope(access, [chosen_season]))})


class CareerAnswer(serializers.Serializer[Any]):
    """A player over all seasons. `titles`: seasons that are over and that the player won. `contested`: declared hands
    that somebody joined. `balance_minor` is null if the reader may not see it."""

    rank = serializers.IntegerField()
    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField()
    mine = serializers.BooleanField()
    seasons = serializers.IntegerField()
    titles = serializers.IntegerField()
    best_rank = serializers.IntegerField(allow_null=True, help_text=_("Null for who was never ranked."))
    evenings = serializers.IntegerField()
    hands = serializers.IntegerField()
    points = serializers.IntegerField()
    declared_made = serializers.IntegerField()
    contested = serializers.IntegerField()
    joined_made = serializers.IntegerField()
    joined = serializers.IntegerField()
    balance_minor = serializers.IntegerField(allow_null=True)
    imported = serializers.BooleanField(
        source="is_imported", help_text=_("Whether an evening behind these sums came from a file.")
    )


class AllTimeAnswer(serializers.Serializer[Any]):
    """The table of all seasons, the most points first."""

    items = CareerAnswer(many=True)


class AllTimeView(ClubView):
    """The table of all seasons."""

    rights = {"get": Right.READ}
    serializer_class = AllTimeAnswer

    @extend_schema(operation_id="allTime_read", summary=_("The players of a club over all seasons"))
    def get(self, request: Request, club: str) -> Response:
        seasons = list(self.access.club.seasons.order_by("starts_on", "pk"))
        return self.answer({"items": all_time(self.access, seasons).lines})


class ShareAnswer(serializers.Serializer[Any]):
    """`made` of `of` tries, with the bounds of the 95 % interval in thousandths. With fewer than 20 tries the bounds
    are null."""

    made = serializers.IntegerField()
    of = serializers.IntegerField()
    low_permille = serializers.SerializerMethodField()
    high_permille = serializers.SerializerMethodField()

    def get_low_permille(self, share: Any) -> int | None:
        return share.interval.low if share.known else None

    def get_high_permille(self, share: Any) -> int | None:
        return share.interval.high if share.known else None


class ShareLineAnswer(serializers.Serializer[Any]):
    """A row: `value` is the seat after the dealer (99: the dealer), the class of the pot (0: under 5 antes, 1: under
    10, 2: under 20, 3: more), the number of joiners, or 1 for blind; `name` says it in words. `everybody` is null
    unless a player was chosen."""

    value = serializers.IntegerField()
    name = serializers.CharField(source="label")
    share = ShareAnswer()
    everybody = ShareAnswer(source="beside", allow_null=True)


class MeasureAnswer(serializers.Serializer[Any]):
    """A measure (declaring, joining, the share of each that is made, and the share of blind) with its rows. By pot,
    declaring is of the hands in which nobody had declared before."""

    key = serializers.ChoiceField(choices=[(key, key) for key in tables.KEYS])
    title = serializers.CharField()
    lines = ShareLineAnswer(many=True)


class PartAnswer(serializers.Serializer[Any]):
    """The shares by one part of the situation: seat, pot, joiners or blind."""

    key = serializers.ChoiceField(choices=[(key, key) for key in ("seat", "pot", "joiners", "blind")])
    measures = MeasureAnswer(many=True)


class RatingAnswer(serializers.Serializer[Any]):
    """A player's rating in the club after the season's last evening with this player: in 95 of 100 cases the true one
    is from `rating` − `spread` to `rating` + `spread`. Both are null with fewer than five evenings."""

    player = serializers.IntegerField()
    name = serializers.CharField()
    mine = serializers.BooleanField()
    evenings = serializers.IntegerField()
    rating = serializers.IntegerField(allow_null=True)
    spread = serializers.IntegerField(allow_null=True)
    imported = serializers.BooleanField(help_text=_("Whether an evening behind it came from a file."))


class MeetingAnswer(serializers.Serializer[Any]):
    """Two players: the evenings that the first one ended ahead of the other, and behind."""

    player = serializers.IntegerField()
    other = serializers.IntegerField()
    ahead = serializers.IntegerField()
    behind = serializers.IntegerField()


class RunsAnswer(serializers.Serializer[Any]):
    """A player's runs of evenings: won in a row, there in a row, and the run that still goes on."""

    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField()
    mine = serializers.BooleanField()
    evenings = serializers.IntegerField()
    won = serializers.IntegerField()
    won_in_a_row = serializers.IntegerField()
    present = serializers.IntegerField()
    running = serializers.IntegerField()


class StatisticsAnswer(serializers.Serializer[Any]):
    """The statistics of a season. `player` is the chosen one, else null. `meetings` are those of the ten players who
    were there most often."""

    player = serializers.IntegerField(allow_null=True)
    parts = PartAnswer(many=True)
    ratings = RatingAnswer(many=True)
    meetings = MeetingAnswer(many=True)
    runs = RunsAnswer(many=True)


class StatisticsView(SeasonView):
    """The statistics of a season."""

    rights = {"get": Right.READ}
    queries = {
        "get": {
            "player": {
                "type": "integer",
                "minimum": 1,
                "maximum": MAX_ID,
                "description": _("A player of the standings: the shares are this player's, beside everybody's."),
            }
        }
    }
    serializer_class = StatisticsAnswer

    @extend_schema(
        operation_id="statistics_read", summary=_("The statistics of a season with their uncertainty, and the ratings")
    )
    def get(self, request: Request, club: str, season: str) -> Response:
        access, chosen_season = self.access_and_season()
        return self.answer(_statistics(access, chosen_season, self.whole_number("player", most=MAX_ID)))


def _statistics(access: ClubAccess, season: Season, wanted: int | None) -> dict[str, Any]:
    nights, lines = nights_of([season]), season_standings(season)
    chosen = next((line.player_id for line in lines if line.player_id == wanted), None)
    if wanted is not None and chosen is None:
        raise Http404
    terms = season_terms(season, [night.game for night in nights if night.present])
    rated = rating.ratings(access, lines, ratings_of(season), rated_by_imported(season))
    return {
        "player": chosen,
        "parts": tables.parts(decisions([season], chosen), terms, chosen=chosen is not None),
        "ratings": [_rated(rated_line) for rated_line in rated.lines] if rated else [],
        "meetings": _meetings(access, nights),
        "runs": people.streaks(access, nights),
    }


def _rated(line: rating.RatingLine) -> dict[str, Any]:
    skill = line.skill
    return {
        "player": line.player_id,
        "name": line.name,
        "mine": line.mine,
        "evenings": skill.evenings,
        "rating": skill.points if skill.known else None,
        "spread": skill.spread if skill.known else None,
        "imported": line.is_imported,
    }


def _meetings(access: ClubAccess, nights: Sequence[Night]) -> list[dict[str, int]]:
    rows = meetings.heat_map(access, nights)
    return [
        {"player": row.player_id, "other": rows[place].player_id, "ahead": cell.ahead, "behind": cell.behind}
        for row in rows
        for place, cell in enumerate(row.cells)
        if cell is not None
    ]
