"""API of seasons, their standings and their files."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import django_filters
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from django.http.response import HttpResponseBase
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import ClubAccess, Right
from league.models import Season
from league.played_games import GAMES
from league.standings import exports, seasons, selectors, standing_lines
from league.standings.columns import sorted_rows
from league.standings.formula.inputs import formula_of
from league.standings.imported import players_with_imported
from league.standings.live_part import rows_for, season_etag
from league.standings.reader_choice import SORTS, read_choice
from league.standings.season_part import part_of
from league.standings.standing_lines import StandingLine
from league.standings.trends import gaps

from .bodies import Body, Patch
from .etags import not_modified
from .paging import PositionPagination
from .problems import wrong_field
from .queries import EXCEL_QUERY
from .schema import CSV
from .standings import SeasonStandingAnswer, shown_standing
from .views import ClubView, ClubViewSet

PART_QUERY: dict[str, Any] = {
    "since": {"type": "string", "format": "date", "description": _("Only evenings from this day on.")},
    "on": {
        "type": "string",
        "format": "date",
        "description": _(
            "The standings as they stood on this day, counted by today's rules and with all corrections made since."
        ),
    },
    "game": {"type": "string", "enum": list(GAMES), "description": _("Only evenings of this game.")},
    "table": {"type": "integer", "minimum": 1, "maximum": 999, "description": _("Only hands at this table.")},
}
"""The query that chooses a part of a season."""
ORDERS = [f"{sign}{name}" for name in SORTS for sign in ("", "-")]
POINTS = {"min_value": -seasons.MAX_POINTS, "max_value": seasons.MAX_POINTS}
SMALL = {"min_value": 1, "max_value": 1000, "allow_null": True}


class SeasonAnswer(serializers.Serializer[Any]):
    """A season. `best_evenings` null: all count. `games` empty: every game counts. A formula sets `ranking`, `games`
    and `best_evenings`, with `best_of` `planned_evenings`, too; without it the season has its own ones again."""

    slug = serializers.CharField()
    name = serializers.CharField()
    starts_on = serializers.DateField()
    ends_on = serializers.DateField(allow_null=True)
    planned_evenings = serializers.IntegerField(allow_null=True)
    ranking = serializers.ChoiceField(choices=Season.Ranking.choices)
    games = serializers.CharField(allow_blank=True)
    best_evenings = serializers.IntegerField(allow_null=True)
    points_only = serializers.BooleanField()
    points_declared = serializers.IntegerField()
    points_joined = serializers.IntegerField()
    points_walkover = serializers.IntegerField()
    points_declared_failed = serializers.IntegerField()
    points_joined_failed = serializers.IntegerField()


class SeasonFields(Body):
    """The fields of a season that an owner may set."""

    name = serializers.CharField(max_length=80)
    starts_on = serializers.DateField(input_formats=["iso-8601"])
    ends_on = serializers.DateField(input_formats=["iso-8601"], allow_null=True, required=False)
    planned_evenings = serializers.IntegerField(**SMALL, required=False)  # type: ignore[arg-type]
    ranking = serializers.ChoiceField(choices=Season.Ranking.choices, required=False)
    games = serializers.ChoiceField(choices=Season.GAMES, allow_blank=True, required=False)
    best_evenings = serializers.IntegerField(**SMALL, required=False)  # type: ignore[arg-type]
    points_only = serializers.BooleanField(required=False)
    points_declared = serializers.IntegerField(**POINTS, required=False)  # type: ignore[arg-type]
    points_joined = serializers.IntegerField(**POINTS, required=False)  # type: ignore[arg-type]
    points_walkover = serializers.IntegerField(**POINTS, required=False)  # type: ignore[arg-type]
    points_declared_failed = serializers.IntegerField(**POINTS, required=False)  # type: ignore[arg-type]
    points_joined_failed = serializers.IntegerField(**POINTS, required=False)  # type: ignore[arg-type]


class SeasonBody(SeasonFields):
    """A new season. Without a short name, it is made from the name."""

    slug = serializers.SlugField(max_length=40, required=False)


class SeasonChange(Patch, SeasonFields):
    """The fields of a season that an owner may change. The season is recounted if its standings depend on them."""


class SeasonFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Filters for seasons."""

    on = django_filters.DateFilter(method="running_on", label=_("Seasons that include this day."))

    class Meta:
        model = Season
        fields = ["on"]

    def running_on(self, queryset: Any, name: str, value: Any) -> Any:
        return queryset.filter(starts_on__lte=value).exclude(ends_on__lt=value)


