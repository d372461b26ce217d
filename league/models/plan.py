"""The evenings that are planned in a season."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .people import Club
from .season import Evening, Season


class PlannedEvenings(models.QuerySet["PlannedEvening"]):
    """Queries of planned evenings."""

    def still_planned(self) -> PlannedEvenings:
        """Return those whose place no opened evening of the season took on its day."""
        opened = Evening.nights.filter(season=models.OuterRef("season"), held_on=models.OuterRef("held_on"))
        return self.filter(~models.Exists(opened))


class PlannedEvening(models.Model):
    """An evening that is to come: its day, time and place, and a note for the people of the club.

    An evening that is opened in the season on that day takes its place. A cancelled one stays, so that calendars show
    that it was cancelled. `sequence` goes up with each change, as calendars expect it (RFC 5545). Without a `place` it
    is at the usual place of the club. With `least_players` it takes place if so many come.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="plan")
    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="plan")
    held_on = models.DateField(_("date"))
    begins_at = models.TimeField(_("begins at"))
    place = models.CharField(_("place"), max_length=120, blank=True)
    note = models.CharField(_("note"), max_length=200, blank=True)
    least_players = models.PositiveSmallIntegerField(_("takes place from so many players on"), null=True, blank=True)
    cancelled_at = models.DateTimeField(_("cancelled at"), null=True, blank=True)
    sequence = models.PositiveIntegerField(default=0)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    objects = PlannedEvenings.as_manager()

    class Meta:
        verbose_name = _("planned evening")
        verbose_name_plural = _("planned evenings")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["season", "held_on"], name="planned_evening_once_a_day"),
        ]
        indexes: ClassVar = [models.Index(fields=["club", "held_on"], name="planned_evening_club_date")]

    def __str__(self) -> str:
        return f"{self.season_id} · {self.held_on:%F}"
