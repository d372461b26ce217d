"""API views of hands: list, enter, preview, undo, history, steps; and the check of a hand record."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.api.paging import ListPagination, PositionPagination
from league.api.permissions import Audience
from league.api.views import ApiView

from .. import engine_bridge
from ..cards import steps
from ..corrections.selectors import history_of
from ..errors import Refused
from ..hands import clause_sentences, selectors, services
from ..hands.selectors import HandView
from . import answers, bodies, representations
from .base import GamesViewSet, hand_problem
from .selectors import newest_hands, preview_view, revision_view, views_of


class HandViewSet(GamesViewSet):
    """The hands of a table."""

    rights = {
        "list": Right.READ,
        "create": Right.RECORD,
        "retrieve": Right.READ,
        "preview": Right.RECORD,
        "cash": Right.RECORD,
        "void": Right.RECORD,
        "steps": Right.READ,
    }
    bodies = {"create": bodies.NewHandBody, "preview": bodies.HandRecordBody, "void": bodies.VoidHandBody}
    claimed = ("create",)
    unkept = ("preview",)
    refusals = (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)
    serializer_class = answers.Hand
    pagination_class = PositionPagination
    ordering = ("-hand__number",)
    lookup_url_kwarg = "number"

    @extend_schema(
        operation_id="hands_list", summary=gettext_lazy("The hands of a table, newest first, with undone ones")
    )
    def list(self, request: Request, club: str, table: int) -> Response:
        card_table = self.table(table)
        hand_views = views_of(self.paginate_queryset(newest_hands(card_table)) or [])
        visibility = self.visibility_at(card_table)
        return self.get_paginated_response(
            [answers.Hand(representations.hand(view, visibility)).data for view in hand_views]
        )

    @extend_schema(
        operation_id="hands_post",
        summary=gettext_lazy("Enter the next hand"),
        description=gettext_lazy(
            "A tally or every card. 409 if the number is taken (`details` has the stored hand) or the seating has"
            " changed; 422 with `clause`, `at` and `seat` if the rulebook refuses the hand."
        ),
        responses=answers.HandWithCash,
    )
    def create(self, request: Request, club: str, table: int) -> Response:
        card_table, body = self.table(table), self.sent()
        try:
            answer = services.hand_enter(table=card_table, author=self.author, key=self.key, body=body)
        except Refused as refused:
            record, _differs = engine_bridge.complete(selectors.chain_of(card_table)[0].start, body["record"])
            raise hand_problem(refused, record) from refused
        view = answer.view or revision_view(card_table, answer.number, answer.revision, self.author)
        stored = representations.hand_with_cash(_there(view), self.visibility_at(card_table))
        response = self.created(stored, answers.HandWithCash, Location=f"{request.path}/{answer.number}")
        return self.as_replayed(response) if answer.repeated else response

    @extend_schema(
        operation_id="handsPreview_post",
        summary=gettext_lazy("The result of a hand as the table's next one; nothing is stored"),
        responses={200: answers.HandWithCash},
    )
    @action(detail=False, methods=["post"])
    def preview(self, request: Request, club: str, table: int) -> Response:
        card_table, sent = self.table(table), self.sent()["record"]
        chain, names = selectors.chain_of(card_table)
        record, differs = engine_bridge.complete(chain.start, sent)
        if differs is not None:
            raise differs_from_table(differs)
        view = preview_view(chain, names, record, checked(record))
        return self.answer(representations.hand_with_cash(view, self.visibility_at(card_table)), answers.HandWithCash)

    @extend_schema(
        operation_id="handDetail_read",
        summary=gettext_lazy("A hand, with the number of its revisions"),
        responses=answers.HandWithRevisions,
    )
    def retrieve(self, request: Request, club: str, table: int, number: int) -> Response:
        card_table = self.table(table)
        view = _there(selectors.hand_view(card_table, number))
        hand = representations.hand(view, self.visibility_at(card_table))
        # Revisions are numbered without a gap: the newest number is their count.
        return self.answer(hand | {"revisions": view.revision}, answers.HandWithRevisions)

    @extend_schema(
        operation_id="handCash_read",
        summary=gettext_lazy("The coin movements after a hand, in order, and the pot after them"),
        responses=answers.HandWithCash,
    )
    @action(detail=True)
    def cash(self, request: Request, club: str, table: int, number: int) -> Response:
        card_table = self.table(table)
        view = _there(selectors.hand_view(card_table, number))
        return self.answer(representations.hand_with_cash(view, self.visibility_at(card_table)), answers.HandWithCash)

    @extend_schema(
        operation_id="handVoid_post",
        summary=gettext_lazy("Undo the last hand: its coins go back, its number is free again"),
        responses={201: answers.VoidedHand},
    )
    @action(detail=True, methods=["post"])
    def void(self, request: Request, club: str, table: int, number: int) -> Response:
        card_table, reason = self.table(table), self.sent()["reason"]
        answer = services.hand_void_last(
            table=card_table, author=self.author, key=self.key, number=number, reason=reason
        )
        view = _there(revision_view(card_table, answer.number, answer.revision, self.author))
        voided = {
            "number": answer.number,
            "revision": answer.revision,
            "sentence": clause_sentences.summary(view.game, answer.result, dict(enumerate(view.names))),
        }
        response = self.created(voided, answers.VoidedHand)
        return self.as_replayed(response) if answer.repeated else response

    @extend_schema(
        operation_id="handSteps_read",
        summary=gettext_lazy("A hand with recorded cards, step by step: calls, deal, exchanges, play"),
        responses=answers.HandSteps,
    )
    @action(detail=True)
    def steps(self, request: Request, club: str, table: int, number: int) -> Response:
        card_table = self.table(table)
        view = selectors.as_reader_sees(_there(selectors.hand_view(card_table, number)), self.access.names)
        if not engine_bridge.has_cards(view.record):
            raise Http404("no cards are recorded")
        course = steps.walk(dict(view.record))
        shown = [
            _step(steps.board(course, view.game, place, view.names, self.access.club.faces), place, view)
            for place in range(len(course.scenes) + 1)
        ]
        return self.answer({"table": card_table.pk, "number": number, "steps": shown}, answers.HandSteps)


class HandHistoryViewSet(GamesViewSet):
    """The history of a hand."""

    rights = {"list": Right.READ}
    serializer_class = answers.HandEvent
    pagination_class = ListPagination
    newest_first = True

    @extend_schema(
        operation_id="handHistory_list",
        summary=gettext_lazy(
            "The history of a hand: time, before and after; author and reason only for people of the club"
        ),
    )
    def list(self, request: Request, club: str, table: int, number: int) -> Response:
        card_table = self.table(table)
        self.visibility = self.visibility_at(card_table)
        events = history_of(card_table, number, self.access.names)
        if not events:
            raise Http404("no such hand")
        return self.get_paginated_response(self.get_serializer(self.paginate_queryset(events), many=True).data)


def _step(board: steps.Board, place: int, view: HandView) -> dict[str, Any]:
    return {
        "number": place,
        "sentence": board.sentence,
        "turned": list(board.turned),
        "stock": board.stock,
        "seats": [
            {
                "seat": player.seat,
                "player": view.player_ids[player.seat],
                "name": player.name,
                "cards": list(player.cards),
                "role": player.role,
                "taken": player.taken,
            }
            for player in board.seats
        ],
        "trick": [{"name": name, "card": card, "takes": takes} for name, card, takes in board.trick],
    }


class HandRecordCheck(ApiView):
    """Check a hand record against the rulebook."""

    rights = {"post": Audience.ANYONE}
    bodies = {"post": bodies.HandRecordBody}
    unkept = ("post",)
    refusals = (HTTPStatus.UNPROCESSABLE_ENTITY,)
    serializer_class = answers.HandRecordResult

    @extend_schema(
        operation_id="handRecordCheck_post",
        summary=gettext_lazy("Check a hand record and settle it; nothing is stored"),
        description=gettext_lazy(
            "The record must have game, house rules, seats, dealer and pot. It belongs to no club."
        ),
        responses={200: answers.HandRecordResult},
    )
    def post(self, request: Request) -> Response:
        return self.answer(checked(self.sent()["record"]))


def checked(record: dict[str, Any]) -> engine_bridge.Result:
    """Return the engine's result. Raises Problem (422) with clause, place and seat."""
    result = engine_bridge.replay(record)
    if not result["ok"]:
        raise hand_problem(clause_sentences.refusal(result["error"]), record)
    return result


def differs_from_table(name: str) -> Refused:
    """Return the refusal (409) of a record that does not agree with its table."""
    sentence = _("The record says something else than this table about “%(name)s”.") % {"name": name}
    return Refused(status=409, code="chain", sentence=sentence, at=name)


def _there(view: HandView | None) -> HandView:
    if view is None:
        raise Http404("no such hand")
    return view
