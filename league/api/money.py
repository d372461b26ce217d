"""Balances and the ledger. Amounts are whole Rappen (the hundredth part of the club's currency)."""

from __future__ import annotations

from typing import Any

import django_filters
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league import selectors
from league.access import ClubAccess, Right
from league.models import Account, Transfer

from .base import ClubView, Op
from .bodies import IdFilter


class BalanceAnswer(serializers.Serializer[Any]):
    """What is still open of a player over all seasons, as last counted: above 0 to get, below 0 to pay."""

    player = serializers.IntegerField()
    name = serializers.CharField()
    balance_minor = serializers.IntegerField()


class BalancesAnswer(serializers.Serializer[Any]):
    """The balances that the asker may see, those of the richest first."""

    currency = serializers.CharField()
    items = BalanceAnswer(many=True)


class Balances(ClubView):
    """What is still open of the players."""

    ops = {
        "GET": Op(
            Right.SEE_RULES,
            _("What is still open of each player"),
            answer=BalancesAnswer,
            about=_("Of all players for those who may see their amounts, else of one's own."),
            example={"currency": "CHF", "items": [{"player": 3, "name": "Anna", "balance_minor": 1240}]},
        )
    }

    def get(self, request: Request, club: str) -> Response:
        access = self.access
        # Of a season in points alone nothing is settled, and its amounts are nobody's to see.
        found = selectors.player_balances(access.club).filter(season__points_only=False)
        rows = [row for row in found if access.sees_money(row["player_id"])]
        rows.sort(key=lambda row: (-row["total_minor"], row["player_id"]))
        items = [
            {
                "player": row["player_id"],
                "name": access.names.show(row["player_id"], row["nickname"]),
                "balance_minor": row["total_minor"],
            }
            for row in rows
        ]
        return self.told({"currency": access.club.currency, "items": items})


class AccountAnswer(serializers.Serializer[Any]):
    """A purse. `player` and `name` are null where it is a pot, the kitty or the box of carried pots."""

    id = serializers.IntegerField(source="pk")
    kind = serializers.ChoiceField(choices=Account.Kind.choices)
    player = serializers.IntegerField(source="player_id", allow_null=True)
    name = serializers.SerializerMethodField()

    def get_name(self, account: Account) -> str | None:
        access: ClubAccess = self.context["view"].access
        return access.names.show(account.player_id, account.player.nickname) if account.player else None


class TransferAnswer(serializers.Serializer[Any]):
    """Coins from one account to another. `source` names the thing in the world (a hand's id, say), `revision` its
    state; a posting that `reverses` another carries its transfers the other way round."""

    id = serializers.IntegerField(source="pk")
    posting = serializers.UUIDField(source="posting_id")
    at = serializers.DateTimeField(source="posting.created_at")
    season = serializers.CharField(source="season.slug")
    evening = serializers.IntegerField(source="posting.evening_id")
    source = serializers.UUIDField(source="posting.source")  # type: ignore[assignment]
    revision = serializers.IntegerField(source="posting.revision")
    reverses = serializers.UUIDField(source="posting.reverses_id", allow_null=True)
    kind = serializers.ChoiceField(choices=Transfer.Kind.choices)
    from_account = AccountAnswer()
    to_account = AccountAnswer()
    amount_minor = serializers.SerializerMethodField()
    reason = serializers.CharField(source="posting.reason", allow_blank=True)

    def get_amount_minor(self, transfer: Transfer) -> int | None:
        return None if transfer.season.points_only else transfer.amount_minor


class LedgerFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Which transfers."""

    season = django_filters.CharFilter(field_name="season__slug", max_length=40, label=_("A season's short name."))
    evening = IdFilter(field_name="posting__evening", label=_("An evening's id."))
    player = IdFilter(method="of_player", label=_("A player's id: what went from or to them."))
    kind = django_filters.ChoiceFilter(choices=Transfer.Kind.choices, label=_("What the coins were for."))

    class Meta:
        model = Transfer
        fields = ["season", "evening", "player", "kind"]

    def of_player(self, rows: QuerySet[Transfer], name: str, value: Any) -> QuerySet[Transfer]:
        return rows.filter(Q(from_account__player=value) | Q(to_account__player=value))


ACCOUNT = {"id": 5, "kind": "player", "player": 3, "name": "Anna"}


class Ledger(ClubView):
    """Every transfer of a club, in the order in which they were stored."""

    ops = {
        "GET": Op(
            Right.SEE_LEDGER,
            _("Every transfer of a club"),
            answer=TransferAnswer,
            paged=True,
            filters=LedgerFilter,
            example={
                "id": 8121,
                "posting": "0c0c4f5e-9f4a-4d5e-8b1a-6a3f2f0d9d11",
                "at": "2026-11-20T21:03:12+01:00",
                "season": "2026",
                "evening": 12,
                "source": "7b0a7f0e-2f7b-4f39-9a5e-2f1d4b7f6c22",
                "revision": 1,
                "reverses": None,
                "kind": "ante",
                "from_account": ACCOUNT,
                "to_account": {"id": 2, "kind": "pot", "player": None, "name": None},
                "amount_minor": 10,
                "reason": "",
            },
        )
    }

    def get(self, request: Request, club: str) -> Response:
        rows = Transfer.objects.filter(season__club=self.access.club)
        rows = rows.select_related("posting", "season", "from_account__player", "to_account__player")
        return self.told_page(rows, ["pk"])
