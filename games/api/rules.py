"""API views of house rules: the versions, a preview of other rules, and a past season under other rules."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.api.base import Op
from league.api.problems import wrong_field
from league.models import HouseRules

from .. import engine_bridge
from ..evening.house_rules import last_game
from ..rules import contracts, replay, services
from ..rules.forms import refusal
from ..rules.situations import Outcome, Situation
from ..rules.views import versions_of, why_left_out
from . import answers, bodies
from .base import GamesView
from .examples import example

MOST_VERSIONS = 1_000_000
REFUSALS = (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)


class Rules(GamesView):
    """A club's house rules."""

    ops = {
        "GET": Op(
            Right.SEE_RULES,
            gettext_lazy("The club's house rules of one game, in sentences and in worked examples"),
            answers.RulesDetail,
            query={
                "game": {
                    "type": "string",
                    "enum": list(engine_bridge.GAMES),
                    "description": gettext_lazy("If it is missing: the game that was played last."),
                },
                "version": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": MOST_VERSIONS,
                    "description": gettext_lazy("If it is missing: the newest version."),
                },
            },
            example=example("rules"),
        ),
        "POST": Op(
            Right.MANAGE,
            gettext_lazy("Store the next version of the house rules; it is valid from the next evening on"),
            answers.StoredRules,
            status=HTTPStatus.CREATED,
            body=bodies.NewHouseRulesBody,
            refusals=REFUSALS,
            example=example("rules-stored"),
            body_example=example("rules-body"),
            about=gettext_lazy("409 if there is a newer version than the one in `follows`."),
        ),
    }

    def get(self, request: Request, club: str) -> Response:
        game = self._game()
        versions = versions_of(self.access.club, game)
        wanted = self.whole_number("version", most=MOST_VERSIONS) or versions[0].version
        shown = next((each for each in versions if each.version == wanted), None)
        if shown is None:
            raise Http404("no such version")
        rules = rules_preview(game, shown.version, shown.values, self.access.club.currency)
        return self.answer(rules | {"versions": [_version(each) for each in versions]})

    def _game(self) -> str:
        game = self.request.query_params.get("game")
        if game is not None and game not in engine_bridge.GAMES:
            raise wrong_field("game", "choice", _("“%(name)s” has no such value.") % {"name": "game"})
        return game or last_game(self.access.club)

    def post(self, request: Request, club: str) -> Response:
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
        return self.answer(
            {"game": game, "version": made.version, "values": engine_bridge.house_rules(game, made.values)}
        )


class RulesPreview(GamesView):
    """Preview of other house rules, compared with the newest version."""

    ops = {
        "POST": Op(
            Right.MANAGE,
            gettext_lazy("Other house rules, compared with the newest version; nothing is stored"),
            answers.RulesPreview,
            body=bodies.HouseRulesBody,
            kept=False,
            refusals=REFUSALS,
            example=example("rules-preview"),
            body_example=example("rules-preview-body"),
        )
    }

    def post(self, request: Request, club: str) -> Response:
        body, currency = self.sent(), self.access.club.currency
        newest = versions_of(self.access.club, body["game"])[0]
        values = values_to_store(body["game"], body["values"], currency)
        return self.answer(rules_preview(body["game"], newest.version + 1, values, currency, newest.values))


class SeasonReplay(GamesView):
    """A past season under other house rules."""

    ops = {
        "POST": Op(
            Right.MANAGE,
            gettext_lazy("The results of a season under other house rules; nothing is stored"),
            answers.SeasonReplay,
            body=bodies.HouseRulesBody,
            kept=False,
            refusals=REFUSALS,
            example=example("season-replay"),
            body_example=example("rules-preview-body"),
        )
    }

    def post(self, request: Request, club: str, season: str) -> Response:
        found, body = self.season(season), self.sent()
        if not self.access.within(found).sees_money():
            raise PermissionDenied
        game = body["game"]
        values = values_to_store(game, body["values"], self.access.club.currency)
        played = replay.replay_season(found, game, values)
        warning = replay.warning(played, self.access.club.currency)
        return self.answer(
            {
                "season": found.slug,
                "game": game,
                "values": engine_bridge.house_rules(game, values),
                "warning": {"code": "pot_runs_away", "sentence": warning} if warning else None,
                "old_highest_pot_minor": played.old_highest_pot_minor,
                "new_highest_pot_minor": played.new_highest_pot_minor,
                "hands": played.hands,
                "changed": played.changed,
                "accounts": [_account(each) for each in played.players],
                "left_out": [_left_out(each) for each in played.left_out],
                "old_pots_minor": played.old_pots_minor,
                "new_pots_minor": played.new_pots_minor,
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
        "lines": [
            {"name": line.name, "choice": line.choice, "meaning": line.meaning, "before": line.before}
            for line in contracts.lines(game, rules, currency, old)
        ],
        "situations": [_situation(one) for one in contracts.situations(game, rules, old)],
    }


def _situation(one: Situation) -> dict[str, Any]:
    return {
        "key": one.case.key,
        "title": one.case.title,
        "now": _outcome(one.now),
        "before": None if one.before is None else _outcome(one.before),
        "differs": one.differs,
    }


def _outcome(one: Outcome) -> dict[str, Any]:
    return vars(one) | {"shares": [vars(share) for share in one.shares], "notes": list(one.notes)}


def _version(one: HouseRules) -> dict[str, Any]:
    return {
        "version": one.version,
        "made_at": one.created_at,
        "by": str(one.author or "") or None,
        "evenings": getattr(one, "evenings_held", 0),
    }


def _account(one: replay.PlayerSeason) -> dict[str, Any]:
    return {
        "player": one.player_id,
        "name": one.nickname,
        "hands": one.hands,
        "old_minor": one.old_minor,
        "new_minor": one.new_minor,
        "difference_minor": one.difference_minor,
        "left_out_minor": one.left_out_minor,
    }


def _left_out(one: replay.LeftOut) -> dict[str, Any]:
    places = [{"evening": evening, "table": table, "hand": hand} for evening, table, hand in one.places]
    return {"clause": one.clause, "sentence": why_left_out(one), "hands": one.hands, "places": places}
