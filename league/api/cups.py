"""API of cups: what a cup publishes, the same as its page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.cups.gate import in_club
from league.cups.selectors import Counted, CupView, Row, cup_view, cups_of
from league.cups.standing import Cell
from league.models import Cup

from .views import ClubViewSet


class CupLineAnswer(serializers.Serializer[Any]):
    """A cup in a list. `owner`: the name of the club that runs it."""

    slug = serializers.CharField()
    name = serializers.CharField()
    owner = serializers.CharField(source="owner.name")
    public = serializers.BooleanField()
    closed_at = serializers.DateTimeField(allow_null=True)


class CupsAnswer(serializers.Serializer[Any]):
    """The cups of a club that the reader may see, the newest first."""

    items = CupLineAnswer(many=True)


class CupTournamentAnswer(serializers.Serializer[Any]):
    """A tournament of a cup under its number there; tournaments and evenings are numbered together, by day. `counts`:
    it is finished, and its result is of the cup's kind."""

    number = serializers.IntegerField()
    club = serializers.CharField(source="club.name")
    name = serializers.CharField()
    starts_on = serializers.DateField(source="day")
    counts = serializers.BooleanField()


class CupEveningAnswer(serializers.Serializer[Any]):
    """An evening of a cup under its number there. `counts`: it is final."""

    number = serializers.IntegerField()
    club = serializers.CharField(source="club.name")
    name = serializers.CharField()
    held_on = serializers.DateField(source="day")
    counts = serializers.BooleanField()


class CupResultAnswer(serializers.Serializer[Any]):
    """The result of a person in a tournament or an evening, by its number in the cup; the other one of the two is null.
    It `counts`, or better ones do."""

    tournament = serializers.IntegerField(allow_null=True)
    evening = serializers.IntegerField(allow_null=True)
    place = serializers.IntegerField()
    points = serializers.IntegerField()
    counts = serializers.BooleanField()


class CupPersonAnswer(serializers.Serializer[Any]):
    """A person of a cup under the cup name, with the names of the clubs. Equal people share a rank."""

    rank = serializers.IntegerField()
    name = serializers.CharField()
    clubs = serializers.ListField(child=serializers.CharField())
    points = serializers.IntegerField()
    qualified = serializers.BooleanField()
    results = CupResultAnswer(many=True)


class CupAnswer(CupLineAnswer):
    """A cup with its rules, its clubs, its tournaments and evenings by day, and its standing. `events` says which of
    the two count. `place_points` are those of the first place, the second and so on; `best_of`: so many results of a
    person count, null: all; `qualifiers`: so many people play the final, null: there is none."""

    events = serializers.ChoiceField(choices=Cup.Events.choices)
    kind = serializers.ChoiceField(choices=Cup.Kind.choices)
    place_points = serializers.ListField(child=serializers.IntegerField())
    best_of = serializers.IntegerField(allow_null=True)
    qualifiers = serializers.IntegerField(allow_null=True)
    clubs = serializers.ListField(child=serializers.CharField())
    tournaments = CupTournamentAnswer(many=True)
    evenings = CupEveningAnswer(many=True)
    standing = CupPersonAnswer(many=True)


class CupViewSet(ClubViewSet):
    """The cups in which a club takes part."""

    rights = {"list": Right.READ, "retrieve": Right.READ}
    serializer_class = CupAnswer
    lookup_value_converter = "slug"
    lookup_url_kwarg = "cup"

    @extend_schema(operation_id="cups_list", summary=_("The cups of a club"), responses=CupsAnswer)
    def list(self, request: Request, club: str) -> Response:
        return self.answer({"items": cups_of(self.access)}, CupsAnswer)

    @extend_schema(operation_id="cups_read", summary=_("The standing of a cup"))
    def retrieve(self, request: Request, club: str, cup: str) -> Response:
        return self.answer(_shown(cup_view(in_club(self.access, cup).cup)))


def _shown(view: CupView) -> dict[str, Any]:
    cup = view.cup
    return {
        "slug": cup.slug,
        "name": cup.name,
        "owner": cup.owner,
        "public": cup.public,
        "closed_at": cup.closed_at,
        "events": cup.events,
        "kind": cup.kind,
        "place_points": cup.place_points,
        "best_of": cup.best_of,
        "qualifiers": cup.qualifiers,
        "clubs": [club.name for club in view.clubs],
        "tournaments": view.tournaments,
        "evenings": view.evenings,
        "standing": [_person(row, view.counting) for row in view.rows],
    }


def _person(row: Row, counting: Sequence[Counted]) -> dict[str, Any]:
    cells = zip(counting, row.cells, strict=True)
    return {
        "rank": row.line.rank,
        "name": row.name,
        "clubs": row.clubs,
        "points": row.line.points,
        "qualified": row.line.qualified,
        "results": [_result(counted, cell) for counted, cell in cells if cell is not None],
    }


def _result(counted: Counted, cell: Cell) -> dict[str, Any]:
    return {
        "tournament": None if counted.is_evening else counted.number,
        "evening": counted.number if counted.is_evening else None,
        "place": cell.rank,
        "points": cell.points,
        "counts": cell.counts,
    }
