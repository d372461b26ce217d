"""Corrections, the history of a hand, the difference finder."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from ...models import Correction
from .base import Answer, PlayerName, minor
from .hands import Hand


class SumBefore(PlayerName):
    before_minor = minor()
    after_minor = minor()


class HandChange(Answer):
    number = serializers.IntegerField()
    before = Hand(allow_null=True)
    after = Hand(allow_null=True)


class CorrectionPlan(Answer):
    """What a correction would change; nothing is stored. Send `seen` along to be refused where the hands are others by
    then."""

    seen = serializers.CharField()
    players = SumBefore(many=True)
    hands = HandChange(many=True)
    pot_before_minor = serializers.IntegerField()
    pot_after_minor = serializers.IntegerField()
    seated = PlayerName(many=True, allow_null=True)


class CorrectionDone(Answer):
    id = serializers.UUIDField()
    table = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=Correction.Kind.choices)
    number = serializers.IntegerField()
    told = serializers.CharField()
    at = serializers.DateTimeField()
    by = serializers.CharField(allow_null=True)
    reason = serializers.CharField(allow_null=True)
    hands = serializers.IntegerField(
        help_text=_("How many hands were written anew, also where only the number is another.")
    )
    players = SumBefore(many=True)


class CorrectionList(Answer):
    """What was put right in an evening, newest first."""

    evening = serializers.IntegerField()
    corrections = CorrectionDone(many=True)


class HandEvent(Answer):
    kind = serializers.ChoiceField(choices=[(word, word) for word in ("entered", "undone", "corrected")])
    at = serializers.DateTimeField()
    by = serializers.CharField(allow_null=True)
    reason = serializers.CharField(allow_null=True)
    before = Hand(allow_null=True)
    after = Hand(allow_null=True)
    correction = CorrectionDone(allow_null=True)


class HandEvents(Answer):
    """What was done to a hand, newest first."""

    table = serializers.IntegerField()
    number = serializers.IntegerField()
    events = HandEvent(many=True)


class Counted(Answer):
    counted_minor = serializers.IntegerField()
    due_minor = serializers.IntegerField()
    gap_minor = serializers.IntegerField()


class Guess(Answer):
    """A mistake that would explain the difference. `correction` is what to send to correct it, null where only coins
    went wrong."""

    number = serializers.IntegerField()
    kind = serializers.CharField()
    told = serializers.CharField()
    players = PlayerName(many=True)
    amount_minor = serializers.IntegerField()
    correction = serializers.DictField(child=serializers.JSONField(), allow_null=True)


class GuessWithOthers(Guess):
    others = Guess(many=True, help_text=_("The same mistake about somebody else."))


class Difference(Answer):
    pot = Counted(allow_null=True)
    purse = Counted(allow_null=True)
    agrees = serializers.BooleanField()
    guesses = GuessWithOthers(many=True)
