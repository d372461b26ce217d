"""The last looks of a person at the own page."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from .people import Player, User


class PlayerLook(models.Model):
    """The last looks of an account at the page of its own player: the first look of the last visit and of the one
    before
    (`league.career.last_look`). Written once a visit."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    looks = models.JSONField(default=list)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("last look at the own page")
        verbose_name_plural = _("last looks at the own page")
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "player"], name="player_look_once_an_account")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.player_id}"
