"""Answers about evenings and tables: seats, seating changes, the pencil."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from ...models import Happening
from .base import GAME_CHOICES, Answer, PlayerName, minor, seat
from .fields import FreeText


class TableSeat(PlayerName):
    seat = seat()
    deals = serializers.BooleanField()
    change_minor = minor(help_text=_("The player's sum of this evening so far, without the ante of the next hand."))


class NextHand(Answer):
    """The start of the next hand. In Kratzen the dealer is the player who has the pack before the cuts."""

    number = serializers.IntegerField(min_value=1)
    dealer = seat()
    forehand = seat()
    deal_number = serializers.IntegerField(min_value=1)
    muss = serializers.BooleanField(allow_null=True)
    pot_before_minor = minor(help_text=_("The pot without the antes of this hand."))
    pot_minor = minor(help_text=_("The pot with the antes of this hand."))
    antes_minor = serializers.ListField(child=serializers.IntegerField(), allow_null=True)


class TableState(Answer):
    id = serializers.IntegerField()
    evening = serializers.IntegerField()
    number = serializers.IntegerField()
    code = serializers.CharField(help_text=_("The sheet code, as it is printed on the table's sheet."))
    game = serializers.ChoiceField(choices=GAME_CHOICES)
    state = serializers.ChoiceField(choices=[(word, word) for word in ("playing", "paused", "merged", "closed")])
    last_hand = serializers.BooleanField()
    hands = serializers.IntegerField(help_text=_("Number of hands that are not undone."))
    seats = TableSeat(many=True)
    next = NextHand(allow_null=True)


class HappeningLine(serializers.Serializer[Any]):
    after = serializers.IntegerField(help_text=_("Number of hands before it."))
    kind = serializers.ChoiceField(choices=Happening.Kind.choices)
    at = serializers.DateTimeField()
    by = FreeText(source="author")
    sentence = serializers.CharField()


class SeatedPerson(Answer):
    """A person at a table; `player` is null for a guest who is not in the roster yet."""

    player = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()


class TablePreview(Answer):
    """A table after a seating change. `id` is null for a table that the change creates."""

    id = serializers.IntegerField(allow_null=True)
    number = serializers.IntegerField()
    merged = serializers.BooleanField(help_text=_("It was merged into another table and takes no more hands."))
    paused = serializers.BooleanField()
    seats = SeatedPerson(many=True)
    dealer = serializers.IntegerField(help_text=_("The player who deals next."))
    pot_before_minor = serializers.IntegerField(help_text=_("The pot without the antes of the next hand."))
    sentences = serializers.ListField(
        child=serializers.CharField(), help_text=_("Pot, dealer and next hand in sentences.")
    )
    next = NextHand(allow_null=True)


class SeatingChangePreview(Answer):
    """Preview of a seating change; nothing is stored."""

    sentence = serializers.CharField()
    tables = TablePreview(many=True)


class StoredSeatingChange(serializers.Serializer[Any]):
    happening = HappeningLine()
    tables = TableState(many=True)
