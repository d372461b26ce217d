"""Answers about house rules, and about a season under other house rules."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from .base import GAME_CHOICES, Answer, PlayerName


class RuleLine(Answer):
    name = serializers.CharField()
    choice = serializers.CharField()
    meaning = serializers.CharField()
    before = serializers.CharField(allow_blank=True)


class SituationOutcome(Answer):
    refused = serializers.CharField(allow_blank=True)
    pot_minor = serializers.IntegerField()
    shares = serializers.ListField(child=serializers.DictField())
    notes = serializers.ListField(child=serializers.CharField())
    left_minor = serializers.IntegerField()
    next_pot_minor = serializers.IntegerField()


class SituationLine(Answer):
    key = serializers.CharField()
    title = serializers.CharField()
    now = SituationOutcome()
    before = SituationOutcome(allow_null=True)
    differs = serializers.BooleanField()


class RulesVersion(Answer):
    version = serializers.IntegerField()
    made_at = serializers.DateTimeField(allow_null=True)
    by = serializers.CharField(allow_null=True)
    evenings = serializers.IntegerField()


class RulesPreview(Answer):
    game = serializers.ChoiceField(choices=GAME_CHOICES)
    version = serializers.IntegerField(help_text=_("In a preview: the number of the next version."))
    values = serializers.DictField(child=serializers.JSONField(), help_text=_("All house rules, amounts in Rappen."))
    lines = RuleLine(many=True)
    situations = SituationLine(many=True)


class RulesDetail(RulesPreview):
    versions = RulesVersion(many=True)


class StoredRules(Answer):
    game = serializers.ChoiceField(choices=GAME_CHOICES)
    version = serializers.IntegerField()
    values = serializers.DictField(child=serializers.JSONField())


class ReplayAccount(PlayerName):
    hands = serializers.IntegerField()
    old_minor = serializers.IntegerField()
    new_minor = serializers.IntegerField()
    difference_minor = serializers.IntegerField()
    left_out_minor = serializers.IntegerField()


class ReplayPlace(Answer):
    evening = serializers.IntegerField()
    table = serializers.IntegerField()
    hand = serializers.IntegerField()


class ReplayLeftOut(Answer):
    clause = serializers.CharField()
    sentence = serializers.CharField()
    hands = serializers.IntegerField()
    places = ReplayPlace(many=True)


class ReplayWarning(Answer):
    """The reason why the figures of a replay are not meaningful. `pot_runs_away`: without a limit the pot grows beyond
    measure."""

    code = serializers.ChoiceField(choices=[("pot_runs_away", "pot_runs_away")])
    sentence = serializers.CharField(help_text=_("The warning as the page shows it, before any figure."))


class SeasonReplay(Answer):
    season = serializers.SlugField()
    game = serializers.ChoiceField(choices=GAME_CHOICES)
    values = serializers.DictField(child=serializers.JSONField())
    warning = ReplayWarning(allow_null=True)
    old_highest_pot_minor = serializers.IntegerField(help_text=_("The highest pot of the season as it was."))
    new_highest_pot_minor = serializers.IntegerField(help_text=_("The highest pot under the other rules."))
    hands = serializers.IntegerField()
    changed = serializers.IntegerField()
    accounts = ReplayAccount(many=True)
    left_out = ReplayLeftOut(many=True)
    old_pots_minor = serializers.IntegerField()
    new_pots_minor = serializers.IntegerField()
