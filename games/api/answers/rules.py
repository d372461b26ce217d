"""Answers about house rules, and about a season under other house rules."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from .base import GAME_CHOICES


class RuleLine(serializers.Serializer[Any]):
    """A rule; `before` is the choice that it replaces, empty if it stays."""

    name = serializers.CharField()
    choice = serializers.CharField()
    meaning = serializers.CharField()
    before = serializers.CharField(allow_blank=True)


class SituationShare(serializers.Serializer[Any]):
    """What one seat, or each of several, takes from the pot (above 0) or pays into it."""

    who = serializers.CharField()
    amount_minor = serializers.IntegerField()


class SituationOutcome(serializers.Serializer[Any]):
    """The outcome of a situation under one set of rules. `refused`: why the hand is not allowed; `next_pot_minor`: the
    pot of the next hand, with its antes."""

    refused = serializers.CharField(allow_blank=True)
    pot_minor = serializers.IntegerField()
    shares = SituationShare(many=True)
    notes = serializers.ListField(child=serializers.CharField())
    left_minor = serializers.IntegerField()
    next_pot_minor = serializers.IntegerField()


class SituationLine(serializers.Serializer[Any]):
    """A worked situation under the rules, and under the rules `before`."""

    key = serializers.CharField(source="case.key")
    title = serializers.CharField(source="case.title")
    now = SituationOutcome()
    before = SituationOutcome(allow_null=True)
    differs = serializers.BooleanField()


class RulesVersion(serializers.Serializer[Any]):
    """A version of the house rules. `made_at` is null for the defaults of a club that never set any."""

    version = serializers.IntegerField()
    made_at = serializers.DateTimeField(source="created_at", allow_null=True)
    by = serializers.CharField(source="author", allow_null=True)
    evenings = serializers.IntegerField(source="evenings_held")


class RulesPreview(serializers.Serializer[Any]):
    """House rules in sentences and in worked situations."""

    game = serializers.ChoiceField(choices=GAME_CHOICES)
    version = serializers.IntegerField(help_text=_("In a preview: the number of the next version."))
    values = serializers.DictField(child=serializers.JSONField(), help_text=_("All house rules, amounts in Rappen."))
    lines = RuleLine(many=True)
    situations = SituationLine(many=True)


class RulesDetail(RulesPreview):
    """House rules of a version, and all versions."""

    versions = RulesVersion(many=True)


class StoredRules(serializers.Serializer[Any]):
    """The version that was stored."""

    game = serializers.ChoiceField(choices=GAME_CHOICES)
    version = serializers.IntegerField()
    values = serializers.DictField(child=serializers.JSONField())


class ReplayAccount(serializers.Serializer[Any]):
    """A player's season as it was and under the other rules. `left_out_minor`: the amount of the hands that are left
    out."""

    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField(source="nickname")
    hands = serializers.IntegerField()
    old_minor = serializers.IntegerField()
    new_minor = serializers.IntegerField()
    difference_minor = serializers.IntegerField()
    left_out_minor = serializers.IntegerField()


class ReplayPlace(serializers.Serializer[Any]):
    """The numbers of an evening, of a table in it and of a hand."""

    evening = serializers.IntegerField()
    table = serializers.IntegerField()
    hand = serializers.IntegerField()


class ReplayLeftOut(serializers.Serializer[Any]):
    """The hands that break one clause under the other rules, with the first few of their places."""

    clause = serializers.CharField()
    sentence = serializers.CharField()
    hands = serializers.IntegerField()
    places = ReplayPlace(many=True)


class ReplayWarning(serializers.Serializer[Any]):
    """The reason why the figures of a replay are not meaningful. `pot_runs_away`: without a limit the pot grows beyond
    measure."""

    code = serializers.ChoiceField(choices=[("pot_runs_away", "pot_runs_away")])
    sentence = serializers.CharField(help_text=_("The warning as the page shows it, before any figure."))


class SeasonReplay(serializers.Serializer[Any]):
    """A season under other house rules."""

    season = serializers.SlugField()
    game = serializers.ChoiceField(choices=GAME_CHOICES)
    values = serializers.DictField(child=serializers.JSONField())
    warning = ReplayWarning(allow_null=True)
    old_highest_pot_minor = serializers.IntegerField(help_text=_("The highest pot of the season as it was."))
    new_highest_pot_minor = serializers.IntegerField(help_text=_("The highest pot under the other rules."))
    hands = serializers.IntegerField()
    changed = serializers.IntegerField()
    accounts = ReplayAccount(source="players", many=True)
    left_out = ReplayLeftOut(many=True)
    old_pots_minor = serializers.IntegerField()
    new_pots_minor = serializers.IntegerField()
