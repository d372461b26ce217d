"""API of imports: check a file, import it, list imports, undo one."""

from __future__ import annotations

import base64
import binascii
import uuid
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.errors import Refused
from league.imports import at_once, services
from league.imports.at_once import Checked, Sent
from league.imports.reading import MAX_BYTES, MAX_CELL, MAX_COLUMNS, MAX_HAND_ROWS, MAX_ROWS, Table, table_of, tables_of
from league.imports.sheets import VALUES
from league.models import Evening, Import, ImportKind, Season
from league.played_games import GAMES

from . import idempotency, problems
from .bodies import MAX_ID, Body
from .paging import PositionPagination
from .views import ClubViewSet

MAX_ANSWERED = 1000
"""So many wrong cells are in an answer."""


class NameBody(Body):
    """A name of the file, and its player: null is a new one."""

    name = serializers.CharField(max_length=MAX_CELL)
    player = serializers.IntegerField(min_value=1, max_value=MAX_ID, allow_null=True)


class ColumnBody(Body):
    """The meaning of a column, by its place from 0."""

    what = serializers.CharField(max_length=30)
    column = serializers.IntegerField(min_value=0, max_value=MAX_COLUMNS)


class ImportBody(Body):
    """A file (CSV or XLSX, in Base64), or its rows, the heading first; missing values are proposed as on the pages."""

    one_of = ("file", "rows")

    season = serializers.SlugField(max_length=40)
    file = serializers.CharField(max_length=MAX_BYTES * 4 // 3 + 8, required=False)
    rows = serializers.ListField(
        child=serializers.ListField(
            child=serializers.CharField(max_length=MAX_CELL, allow_blank=True), max_length=MAX_COLUMNS
        ),
        min_length=2,
        max_length=MAX_ROWS + 1,
        required=False,
    )
    sheet = serializers.CharField(max_length=100, required=False)
    kind = serializers.ChoiceField(choices=ImportKind.choices, required=False)
    game = serializers.ChoiceField(choices=[(game, game) for game in GAMES], required=False)
    columns = serializers.ListField(child=ColumnBody(), max_length=40, required=False)
    people = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=MAX_ROWS), max_length=MAX_ROWS, required=False
    )
    values = serializers.ChoiceField(choices=[(name, name) for name in VALUES], required=False)
    names = serializers.ListField(child=NameBody(), max_length=500, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("file" in attrs) == ("rows" in attrs):
            raise serializers.ValidationError(_("Send either the file or its rows."), code="one_of")
        return attrs


class FaultAnswer(serializers.Serializer[Any]):
    """A cell that is wrong, or should be looked at. `row` counts from 1, `cell` is its address in a spreadsheet; `what`
    is the meaning of its column, `column` its heading."""

    row = serializers.IntegerField()
    cell = serializers.CharField()
    column = serializers.CharField(allow_blank=True)
    what = serializers.CharField(source="code")
    value = serializers.CharField(allow_blank=True)
    code = serializers.CharField(source="fault")
    detail = serializers.CharField(source="sentence")


class NameAnswer(serializers.Serializer[Any]):
    """A name of the file with the player who is probably meant, null for nobody of the roster. One that is not `sure`
    is a guess by spelling and must be sent in `names`, as must a new one."""

    name = serializers.CharField()
    player = serializers.IntegerField(source="player_id", allow_null=True)
    sure = serializers.BooleanField()
    rows = serializers.IntegerField()


class ColumnAnswer(serializers.Serializer[Any]):
    """The meaning of a column, by its place from 0."""

    what = serializers.CharField()
    column = serializers.IntegerField()


class TotalAnswer(serializers.Serializer[Any]):
    """A person's evening from the file; `player` is null for a person whom the import adds."""

    name = serializers.CharField(allow_blank=True)
    player = serializers.IntegerField(source="player_id", allow_null=True)
    hands = serializers.IntegerField()
    points = serializers.IntegerField()
    change_minor = serializers.IntegerField()


class FileEveningAnswer(serializers.Serializer[Any]):
    """An evening of the file. `known`: it was imported before and is not stored again. `recorded`: the club has another
    evening of this day."""

    held_on = serializers.DateField()
    known = serializers.BooleanField()
    recorded = serializers.BooleanField()
    hands = serializers.IntegerField()
    totals = TotalAnswer(many=True)


class CheckAnswer(serializers.Serializer[Any]):
    """The preview of an import of the file. It is possible if `faults` is empty. `sheets` are the sheets with data of
    a file that has several; `people` and `values` are of a sheet alone."""

    kind = serializers.ChoiceField(choices=ImportKind.choices)
    sheet = serializers.CharField(allow_blank=True)
    sheets = serializers.ListField(child=serializers.CharField())
    columns = ColumnAnswer(many=True)
    people = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    values = serializers.CharField(allow_null=True)
    names = NameAnswer(many=True)
    faults = FaultAnswer(many=True)
    warnings = FaultAnswer(many=True)
    evenings = FileEveningAnswer(many=True)


class ImportAnswer(serializers.Serializer[Any]):
    """An import: `rows` is the number of results that it stored, `evenings` the ids of its evenings. Once it is undone
    they count no longer."""

    id = serializers.UUIDField(source="pk")
    season = serializers.CharField(source="season.slug")
    kind = serializers.ChoiceField(choices=ImportKind.choices)
    rows = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    undone_at = serializers.DateTimeField(allow_null=True)
    evenings = serializers.SerializerMethodField()

    def get_evenings(self, stored: Import) -> list[int]:
        return [evening.pk for evening in stored.evenings.all()]


class ImportViewSet(ListModelMixin, ClubViewSet):
    """The imports of a club."""

    rights = dict.fromkeys(("list", "create", "retrieve", "check", "undo"), Right.MANAGE)
    bodies = {"create": ImportBody, "check": ImportBody}
    unkept = ("check",)
    refusals = (409, 422)
    serializer_class = ImportAnswer
    pagination_class = PositionPagination
    ordering = ("-created_at", "-pk")
    lookup_url_kwarg = "stored"
    lookup_value_converter = "uuid"

    def get_queryset(self) -> QuerySet[Import]:
        evenings = Evening.objects.only("pk", "imported_id").order_by("held_on", "number")
        imports = Import.objects.filter(club=self.access.club).select_related("season")
        return imports.prefetch_related(Prefetch("evenings", queryset=evenings))

    @extend_schema(operation_id="imports_list", summary=gettext_lazy("The imports of a club, newest first"))
    def list(self, request: Request, club: str) -> Response:
        return super().list(request)

    @extend_schema(
        operation_id="imports_post",
        summary=gettext_lazy("Import the evenings of a file, all or none"),
        description=gettext_lazy(
            "422 with every wrong cell in `errors`: `at` is its address in a spreadsheet. 409 where everything was "
            "imported before, or the season is closed."
        ),
    )
    def create(self, request: Request, club: str) -> Response:
        checked = self._checked()
        faults = checked.preview.problems
        if faults:
            sentence = _("The file has cells that cannot be imported. Nothing was stored.")
            errors = [
                {"at": fault.cell, "code": fault.fault, "detail": fault.sentence} for fault in faults[:MAX_ANSWERED]
            ]
            raise problems.Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "import", sentence, errors=errors)
        key = idempotency.key_sent(request)
        stored = services.import_at_once(upload=checked.upload, author=self.person, key=key)
        return self.created(self.get_queryset().get(pk=stored.pk), Location=f"{request.path}/{stored.pk}")

    @extend_schema(operation_id="importDetail_read", summary=gettext_lazy("An import"))
    def retrieve(self, request: Request, club: str, stored: uuid.UUID) -> Response:
        return self.answer(self.get_object())

    @extend_schema(
        operation_id="importCheck_post",
        summary=gettext_lazy("Check a file of evenings: what an import would store, and each cell that is wrong"),
        description=gettext_lazy(
            "The season ranks by points or by amounts, and so do the results. Of a sheet an empty cell means: was not "
            "there. A body may have 8 MiB here, the file itself 4 MiB."
        ),
        responses={200: CheckAnswer},
    )
    @action(detail=False, methods=["post"])
    def check(self, request: Request, club: str) -> Response:
        return self.answer(_shown(self._checked()), CheckAnswer)

    @extend_schema(
        operation_id="importUndo_post",
        summary=gettext_lazy("Undo an import: its evenings count no longer, what was posted is reversed"),
        description=gettext_lazy("People whom it added stay in the roster."),
        responses={200: ImportAnswer},
    )
    @action(detail=True, methods=["post"])
    def undo(self, request: Request, club: str, stored: uuid.UUID) -> Response:
        services.import_undo(stored=self.get_object(), actor=self.person)
        return self.answer(self.get_object())

    def _checked(self) -> Checked:
        """Return the preview of an import of the sent file. Raises Problem, Refused, Http404."""
        sent = self.sent()
        season = Season.objects.filter(club=self.access.club, slug=sent["season"]).select_related("club").first()
        if season is None:
            raise problems.Problem(HTTPStatus.NOT_FOUND, "not_found", _("There is no such season."))
        columns = sent.get("columns")
        names = sent.get("names")
        wanted = Sent(
            kind=sent.get("kind", ""),
            game=sent.get("game", ""),
            sheet=sent.get("sheet", ""),
            columns=None if columns is None else {column["what"]: column["column"] for column in columns},
            people=sent.get("people"),
            values=sent.get("values", ""),
            names=None if names is None else {entry["name"]: entry["player"] for entry in names},
        )
        club = self.access.club
        return at_once.check(club=club, author=self.person, season=season, tables=_tables(sent, club.pk), sent=wanted)


