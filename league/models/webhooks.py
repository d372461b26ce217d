"""Webhooks, and the messages that were sent to them."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .people import Club


class Webhook(models.Model):
    """The address of a program that a club wants to notify. Messages are signed with `secret`.

    After `secret` was replaced, `old_secret` signs as well until `old_until`. A sender has the webhook until
    `busy_until`; after a fault nothing is sent before `retry_at`. `failing_since` is the time of the first fault in a
    row, `off_at` the time at which the webhook was switched off for them. A removed webhook keeps its row, so that a
    message that is being stored at that moment can refer to it.
    """

    class Event(models.TextChoices):
        HAND = "hand.stored", _("a hand was stored")
        CLOSED = "evening.closed", _("an evening was closed")
        COUNTED = "season.counted", _("a season was counted")
        OPENED = "tournament.opened", _("a tournament was opened for entries")
        DRAWN = "tournament.draw_published", _("the draw of a round was published")
        STARTED = "tournament.round_started", _("a round of a tournament began")
        DISAGREES = "tournament.sheet_disagrees", _("two sheets of a table differ")
        ROUND_FINISHED = "tournament.round_finished", _("a round of a tournament ended")
        FINISHED = "tournament.finished", _("a tournament was finished")
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
    """One message to one webhook, with the state of its sending. The rows are the queue.

    Due from `next_at` on, until `delivered_at` is set or the tries are used up (`next_at` empty). `error` is a code of
    `league.webhooks.delivery_sentences`, `tried_at` the time of the last try. A replay repeats the message of another
    delivery, with the id of that message.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event = models.CharField(_("event"), max_length=40, choices=Webhook.Event.choices)
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
            # A webhook gets one message for an event and subject; a replay is a row of its own.
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
