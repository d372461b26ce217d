"""The formulas of a season by version, and the penalties and bonuses of its players."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
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
    """A penalty (points below 0) or a bonus of a player in a season with a formula. It counts until it is undone."""

    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="adjustments")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="adjustments")
    points = models.IntegerField(_("points"))
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
