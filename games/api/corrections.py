"""API views of corrections: preview, correction, the corrections of an evening; and the difference finder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.api.paging import ListPagination
from league.api.parsing import whole_number
from league.api.problems import wrong_field
from league.api.refusals import is_clause
from league.models import Player

from ..corrections import replay, selectors, services
from ..corrections.finder.search import Counted, Guess, Search, find
from ..corrections.finder.views import SEARCHED, sentence
from ..corrections.replay import Entry
from ..corrections.services import HandChange, Plan
from ..errors import Refused
from ..models import Table
from ..offered import Game, game_of
from . import answers, bodies, representations
from .base import GamesView, GamesViewSet, hand_problem
from .body_readers import body_of, correction_of
from .visibility import Visibility, visibility_at_table

MOST_MINOR = 10**9
AMOUNT = {"type": "integer", "minimum": -MOST_MINOR, "maximum": MOST_MINOR}
COUNTED: dict[str, dict[str, Any]] = {
    "pot_minor": {**AMOUNT, "minimum": 0, "description": gettext_lazy("The counted pot, in Rappen.")},
    "player": {"type": "integer", "minimum": 1, "description": gettext_lazy("The player whose coins were counted.")},
    "balance_minor": {**AMOUNT, "description": gettext_lazy("The counted gain of that player (below 0: a loss).")},
    "antes_in": {"type": "boolean", "description": gettext_lazy("True if the antes of the next hand are in the pot.")},
}


@contextmanager
def naming_seat(table: Table, body: Mapping[str, Any]) -> Iterator[None]:
    """Add the seat to a refusal of the new hand by the rulebook."""
    try:
        yield
    except Refused as refused:
        if not is_clause(refused.code) or "record" not in body or "players" not in body:
            raise
        raise hand_problem(refused, _completed(table, body)) from refused


def _completed(table: Table, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record with the fields of the table before the hand, or without them if it is not readable."""
    entry = Entry(tuple(body["players"]), {}, body.get("dealer"))
    try:
        start = selectors.before_hand(table, replay.read(table), entry, body["number"]).start
    except (Refused, ValueError):
        return dict(body["record"])
    return {**body["record"], **start.fields()}


class CorrectionViewSet(GamesViewSet):
    """Corrections of the hands of a table."""

    rights = {"create": Right.RECORD, "preview": Right.RECORD}
    bodies = {"create": bodies.CorrectionBody, "preview": bodies.CorrectionPreviewBody}
    unkept = ("preview",)
    refusals = (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)
    serializer_class = answers.StoredCorrection

    @extend_schema(
        operation_id="correctionPreview_post",
        summary=gettext_lazy("Preview of a correction: the changes of players and hands; nothing is stored"),
        responses={200: answers.CorrectionPreview},
    )
    @action(detail=False, methods=["post"])
    def preview(self, request: Request, club: str, table: int) -> Response:
        card_table, body = self.table(table), self.sent()
        edit = correction_of(body, card_table.evening.game, self.author.pk if self.author else None)
        with naming_seat(card_table, body):
            plan = services.plan(table=card_table, edit=edit)
        self.visibility = self.visibility_at(card_table)
        return self.answer(_planned(plan, self.visibility), answers.CorrectionPreview)

    @extend_schema(
        operation_id="corrections_post",
        summary=gettext_lazy(
            "Correct stored hands: change, take out, insert or move one, or change the players in its seats"
        ),
        description=gettext_lazy(
            "Nothing is overwritten: each hand that changes gets a new revision. 409 `later` if a later hand would"
            " become impossible (`details.number`), `final` if the evening is final."
        ),
    )
    def create(self, request: Request, club: str, table: int) -> Response:
        card_table, body = self.table(table), self.sent()
        edit = correction_of(body, card_table.evening.game, self.author.pk if self.author else None)
        with naming_seat(card_table, body):
            done = services.correct(
                table=card_table,
                edit=edit,
                author=self.author,
                key=self.key,
                reason=" ".join(body["reason"].split()),
                seen=body["fingerprint"],
            )
        self.visibility = self.visibility_at(card_table)
        return self.created(selectors.correction_view(done, self.access.names))


class EveningCorrectionViewSet(GamesViewSet):
    """The corrections of an evening."""

    rights = {"list": Right.READ}
    serializer_class = answers.StoredCorrection
    pagination_class = ListPagination
    newest_first = True

    @extend_schema(
        operation_id="eveningCorrections_list", summary=gettext_lazy("The corrections of an evening, newest first")
    )
    def list(self, request: Request, club: str, evening: int) -> Response:
        night = self.evening(evening)
        self.visibility = visibility_at_table(self.access, night)
        made = self.paginate_queryset(selectors.corrections_of(night, self.access.names))
        return self.get_paginated_response(self.get_serializer(made, many=True).data)


