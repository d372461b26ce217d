"""API views of evenings: list, start, detail; the hands as CSV and the sheets as PDF."""

from __future__ import annotations

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse, StreamingHttpResponse
from django.urls import reverse
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.api.bodies import SLUG_PATTERN
from league.api.paging import PositionPagination
from league.api.problems import wrong_field
from league.api.queries import EXCEL_QUERY
from league.api.schema import CSV, PDF
from league.models import Club, Evening, Season
from league.standings.overview import runs
from league.standings.selectors import evening_totals, mark_backdated
from league.web.csv_download import download, file_name, log_download
from league.web.paper import SIZES

from .. import engine_bridge
from ..errors import Refused
from ..evening import exports
from ..evening import services as evenings
from ..paper import sheet_code
from . import answers, bodies, selectors
from .answers.base import GAME_CHOICES
from .answers.fields import PlayerAmount
from .base import GamesViewSet
from .tables import tables_of

MAX_SLUG = 40


class EveningTotal(serializers.Serializer[Any]):
    player = serializers.IntegerField(source="player_id")
    name = serializers.SerializerMethodField()
    rank = serializers.IntegerField(
        help_text=gettext_lazy("Rank of the evening, by points or by balance as its season ranks.")
    )
    points = serializers.IntegerField(help_text=gettext_lazy("Points of the evening, as its season counts them."))
    hands = serializers.IntegerField()
    declared = serializers.IntegerField(help_text=gettext_lazy("Hands declared, with walkovers and without a Muss."))
    declared_made = serializers.IntegerField(
        help_text=gettext_lazy("Those in which the goal was reached; a walkover has none.")
    )
    walkovers = serializers.IntegerField(help_text=gettext_lazy("Hands declared that nobody joined."))
    susi = serializers.IntegerField(help_text=gettext_lazy("Hands in which the player was the Susi."))
    joined = serializers.IntegerField()
    joined_made = serializers.IntegerField()
    musses = serializers.IntegerField()
    musses_made = serializers.IntegerField()
    change_minor = PlayerAmount()

    def get_name(self, row: Mapping[str, Any]) -> str:
        return str(self.context["view"].visibility.name(row["player_id"], row["nickname"]))


class EveningHead(serializers.Serializer[Any]):
    id = serializers.IntegerField(source="pk")
    season = serializers.SlugField(source="season.slug")
    number = serializers.IntegerField()
    held_on = serializers.DateField()
    backdated = serializers.BooleanField(
        help_text=gettext_lazy(
            "True if it was added later: an evening of a later date in its season has a lower number."
        )
    )
    imported = serializers.BooleanField(
        source="is_imported",
        help_text=gettext_lazy("True if it came from a file: it has totals and no hands, and was settled up."),
    )
    game = serializers.ChoiceField(choices=GAME_CHOICES)
    settling = serializers.ChoiceField(choices=Club.Settling.choices)
    stage = serializers.ChoiceField(choices=Evening.Stage.choices)
    final_at = serializers.DateTimeField(allow_null=True)
    runs = serializers.SerializerMethodField(help_text=gettext_lazy("True if hands may be expected now."))

    def get_runs(self, evening: Evening) -> bool:
        return runs(evening)


class EveningLine(EveningHead):
    hands = serializers.IntegerField()
    players = serializers.IntegerField()


class EveningDetail(EveningHead):
    currency = serializers.CharField(source="club.currency")
    rules_version = serializers.SerializerMethodField()
    rules = serializers.SerializerMethodField(
        help_text=gettext_lazy("All house rules of the evening; null for visitors.")
    )
    tables = serializers.SerializerMethodField()
    totals = serializers.SerializerMethodField()

    def get_rules_version(self, evening: Evening) -> int | None:
        return evening.house_rules.version if self._sees_rules() else None

    @extend_schema_field(serializers.DictField(child=serializers.JSONField(), allow_null=True))
    def get_rules(self, evening: Evening) -> Any:
        return engine_bridge.house_rules(evening.game, evening.house_rules.values) if self._sees_rules() else None

    def _sees_rules(self) -> bool:
        return bool(self.context["view"].access.may(Right.SEE_RULES))

    @extend_schema_field(answers.TableState(many=True))
    def get_tables(self, evening: Evening) -> Any:
        tables = list(evening.tables.order_by("number"))
        for table in tables:
            table.evening = evening
        return [answers.TableState(state).data for state in tables_of(tables, self.context["view"])]

    @extend_schema_field(EveningTotal(many=True))
    def get_totals(self, evening: Evening) -> Any:
        return EveningTotal(evening_totals(evening), many=True, context=self.context).data


