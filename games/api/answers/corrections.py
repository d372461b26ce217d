"""Answers about corrections, the history of a hand and the difference finder."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ...corrections.selectors import Event
from ...hands.coin_lines import CoinLine
from ...models import Correction
from .. import representations
from .base import Answer, PlayerName
from .fields import FreeText, PlayerAmount
from .hands import Hand


class SumChange(serializers.Serializer[Any]):
    player = serializers.IntegerField()
    name = serializers.CharField()
    before_minor = PlayerAmount()
    after_minor = PlayerAmount()


class HandChange(Answer):
    number = serializers.IntegerField()
    before = Hand(allow_null=True)
    after = Hand(allow_null=True)


class CorrectionPreview(serializers.Serializer[Any]):
    """Preview of a correction; nothing is stored. A correction that is sent with this `fingerprint` is refused if the
    hands have changed."""

    fingerprint = serializers.CharField()
    players = SumChange(many=True)
    hands = HandChange(many=True)
    pot_before_minor = serializers.IntegerField()
    pot_after_minor = serializers.IntegerField()
    seated = PlayerName(many=True, allow_null=True)


class StoredCorrection(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="pk")
    table = serializers.IntegerField(source="table.pk")
    kind = serializers.ChoiceField(choices=Correction.Kind.choices)
    number = serializers.IntegerField()
    sentence = serializers.CharField()
    at = serializers.DateTimeField()
    by = FreeText(source="author")
    reason = FreeText()
    hands = serializers.IntegerField(
        help_text=_("Number of hands with a new revision, also if only their number changed.")
    )
    players = SumChange(many=True)


class HandEvent(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=[(word, word) for word in ("entered", "undone", "corrected")])
    at = serializers.DateTimeField()
    by = FreeText(source="author")
    reason = FreeText()
    before = serializers.SerializerMethodField()
    after = serializers.SerializerMethodField()
    correction = StoredCorrection(allow_null=True)

    @extend_schema_field(Hand(allow_null=True))
    def get_before(self, event: Event) -> Any:
        return self._hand(event.before, event)

    @extend_schema_field(Hand(allow_null=True))
    def get_after(self, event: Event) -> Any:
        return self._hand(event.after, event)

    def _hand(self, line: CoinLine | None, event: Event) -> Any:
        if line is None:
            return None
        # The author of the event is shown, not the author of the revision.
        view = replace(line.view, author=event.author)
        return Hand(representations.hand(view, self.context["view"].visibility)).data


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
