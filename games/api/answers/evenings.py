"""Answers about evenings and tables: seats, seating changes, the pencil."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from league.models import Club, Evening

from ...models import Happening
from .base import GAME_CHOICES, Answer, PlayerName, minor, seat


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


class EveningTotal(PlayerName):
    rank = serializers.IntegerField(help_text=_("Rank of the evening, by points or by balance as its season ranks."))
    points = serializers.IntegerField(help_text=_("Points of the evening, as its season counts them."))
    hands = serializers.IntegerField()
    declared = serializers.IntegerField(help_text=_("Hands declared, with walkovers and without a Muss."))
    declared_made = serializers.IntegerField(help_text=_("Those in which the goal was reached; a walkover has none."))
    walkovers = serializers.IntegerField(help_text=_("Hands declared that nobody joined."))
    susi = serializers.IntegerField(help_text=_("Hands in which the player was the Susi."))
    joined = serializers.IntegerField()
    joined_made = serializers.IntegerField()
    musses = serializers.IntegerField()
    musses_made = serializers.IntegerField()
    change_minor = minor()


class EveningHead(Answer):
    id = serializers.IntegerField()
    season = serializers.SlugField()
    number = serializers.IntegerField()
    held_on = serializers.DateField()
    backdated = serializers.BooleanField(
        help_text=_("True if it was added later: an evening of a later date in its season has a lower number.")
    )
    imported = serializers.BooleanField(
        help_text=_("True if it came from a file: it has totals and no hands, and was settled up.")
    )
    game = serializers.ChoiceField(choices=GAME_CHOICES)
    settling = serializers.ChoiceField(choices=Club.Settling.choices)
    stage = serializers.ChoiceField(choices=Evening.Stage.choices)
    final_at = serializers.DateTimeField(allow_null=True)
    runs = serializers.BooleanField(help_text=_("True if hands may be expected now."))


class EveningLine(EveningHead):
    hands = serializers.IntegerField()
    players = serializers.IntegerField()


class EveningDetail(EveningHead):
    currency = serializers.CharField()
    rules_version = serializers.IntegerField(allow_null=True)
    rules = serializers.DictField(
        child=serializers.JSONField(),
        allow_null=True,
        help_text=_("All house rules of the evening; null for visitors."),
    )
    tables = TableState(many=True)
    totals = EveningTotal(many=True)


class HappeningLine(Answer):
    after = serializers.IntegerField(help_text=_("Number of hands before it."))
    kind = serializers.ChoiceField(choices=Happening.Kind.choices)
    at = serializers.DateTimeField()
    by = serializers.CharField(allow_null=True)
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


class StoredSeatingChange(Answer):
    happening = HappeningLine()
    tables = TableState(many=True)


class Recorder(Answer):
    id = serializers.IntegerField()
    name = serializers.CharField()


class PencilState(Answer):
    """The pencil of a table; `holder` is null if nobody holds it."""

    table = serializers.IntegerField()
    holder = serializers.CharField(allow_null=True)
    mine = serializers.BooleanField()
    since = serializers.DateTimeField(allow_null=True)
    away_since = serializers.DateTimeField(allow_null=True)
    requested_by = serializers.CharField(allow_null=True)
    recorders = Recorder(many=True)
