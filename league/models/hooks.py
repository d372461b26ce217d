"""Telling other programs: webhooks, and the log of what was sent to them."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .people import Club


class Webhook(models.Model):
    """An address of a club's own program that is told what happened, signed with `secret`.

    After `secret` was made anew, the one before it signs as well until `old_until`. `busy_until`: a sender is at it;
    `retry_at`: after a fault nothing is sent before. `failing_since` is when the first of the faults in a row came,
    `off_at` when they had gone on for too long and it was switched off. A removed one keeps its row, so that a hand
    that is being stored at that moment finds what it refers to.
    """

    class Event(models.TextChoices):
        HAND = "hand.stored", _("a hand was stored")
        CLOSED = "evening.closed", _("an evening was closed")
        COUNTED = "season.counted", _("a season was counted")
        PING = "ping", _("a test")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="webhooks")
    url = models.URLField(_("address"), max_length=400)
    events = models.JSONField(_("events"), default=list)
    secret = models.CharField(_("secret"), max_length=64)
    old_secret = models.CharField(_("secret before"), max_length=64, blank=True)
    old_until = models.DateTimeField(_("secret before, until"), null=True, blank=True)
    active = models.BooleanField(_("on"), default=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    busy_until = models.DateTimeField(null=True, blank=True)
    retry_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(_("failing since"), null=True, blank=True)
    off_at = models.DateTimeField(_("switched off by itself"), null=True, blank=True)
    removed_at = models.DateTimeField(_("removed"), null=True, blank=True)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        ordering: ClassVar = ["created_at"]

    def __str__(self) -> str:
        return self.url


class Delivery(models.Model):
    """One message to one webhook, and how its sending goes. The row is the queue: a worker only wakes up for it.

    Due from `next_at` on, until `delivered_at` is set or the tries are used up (`next_at` empty). `error` is a code of
    `league.hooks.words`, `tried_at` when it was sent last. A replay repeats another one's message, its id with it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event = models.CharField(_("event"), max_length=20, choices=Webhook.Event.choices)
    subject = models.CharField(_("about"), max_length=80)
    body = models.JSONField(_("body"))
    created_at = models.DateTimeField(auto_now_add=True)
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    next_at = models.DateTimeField(_("next try"), null=True, blank=True)
    tried_at = models.DateTimeField(_("last try"), null=True, blank=True)
    delivered_at = models.DateTimeField(_("delivered"), null=True, blank=True)
    status = models.PositiveSmallIntegerField(_("answer"), null=True, blank=True)
    error = models.CharField(_("fault"), max_length=200, blank=True)
    took_ms = models.PositiveIntegerField(null=True, blank=True)
    replay_of = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="replays")

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        ordering: ClassVar = ["-created_at"]
        constraints: ClassVar = [
            # The same event is told once to each, however often it is looked at; a replay is a row of its own.
            models.UniqueConstraint(
                fields=["webhook", "event", "subject"],
                condition=models.Q(replay_of__isnull=True),
                name="delivery_once_an_event",
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["next_at"], condition=models.Q(next_at__isnull=False), name="delivery_due")
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.subject}"
