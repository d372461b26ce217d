"""Hands that somebody says were not so: disputed by who sat there, taken back, settled by who records."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext_lazy
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.api.base import Op

from .. import disputes
from ..models import Dispute, Table
from . import answers, bodies
from .base import NightView
from .examples import example
from .reading import hand_of

REFUSALS = (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)


class DisputeView(NightView):
    """An address of a hand's disputes."""

    def check_own(self, player: int) -> None:
        """A hand is disputed for one's own player. Raises PermissionDenied."""
        if not self.access.may_own(Right.DISPUTE, player):
            raise PermissionDenied

    def dispute_told(self, dispute: Dispute, at: Table, number: int) -> Response:
        """The answer for what was just said."""
        player = self.access.names.of([dispute.player_id])
        return self.told(
            {
                "id": dispute.pk,
                "table": at.pk,
                "number": number,
                "revision": dispute.revision,
                "player": dispute.player_id,
                "name": player.get(dispute.player_id, "?"),
                "kind": str(dispute.kind),
                "text": dispute.text,
                "at": dispute.created_at,
            }
        )


class HandDisputes(DisputeView):
    """What is said of a hand."""

    ops = {
        "GET": Op(
            Right.SEE_RULES,
            gettext_lazy("What is said of a hand by those who sat in it, and what became of it"),
            answers.DisputeList,
            example=example("disputes"),
        ),
        "POST": Op(
            Right.SEE_RULES,
            gettext_lazy("Say, for one's own player, that a hand was not so"),
            answers.DisputeDone,
            status=HTTPStatus.CREATED,
            body=bodies.DisputeSay,
            refusals=REFUSALS,
            example=example("dispute"),
            body_example=example("dispute-body"),
            about=gettext_lazy("For one's own player alone, by a key with the scope `record`: 403 otherwise."),
        ),
    }

    def get(self, request: Request, club: str, table: int, number: int) -> Response:
        at = self.table(table)
        hand = hand_of(at, number)
        if hand is None:
            raise Http404("no such hand")
        told = [_said(one) for one in disputes.said_of(hand.pk)]
        return self.told({"table": at.pk, "number": number, "disputes": told})

    def post(self, request: Request, club: str, table: int, number: int) -> Response:
        at, body = self.table(table), self.sent()
        self.check_own(body["player"])
        said = disputes.dispute_raise(
            table=at, number=number, player_id=body["player"], author=self.author, key=self.key, text=body["text"]
        )
        return self.dispute_told(said, at, number)


class DisputeWithdraw(DisputeView):
    """A dispute taken back."""

    ops = {
        "POST": Op(
            Right.SEE_RULES,
            gettext_lazy("Say, for one's own player, that the hand was so after all"),
            answers.DisputeDone,
            status=HTTPStatus.CREATED,
            body=bodies.DisputeEnd,
            refusals=REFUSALS,
            example=example("dispute-withdrawn"),
            body_example=example("dispute-end-body"),
        )
    }

    def post(self, request: Request, club: str, table: int, number: int) -> Response:
        at, body = self.table(table), self.sent()
        self.check_own(body["player"])
        said = disputes.dispute_withdraw(
            table=at, number=number, player_id=body["player"], author=self.author, key=self.key
        )
        return self.dispute_told(said, at, number)


class DisputeSettle(DisputeView):
    """A dispute settled."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Say that a dispute is settled: the hand was put right, or stays, with a word why"),
            answers.DisputeDone,
            status=HTTPStatus.CREATED,
            body=bodies.DisputeSettled,
            refusals=REFUSALS,
            example=example("dispute-settled"),
            body_example=example("dispute-settle-body"),
        )
    }

    def post(self, request: Request, club: str, table: int, number: int) -> Response:
        at, body = self.table(table), self.sent()
        said = disputes.dispute_settle(
            table=at, number=number, player_id=body["player"], author=self.author, key=self.key, text=body["text"]
        )
        return self.dispute_told(said, at, number)


class ClubDisputes(NightView):
    """What is disputed in a club."""

    ops = {
        "GET": Op(
            Right.RECORD,
            gettext_lazy("The hands that are disputed at the moment, the oldest first"),
            answers.OpenDisputes,
            example=example("open-disputes"),
        )
    }

    def get(self, request: Request, club: str) -> Response:
        told = [
            {
                "season": one.hand.table.evening.season.slug,
                "evening": one.hand.table.evening_id,
                "table": one.hand.table_id,
                "number": one.hand.number,
                "player": one.player_id,
                "name": one.player.nickname,
                "text": one.text,
                "at": one.created_at,
            }
            for one in disputes.open_of_club(self.access.club)
        ]
        return self.told({"disputes": told})


def _said(one: disputes.Said) -> dict[str, Any]:
    return {
        "player": one.player_id,
        "name": one.name,
        "text": one.text,
        "at": one.at,
        "open": one.open,
        "ended": one.ended or None,
        "answer": one.answer,
        "answered_at": one.answered_at,
        "by": one.by or None,
    }
