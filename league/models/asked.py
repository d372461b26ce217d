"""Clubs that people asked for, on a server where its operator confirms each club."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .people import Club


class ClubRequest(models.Model):
    """What a person answered when asking for a club, until the operator decides.

    `names` are the nicknames of the players. They are emptied with the decision: the club has them then, or nobody
    does. `language` is the one that the person read.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        OPENED = "opened", _("opened")
        DECLINED = "declined", _("declined")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="club_requests")
    name = models.CharField(_("name"), max_length=120)
    game = models.CharField(_("game"), max_length=10)
    currency = models.CharField(_("currency"), max_length=3)
    visibility = models.CharField(_("who may see it"), max_length=10, choices=Club.Visibility.choices)
    players_shown = models.CharField(
        _("visitors see of players"),
        max_length=10,
        choices=Club.PlayersShown.choices,
        default=Club.PlayersShown.INITIALS,
    )
    names = models.JSONField(_("players"), default=list)
    stake = models.PositiveIntegerField(_("stake"))
    language = models.CharField(_("language"), max_length=10)
    created_at = models.DateTimeField(auto_now_add=True)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.WAITING)
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    club = models.ForeignKey(Club, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        verbose_name = _("club that was asked for")
        verbose_name_plural = _("clubs that were asked for")
        ordering: ClassVar = ["created_at"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["user"], condition=models.Q(state="waiting"), name="club_request_waits_once_a_person"
            ),
            models.CheckConstraint(
                condition=models.Q(state="waiting", decided_at=None)
                | models.Q(state__in=["opened", "declined"], decided_at__isnull=False),
                name="club_request_decided_or_waiting",
            ),
        ]

    def __str__(self) -> str:
        return self.name
