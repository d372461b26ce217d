"""Answers about the end of an evening: settlement, payments, receipts."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from league.models import Closing, Club, Evening

from ...closing.receipt_payments import State
from .base import Answer, PlayerName, minor


class AccountName(Answer):
    """A ledger account: of a player, the kitty of the club, or the box in which a pot waits for the next evening."""

    kind = serializers.ChoiceField(choices=[(word, word) for word in ("player", "kitty", "box", "pot")])
    player = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()


class PaymentLine(Answer):
    id = serializers.UUIDField()
    payer = AccountName()
    payee = AccountName()
    amount_minor = serializers.IntegerField()
    paid = serializers.BooleanField()
    sentence = serializers.CharField()


class Debt(PaymentLine):
    evening = serializers.IntegerField()
    season = serializers.SlugField()
    held_on = serializers.DateField()


class DebtList(Answer):
    """Outstanding payments, oldest evening first. `all`: of all players, else of the client's own."""

    debts = Debt(many=True)
    total_minor = serializers.IntegerField()
    all = serializers.BooleanField()


class DebtsMarked(Answer):
    changed = serializers.IntegerField()


class ReceiptReference(Answer):
    number = serializers.IntegerField()
    digest = serializers.CharField()


class ClosingLine(Answer):
    id = serializers.UUIDField()
    number = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=Closing.Kind.choices)
    pot = serializers.ChoiceField(choices=Closing.Pot.choices, allow_null=True)
    at = serializers.DateTimeField()
    by = serializers.CharField(allow_null=True)
    reason = serializers.CharField(allow_null=True)
    receipt = ReceiptReference(allow_null=True)


class AccountSum(AccountName):
    won_minor = serializers.IntegerField()
    paid_minor = serializers.IntegerField()
    outstanding_minor = serializers.IntegerField()


class AccountShare(AccountName):
    amount_minor = serializers.IntegerField()


class Settlement(Answer):
    """The settlement of a closed evening. Each column of `sums` adds up to 0."""

    evening = serializers.IntegerField()
    stage = serializers.ChoiceField(choices=Evening.Stage.choices)
    final_at = serializers.DateTimeField(allow_null=True)
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


class PaymentsMarked(Answer):
    changed = serializers.IntegerField()
    payments = PaymentLine(many=True)


class LastHandState(Answer):
    evening = serializers.IntegerField()
    on = serializers.BooleanField()


class ReceiptLink(PlayerName):
    token = serializers.CharField()
    path = serializers.CharField(help_text=_("The page's path on this server."))
    openings = serializers.IntegerField(
        allow_null=True, help_text=_("How often the link was opened; null if you may not see it.")
    )
    opened_at = serializers.DateTimeField(allow_null=True, help_text=_("When it was opened last."))


class ReceiptLinks(Answer):
    receipt = ReceiptReference(allow_null=True)
    links = ReceiptLink(many=True)
    closings = ClosingLine(many=True)


class ReceiptHand(Answer):
    table = serializers.IntegerField()
    number = serializers.IntegerField()
    role = serializers.CharField()
    outcome = serializers.CharField()
    failed = serializers.BooleanField()
    change_minor = minor()
    muss = serializers.BooleanField()


class ReceiptCounts(Answer):
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


class ReceiptPaymentLine(Answer):
    """A payment of a participant. `state` is outstanding, paid, or replaced (not paid before the evening was settled
    again); `since` is when it was paid, or computed."""

    sentence = serializers.CharField()
    amount_minor = serializers.IntegerField()
    state = serializers.ChoiceField(choices=[(state.value, state.value) for state in State])
    since = serializers.DateTimeField()


class ParticipantReceipt(Answer):
    """A participant's receipt: own amounts, counts of the others, the seal, its agreement with the hands."""

    club = serializers.SlugField()
    number = serializers.IntegerField()
    digest = serializers.CharField()
    previous_digest = serializers.CharField(allow_blank=True)
    name = serializers.CharField()
    sum_minor = minor()
    share_minor = minor()
    pot_sentence = serializers.CharField()
    hands = ReceiptHand(many=True)
    others = ReceiptCounts(many=True)
    payments = serializers.ListField(child=serializers.CharField(), help_text=_("As they were sealed."))
    payment_states = ReceiptPaymentLine(many=True)
    outstanding_minor = minor()
    sealed = serializers.BooleanField()
    reopened = serializers.BooleanField()
    agrees = serializers.BooleanField()
    differences = serializers.ListField(child=serializers.CharField())


class ClosingPlayer(PlayerName):
    seated = serializers.BooleanField()
    part_minor = serializers.IntegerField(allow_null=True)


class PlannedPayment(Answer):
    sentence = serializers.CharField()
    reason = serializers.CharField(allow_blank=True)
    amount_minor = serializers.IntegerField()


class OpenSum(PlayerName):
    """A player of an open evening: what is outstanding (below 0: to pay), with cash-outs counted."""

    seated = serializers.BooleanField()
    outstanding_minor = serializers.IntegerField()


class CashOuts(Answer):
    """An open evening: the sums that are outstanding, and the payments of those who settled up early."""

    settling = serializers.ChoiceField(choices=Club.Settling.choices)
    sums = OpenSum(many=True)
    payments = PaymentLine(many=True)


class ClosingPreview(Answer):
    """Preview of a closing; nothing is stored. `paid`: the payments would be marked as paid at once."""

    settling = serializers.ChoiceField(choices=Club.Settling.choices)
    paid = serializers.BooleanField()

    pot_minor = serializers.IntegerField()
    kitty_minor = serializers.IntegerField()
    hands = serializers.IntegerField()
    people = ClosingPlayer(many=True)
    payments = PlannedPayment(many=True)
