"""Answers about the end of an evening: settlement, payments, receipts."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from league.models import Account, Closing, Club, Evening, PaymentDay

from ...closing.receipt_payments import State
from ...closing.sentences import account_name
from .base import minor
from .fields import ChoiceOrNull, TextOrNull

ACCOUNT_KINDS = [(word, word) for word in ("player", "kitty", "box", "pot")]


class AccountNameField(serializers.CharField):
    """The name of an account."""

    def to_representation(self, value: Account) -> str:  # type: ignore[override]
        return account_name(value)


def way_field() -> serializers.ChoiceField:
    """Return the field with the way of a payment."""
    return serializers.ChoiceField(
        choices=PaymentDay.Way.choices,
        allow_null=True,
        help_text=_("How a payment that is paid was paid; null if it is outstanding."),
    )


class AccountName(serializers.Serializer[Any]):
    """A ledger account: of a player, the kitty of the club, or the box in which a pot waits for the next evening."""

    kind = serializers.ChoiceField(choices=ACCOUNT_KINDS)
    player = serializers.IntegerField(source="player_id", allow_null=True)
    name = AccountNameField(source="*")


class PaymentLine(serializers.Serializer[Any]):
    """A payment of the settlement of an evening."""

    id = serializers.UUIDField(source="pk")
    payer = AccountName()
    payee = AccountName()
    amount_minor = serializers.IntegerField()
    paid = serializers.BooleanField()
    paid_on = serializers.DateField(
        allow_null=True, help_text=_("The day of a payment that is paid; null if it is outstanding.")
    )
    way = way_field()
    sentence = serializers.CharField()


class Debt(PaymentLine):
    """An outstanding payment, with its evening (null for a member fee) and the day from which it is owed; `fee` is the
    name of the member fee, null for a payment of an evening."""

    evening = serializers.IntegerField(source="evening.pk", default=None, allow_null=True)
    season = serializers.SlugField(source="evening.season.slug", default=None, allow_null=True)
    held_on = serializers.DateField(source="owed_on")
    fee = serializers.CharField(allow_null=True)


class DebtList(serializers.Serializer[Any]):
    """Outstanding payments, oldest evening first. `all`: of all players, else of the client's own."""

    debts = Debt(many=True)
    total_minor = serializers.IntegerField()
    all = serializers.BooleanField()


class DebtsMarked(serializers.Serializer[Any]):
    """How many payments were marked, or unmarked."""

    changed = serializers.IntegerField()


class ReceiptReference(serializers.Serializer[Any]):
    """Number and digest of a receipt."""

    number = serializers.IntegerField()
    digest = serializers.CharField()


class ClosingLine(serializers.Serializer[Any]):
    """A closing or reopening, with its receipt if it has one."""

    id = serializers.UUIDField(source="pk")
    number = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=Closing.Kind.choices)
    pot = ChoiceOrNull(choices=Closing.Pot.choices, allow_null=True)
    at = serializers.DateTimeField(source="created_at")
    by = serializers.CharField(source="author", allow_null=True)
    reason = TextOrNull(allow_null=True)
    receipt = ReceiptReference(allow_null=True)


class OfAccount(AccountName):
    kind = serializers.ChoiceField(source="account.kind", choices=ACCOUNT_KINDS)
    player = serializers.IntegerField(source="account.player_id", allow_null=True)
    name = AccountNameField(source="account")


class AccountSum(OfAccount):
    won_minor = serializers.IntegerField()
    paid_minor = serializers.IntegerField()
    outstanding_minor = serializers.IntegerField(source="open_minor")


class AccountShare(OfAccount):
    amount_minor = serializers.IntegerField()


class Settlement(serializers.Serializer[Any]):
    """The settlement of a closed evening. Each column of `sums` adds up to 0."""

    evening = serializers.IntegerField(source="evening.pk")
    stage = serializers.ChoiceField(source="evening.stage", choices=Evening.Stage.choices)
    final_at = serializers.DateTimeField(source="evening.final_at", allow_null=True)
    closing = ClosingLine()
    pot_minor = serializers.IntegerField()
    pot_sentence = serializers.CharField()
    shares = AccountShare(many=True)
    sums = AccountSum(many=True)
    payments = PaymentLine(many=True)
    earlier = PaymentLine(
        many=True, help_text=_("Paid before this closing: after an earlier one, or by those who settled up early.")
    )
    total_minor = serializers.IntegerField()
    paid_minor = serializers.IntegerField()
    outstanding_minor = serializers.IntegerField()


class PaymentsMarked(serializers.Serializer[Any]):
    """How many payments were marked, or unmarked, and all payments of the valid closing."""

    changed = serializers.IntegerField()
    payments = PaymentLine(many=True)


class LastHandState(serializers.Serializer[Any]):
    """An evening, and if its last hand is announced."""

    evening = serializers.IntegerField()
    on = serializers.BooleanField()


