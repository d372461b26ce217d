"""API of the kitty: balance and entries, and the balances by person with all outstanding payments."""

from __future__ import annotations

import uuid
from dataclasses import asdict
from typing import Any

import django_filters
from django.db.models import Count, Q, QuerySet, Sum
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.ledger.club_accounts import held
from league.models import KittyEntry, Transfer
from league.payments.services import outstanding_payments
from league.treasury import balances, books
from league.treasury.services import MAX_ENTRY_MINOR, MAX_REASON, NewEntry, kitty_book, kitty_undo

from . import idempotency
from .bodies import Body
from .filters import PersonFilter
from .paging import SumsPagination
from .queries import SUMS_QUERY
from .views import ClubView, ClubViewSet

KINDS = [(Transfer.Kind.SPENT.value, _("spent")), (Transfer.Kind.BROUGHT.value, _("brought in"))]


class HoldingsAnswer(serializers.Serializer[Any]):
    """Coins in the kitty or the box: `stored_minor` by the ledger, of which `open_minor` was not paid in yet (below 0:
    not paid out); `there_minor` is the difference."""

    stored_minor = serializers.IntegerField()
    open_minor = serializers.IntegerField()
    there_minor = serializers.IntegerField()


class KittyAnswer(serializers.Serializer[Any]):
    """The coins of the club."""

    currency = serializers.CharField()
    kitty = HoldingsAnswer()
    box = HoldingsAnswer()


class Kitty(ClubView):
    """The coins in kitty and box."""

    rights = {"get": Right.SEE_LEDGER}
    serializer_class = KittyAnswer

    @extend_schema(operation_id="kitty_read", summary=_("The balances of the kitty and the box"))
    def get(self, request: Request, club: str) -> Response:
        outstanding = list(outstanding_payments(self.access.club))
        body: dict[str, Any] = {"currency": self.access.club.currency}
        for kind in (books.KITTY, books.BOX):
            holdings = balances.holdings(held(self.access.club.pk, kind), kind, outstanding)
            body[kind] = asdict(holdings) | {"there_minor": holdings.there_minor}
        return self.answer(body)


class EntryAnswer(serializers.Serializer[Any]):
    """Money that the kitty spent or got. `player` is the person who got or gave it, null for anybody else; of the kind
    `fee`, the one who owes a member fee. An entry that is `undone` no longer counts."""

    id = serializers.UUIDField(source="pk")
    kind = serializers.SerializerMethodField()
    amount_minor = serializers.SerializerMethodField()
    reason = serializers.CharField(source="posting.reason", allow_blank=True)
    day = serializers.DateField()
    player = serializers.IntegerField(source="player_id", allow_null=True)
    undone = serializers.SerializerMethodField()
    booked_at = serializers.DateTimeField(source="posting.created_at")

    def get_kind(self, entry: KittyEntry) -> str:
        return str(entry.posting.transfers.all()[0].kind)

    def get_amount_minor(self, entry: KittyEntry) -> int:
        return int(entry.posting.transfers.all()[0].amount_minor)

    def get_undone(self, entry: KittyEntry) -> bool:
        return getattr(entry.posting, "reversed_by", None) is not None


class EntryBody(Body):
    """Money that the kitty spent or got."""

    kind = serializers.ChoiceField(choices=KINDS)
    amount_minor = serializers.IntegerField(min_value=1, max_value=MAX_ENTRY_MINOR)
    reason = serializers.CharField(max_length=MAX_REASON)
    day = serializers.DateField(input_formats=["iso-8601"])
    player = serializers.IntegerField(min_value=1, max_value=2**53 - 1, allow_null=True, required=False)


class EntryFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Filters for the entries of the kitty."""

    since = django_filters.DateFilter(field_name="day", lookup_expr="gte", label=_("From this day on."))
    until = django_filters.DateFilter(field_name="day", lookup_expr="lte", label=_("Up to this day."))
    player = PersonFilter(label=_("A player's id: only entries with this person."))

    class Meta:
        model = KittyEntry
        fields = ["since", "until", "player"]


class EntrySums(serializers.Serializer[Any]):
    """The sums of entries without undone ones. `fees_minor`: member fees, paid or not; `difference_minor`: the income
    with these, less the expenses."""

    count = serializers.IntegerField()
    brought_minor = serializers.IntegerField()
    spent_minor = serializers.IntegerField()
    fees_minor = serializers.IntegerField()
    difference_minor = serializers.IntegerField()


class EntryPagination(SumsPagination):
    """Pages of entries with their sums."""

    sums = EntrySums


class KittyEntryViewSet(ListModelMixin, ClubViewSet):
    """The kitty's income and expenses, as a treasurer booked them."""

    rights = {"list": Right.SEE_LEDGER, "create": Right.KEEP_KITTY, "undo": Right.KEEP_KITTY}
    bodies = {"create": EntryBody}
    queries = {"list": SUMS_QUERY}
    refusals = (409,)
    serializer_class = EntryAnswer
    filterset_class = EntryFilter
    pagination_class = EntryPagination
    ordering = ("-day", "-pk")
    lookup_url_kwarg = "entry"
    lookup_value_converter = "uuid"

    def get_queryset(self) -> QuerySet[KittyEntry]:
        rows = KittyEntry.objects.filter(club=self.access.club)
        return rows.select_related("posting__reversed_by").prefetch_related("posting__transfers")

    @extend_schema(
        operation_id="kittyEntries_list", summary=_("Income and expenses of the kitty, the newest day first")
    )
    def list(self, request: Request, club: str) -> Response:
        return super().list(request)

    def sums_of(self, things: Any) -> dict[str, int]:
        valid = things.filter(posting__reversed_by__isnull=True)
        amount = "posting__transfers__amount_minor"
        kinds = {name: Q(posting__transfers__kind=name) for name in ("brought", "spent", "fee")}
        wanted = {name: Sum(amount, filter=kind) for name, kind in kinds.items()}
        totals = valid.order_by().aggregate(n=Count("pk"), **wanted)
        brought, spent, fees = (totals[name] or 0 for name in ("brought", "spent", "fee"))
        return {
            "count": totals["n"],
            "brought_minor": brought,
            "spent_minor": spent,
            "fees_minor": fees,
            "difference_minor": brought + fees - spent,
        }

    @extend_schema(operation_id="kittyEntries_post", summary=_("Book money that the kitty spent or got"))
    def create(self, request: Request, club: str) -> Response:
        sent = self.sent()
        entry = NewEntry(sent["kind"], sent["amount_minor"], sent["reason"], sent["day"], sent.get("player"))
        key = idempotency.key_sent(request)
        return self.created(kitty_book(club=self.access.club, author=self.person, key=key, entry=entry))

    @extend_schema(
        operation_id="kittyEntryUndo_post",
        summary=_("Undo an entry of the kitty: the reversal of its transfer is posted"),
    )
    def undo(self, request: Request, club: str, entry: uuid.UUID) -> Response:
        key = idempotency.key_sent(request)
        kitty_undo(club=self.access.club, author=self.person, key=key, entry_id=entry)
        return self.answer(self.get_object())


class OpenBalanceAnswer(serializers.Serializer[Any]):
    """The outstanding payments to and from a person, the kitty or the box (`player` is null), and the sums of evenings
    that are still running; `total_minor` is what it gets in all, below 0: pays."""

    player = serializers.IntegerField(source="player_id", allow_null=True)
    name = serializers.CharField()
    gets_minor = serializers.IntegerField()
    pays_minor = serializers.IntegerField()
    running_minor = serializers.IntegerField()
    total_minor = serializers.IntegerField()


class OpenBalancesAnswer(serializers.Serializer[Any]):
    """The balances that are not 0, by name, with their sums and the sum of all outstanding payments."""

    currency = serializers.CharField()
    items = OpenBalanceAnswer(many=True)
    gets_minor = serializers.IntegerField()
    pays_minor = serializers.IntegerField()
    running_minor = serializers.IntegerField()
    total_minor = serializers.IntegerField()
    outstanding_minor = serializers.IntegerField()


class OpenBalances(ClubView):
    """The balances by person with all outstanding payments."""

    rights = {"get": Right.SEE_LEDGER}
    serializer_class = OpenBalancesAnswer

    @extend_schema(
        operation_id="openBalances_read", summary=_("Balances by person: outstanding payments and running evenings")
    )
    def get(self, request: Request, club: str) -> Response:
        outstanding = list(outstanding_payments(self.access.club))
        rows = balances.balances(self.access.club, outstanding, balances.main_names(self.access.club))
        return self.answer(
            {
                "currency": self.access.club.currency,
                "items": rows,
                "gets_minor": sum(row.gets_minor for row in rows),
                "pays_minor": sum(row.pays_minor for row in rows),
                "running_minor": sum(row.running_minor for row in rows),
                "total_minor": sum(row.total_minor for row in rows),
                "outstanding_minor": sum(payment.amount_minor for payment in outstanding),
            }
        )