class CountAnswer(serializers.Serializer[Any]):
    """The count of a season: ledger mark, counted mark, and by how many marks it lags. A hand raises the mark by one;
    hands that are stored together, as those of a file, may do so together."""

    ledger_mark = serializers.IntegerField()
    counted_mark = serializers.IntegerField()
    waiting = serializers.IntegerField()
    counted_at = serializers.DateTimeField(allow_null=True)


def count_of(season: Season) -> dict[str, Any]:
    """Return the marks of a season that was read with its count."""
    fresh = selectors.freshness_as_read(season)
    return {
        "ledger_mark": season.ledger_mark,
        "counted_mark": fresh.mark,
        "waiting": fresh.waiting,
        "counted_at": fresh.counted_at,
    }


class SeasonMixin:
    """A view of one season (`<slug:season>` in its address)."""

    access: ClubAccess
    kwargs: dict[str, Any]

    def season(self) -> Season:
        """Return the season that the address names, with its count. Raises Http404."""
        rows = Season.objects.select_related("club", "count")
        season = rows.filter(club=self.access.club, slug=self.kwargs["season"]).first()
        if season is None:
            raise Http404
        return season

    def access_and_season(self) -> tuple[ClubAccess, Season]:
        """Return what the reader may see in the season, and the season."""
        season = self.season()
        return self.access.within(season), season


class SeasonView(SeasonMixin, ClubView):
    """A plain view of one season."""


class SeasonViewSet(SeasonMixin, ListModelMixin, ClubViewSet):
    """The seasons of a club."""

    rights = {
        "list": Right.READ,
        "create": Right.MANAGE,
        "retrieve": Right.READ,
        "partial_update": Right.MANAGE,
        "count": Right.READ,
    }
    bodies = {"create": SeasonBody, "partial_update": SeasonChange}
    matched = ("partial_update",)
    serializer_class = SeasonAnswer
    filterset_class = SeasonFilter
    pagination_class = PositionPagination
    ordering = ("-starts_on", "-pk")
    lookup_url_kwarg = "season"
    lookup_value_converter = "slug"

    def get_queryset(self) -> QuerySet[Season]:
        return Season.objects.filter(club=self.access.club)

    @extend_schema(operation_id="seasons_list", summary=_("The seasons of a club"))
    def list(self, request: Request, club: str) -> Response:
        return super().list(request)

    @extend_schema(operation_id="seasons_post", summary=_("Add a season"))
    def create(self, request: Request, club: str) -> Response:
        season = seasons.season_add(club=self.access.club, actor=self.person, values=self.sent())
        return self.created(season, Location=f"{request.path}/{season.slug}")

    @extend_schema(operation_id="seasonDetail_read", summary=_("A season"))
    def retrieve(self, request: Request, club: str, season: str) -> Response:
        return self.answer(self.season())

    @extend_schema(operation_id="seasonDetail_change", summary=_("Change a season"))
    @transaction.atomic
    def partial_update(self, request: Request, club: str, season: str) -> Response:
        known, changes = self.season(), self.sent()
        locked = Season.objects.select_for_update(of=("self",)).get(pk=known.pk)
        self.check_match(locked, SeasonAnswer)
        return self.answer(seasons.season_change(season=locked, actor=self.person, changes=changes))

    @extend_schema(operation_id="seasonCount_read", summary=_("The count of a season"), responses=CountAnswer)
    @action(detail=True)
    def count(self, request: Request, club: str, season: str) -> Response:
        return self.answer(count_of(self.season()), CountAnswer)


