"""API of balances and the ledger. Amounts are whole Rappen (hundredths of the club's currency)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import django_filters
from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import ClubAccess, Right
from league.models import Account, Evening, PaymentDay, Posting, Season, Transfer
from league.standings import selectors

from .filters import IdFilter, SlugFilter
from .paging import SumsPagination
from .queries import SUMS_QUERY
from .views import ClubView, ClubViewSet


class BalanceAnswer(serializers.Serializer[Any]):
    """A player's outstanding balance over all seasons, as last counted: above 0 to get, below 0 to pay."""

    player = serializers.IntegerField()
    name = serializers.CharField()
    balance_minor = serializers.IntegerField()


class BalancesAnswer(serializers.Serializer[Any]):
    """The balances that the person may see, the largest first, with their sum."""

    currency = serializers.CharField()
    items = BalanceAnswer(many=True)
    sum_minor = serializers.IntegerField()


class Balances(ClubView):
    """The outstanding balances of the players."""

    rights = {"get": Right.SEE_RULES}
    serializer_class = BalancesAnswer

    @extend_schema(
        operation_id="balances_read",
        summary=_("The outstanding balance of each player"),
        description=_("Of all players if you may see their amounts, else of your own."),
    )
    def get(self, request: Request, club: str) -> Response:
        access = self.access
        # A season in points only has no payments, and nobody may see its amounts.
        balances = selectors.player_balances(access.club).filter(season__points_only=False)
        rows = [row for row in balances if access.sees_money(row["player_id"])]
        rows.sort(key=lambda row: (-row["total_minor"], row["player_id"]))
        items = [
            {
                "player": row["player_id"],
                "name": access.names.show(row["player_id"], row["nickname"]),
                "balance_minor": row["total_minor"],
            }
            for row in rows
        ]
        total = sum(item["balance_minor"] for item in items)
        return self.answer({"currency": access.club.currency, "items": items, "sum_minor": total})


class AccountAnswer(serializers.Serializer[Any]):
    """A ledger account. `player` and `name` are null for a pot, the kitty, the box of carried pots and
    everything outside the club."""

    id = serializers.IntegerField(source="pk")
    kind = serializers.ChoiceField(choices=Account.Kind.choices)
    player = serializers.IntegerField(source="player_id", allow_null=True)
    name = serializers.SerializerMethodField()

    def get_name(self, account: Account) -> str | None:
        access: ClubAccess = self.context["view"].access
        return access.names.show(account.player_id, account.player.nickname) if account.player else None


class TransferAnswer(serializers.Serializer[Any]):
    """Coins from one ledger account to another. `source` is the id of their cause (such as a hand), `revision` its
    version; a posting that `reverses` another one has its transfers with the accounts exchanged. `evening` is null for
    money that the kitty spent or got."""

    id = serializers.IntegerField(source="pk")
    posting = serializers.UUIDField(source="posting_id")
    at = serializers.DateTimeField(source="posting.created_at")
    season = serializers.CharField(source="season.slug")
    evening = serializers.IntegerField(source="posting.evening_id", allow_null=True)
    source = serializers.UUIDField(source="posting.source")  # type: ignore[assignment]
    revision = serializers.IntegerField(source="posting.revision")
    reverses = serializers.UUIDField(source="posting.reverses_id", allow_null=True)
    kind = serializers.ChoiceField(choices=Transfer.Kind.choices)
    from_account = AccountAnswer()
    to_account = AccountAnswer()
    amount_minor = serializers.SerializerMethodField()
    reason = serializers.CharField(source="posting.reason", allow_blank=True)
    imported = serializers.BooleanField(help_text=_("Whether the evening came from a file."))
    paid_on = serializers.DateField(
        allow_null=True, help_text=_("The day of a payment, also of one whose mark was taken back; else null.")
    )

    def get_amount_minor(self, transfer: Transfer) -> int | None:
        return None if transfer.season.points_only else transfer.amount_minor


class LedgerFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Filters for transfers."""

    season = SlugFilter(field_name="season__slug", max_length=40, label=_("A season's short name."))
    evening = IdFilter(field_name="posting__evening", label=_("An evening's id."))
    # `Ledger` chooses the rows of a player.
    player = IdFilter(method="unchanged", label=_("A player's id: transfers from or to this player."))
    kind = django_filters.ChoiceFilter(choices=Transfer.Kind.choices, label=_("The kind of the transfer."))

    class Meta:
        model = Transfer
        fields = ["season", "evening", "player", "kind"]

    def unchanged(self, rows: QuerySet[Transfer], name: str, value: Any) -> QuerySet[Transfer]:
        return rows


class LedgerSums(serializers.Serializer[Any]):
    """The sum of transfers, without those of a season in points only. A reversal is a transfer, too."""

    count = serializers.IntegerField()
    amount_minor = serializers.IntegerField()


class LedgerPagination(SumsPagination):
    """Pages of transfers with their sum."""

    sums = LedgerSums


class Ledger(ListModelMixin, ClubViewSet):
    """Every transfer of a club, in the order of storage."""

    rights = {"list": Right.SEE_LEDGER}
    queries = {"list": SUMS_QUERY}
    serializer_class = TransferAnswer
    filterset_class = LedgerFilter
    pagination_class = LedgerPagination
    ordering = ("pk",)

    def get_queryset(self) -> QuerySet[Transfer]:
        rows = Transfer.objects.filter(season__club=self.access.club, season__in_chips=False)
        rows = rows.select_related("posting", "season", "from_account__player", "to_account__player")
        # No join, which would change the way in which the rows of an evening are found.
        from_file = Evening.objects.filter(pk=OuterRef("posting__evening"), imported__isnull=False)
        own = PaymentDay.objects.filter(posting=OuterRef("posting")).values("day")
        held_on = Evening.objects.filter(pk=OuterRef("posting__evening")).values("held_on")
        day = Case(When(kind=Transfer.Kind.PAID, then=Coalesce(Subquery(own), Subquery(held_on))))
        return rows.annotate(imported=Exists(from_file), paid_on=day)

    def sums_of(self, things: QuerySet[Transfer]) -> dict[str, int]:
        # The parts, as the filter of a player is theirs alone. No transfer is in two of them.
        parts = [part.filter(season__points_only=False) for part in self.split(Q(), None)]
        totals = [part.order_by().aggregate(n=Count("pk"), amount=Sum("amount_minor")) for part in parts]
        return {
            "count": sum(total["n"] for total in totals),
            "amount_minor": sum(total["amount"] or 0 for total in totals),
        }

    def split(self, after: Q, count: int | None) -> Sequence[QuerySet[Transfer]]:
        """Divide the rows by season, or by account and kind: an index has the rows of each part in their order."""
        # As the filter reads them: a number may be sent as `5.0`.
        form = LedgerFilter(self.request.query_params, queryset=Transfer.objects.none()).form
        sent = form.cleaned_data if form.is_valid() else {}
        rows = Transfer.objects.filter(after)
        if sent.get("kind"):
            rows = rows.filter(kind=sent["kind"])
        seasons = self.access.club.seasons.order_by("pk")
        if sent.get("season"):
            seasons = seasons.filter(slug=sent["season"])
        known = list(seasons.values_list("pk", flat=True))
        if sent.get("player"):
            parts = self._of_player(rows, sent, known)
        elif sent.get("evening"):
            parts = [rows]
        else:
            parts = [rows.filter(season=season) for season in known]
        if sent.get("evening"):
            # These are few; sorted here, SQLite would look for them among all rows.
            postings = Posting.objects.filter(evening=sent["evening"], season__in=known)
            return [part.filter(posting__in=postings.values("pk")) for part in parts]
        return [part.order_by("pk")[:count] for part in parts]

    def _of_player(
        self, rows: QuerySet[Transfer], sent: Mapping[str, Any], seasons: list[int]
    ) -> Sequence[QuerySet[Transfer]]:
        accounts = Account.objects.filter(player=sent["player"], club=self.access.club)
        account = accounts.values_list("pk", flat=True).first()
        if account is None:
            return []
        if sent.get("season"):
            # Without these bounds the rows of all seasons would be read.
            of_season = Transfer.objects.filter(season=OuterRef("pk"))
            first, last = (Subquery(of_season.order_by(order).values("pk")[:1]) for order in ("pk", "-pk"))
            ends = Season.objects.filter(pk__in=seasons).values_list(first, last).first() or (None, None)
            rows = rows.filter(pk__gte=ends[0] or 0, pk__lte=ends[1] or 0)
            # No column alone, so that SQLite takes the index of the account and not that of the season.
            rows = rows.annotate(of_season=F("season_id") + 0).filter(of_season__in=seasons)
        else:
            chips = list(Season.every.filter(club=self.access.club, in_chips=True).values_list("pk", flat=True))
            if chips:
                rows = rows.annotate(of_season=F("season_id") + 0).exclude(of_season__in=chips)
        kinds = [sent["kind"]] if sent.get("kind") else Transfer.Kind.values
        return [
            rows.filter(**{side: account, "kind": kind}) for side in ("from_account", "to_account") for kind in kinds
        ]

    @extend_schema(operation_id="ledger_list", summary=_("All transfers of a club"))
    def list(self, request: Request, club: str) -> Response:
        return super().list(request)