class ReceiptLink(serializers.Serializer[Any]):
    """A participant's link to the receipt."""

    player = serializers.IntegerField()
    name = serializers.CharField()
    token = serializers.CharField()
    path = serializers.CharField(help_text=_("The page's path on this server."))
    openings = serializers.IntegerField(
        allow_null=True, help_text=_("How often the link was opened; null if you may not see it.")
    )
    opened_at = serializers.DateTimeField(allow_null=True, help_text=_("When it was opened last."))


class ReceiptLinks(serializers.Serializer[Any]):
    """The receipt of the newest closing, its links, and all closings and reopenings."""

    receipt = ReceiptReference(allow_null=True)
    links = ReceiptLink(many=True)
    closings = ClosingLine(many=True)


class ReceiptHand(serializers.Serializer[Any]):
    """A hand from the side of the participant."""

    table = serializers.IntegerField()
    number = serializers.IntegerField()
    role = serializers.CharField(allow_null=True, help_text=_("Null in a hand that nobody declared."))
    outcome = serializers.CharField()
    failed = serializers.BooleanField()
    change_minor = minor()
    muss = serializers.BooleanField()


class ReceiptCounts(serializers.Serializer[Any]):
    """The numbers of another participant's hands."""

    name = serializers.CharField()
    hands = serializers.IntegerField()
    declared = serializers.IntegerField(help_text=_("Hands declared, with walkovers and without a Muss."))
    declared_made = serializers.IntegerField(help_text=_("Those in which the goal was reached; a walkover has none."))
    walkovers = serializers.IntegerField(help_text=_("Hands declared that nobody joined."))
    joined = serializers.IntegerField()
    joined_made = serializers.IntegerField()
    musses = serializers.IntegerField()
    musses_made = serializers.IntegerField()
    sum_minor = minor()


class ReceiptPaymentLine(serializers.Serializer[Any]):
    """A payment of a participant. `state` is outstanding, paid, or replaced (not paid before the evening was settled
    again); `since` is when it was marked as paid, or computed, `paid_on` and `way` are of a payment that is paid."""

    sentence = serializers.CharField()
    amount_minor = serializers.IntegerField()
    state = serializers.ChoiceField(choices=[(state.value, state.value) for state in State])
    since = serializers.DateTimeField()
    paid_on = serializers.DateField(allow_null=True)
    way = way_field()


class ParticipantReceipt(serializers.Serializer[Any]):
    """A participant's receipt: own amounts, counts of the others, the seal, its agreement with the hands."""

    club = serializers.SlugField(source="receipt.club.slug")
    number = serializers.IntegerField(source="receipt.number")
    digest = serializers.CharField(source="receipt.digest")
    previous_digest = serializers.CharField(source="check.before", allow_blank=True)
    name = serializers.CharField(source="view.name")
    sum_minor = minor()
    share_minor = minor()
    pot_sentence = serializers.CharField(source="view.pots_sentence")
    hands = ReceiptHand(many=True)
    others = ReceiptCounts(source="view.others", many=True)
    payments = serializers.ListField(
        source="view.payments", child=serializers.CharField(), help_text=_("As they were sealed.")
    )
    payment_states = ReceiptPaymentLine(many=True)
    outstanding_minor = minor()
    sealed = serializers.BooleanField(source="check.sealed")
    reopened = serializers.BooleanField(source="check.opened")
    agrees = serializers.BooleanField(source="check.agrees")
    differences = serializers.ListField(child=serializers.CharField())


class Participant(serializers.Serializer[Any]):
    """A player of the evening."""

    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField()


class ClosingPlayer(Participant):
    """A player who can get a part of the pot."""

    seated = serializers.BooleanField()
    part_minor = serializers.IntegerField(allow_null=True)


class PlannedPayment(serializers.Serializer[Any]):
    """A payment that would follow."""

    sentence = serializers.CharField()
    reason = serializers.CharField(allow_blank=True)
    amount_minor = serializers.IntegerField()


class OpenSum(Participant):
    """A player of an open evening: what is outstanding (below 0: to pay), with cash-outs counted."""

    seated = serializers.BooleanField()
    outstanding_minor = serializers.IntegerField(source="open_minor")


class CashOuts(serializers.Serializer[Any]):
    """An open evening: the sums that are outstanding, and the payments of those who settled up early."""

    settling = serializers.ChoiceField(choices=Club.Settling.choices)
    sums = OpenSum(many=True)
    payments = PaymentLine(many=True)


class ClosingPreview(serializers.Serializer[Any]):
    """Preview of a closing; nothing is stored. `paid`: the payments would be marked as paid at once."""

    settling = serializers.ChoiceField(choices=Club.Settling.choices)
    paid = serializers.BooleanField()
    pot_minor = serializers.IntegerField()
    kitty_minor = serializers.IntegerField()
    hands = serializers.IntegerField()
    people = ClosingPlayer(many=True)
    payments = PlannedPayment(source="lines", many=True)