class EveningViewSet(GamesViewSet):
    """The evenings of a club."""

    rights = {
        "list": Right.READ,
        "create": Right.RECORD,
        "retrieve": Right.READ,
        "hands_file": Right.READ,
        "sheet": Right.RECORD,
    }
    bodies = {"create": bodies.NewEveningBody}
    queries = {
        "list": {
            "season": {
                "type": "string",
                "pattern": SLUG_PATTERN,
                "maxLength": MAX_SLUG,
                "description": gettext_lazy("The season's short name."),
            },
            "game": {"type": "string", "enum": list(engine_bridge.GAMES)},
            "state": {"type": "string", "enum": [str(state) for state in Evening.State.values]},
            "since": {
                "type": "string",
                "format": "date",
                "description": gettext_lazy("Evenings on this day or later."),
            },
        },
        "hands_file": EXCEL_QUERY,
        "sheet": {"size": {"type": "string", "enum": list(SIZES), "default": "a4"}},
    }
    refusals = (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)
    serializer_class = EveningDetail
    pagination_class = PositionPagination
    ordering = ("-held_on", "-pk")
    lookup_url_kwarg = "evening"

    def get_queryset(self) -> QuerySet[Evening]:
        query = self.request.query_params
        nights = Evening.nights.filter(club=self.access.club).select_related("season")
        if "season" in query:
            nights = nights.filter(season__slug=_slug(query["season"]))
        if "since" in query:
            nights = nights.filter(held_on__gte=_day(query["since"]))
        return nights.filter(**{name: query[name] for name in ("game", "state") if name in query})

    @extend_schema(
        operation_id="evenings_list",
        summary=gettext_lazy("The evenings of a club, newest first"),
        responses=EveningLine,
    )
    def list(self, request: Request, club: str) -> Response:
        nights = self.paginate_queryset(self.get_queryset()) or []
        mark_backdated(nights)
        counts = selectors.counts_of(nights)
        for evening in nights:
            evening.hands, evening.players = counts.get(evening.pk, (0, 0))  # type: ignore[attr-defined]
        return self.get_paginated_response(EveningLine(nights, many=True).data)

    @extend_schema(
        operation_id="evenings_post", summary=gettext_lazy("Start an evening: players, order of play, first dealer")
    )
    def create(self, request: Request, club: str) -> Response:
        body = self.sent()
        seating = [
            f"p{person['player']}" if "player" in person else f"g{person['guest']}" for person in body["seating"]
        ]
        if body["first_dealer"] >= len(seating):
            sentence = _("The first dealer must be one of the seats.")
            raise Refused(status=422, code="seating", sentence=sentence, at="first_dealer")
        table = evenings.evening_start(
            club=self.access.club,
            season=self._season(body["season"]),
            author=self.author,
            seating=seating,
            first_dealer=seating[body["first_dealer"]],
            held_on=body["held_on"],
            key=self.key,
            game=body["game"],
            carry=body["carry"],
            settling=body.get("settling"),
        )
        return self.created(self._shown(table.evening_id), Location=f"{request.path}/{table.evening_id}")

    @extend_schema(
        operation_id="eveningDetail_read",
        summary=gettext_lazy("An evening: its tables, and each player's totals so far"),
    )
    def retrieve(self, request: Request, club: str, evening: int) -> Response:
        return self.answer(self._shown(evening))

    def _shown(self, pk: int) -> Evening:
        evening = self.evening(pk)
        self.visibility = self.visibility_of(evening)
        return evening

    @extend_schema(
        operation_id="eveningHandsFile_read",
        summary=gettext_lazy("An evening's hands as CSV, one row for each seat of each hand (docs/csv.md)"),
        responses=CSV,
    )
    def hands_file(self, request: Request, club: str, evening: int) -> StreamingHttpResponse:
        night = self.evening(evening)
        access = self.access.within(night.season)
        log_download(request._request, access, "hands", f"evening:{night.pk}")
        wanted = exports.hands_list(access, night)
        return download(request._request, access, wanted, lambda: exports.hand_rows(access, night))

    @extend_schema(
        operation_id="eveningSheet_read",
        summary=gettext_lazy("An evening's sheets to print, one for each table"),
        responses=PDF,
    )
    @action(detail=True, url_path="sheet.pdf")
    def sheet(self, request: Request, club: str, evening: int) -> HttpResponse:
        from ..paper.sheet_pdf import sheets_of

        size = request.query_params.get("size", "a4")
        night = self.evening(evening)
        tables = [table for table in night.tables.order_by("number") if not table.dissolved]
        addresses = {
            table.pk: request.build_absolute_uri(
                reverse("sheet-code", kwargs={"club": club, "code": sheet_code.code(table.pk)})
            )
            for table in tables
        }
        body = sheets_of(self.access.club, night, tables, size=size, addresses=addresses)
        name = file_name(self.access, night.season.slug, "evening", night.number, "sheet", size)
        headers = {"Content-Disposition": f'inline; filename="{name}.pdf"'}
        return HttpResponse(body, content_type="application/pdf", headers=headers)

    def _season(self, slug: str) -> Season:
        season = Season.objects.filter(club=self.access.club, slug=slug).first()
        if season is None:
            raise Refused(status=422, code="season", sentence=_("There is no such season in this club."), at="season")
        return season


def _slug(text: str) -> str:
    if not re.fullmatch(SLUG_PATTERN, text) or len(text) > MAX_SLUG:
        raise wrong_field("season", "slug", _("“season” is a short name, such as 2026."))
    return text


def _day(text: str) -> Any:
    try:
        day = parse_date(text)
    except ValueError:
        day = None
    if day is None:
        raise wrong_field("since", "date", _("“since” is a date, such as 2026-11-20."))
    return day