class StandingsAnswer(serializers.Serializer[Any]):
    """The standings as last counted, in the order of rank."""

    count = CountAnswer()
    items = SeasonStandingAnswer(many=True)


class Standings(SeasonView):
    """The standings of a season. Their ETag changes when hands were counted or stored."""

    rights = {"get": Right.READ}
    queries = {
        "get": {
            "top": {"type": "integer", "minimum": 1, "maximum": 1000, "description": _("The number of lines.")},
            **PART_QUERY,
            "sort": {
                "type": "string",
                "enum": ORDERS,
                "description": _("The order as on the page; - turns it round. By balance only with all amounts."),
            },
        }
    }
    serializer_class = StandingsAnswer

    @extend_schema(operation_id="standings_read", summary=_("The standings of a season"))
    def get(self, request: Request, club: str, season: str) -> HttpResponseBase:
        access, chosen_season = self.access_and_season()
        top = self.whole_number("top", most=1000)
        choice = read_choice(request.query_params)
        if choice.sort == "balance" and not access.sees_money():
            # The order would reveal the hidden amounts.
            sentence = _("Only readers who see the amounts of all can sort by them.")
            raise wrong_field("sort", "amounts", str(sentence))

        etag = season_etag(access, chosen_season, choice)
        unchanged = not_modified(request._request, etag)
        if unchanged is not None:
            return unchanged
        if choice.filtered:
            part = part_of(chosen_season, choice, formula_of(chosen_season))
            lines, imported = list(part.lines), part.course.with_imported
        else:
            ordered = choice.sort or choice.backwards
            lines = standing_lines.season_standings(chosen_season, top=None if ordered else top)
            imported = players_with_imported(chosen_season)
        behind = gaps(lines, by_points=True) if chosen_season.by_points else {}
        rows = sorted_rows(rows_for(access, lines), choice)[:top]
        items = [_standing(row.standing, access, behind, imported) for row in rows]
        return self.answer({"count": count_of(chosen_season), "items": items}, ETag=etag)


def _standing(
    line: StandingLine, access: ClubAccess, behind: Mapping[int, int], imported: Collection[int]
) -> dict[str, Any]:
    shown = shown_standing(line, line.nickname, access, imported=line.player_id in imported)
    return {**shown, "points_behind": behind.get(line.player_id)}


class StandingsFile(SeasonView):
    """The standings as CSV."""

    rights = {"get": Right.READ}
    queries = {"get": {**EXCEL_QUERY, **PART_QUERY}}

    @extend_schema(operation_id="standingsFile_read", summary=_("The standings as CSV"), responses=CSV)
    def get(self, request: Request, club: str, season: str) -> HttpResponseBase:
        choice = read_choice(request.query_params)
        return exports.standings_file(request._request, *self.access_and_season(), choice)


class ResultsFile(SeasonView):
    """The result rows of every hand, as CSV."""

    rights = {"get": Right.READ}
    queries = {"get": EXCEL_QUERY}

    @extend_schema(operation_id="resultsFile_read", summary=_("Results of every hand as CSV"), responses=CSV)
    def get(self, request: Request, club: str, season: str) -> HttpResponseBase:
        return exports.results_file(request._request, *self.access_and_season())


class LedgerFile(SeasonView):
    """Every transfer of a season, as CSV."""

    rights = {"get": Right.SEE_LEDGER}
    queries = {"get": EXCEL_QUERY}

    @extend_schema(operation_id="ledgerFile_read", summary=_("The ledger as CSV"), responses=CSV)
    def get(self, request: Request, club: str, season: str) -> HttpResponseBase:
        return exports.ledger_file(request._request, *self.access_and_season())