class DifferenceFinder(GamesView):
    """The difference finder."""

    rights = {"get": Right.RECORD}
    queries = {"get": COUNTED}
    serializer_class = answers.DifferenceReport

    @extend_schema(
        operation_id="differenceFinder_read",
        summary=gettext_lazy(
            "The counted coins do not agree with the stored hands: which single mistake explains the difference?"
        ),
    )
    def get(self, request: Request, club: str, table: int) -> Response:
        card_table = self.table(table)
        entries = tuple(replay.read(card_table))
        played = {player for entry in entries for player in entry.players}
        pot, gains, antes_in = self._counted(played)
        seated = tuple(card_table.places.order_by("seat").values_list("player_id", flat=True))
        counted = Counted(pot, gains, antes_in and card_table.evening.state == "open")
        game = game_of(card_table.evening.game)
        search = Search(
            services.before_closing(card_table), entries[:SEARCHED], seated, counted, keep=game.records.keeps_dealers
        )
        gap, due = search.gap(), search.due()
        people = dict(Player.objects.filter(pk__in={*played, *seated}).values_list("pk", "nickname"))
        currency = self.visibility_at(card_table).access.club.currency
        return self.answer(
            {
                "pot": None if pot is None else _counted(pot, due.pot_minor, gap.pot_minor),
                "balance": _counted(next(iter(gains.values())), due.gains[0], gap.gains[0]) if gains else None,
                "agrees": not gap.pot_minor and not any(gap.gains),
                "guesses": [_guess(guess, people, currency, game) for guess in find(search)],
            }
        )

    def _counted(self, played: set[int]) -> tuple[int | None, dict[int, int], bool]:
        pot, balance, player = (self._whole_number(name) for name in ("pot_minor", "balance_minor", "player"))
        if pot is not None and pot < 0:
            raise wrong_field("pot_minor", "min_value", _("A pot cannot be below 0."))
        if (balance is None) != (player is None):
            raise wrong_field("player", "balance", _("“player” and “balance_minor” belong together."))
        if pot is None and balance is None:
            raise wrong_field("pot_minor", "required", _("Send a counted amount: the pot, or the gain of a player."))
        if player is not None and player not in played:
            raise wrong_field("player", "player", _("This player has played no hand at this table."))
        antes = self.request.query_params.get("antes_in", "true")
        if antes not in ("true", "false"):
            raise wrong_field("antes_in", "boolean", _("“antes_in” is true or false."))
        gains = {} if player is None or balance is None else {player: balance}
        return pot, gains, antes == "true"

    def _whole_number(self, name: str) -> int | None:
        text = self.request.query_params.get(name)
        if text is None:
            return None
        number = whole_number(text)
        if number is None or abs(number) > MOST_MINOR:
            raise wrong_field(name, "integer", _("“%(name)s” is a whole number.") % {"name": name})
        return number


def _planned(plan: Plan, visibility: Visibility) -> dict[str, Any]:
    names = selectors.names_of({*plan.before, *plan.after, *(plan.seated or ())})
    return {
        "fingerprint": plan.seen,
        "players": selectors.balances(plan.players, names),
        "hands": [_change(change, names, visibility) for change in plan.changed],
        "pot_before_minor": plan.pot_before_minor,
        "pot_after_minor": plan.pot_after_minor,
        "seated": None if plan.seated is None else representations.named(plan.seated, names),
    }


def _change(change: HandChange, names: dict[int, str], visibility: Visibility) -> dict[str, Any]:
    before, after = (
        representations.hand(selectors.as_view(played, names), visibility) if played else None
        for played in (change.before, change.after)
    )
    return {"number": change.number, "before": before, "after": after}


def _counted(counted: int, expected: int, gap: int) -> dict[str, int]:
    return {"counted_minor": counted, "expected_minor": expected, "gap_minor": gap}


def _guess(guess: Guess, people: dict[int, str], currency: str, game: Game, *, others: bool = True) -> dict[str, Any]:
    names = [people.get(player, "?") for player in guess.players]
    shown = {
        "number": guess.number,
        "kind": guess.kind,
        "sentence": sentence(guess, names, currency, game),
        "players": representations.named(guess.players, people),
        "amount_minor": guess.amount_minor,
        "correction": body_of(guess.edit) if guess.edit else None,
    }
    if others:
        shown["others"] = [_guess(other, people, currency, game, others=False) for other in guess.others]
    return shown
