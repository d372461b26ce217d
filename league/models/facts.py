"""Rows that workers count from the hands of an evening for statistics, records and ratings."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from .people import Club, Player
from .season import Evening, Season


class UncountedEvening(models.Model):
    """An evening whose hands wait to be counted for statistics and records; without an evening, all of the season.

    Rows are only added, by the count of the season, and deleted by the count that includes them: no update can be
    lost between the two.
    """

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="uncounted_evenings")
    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, null=True, related_name="+", db_index=False)

    class Meta:
        verbose_name = _("uncounted evening")
        verbose_name_plural = _("uncounted evenings")

    def __str__(self) -> str:
        return f"{self.season_id}: {self.evening_id or '*'}"


class SeasonFacts(models.Model):
    """The last count of a season's hands for statistics and records. Pages are of a `version`; `method` names the
    rating with its parameters, and the way of counting."""

    season = models.OneToOneField(Season, on_delete=models.CASCADE, primary_key=True, related_name="facts")
    version = models.PositiveBigIntegerField(default=0)
    method = models.CharField(max_length=80, blank=True, default="")

    class Meta:
        verbose_name = _("count of a season's hands")
        verbose_name_plural = _("counts of seasons' hands")

    def __str__(self) -> str:
        return f"{self.season_id}: {self.version}"


class EveningFacts(models.Model):
    """The decisions of an evening, a part of those of its season: `[player, situation, hands]` for each pair that
    occurs."""

    evening = models.OneToOneField(Evening, on_delete=models.CASCADE, primary_key=True, related_name="facts")
    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="evening_facts")
    decisions = models.JSONField(default=list)

    class Meta:
        verbose_name = _("count of an evening's hands")
        verbose_name_plural = _("counts of evenings' hands")

    def __str__(self) -> str:
        return str(self.evening_id)


class DecisionCount(models.Model):
    """The number of a player's hands in a season with one `situation` (packed, `league.standings.facts.situations`)."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="decision_counts", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="decision_counts")
    situation = models.PositiveIntegerField()
    hands = models.IntegerField(_("hands"))

    class Meta:
        verbose_name = _("count of decisions")
        verbose_name_plural = _("counts of decisions")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["season", "player", "situation"], name="decision_count_once")
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.hands}"


class Feat(models.Model):
    """A player's best of an evening with the hand to read about it: the biggest pot of which the player took a part
    (`value` in minor units, `in_antes` in millionths of an ante), the longest run of goals reached (`value` goals, from
    that hand on), the last hand as the Susi."""

    class Kind(models.TextChoices):
        POT = "pot", _("pot")
        RUN = "run", _("run of goals")
        SUSI = "susi", "Susi"

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="feats", db_index=False)
    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="feats", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="feats", db_index=False)
    kind = models.CharField(max_length=4, choices=Kind.choices)
    value = models.BigIntegerField()
    in_antes = models.BigIntegerField(default=0)
    table = models.PositiveSmallIntegerField()
    hand = models.PositiveIntegerField()

    class Meta:
        verbose_name = _("feat of an evening")
        verbose_name_plural = _("feats of evenings")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["evening", "player", "kind"], name="feat_once_an_evening")
        ]
        indexes: ClassVar = [
            models.Index(fields=["season", "kind", "value"], name="feat_value"),
            models.Index(fields=["season", "kind", "in_antes"], name="feat_in_antes"),
            models.Index(fields=["player", "kind"], name="feat_of_player"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.kind} {self.value}"


class Rating(models.Model):
    """A player's rating in the club after an evening with this player: `mu` and its standard deviation `sigma` in
    thousandths, and the number of evenings that were rated."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="ratings", db_index=False)
    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="ratings", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="ratings", db_index=False)
    held_on = models.DateField()
    mu = models.IntegerField()
    sigma = models.PositiveIntegerField()
    evenings = models.PositiveIntegerField(_("evenings"))

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints: ClassVar = [models.UniqueConstraint(fields=["evening", "player"], name="rating_once_an_evening")]
        # The rating of a player before an evening; all ratings of a club from an evening on.
        indexes: ClassVar = [
            models.Index(fields=["player", "held_on", "evening"], name="rating_of_player"),
            models.Index(fields=["club", "held_on", "evening"], name="rating_of_club"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.mu} ± {self.sigma}"
