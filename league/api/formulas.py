"""API of a season's formula."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.models import Season
from league.standings.formula import parts, services
from league.standings.formula.inputs import stored_formula

from .bodies import Body
from .seasons import SeasonView


class FormulaParts(serializers.Serializer[Any]):
    """The parts of a formula."""

    counts = serializers.ChoiceField(choices=parts.COUNTS)
    games = serializers.ChoiceField(choices=parts.GAMES, allow_blank=True)
    places = serializers.ListField(child=serializers.IntegerField())
    places_by = serializers.ChoiceField(choices=parts.PLACES_BY)
    best = serializers.IntegerField(allow_null=True)
    best_of = serializers.IntegerField(allow_null=True)
    drop = serializers.IntegerField()
    drop_one_more_every = serializers.IntegerField(allow_null=True)
    absences = serializers.ChoiceField(choices=parts.ABSENCES)
    attendance_bonus = serializers.IntegerField()
    attendance_minimum = serializers.IntegerField()
    hands_minimum = serializers.IntegerField()
    hands_minimum_evening = serializers.IntegerField()
    guests = serializers.BooleanField()
    tournaments = serializers.BooleanField()
    handicap = serializers.DictField(child=serializers.IntegerField())
    team_best = serializers.IntegerField(allow_null=True)
    ties = serializers.ListField(child=serializers.ChoiceField(choices=parts.TIES))
    lot_seed = serializers.CharField(allow_blank=True)


class FormulaAnswer(serializers.Serializer[Any]):
    """The formula of a season; null if it ranks by its own settings. Points are stored in `scale` parts of a point:
    with averages they are thousandths."""

    version = serializers.IntegerField(allow_null=True)
    scale = serializers.IntegerField()
    closed_at = serializers.DateTimeField(allow_null=True)
    formula = FormulaParts(allow_null=True)


def _whole(name: str) -> Any:
    least, most = parts.WHOLE[name]
    empty = name in parts.OPTIONAL
    return serializers.IntegerField(min_value=least, max_value=most, allow_null=empty, required=False)


def _points() -> Any:
    return serializers.IntegerField(min_value=-parts.MAX_POINTS, max_value=parts.MAX_POINTS)


class FormulaBody(Body):
    """The parts of the formula; a part that is missing has its default, `games` that of the season. `games` empty:
    every game counts. `best_of`: the planned evenings of which the `best` count; the season's `planned_evenings` follow
    it. `handicap`: points for each evening, by the id of the player. `lot_seed`: digits."""

    counts = serializers.ChoiceField(choices=parts.COUNTS, required=False)
    games = serializers.ChoiceField(choices=parts.GAMES, allow_blank=True, required=False)
    places = serializers.ListField(child=_points(), max_length=parts.MAX_PLACES, required=False)
    places_by = serializers.ChoiceField(choices=parts.PLACES_BY, required=False)
    best = _whole("best")
    best_of = _whole("best_of")
    drop = _whole("drop")
    drop_one_more_every = _whole("drop_one_more_every")
    absences = serializers.ChoiceField(choices=parts.ABSENCES, required=False)
    attendance_bonus = _whole("attendance_bonus")
    attendance_minimum = _whole("attendance_minimum")
    hands_minimum = _whole("hands_minimum")
    hands_minimum_evening = _whole("hands_minimum_evening")
    guests = serializers.BooleanField(required=False)
    tournaments = serializers.BooleanField(required=False)
    handicap = serializers.DictField(child=_points(), required=False)
    team_best = _whole("team_best")
    ties = serializers.ListField(
        child=serializers.ChoiceField(choices=parts.TIES), max_length=len(parts.TIES), required=False
    )
    lot_seed = serializers.RegexField(r"^[0-9]*$", allow_blank=True, max_length=parts.MAX_SEED, required=False)


def shown_formula(season: Season) -> dict[str, Any]:
    """Return a season's formula as the API shows it. One query at most."""
    formula = stored_formula(season)
    return {
        "version": season.formula_version,
        "scale": season.points_scale,
        "closed_at": season.closed_at,
        "formula": None if formula is None else parts.write(formula),
    }


class SeasonFormula(SeasonView):
    """The formula of a season."""

    rights = {"get": Right.READ, "put": Right.MANAGE, "delete": Right.MANAGE}
    bodies = {"put": FormulaBody}
    matched = ("put",)
    refusals = {"put": (409, 422), "delete": (409,)}
    serializer_class = FormulaAnswer

    @extend_schema(operation_id="seasonFormula_read", summary=_("The formula of a season"))
    def get(self, request: Request, club: str, season: str) -> Response:
        return self.answer(shown_formula(self.season()))

    @extend_schema(
        operation_id="seasonFormula_put",
        summary=_("Set the formula of a season; it is stored as the next version"),
        description=_("409 if the season is closed. `…/formula/preview` shows before what it would change."),
    )
    def put(self, request: Request, club: str, season: str) -> Response:
        known, values = self.season(), self.sent()
        self.check_match(shown_formula(known), FormulaAnswer)
        follows = known.formula_version or 0
        stored = services.formula_set(season=known, actor=self.person, values=values, follows=follows)
        return self.answer(shown_formula(stored))

    @extend_schema(
        operation_id="seasonFormula_delete",
        summary=_("Let a season rank by its own settings again"),
        description=_(
            "The settings that the formula replaced come back. `…/formula/preview` with `remove` shows before what "
            "it would change."
        ),
    )
    def delete(self, request: Request, club: str, season: str) -> Response:
        services.formula_set(season=self.season(), actor=self.person, values=None)
        return self.no_content()
