"""Evenings and tables: who sits there, what happens between the hands, who writes."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from league.models import Evening

from ...models import Happening
from .base import GAME_CHOICES, Answer, PlayerName, minor, seat


class SeatNow(PlayerName):
    seat = seat()
    deals = serializers.BooleanField()
    change_minor = minor(help_text=_("The player's sum of this evening so far."))


class NextHand(Answer):
    """What the next hand of a table starts with. In Kratzen the dealer is who has the pack before the cuts."""

    number = serializers.IntegerField(min_value=1)
    dealer = seat()
    forehand = seat()
    deal_number = serializers.IntegerField(min_value=1)
    muss = serializers.BooleanField(allow_null=True)
    pot_before_minor = minor()
    pot_minor = minor(help_text=_("The same with the antes of this hand."))
    antes_minor = serializers.ListField(child=serializers.IntegerField(), allow_null=True)


class TableState(Answer):
    id = serializers.IntegerField()
    evening = serializers.IntegerField()
    number = serializers.IntegerField()
    code = serializers.CharField(help_text=_("The code of the night, as printed on the table's sheet."))
    game = serializers.ChoiceField(choices=GAME_CHOICES)
    state = serializers.ChoiceField(choices=[(word, word) for word in ("playing", "paused", "joined", "closed")])
    last_hand = serializers.BooleanField()
    hands = serializers.IntegerField(help_text=_("How many hands stand."))
    seats = SeatNow(many=True)
    next = NextHand(allow_null=True)


class TotalOfNight(PlayerName):
    hands = serializers.IntegerField()
    declared = serializers.IntegerField()
    declared_made = serializers.IntegerField()
    joined = serializers.IntegerField()
    joined_made = serializers.IntegerField()
    musses = serializers.IntegerField()
    musses_made = serializers.IntegerField()
    change_minor = minor()


class EveningLine(Answer):
    id = serializers.IntegerField()
    season = serializers.SlugField()
    number = serializers.IntegerField()
    held_on = serializers.DateField()
    game = serializers.ChoiceField(choices=GAME_CHOICES)
    standing = serializers.ChoiceField(choices=Evening.Standing.choices)
    final_at = serializers.DateTimeField(allow_null=True)
    runs = serializers.BooleanField(help_text=_("Whether hands may be expected now."))
    hands = serializers.IntegerField()
    players = serializers.IntegerField()


class EveningFull(Answer):
    id = serializers.IntegerField()
    season = serializers.SlugField()
    number = serializers.IntegerField()
    held_on = serializers.DateField()
    game = serializers.ChoiceField(choices=GAME_CHOICES)
    standing = serializers.ChoiceField(choices=Evening.Standing.choices)
    final_at = serializers.DateTimeField(allow_null=True)
    runs = serializers.BooleanField()
    currency = serializers.CharField()
    rules_version = serializers.IntegerField(allow_null=True)
    rules = serializers.DictField(
        child=serializers.JSONField(),
        allow_null=True,
        help_text=_("The house rules with which the evening began, all of them; for people of the club."),
    )
    tables = TableState(many=True)
    totals = TotalOfNight(many=True)


class HappeningLine(Answer):
    after = serializers.IntegerField(help_text=_("After how many hands."))
    kind = serializers.ChoiceField(choices=Happening.Kind.choices)
    at = serializers.DateTimeField()
    by = serializers.CharField(allow_null=True)
    told = serializers.CharField()


class Newcomer(Answer):
    """Somebody at a table; `player` is null for a guest who is not in the roster yet."""

    player = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()


class TableAfter(Answer):
    """A table as an act leaves it. `id` is null for one that is opened by it."""

    id = serializers.IntegerField(allow_null=True)
    number = serializers.IntegerField()
    joined = serializers.BooleanField(help_text=_("It was joined to another one and takes no hand any more."))
    paused = serializers.BooleanField()
    seats = Newcomer(many=True)
    dealer = serializers.IntegerField(help_text=_("The player who deals next."))
    pot_minor = serializers.IntegerField()
    told = serializers.ListField(child=serializers.CharField(), help_text=_("Pot, dealer and next hand in words."))
    next = NextHand(allow_null=True)


class ActPlan(Answer):
    """What an act would do; nothing is stored."""

    told = serializers.CharField()
    tables = TableAfter(many=True)


class Story(Answer):
    """What happened at a table between the hands, newest first."""

    table = serializers.IntegerField()
    happenings = HappeningLine(many=True)


class ActDone(Answer):
    happening = HappeningLine()
    tables = TableState(many=True)


class Recorder(Answer):
    id = serializers.IntegerField()
    name = serializers.CharField()


class PencilState(Answer):
    """Who writes at a table: `holder` is null where the pencil lies free."""

    table = serializers.IntegerField()
    holder = serializers.CharField(allow_null=True)
    mine = serializers.BooleanField()
    since = serializers.DateTimeField(allow_null=True)
    away_since = serializers.DateTimeField(allow_null=True)
    asked_by = serializers.CharField(allow_null=True)
    recorders = Recorder(many=True)
