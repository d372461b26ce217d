"""Hands: entered, looked at, step by step, typed back, disputed."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from ...models import Dispute, Revision
from .base import GAME_CHOICES, Answer, PlayerName, minor, seat
from .nights import NextHand


class HandSeat(PlayerName):
    seat = seat()
    role = serializers.ChoiceField(choices=[(word, word) for word in ("declarer", "joiner", "out")])
    made = serializers.BooleanField(allow_null=True)
    tricks = serializers.IntegerField(allow_null=True)
    change_minor = minor()


class Coins(Answer):
    seat = seat()
    kind = serializers.ChoiceField(choices=[(word, word) for word in ("ante", "cut", "payout", "penalty")])
    amount_minor = serializers.IntegerField(help_text=_("Above 0 from the pot, below 0 into it."))


class Hand(Answer):
    """One state of a hand."""

    id = serializers.UUIDField(allow_null=True)
    number = serializers.IntegerField(min_value=1)
    revision = serializers.IntegerField(help_text=_("0 for a hand that is not stored."))
    state = serializers.ChoiceField(choices=Revision.Kind.choices)
    entered_at = serializers.DateTimeField()
    entered_by = serializers.CharField(allow_null=True)
    reason = serializers.CharField(allow_null=True)
    told = serializers.CharField(help_text=_("The hand in one sentence, in the asker's language."))
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
    lines = Coins(many=True, allow_null=True)
    record = serializers.DictField(
        child=serializers.JSONField(), help_text=_("The hand record; without its amounts where they are not for you.")
    )


class CashStep(PlayerName):
    seat = seat()
    kind = serializers.ChoiceField(choices=[(word, word) for word in ("cut", "payout", "penalty")])
    amount_minor = serializers.IntegerField()


class CashSum(PlayerName):
    seat = seat()
    amount_minor = serializers.IntegerField()


class Cash(Answer):
    """How the coins move after a hand: `steps` in order, `sums` by seat, then what lies there, then the next antes."""

    steps = CashStep(many=True)
    sums = CashSum(many=True)
    pot_after_minor = serializers.IntegerField()
    next_antes_minor = serializers.ListField(child=serializers.IntegerField())
    next_pot_minor = serializers.IntegerField()


class HandStored(Answer):
    """A hand that was stored: the hand, how the coins move, and what the next hand starts with."""

    hand = Hand()
    cash = Cash()
    next = NextHand()


class HandVoided(Answer):
    """A hand taken back: its number is free again."""

    number = serializers.IntegerField()
    revision = serializers.IntegerField()
    told = serializers.CharField()


class HandWithRevisions(Hand):
    revisions = serializers.IntegerField(help_text=_("How many states the hand has had."))


class ReplayResult(Answer):
    """The engine's result; `docs/rulebook/hand-record.md` says what each field means."""

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
    told = serializers.CharField()
    turned = serializers.ListField(child=serializers.CharField())
    stock = serializers.IntegerField(allow_null=True)
    seats = StepSeat(many=True)
    trick = TrickCard(many=True)


class HandSteps(Answer):
    """A hand card by card; the first step is before the deal."""

    table = serializers.IntegerField()
    number = serializers.IntegerField()
    steps = Step(many=True)


class LinesStored(Answer):
    table = serializers.IntegerField()
    stored = serializers.ListField(child=serializers.IntegerField(), help_text=_("The numbers of the hands."))


class LineLooked(Answer):
    number = serializers.IntegerField()
    line = serializers.CharField()
    told = serializers.CharField()
    record = serializers.DictField(child=serializers.JSONField())
    pot_after_minor = serializers.IntegerField()


class LinesLooked(Answer):
    table = serializers.IntegerField()
    lines = LineLooked(many=True)


class DisputeSaid(PlayerName):
    """What a player says of a hand; `ended` is null while nobody has ended it."""

    text = serializers.CharField()
    at = serializers.DateTimeField()
    open = serializers.BooleanField()
    ended = serializers.ChoiceField(choices=[("withdrawn", "withdrawn"), ("settled", "settled")], allow_null=True)
    answer = serializers.CharField(allow_blank=True)
    answered_at = serializers.DateTimeField(allow_null=True)
    by = serializers.CharField(allow_null=True)


class DisputeList(Answer):
    table = serializers.IntegerField()
    number = serializers.IntegerField()
    disputes = DisputeSaid(many=True)


class DisputeDone(PlayerName):
    id = serializers.UUIDField()
    table = serializers.IntegerField()
    number = serializers.IntegerField()
    revision = serializers.IntegerField(help_text=_("The state of the hand that was looked at."))
    kind = serializers.ChoiceField(choices=Dispute.Kind.choices)
    text = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField()


class OpenDispute(PlayerName):
    season = serializers.SlugField()
    evening = serializers.IntegerField()
    table = serializers.IntegerField()
    number = serializers.IntegerField()
    text = serializers.CharField()
    at = serializers.DateTimeField()


class OpenDisputes(Answer):
    disputes = OpenDispute(many=True)
