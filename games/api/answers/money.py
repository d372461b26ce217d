"""The end of an evening: settling up, payments, debts, receipts."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from league.models import Closing, Evening

from .base import Answer, PlayerName, minor


class PurseName(Answer):
    """A purse: a player's, or the club's kitty, or the box in which a pot waits for the next evening."""

    kind = serializers.ChoiceField(choices=[(word, word) for word in ("player", "kitty", "box", "pot")])
    player = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()


class PaymentLine(Answer):
    id = serializers.UUIDField()
    payer = PurseName()
    payee = PurseName()
    amount_minor = serializers.IntegerField()
    paid = serializers.BooleanField()
    told = serializers.CharField()


class Debt(PaymentLine):
    evening = serializers.IntegerField()
    season = serializers.SlugField()
    held_on = serializers.DateField()


class DebtList(Answer):
    """What is still open, the oldest evening first; `all` says whether it is everybody's."""

    debts = Debt(many=True)
    total_minor = serializers.IntegerField()
    all = serializers.BooleanField()


class DebtsMarked(Answer):
    changed = serializers.IntegerField()


class ReceiptName(Answer):
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
    receipt = ReceiptName(allow_null=True)


class PurseSum(PurseName):
    won_minor = serializers.IntegerField()
    paid_minor = serializers.IntegerField()
    open_minor = serializers.IntegerField()


class PurseShare(PurseName):
    amount_minor = serializers.IntegerField()


class Settlement(Answer):
    """A closed evening: what became of the pot, the sums (each column adds to 0), and who pays whom."""

    evening = serializers.IntegerField()
    standing = serializers.ChoiceField(choices=Evening.Standing.choices)
    final_at = serializers.DateTimeField(allow_null=True)
    closing = ClosingLine()
    pot_minor = serializers.IntegerField()
    pot_told = serializers.CharField()
    shares = PurseShare(many=True)
    sums = PurseSum(many=True)
    payments = PaymentLine(many=True)
    earlier = PaymentLine(many=True, help_text=_("Paid before the evening was settled anew."))
    due_minor = serializers.IntegerField()
    paid_minor = serializers.IntegerField()
    open_minor = serializers.IntegerField()


class PaymentsMarked(Answer):
    changed = serializers.IntegerField()
    payments = PaymentLine(many=True)


class LastHandSaid(Answer):
    evening = serializers.IntegerField()
    on = serializers.BooleanField()


class ReceiptLink(PlayerName):
    token = serializers.CharField()
    path = serializers.CharField(help_text=_("The page's path on this server."))


class ReceiptLinks(Answer):
    receipt = ReceiptName(allow_null=True)
    links = ReceiptLink(many=True)
    story = ClosingLine(many=True)


class ReceiptHand(Answer):
    table = serializers.IntegerField()
    number = serializers.IntegerField()
    role = serializers.CharField()
    outcome = serializers.CharField()
    failed = serializers.BooleanField()
    change_minor = minor()


class ReceiptCounts(Answer):
    name = serializers.CharField()
    hands = serializers.IntegerField()
    declared = serializers.IntegerField()
    declared_made = serializers.IntegerField()
    joined = serializers.IntegerField()
    joined_made = serializers.IntegerField()
    sum_minor = minor()


class ReceiptOf(Answer):
    """A participant's receipt: their own amounts, counts of the others, the seal, and whether it still agrees."""

    club = serializers.SlugField()
    number = serializers.IntegerField()
    digest = serializers.CharField()
    before = serializers.CharField(allow_blank=True)
    name = serializers.CharField()
    sum_minor = minor()
    share_minor = minor()
    pot_told = serializers.CharField()
    hands = ReceiptHand(many=True)
    others = ReceiptCounts(many=True)
    payments = serializers.ListField(child=serializers.CharField())
    sealed = serializers.BooleanField()
    opened_again = serializers.BooleanField()
    agrees = serializers.BooleanField()
    differences = serializers.ListField(child=serializers.CharField())


class PersonAtEnd(PlayerName):
    seated = serializers.BooleanField()
    part_minor = serializers.IntegerField(allow_null=True)


class WouldPay(Answer):
    told = serializers.CharField()
    why = serializers.CharField(allow_blank=True)
    amount_minor = serializers.IntegerField()


class ClosePlan(Answer):
    """What closing would do; nothing is stored."""

    pot_minor = serializers.IntegerField()
    kitty_minor = serializers.IntegerField()
    hands = serializers.IntegerField()
    people = PersonAtEnd(many=True)
    payments = WouldPay(many=True)