def _tables(sent: dict[str, Any], club: int) -> Sequence[Table]:
    if "rows" in sent:
        return [table_of(sent["rows"])]
    try:
        content = base64.b64decode(sent["file"], validate=True)
    except (binascii.Error, ValueError):
        sentence = _("The file is not written in Base64.")
        raise Refused(status=422, code="import", sentence=sentence, at="file") from None
    return tables_of(content, MAX_HAND_ROWS, club=club)


def _shown(checked: Checked) -> dict[str, Any]:
    upload, chosen = checked.upload, dict(checked.upload.columns or {})
    is_sheet = upload.kind in (ImportKind.SHEET, ImportKind.TURNED)
    title = "name" if upload.kind == ImportKind.TURNED else "date"
    columns = {title: chosen["first"]} if is_sheet else chosen
    return {
        "kind": upload.kind,
        "sheet": upload.sheet,
        "sheets": [sheet["name"] for sheet in upload.sheets],
        "columns": [{"what": what, "column": place} for what, place in columns.items()],
        "people": chosen["people"] if is_sheet else None,
        "values": chosen["values"] if is_sheet else None,
        "names": checked.names,
        "faults": checked.preview.problems[:MAX_ANSWERED],
        "warnings": checked.preview.warnings[:MAX_ANSWERED],
        "evenings": checked.preview.evenings,
    }
