"""The answers to a planned evening: who comes; the links with which players answer without an account; and the
reserves, who are asked when somebody is missing."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from .people import Player
from .plan import PlannedEvening


class Attendance(models.Model):
    """The answer of a player to a planned evening. A person answers once: the answer of a merged player is stored under
    the main player. `author` is the user who entered it; None if it came by the player's link."""

    class Answer(models.TextChoices):
        YES = "yes", pgettext_lazy("attendance", "coming")
        NO = "no", pgettext_lazy("attendance", "not coming")
        OPEN = "open", pgettext_lazy("attendance", "not sure yet")

    planned_evening = models.ForeignKey(PlannedEvening, on_delete=models.CASCADE, related_name="answers")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="answers")
    answer = models.CharField(_("answer"), max_length=10, choices=Answer.choices)
    answered_at = models.DateTimeField(_("answered"))
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        verbose_name = _("answer to a planned evening")
        verbose_name_plural = _("answers to planned evenings")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["planned_evening", "player"], name="attendance_once_a_player"),
            models.CheckConstraint(condition=models.Q(answer__in=["yes", "no", "open"]), name="attendance_known"),
        ]

    def __str__(self) -> str:
        return f"{self.planned_evening_id} · {self.player_id}"


class AttendanceLink(models.Model):
    """The valid link with which a player answers without an account. The link is signed and names `number`: without
    this row it opens nothing."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="attendance_link")
    number = models.BigIntegerField(_("number"), unique=True)
    created_at = models.DateTimeField(_("made"), auto_now_add=True)

    class Meta:
        verbose_name = _("link to answer planned evenings")
        verbose_name_plural = _("links to answer planned evenings")

    def __str__(self) -> str:
        return f"{self.player_id}"


class Reserve(models.Model):
    """A player in a club's list of reserves. The one with the lowest `place` is asked first."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="reserve")
    place = models.PositiveSmallIntegerField(_("place in the list"))

    class Meta:
        verbose_name = _("reserve")
        verbose_name_plural = _("reserves")

    def __str__(self) -> str:
        return f"{self.place} · {self.player_id}"
