"""Answers about hands: stored, previewed, step by step, typed in, disputed."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from ...models import Revision
from .base import GAME_CHOICES, Answer, PlayerName, minor, seat
from .evenings import NextHand


class HandSeat(PlayerName):
    seat = seat()
    role = serializers.ChoiceField(
        choices=[(word, word) for word in ("declarer", "joiner", "out")],
        allow_null=True,
        help_text=_("Null in a hand that nobody declared."),
    )
    made = serializers.BooleanField(allow_null=True)
    tricks = serializers.IntegerField(allow_null=True)
    change_minor = minor()


class CoinLine(Answer):
    seat = seat()
    kind = serializers.ChoiceField(choices=[(word, word) for word in ("ante", "cut", "payout", "penalty", "seven")])
    amount_minor = serializers.IntegerField(help_text=_("Above 0 from the pot, below 0 into it."))


class HandEffect(Answer):
    """A house rule that changed the amounts of a hand.

    - `half`: the hand was played for `amount_minor`, half of the pot.
    - `limit`: penalties were reduced to the limit `amount_minor`.
    - `rounding`: the declarer's two thirds were rounded up to `amount_minor`.
    - `remainder`: `amount_minor` was indivisible; `seat` got it, or it stayed in the pot (null).
    """

    code = serializers.ChoiceField(choices=[(word, word) for word in ("half", "limit", "rounding", "remainder")])
    amount_minor = serializers.IntegerField()
    seat = seat(allow_null=True)
    rule = serializers.ChoiceField(
        choices=[(word, word) for word in ("pot", "rounding", "remainder")],
        help_text=_("The house rule: its place on the page of the house rules is `#rule-` and this word."),
    )
    sentence = serializers.CharField(help_text=_("The effect in words, as the pages show it."))


class Hand(Answer):
    """One revision of a hand."""

    id = serializers.UUIDField(allow_null=True)
    number = serializers.IntegerField(min_value=1)
    revision = serializers.IntegerField(help_text=_("0 if the hand is not stored."))
    state = serializers.ChoiceField(choices=Revision.Kind.choices)
    entered_at = serializers.DateTimeField()
    entered_by = serializers.CharField(allow_null=True)
    reason = serializers.CharField(allow_null=True)
    sentence = serializers.CharField(help_text=_("The hand in one sentence, in the language of the request."))
    game = serializers.ChoiceField(choices=GAME_CHOICES)
    outcome = serializers.ChoiceField(choices=[(word, word) for word in ("played", "walkover", "passed_out")])
    dealer = seat()
    muss = serializers.BooleanField(allow_null=True)
    siebenermuss = serializers.BooleanField()
    game_type = serializers.CharField(allow_null=True)
    blind = serializers.CharField(allow_null=True)
    susi = seat(allow_null=True)
    has_cards = serializers.BooleanField()
    seats = HandSeat(many=True)
    pot_minor = minor()
    pot_after_minor = minor()
    lines = CoinLine(many=True, allow_null=True)
    effects = HandEffect(
        many=True,
        allow_null=True,
        help_text=_("House rules that changed the amounts, in the order in which they apply; null without amounts."),
    )
    record = serializers.DictField(
        child=serializers.JSONField(), help_text=_("The hand record; without amounts if you may not see them.")
    )


class CashStep(PlayerName):
    seat = seat()
    kind = serializers.ChoiceField(choices=[(word, word) for word in ("cut", "payout", "penalty", "seven")])
    amount_minor = serializers.IntegerField()


class CashSum(PlayerName):
    seat = seat()
    amount_minor = serializers.IntegerField()


class Cash(Answer):
    """The coin movements after a hand: `steps` in order, `sums` by seat, the pot after them, the next antes."""

    steps = CashStep(many=True)
    sums = CashSum(many=True)
    pot_after_minor = serializers.IntegerField()
    next_antes_minor = serializers.ListField(child=serializers.IntegerField())
    next_pot_minor = serializers.IntegerField()


class HandWithCash(Answer):
    """A hand, its coin movements, and the start of the next hand."""

    hand = Hand()
    cash = Cash()
    next = NextHand()


class VoidedHand(Answer):
    """A hand that was undone: its number is free again."""

    number = serializers.IntegerField()
    revision = serializers.IntegerField()
    sentence = serializers.CharField()


class HandWithRevisions(Hand):
    revisions = serializers.IntegerField(help_text=_("Number of revisions of the hand."))


class HandRecordResult(Answer):
    """The engine's result; `docs/rulebook/hand-record.md` explains each field."""

    ok = serializers.BooleanField()
    outcome = serializers.CharField()
    declarer = seat(allow_null=True)
    joiners = serializers.ListField(child=serializers.IntegerField())
    muss = serializers.BooleanField(allow_null=True)
    pot = serializers.IntegerField()
    tricks = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    lines = serializers.ListField(child=serializers.DictField())
    deltas = serializers.ListField(child=serializers.IntegerField())
    pot_after = serializers.IntegerField()
    next = serializers.DictField(child=serializers.JSONField())
    susi = seat(allow_null=True)
    blind = serializers.CharField(allow_null=True)


class StepSeat(PlayerName):
    seat = seat()
    cards = serializers.ListField(child=serializers.CharField())
    role = serializers.CharField(allow_blank=True)
    taken = serializers.IntegerField(help_text=_("Tricks so far."))


class TrickCard(Answer):
    name = serializers.CharField()
    card = serializers.CharField()
    takes = serializers.BooleanField()


class Step(Answer):
    number = serializers.IntegerField()
    sentence = serializers.CharField()
    turned = serializers.ListField(child=serializers.CharField())
    stock = serializers.IntegerField(allow_null=True)
    seats = StepSeat(many=True)
    trick = TrickCard(many=True)


class HandSteps(Answer):
    """A hand with its cards; the first step is before the deal."""

    table = serializers.IntegerField()
    number = serializers.IntegerField()
    steps = Step(many=True)


class StoredLines(Answer):
    table = serializers.IntegerField()
    stored = serializers.ListField(child=serializers.IntegerField(), help_text=_("The numbers of the hands."))


class TypedLinePreview(Answer):
    number = serializers.IntegerField()
    line = serializers.CharField()
    sentence = serializers.CharField()
    record = serializers.DictField(child=serializers.JSONField())
    pot_after_minor = serializers.IntegerField()
    effects = HandEffect(many=True)


class TypedLinesPreview(Answer):
    table = serializers.IntegerField()
    lines = TypedLinePreview(many=True)
