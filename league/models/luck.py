"""Rows that a worker counts about the luck of final evenings (`league.luck`)."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from .people import Club, Player
from .season import Evening, Season


class LuckToCount(models.Model):
    """A club whose evenings a worker looks through for luck that is not counted, not before `due_at`. Each request has
    a `mark` of its own, so that a worker notices one that came while it counted."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, primary_key=True, related_name="+")
    mark = models.UUIDField(default=uuid.uuid4)
    due_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("luck to be counted")
        verbose_name_plural = _("luck to be counted")

    def __str__(self) -> str:
        return f"{self.club_id}: {self.due_at:%Y-%m-%d %H:%M}"


class LuckOfEvening(models.Model):
    """The luck of a final evening. `outcomes` are the evening's hands by situation and outcome
    (`league.luck.situations.packed`), of which the shares for later evenings are made. `pot_minor` is what the hands
    left in the pot, `pot_expected_minor` what was to be expected; with the players' rows each adds up to 0.
    `ante_minor` is the ante in which luck is counted. `squares` and `sums`: how far the players' evenings were from
    what was to be expected (`league.luck.evening.Past`)."""

    evening = models.OneToOneField(Evening, on_delete=models.CASCADE, primary_key=True, related_name="luck")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+", db_index=False)
    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="+")
    held_on = models.DateField()
    outcomes = models.JSONField(default=dict)
    pot_minor = models.BigIntegerField()
    pot_expected_minor = models.BigIntegerField()
    ante_minor = models.BigIntegerField()
    squares = models.BigIntegerField(default=0)
    sums = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("luck of an evening")
        verbose_name_plural = _("luck of evenings")
        indexes: ClassVar = [
            models.Index(fields=["club", "held_on", "evening"], name="luck_club_date"),
            # The newest evenings of all clubs before a month.
            models.Index(fields=["held_on", "evening"], name="luck_date"),
        ]

    def __str__(self) -> str:
        return str(self.evening_id)


class LuckOfPlayer(models.Model):
    """A player's luck of an evening, in the smallest unit of money: what the evening brought, what was to be expected,
    the bounds within which nine of ten evenings end by chance alone, one standard deviation. `calls` has for each call
    hands, hands made, those to be expected and their variance in millionths, and the luck in millionths of the smallest
    unit of money."""

    evening = models.ForeignKey(LuckOfEvening, on_delete=models.CASCADE, related_name="players", db_index=False)
    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    hands = models.PositiveIntegerField(_("hands"))
    actual_minor = models.BigIntegerField()
    expected_minor = models.BigIntegerField()
    low_minor = models.BigIntegerField()
    high_minor = models.BigIntegerField()
    spread_minor = models.BigIntegerField()
    calls = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("luck of a player")
        verbose_name_plural = _("luck of players")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["evening", "player"], name="luck_once_an_evening_and_player")
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.actual_minor} / {self.expected_minor}"


class LuckOfAllClubs(models.Model):
    """The outcomes of all clubs' hands before a month, counted once and then kept: the luck of an evening of that month
    is the same whenever it is counted again."""

    month = models.DateField(primary_key=True)
    outcomes = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("outcomes of all clubs")
        verbose_name_plural = _("outcomes of all clubs")

    def __str__(self) -> str:
        return f"{self.month:%Y-%m}"
