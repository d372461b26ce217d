"""API of member fees: all of them with who has paid, booking one, and undoing it."""

from __future__ import annotations

import uuid
from typing import Any

import django_filters
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.member_fees.selectors import STATES, candidates, with_shares
from league.member_fees.services import MAX_NAME, MOST, NewFee, fee_book, fee_undo
from league.models import MemberFee, PaymentDay
from league.treasury.services import MAX_ENTRY_MINOR, MAX_REASON

from . import idempotency
from .bodies import MAX_ID, Body
from .filters import IdFilter
from .paging import PositionPagination
from .views import ClubViewSet


class FeeShareAnswer(serializers.Serializer[Any]):
    """What one player owes of a member fee. `payment` is the id by which it is marked as paid (`/debts`)."""

    player = serializers.IntegerField(source="player_id")
    amount_minor = serializers.IntegerField()
    state = serializers.ChoiceField(choices=STATES)
    payment = serializers.UUIDField(source="payment.pk")
    paid_on = serializers.DateField(allow_null=True, help_text=_("The day on which it was paid; null if it is not."))
    way = serializers.ChoiceField(choices=PaymentDay.Way.choices, allow_null=True)


class FeeAnswer(serializers.Serializer[Any]):
    """A member fee of one year. The sums are of its shares without undone ones: `booked_minor` is `paid_minor` and
    `open_minor`."""

    id = serializers.UUIDField(source="pk")
    year = serializers.IntegerField()
    name = serializers.CharField(source="title")
    amount_minor = serializers.IntegerField(help_text=_("The amount for each who has no own one."))
    day = serializers.DateField(help_text=_("It is owed from this day on."))
    booked_minor = serializers.SerializerMethodField()
    paid_minor = serializers.SerializerMethodField()
    open_minor = serializers.SerializerMethodField()
    booked_at = serializers.DateTimeField(source="created_at")
    shares = FeeShareAnswer(many=True, source="shares.all")

    def get_booked_minor(self, fee: MemberFee) -> int:
        return self.get_paid_minor(fee) + self.get_open_minor(fee)

    def get_paid_minor(self, fee: MemberFee) -> int:
        return _sum(fee, "paid")

    def get_open_minor(self, fee: MemberFee) -> int:
        return _sum(fee, "owed")


def _sum(fee: MemberFee, state: str) -> int:
    shares: Any = fee.shares.all()
    return sum(share.amount_minor for share in shares if share.state == state)


class FeeAmount(Body):
    """The own amount of one player."""

    player = serializers.IntegerField(min_value=1, max_value=MAX_ID)
    amount_minor = serializers.IntegerField(min_value=1, max_value=MAX_ENTRY_MINOR)


class FeeBody(Body):
    """A member fee to book. Without `players` everybody of the roster pays who is no guest and has no fee of this
    year; `amounts` are those of players who pay something else."""

    year = serializers.IntegerField(min_value=1900, max_value=2200)
    name = serializers.CharField(max_length=MAX_NAME)
    amount_minor = serializers.IntegerField(min_value=1, max_value=MAX_ENTRY_MINOR)
    day = serializers.DateField(input_formats=["iso-8601"])
    players = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_ID), required=False, max_length=MOST
    )
    amounts = serializers.ListField(child=FeeAmount(), required=False, max_length=MOST)


class FeeUndoBody(Body):
    """The players whose shares are undone; without them the whole fee."""

    players = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_ID), required=False, min_length=1, max_length=MOST
    )
    reason = serializers.CharField(max_length=MAX_REASON, required=False, allow_blank=True)


class FeeFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Filters for member fees."""

    year = IdFilter(field_name="year", label=_("Only the fees of this year."))

    class Meta:
        model = MemberFee
        fields = ["year"]


class MemberFeeViewSet(ListModelMixin, ClubViewSet):
    """The member fees of a club."""

    rights = {"list": Right.SEE_LEDGER, "create": Right.KEEP_KITTY, "undo": Right.KEEP_KITTY}
    bodies = {"create": FeeBody, "undo": FeeUndoBody}
    refusals = (409,)
    serializer_class = FeeAnswer
    filterset_class = FeeFilter
    pagination_class = PositionPagination
    ordering = ("-year", "-pk")
    lookup_url_kwarg = "fee"
    lookup_value_converter = "uuid"

    def get_queryset(self) -> QuerySet[MemberFee]:
        return with_shares(MemberFee.objects.filter(club=self.access.club))

    @extend_schema(operation_id="memberFees_list", summary=_("Member fees, the newest year first, with who has paid"))
    def list(self, request: Request, club: str) -> Response:
        return super().list(request)

    @extend_schema(operation_id="memberFees_post", summary=_("Book a member fee: each player owes it to the kitty"))
    def create(self, request: Request, club: str) -> Response:
        sent = self.sent()
        players = sent.get("players")
        if players is None:
            known = candidates(self.access.club, sent["year"])
            players = [candidate.player.pk for candidate in known if not (candidate.player.guest or candidate.has_fee)]
        fee = NewFee(
            year=sent["year"],
            name=sent["name"],
            amount_minor=sent["amount_minor"],
            day=sent["day"],
            players=players,
            amounts={entry["player"]: entry["amount_minor"] for entry in sent.get("amounts", ())},
        )
        key = idempotency.key_sent(request)
        booked = fee_book(club=self.access.club, author=self.person, key=key, fee=fee, everybody="players" not in sent)
        return self.created(self.get_queryset().get(pk=booked.pk))

    @extend_schema(
        operation_id="memberFeeUndo_post",
        summary=_("Undo a member fee, or the shares of some players: their reversals are posted"),
    )
    def undo(self, request: Request, club: str, fee: uuid.UUID) -> Response:
        sent = self.sent()
        fee_undo(
            club=self.access.club,
            author=self.person,
            key=idempotency.key_sent(request),
            fee_id=fee,
            players=sent.get("players"),
            reason=sent.get("reason", ""),
        )
        return self.answer(self.get_object())
