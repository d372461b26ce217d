"""API of house rules: the versions, a preview of other rules, and a past season under other rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right

from .. import engine_bridge
from ..evening.house_rules import last_game
from ..rules import contracts, replay, services
from ..rules.forms import refusal
from ..rules.views import versions_of
from . import answers, bodies
from .base import GamesView, GamesViewSet

MOST_VERSIONS = 1_000_000
RULES_QUERY: dict[str, dict[str, Any]] = {
    "game": {
        "type": "string",
        "enum": list(engine_bridge.GAMES),
        "description": _("If it is missing: the game that was played last."),
    },
    "version": {
        "type": "integer",
        "minimum": 1,
        "maximum": MOST_VERSIONS,
        "description": _("If it is missing: the newest version."),
    },
}


class RulesViewSet(GamesViewSet):
    """A club's house rules."""

    rights = {"retrieve": Right.SEE_RULES, "create": Right.MANAGE, "preview": Right.MANAGE}
    bodies = {"create": bodies.NewHouseRulesBody, "preview": bodies.HouseRulesBody}
    queries = {"retrieve": RULES_QUERY}
    unkept = ("preview",)
    refusals = (409, 422)

    @extend_schema(
        operation_id="rules_read",
        summary=_("The club's house rules of one game, in sentences and in worked examples"),
        responses=answers.RulesDetail,
    )
    def retrieve(self, request: Request, club: str) -> Response:
        game = request.query_params.get("game") or last_game(self.access.club)
        versions = versions_of(self.access.club, game)
        wanted = self.whole_number("version", most=MOST_VERSIONS) or versions[0].version
        shown = next((each for each in versions if each.version == wanted), None)
        if shown is None:
            raise Http404("no such version")
        rules = rules_preview(game, shown.version, shown.values, self.access.club.currency)
        return self.answer(rules | {"versions": versions}, answers.RulesDetail)

    @extend_schema(
        operation_id="rules_post",
        summary=_("Store the next version of the house rules; it is valid from the next evening on"),
        description=_("409 if there is a newer version than the one in `follows`."),
        responses=answers.StoredRules,
    )
    def create(self, request: Request, club: str) -> Response:
        body = self.sent()
        game, values = body["game"], values_to_store(body["game"], body["values"], self.access.club.currency)
        made = services.rules_change(
            club=self.access.club,
            game=game,
            values=values,
            author=self.author,
            key=self.key,
            follows=body["follows"],
        )
        stored = {"game": game, "version": made.version, "values": contracts.effective(game, made.values)}
        return self.created(stored, answers.StoredRules)

    @extend_schema(
        operation_id="rulesPreview_post",
        summary=_("Other house rules, compared with the newest version; nothing is stored"),
        responses={200: answers.RulesPreview},
    )
    def preview(self, request: Request, club: str) -> Response:
        body, currency = self.sent(), self.access.club.currency
        newest = versions_of(self.access.club, body["game"])[0]
        values = values_to_store(body["game"], body["values"], currency)
        rules = rules_preview(body["game"], newest.version + 1, values, currency, newest.values)
        return self.answer(rules, answers.RulesPreview)


class SeasonReplay(GamesView):
    """A past season under other house rules."""

    rights = {"post": Right.MANAGE}
    bodies = {"post": bodies.HouseRulesBody}
    unkept = ("post",)
    refusals = (409, 422)
    serializer_class = answers.SeasonReplay

    @extend_schema(
        operation_id="seasonReplay_post",
        summary=_("The results of a season under other house rules; nothing is stored"),
        responses={200: answers.SeasonReplay},
    )
    def post(self, request: Request, club: str, season: str) -> Response:
        stored_season, body, currency = self.season(season), self.sent(), self.access.club.currency
        if not self.access.within(stored_season).sees_money():
            raise PermissionDenied
        game = body["game"]
        values = values_to_store(game, body["values"], currency)
        played = replay.replay_season(stored_season, game, values)
        warning = replay.warning(played, currency)
        return self.answer(
            {
                "season": stored_season.slug,
                "game": game,
                "values": contracts.effective(game, values),
                "warning": {"code": "pot_runs_away", "sentence": warning} if warning else None,
                **vars(played),
            }
        )


def values_to_store(game: str, sent: Mapping[str, Any], currency: str) -> dict[str, Any]:
    """Return the values that a version stores: those that are not the game's defaults, and a rounding that was sent.

    Raises:
        Refused: 422 (R4) for an unknown rule or an impossible value.
    """
    try:
        effective = engine_bridge.house_rules(game, sent)
    except engine_bridge.Fault as fault:
        # The sentence about one value shows the others, too: only those that are numbers.
        numbers = {
            **engine_bridge.house_rules(game, {}),
            **{name: sent[name] for name in sent if type(sent[name]) is int},
        }
        raise refusal(game, fault, numbers, currency) from fault
    defaults = engine_bridge.house_rules(game, {})
    return {
        name: effective[name]
        for name, value in sent.items()
        if value is not None and (name == "rounding" or effective[name] != defaults[name])
    }


def rules_preview(
    game: str, version: int, values: Mapping[str, Any], currency: str, before: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return house rules as sentences and worked examples, compared with the rules `before` if they are given."""
    rules = contracts.effective(game, values)
    old = None if before is None else contracts.effective(game, before)
    return {
        "game": game,
        "version": version,
        "values": rules,
        "lines": contracts.lines(game, rules, currency, old),
        "situations": contracts.situations(game, rules, old),
    }
