"""API of the chances of a season, and of the result that each player needs in the next evening."""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from league.access import Right
from league.chances.forecast_json import unpacked
from league.chances.selectors import points_so_far
from league.chances.simulation import LEAST_OWN, Chance, Forecast, Prospect
from league.chances.state import ChancesState, read_state
from league.standings.formula.inputs import formula_of
from league.standings.formula.parts import Formula
from league.standings.imported import players_with_imported
from league.standings.standing_lines import StandingLine, season_standings

from .etags import not_modified
from .seasons import SeasonView

STATES = ("computed", "waiting", "too_few", "closed")
ENOUGH = ("anything", "at_least", "nothing")


class ChanceAnswer(serializers.Serializer[Any]):
    """A chance and its bounds in thousandths: 9 of 10 chances lie within."""

    permille = serializers.IntegerField()
    low_permille = serializers.IntegerField(source="low")
    high_permille = serializers.IntegerField(source="high")


class ChancesOfPlayerAnswer(serializers.Serializer[Any]):
    """The chances to be first, and to be among the first three. Shared ranks count."""

    first = ChanceAnswer()
    first_three = ChanceAnswer()


class NeedAnswer(serializers.Serializer[Any]):
    """The result that is enough in the next evening: `anything`; `at_least` the number `value`; or `nothing`, as not
    even the best
    evening of the season is enough."""

    enough = serializers.ChoiceField(choices=[(word, word) for word in ENOUGH])
    value = serializers.IntegerField(allow_null=True)


class NeedsAnswer(serializers.Serializer[Any]):
    """The results that a player needs in the next evening, in points or, with `unit` `minor`, in minor units of the
    currency: to be
    first in 9 and in 5 of 10 simulated evenings, and among the first three in 9 of 10. `so_far`: the result of the
    evening that is played now, null if none is played or the player is not there."""

    unit = serializers.ChoiceField(choices=[("points", "points"), ("minor", "minor")])
    first = NeedAnswer()
    first_half = NeedAnswer()
    first_three = NeedAnswer()
    so_far = serializers.IntegerField(allow_null=True)


class ProspectAnswer(serializers.Serializer[Any]):
    """A player's chances after the next evening, and at the end of the season (null if its last evening is not known).
    All of it is null with fewer than three own evenings, `needs` also for amounts that the reader may not see."""

    player = serializers.IntegerField()
    name = serializers.CharField()
    mine = serializers.BooleanField()
    evenings = serializers.IntegerField()
    imported = serializers.BooleanField(help_text=_("Whether some of these evenings came from a file."))
    next = ChancesOfPlayerAnswer(allow_null=True)
    end = ChancesOfPlayerAnswer(allow_null=True)
    needs = NeedsAnswer(allow_null=True)


class ChancesAnswer(serializers.Serializer[Any]):
    """The chances of a season, the players by rank. `state`: `computed`; `waiting`, while a worker computes those of
    now (the items are those before, or none); `too_few` evenings to say; `closed`, as nothing is open any more. `seed`
    and `counted_mark` identify the data of the computation; `left` is the number of evenings to come, null if unknown.
    `running`: the evening that is played now, which is left out of the past."""

    state = serializers.ChoiceField(choices=[(word, word) for word in STATES])
    computed_at = serializers.DateTimeField(allow_null=True)
    counted_mark = serializers.IntegerField(allow_null=True)
    seed = serializers.IntegerField(allow_null=True)
    held = serializers.IntegerField()
    left = serializers.IntegerField(allow_null=True)
    running = serializers.IntegerField(allow_null=True)
    items = ProspectAnswer(many=True)


class Chances(SeasonView):
    """The chances of a season. Their ETag changes when they were computed again, and when an evening begins or ends."""

    rights = {"get": Right.READ}
    serializer_class = ChancesAnswer

    @extend_schema(
        operation_id="chances_read",
        summary=_("The chances of a season, and the result that each player needs in the next evening"),
        description=_("A request that finds outdated chances wakes a worker; ask again after two seconds."),
    )
    def get(self, request: Request, club: str, season: str) -> HttpResponseBase:
        state = read_state(*self.access_and_season())
        unchanged = not_modified(request._request, state.etag)
        return unchanged if unchanged is not None else self.answer(_chances(state), ETag=state.etag)


def _chances(state: ChancesState) -> dict[str, Any]:
    stored = state.stored
    forecast = unpacked(stored.values if stored else {})
    closed = state.season.closed_at is not None
    return {
        "state": _state(state, forecast),
        "computed_at": stored.computed_at if stored else None,
        "counted_mark": stored.counted_mark if stored else None,
        "seed": stored.seed if stored else None,
        "held": stored.values.get("held", 0) if stored else 0,
        "left": stored.values.get("left") if stored and not closed else None,
        "running": state.running.pk if state.running else None,
        "items": [] if closed else _items(state, forecast),
    }


def _state(state: ChancesState, forecast: Forecast) -> str:
    if state.season.closed_at is not None:
        return "closed"
    if not state.fresh:
        return "waiting"
    return "computed" if forecast.prospects else "too_few"


def _items(state: ChancesState, forecast: Forecast) -> list[dict[str, Any]]:
    prospects = {prospect.player: prospect for prospect in forecast.prospects}
    lines = [line for line in season_standings(state.season) if line.player_id in prospects]
    formula = formula_of(state.season)
    so_far = points_so_far(state.running, list(prospects)) if state.running and prospects else {}
    imported = players_with_imported(state.season) if lines else frozenset()
    items = []
    for line in lines:
        prospect = prospects[line.player_id]
        needs = None
        if prospect.needs is not None and state.sees_needs(formula, prospect.player):
            needs = _needs(formula, forecast, prospect, so_far.get(prospect.player))
        items.append({**_prospect(state, line, prospect), "imported": prospect.player in imported, "needs": needs})
    return items


def _prospect(state: ChancesState, line: StandingLine, prospect: Prospect) -> dict[str, Any]:
    few = prospect.evenings < LEAST_OWN
    return {
        "player": prospect.player,
        "name": state.access.names.show(prospect.player, line.nickname),
        "mine": prospect.player in state.access.player_ids,
        "evenings": prospect.evenings,
        "next": None if few else _places(prospect.next_first, prospect.next_top),
        "end": None if few else _places(prospect.end_first, prospect.end_top),
    }


def _places(first: Chance | None, top: Chance | None) -> dict[str, Chance] | None:
    return None if first is None or top is None else {"first": first, "first_three": top}


def _needs(
    formula: Formula, forecast: Forecast, prospect: Prospect, so_far: tuple[int, int] | None
) -> dict[str, Any] | None:
    if prospect.needs is None:
        return None
    return {
        "unit": "minor" if formula.by_amounts else "points",
        "first": _need(forecast, prospect.needs.first),
        "first_half": _need(forecast, prospect.needs.first_half),
        "first_three": _need(forecast, prospect.needs.top),
        "so_far": so_far[1 if formula.by_amounts else 0] if so_far else None,
    }


def _need(forecast: Forecast, need: int | None) -> dict[str, Any]:
    if need is None:
        return {"enough": "nothing", "value": None}
    if need <= forecast.least:
        return {"enough": "anything", "value": None}
    return {"enough": "at_least", "value": need}
