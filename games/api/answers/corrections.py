"""Answers about corrections, the history of a hand and the difference finder."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from ...models import Correction
from .base import Answer, PlayerName, minor
from .hands import Hand


class SumChange(PlayerName):
    before_minor = minor()
    after_minor = minor()


class HandChange(Answer):
    number = serializers.IntegerField()
    before = Hand(allow_null=True)
    after = Hand(allow_null=True)


class CorrectionPreview(Answer):
    """Preview of a correction; nothing is stored. A correction that is sent with this `fingerprint` is refused if the
    hands have changed."""

    fingerprint = serializers.CharField()
    players = SumChange(many=True)
    hands = HandChange(many=True)
    pot_before_minor = serializers.IntegerField()
    pot_after_minor = serializers.IntegerField()
    seated = PlayerName(many=True, allow_null=True)


class StoredCorrection(Answer):
    id = serializers.UUIDField()
    table = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=Correction.Kind.choices)
    number = serializers.IntegerField()
    sentence = serializers.CharField()
    at = serializers.DateTimeField()
    by = serializers.CharField(allow_null=True)
    reason = serializers.CharField(allow_null=True)
    hands = serializers.IntegerField(
        help_text=_("Number of hands with a new revision, also if only their number changed.")
    )
    players = SumChange(many=True)


class HandEvent(Answer):
    kind = serializers.ChoiceField(choices=[(word, word) for word in ("entered", "undone", "corrected")])
    at = serializers.DateTimeField()
    by = serializers.CharField(allow_null=True)
    reason = serializers.CharField(allow_null=True)
    before = Hand(allow_null=True)
    after = Hand(allow_null=True)
    correction = StoredCorrection(allow_null=True)


class CountedAmount(Answer):
    counted_minor = serializers.IntegerField()
    expected_minor = serializers.IntegerField()
    gap_minor = serializers.IntegerField()


class Guess(Answer):
    """A mistake that would explain the difference. `correction` is the request body that corrects it; null if only
    coins were paid wrongly."""

    number = serializers.IntegerField()
    kind = serializers.CharField()
    sentence = serializers.CharField()
    players = PlayerName(many=True)
    amount_minor = serializers.IntegerField()
    correction = serializers.DictField(child=serializers.JSONField(), allow_null=True)


class GuessWithOthers(Guess):
    others = Guess(many=True, help_text=_("The same mistake with another player."))


class DifferenceReport(Answer):
    pot = CountedAmount(allow_null=True)
    balance = CountedAmount(allow_null=True)
    agrees = serializers.BooleanField()
    guesses = GuessWithOthers(many=True)
