"""The formulas of a season by version, the penalties and bonuses of its players, and its teams."""

from __future__ import annotations

from datetime import date
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .people import Player
from .season import Season


class SeasonFormula(models.Model):
    """One version of a season's formula. Never changed; a change is the next version.

    `values` has every part of it (`league.standings.formula.parts`).
    """

    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="formulas")
    version = models.PositiveIntegerField(_("version"))
    values = models.JSONField(_("values"), default=dict)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("formula of a season")
        verbose_name_plural = _("formulas of seasons")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["season", "version"], name="season_formula_version_once"),
            models.CheckConstraint(condition=models.Q(version__gte=1), name="season_formula_version_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.season_id} v{self.version}"


class SeasonAdjustment(models.Model):
    """A penalty (points below 0) or a bonus of a player in a season with a formula. It counts until it is undone, from
    its `day` on, and for the team of that day."""

    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="adjustments")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="adjustments")
    points = models.IntegerField(_("points"))
    day = models.DateField(_("day"))
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("penalty or bonus")
        verbose_name_plural = _("penalties and bonuses")
        constraints: ClassVar = [
            models.CheckConstraint(condition=~models.Q(points=0), name="season_adjustment_is_not_0"),
        ]

    def __str__(self) -> str:
        return f"{self.season_id}: {self.player_id} {self.points:+d}"

    @property
    def given_on(self) -> date:
        """The day on which it was entered."""
        return timezone.localdate(self.at)


class Team(models.Model):
    """A team of players in a season with a formula. Pages call one without a name by its number."""

    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="teams")
    number = models.PositiveIntegerField(_("number"))
    name = models.CharField(_("name"), max_length=40, blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("team")
        verbose_name_plural = _("teams")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["season", "number"], name="team_number_once_a_season"),
            models.UniqueConstraint(
                "season", Lower("name"), condition=~models.Q(name=""), name="team_name_once_a_season"
            ),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="team_number_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.season_id}: team {self.number}"


class TeamStay(models.Model):
    """From a day on, a player is in a team of a season, or in none (`team` is null), until the next such row. So a
    player is never in two teams of a season at a time."""

    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="team_stays")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="team_stays")
    team = models.ForeignKey(Team, on_delete=models.PROTECT, null=True, blank=True, related_name="stays")
    since = models.DateField(_("from"))

    class Meta:
        verbose_name = _("member of a team")
        verbose_name_plural = _("members of teams")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["season", "player", "since"], name="team_stay_once_a_day"),
        ]

    def __str__(self) -> str:
        return f"{self.season_id}: {self.player_id} in {self.team_id} from {self.since}"
