"""Messages to players by mail or push: what each player wants, the devices, and what was sent."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .people import Player
from .plan import PlannedEvening
from .season import Evening
from .treasury import MemberFeeShare


class MessageChoice(models.Model):
    """The messages that a player agreed to get from the club. Without this row the player gets none.

    `results_since`, `reminders_since` and `fees_since` (reminders of unpaid member fees) are the times from which on
    each kind is wanted; empty for one that is not. Either an account chose (`user`): the mails go to its confirmed
    address as long as the player is tied to it. Or a player without an account did (`email`): the address was confirmed
    by a mail. `number` is a part of the signed address that ends all messages. After the mail server refused the
    address (`refused_at`) nothing is wanted.

    A player has one way (`way`): by push the messages go to the devices of the account, or to those of the player
    without one. `amounts`: a push may show amounts, which anybody sees on a locked screen. `device_lost_at`: when the
    last device was removed because its push service takes nothing for it any more.
    """

    class Way(models.TextChoices):
        MAIL = "mail", _("by mail")
        PUSH = "push", _("by push")

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="message_choice")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="message_choices"
    )
    email = models.EmailField(_("email address"), blank=True)
    number = models.BigIntegerField(_("number"), unique=True)
    language = models.CharField(_("language"), max_length=10)
    results_since = models.DateTimeField(_("results since"), null=True, blank=True)
    reminders_since = models.DateTimeField(_("reminders since"), null=True, blank=True)
    fees_since = models.DateTimeField(_("member fees since"), null=True, blank=True)
    refused_at = models.DateTimeField(_("address refused"), null=True, blank=True)
    way = models.CharField(_("way"), max_length=4, choices=Way.choices, default=Way.MAIL, db_default=Way.MAIL)
    amounts = models.BooleanField(_("amounts on the lock screen"), default=False, db_default=False)
    device_lost_at = models.DateTimeField(_("last device lost"), null=True, blank=True)

    class Meta:
        verbose_name = _("choice of messages")
        verbose_name_plural = _("choices of messages")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(user=None) | models.Q(email=""), name="message_choice_one_address"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}"


class EveningToTell(models.Model):
    """An evening that was closed and whose result its players still get once it is final. Stored with the closing,
    deleted with the storing of the messages. A worker has it until `busy_until`."""

    evening = models.OneToOneField(Evening, on_delete=models.CASCADE, primary_key=True, related_name="to_tell")
    busy_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("evening whose result is to be sent")
        verbose_name_plural = _("evenings whose results are to be sent")

    def __str__(self) -> str:
        return f"{self.evening_id}"


class PlayerMessage(models.Model):
    """One message to one player, with the state of its sending. The rows are the queue.

    A result is about `evening`, as its closing number `version` left it: `points` and `change_minor` are the player's
    own sums (the latter empty in a season of points only). A reminder is about `planned_evening` on its `day`. The
    reminder number `version` of an unpaid member fee is about `fee_share`, on its `day` by the club's rule. The row is
    due from `next_at` on, until it is sent, dropped or given up (`next_at` empty).
    """

    class Kind(models.TextChoices):
        RESULT = "result", _("result of an evening")
        REMINDER = "reminder", _("reminder of a planned evening")
        FEE = "fee", _("reminder of a member fee")

    class State(models.TextChoices):
        WAITING = "waiting", _("waits")
        SENT = "sent", _("sent")
        DROPPED = "dropped", _("no longer wanted")
        FAILED = "failed", _("given up")

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="player_messages")
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    evening = models.ForeignKey(
        Evening, on_delete=models.CASCADE, null=True, blank=True, related_name="player_messages"
    )
    planned_evening = models.ForeignKey(
        PlannedEvening, on_delete=models.CASCADE, null=True, blank=True, related_name="player_messages"
    )
    fee_share = models.ForeignKey(
        MemberFeeShare, on_delete=models.CASCADE, null=True, blank=True, related_name="reminders"
    )
    version = models.PositiveIntegerField(_("number of the closing, or of the reminder"), default=0)
    day = models.DateField(_("date"))
    points = models.BigIntegerField(_("points"), null=True, blank=True)
    change_minor = models.BigIntegerField(_("won and lost"), null=True, blank=True)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.WAITING)
    created_at = models.DateTimeField(auto_now_add=True)
    next_at = models.DateTimeField(_("next try"), null=True, blank=True)
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    sent_at = models.DateTimeField(_("sent"), null=True, blank=True)
    error = models.CharField(_("fault"), max_length=80, blank=True)

    class Meta:
        verbose_name = _("message to a player")
        verbose_name_plural = _("messages to players")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "evening", "version"], name="player_message_once_a_closing"),
            models.UniqueConstraint(fields=["player", "planned_evening", "day"], name="player_message_once_a_day"),
            models.UniqueConstraint(fields=["fee_share", "version"], name="player_message_once_a_number"),
            models.CheckConstraint(
                condition=models.Q(kind="result", evening__isnull=False, planned_evening=None, fee_share=None)
                | models.Q(kind="reminder", evening=None, planned_evening__isnull=False, fee_share=None)
                | models.Q(kind="fee", evening=None, planned_evening=None, fee_share__isnull=False),
                name="player_message_about_one_thing",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["waiting", "sent", "dropped", "failed"]),
                name="player_message_state_known",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["next_at"], condition=models.Q(next_at__isnull=False), name="player_message_due")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.player_id}"


class PushDevice(models.Model):
    """A browser that shows the messages: the subscription that it made with its push service (RFC 8030).

    It belongs to an account (`user`), for all its clubs, or to a player without one (`player`). A browser has one
    `endpoint`, so it belongs to whoever switched it on last. `p256dh` and `auth` are its public key and its secret, as
    base64url without padding: only the browser can read what is encrypted with them. `ok_at` is the last time its push
    service took a message; `failing_since` the first failure since then.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="push_devices"
    )
    player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, blank=True, related_name="push_devices")
    endpoint = models.CharField(_("address at the push service"), max_length=1000, unique=True)
    p256dh = models.CharField(_("public key"), max_length=100)
    auth = models.CharField(_("secret"), max_length=40)
    label = models.CharField(_("device"), max_length=80)
    created_at = models.DateTimeField(auto_now_add=True)
    ok_at = models.DateTimeField(_("last taken"), null=True, blank=True)
    failing_since = models.DateTimeField(_("failing since"), null=True, blank=True)
    failures = models.PositiveIntegerField(_("failures"), default=0)

    class Meta:
        verbose_name = _("device for messages")
        verbose_name_plural = _("devices for messages")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(user=None, player__isnull=False) | models.Q(user__isnull=False, player=None),
                name="push_device_one_owner",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"


class PushDelivery(models.Model):
    """A message that the push service of a device took: it does not go to this device again."""

    message = models.ForeignKey(PlayerMessage, on_delete=models.CASCADE, related_name="deliveries")
    device = models.ForeignKey(PushDevice, on_delete=models.CASCADE, related_name="deliveries")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("delivery to a device")
        verbose_name_plural = _("deliveries to devices")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["message", "device"], name="push_delivery_once_a_device")
        ]

    def __str__(self) -> str:
        return f"{self.message_id} {self.device_id}"


class PushKey(models.Model):
    """The key by which push services know this server (RFC 8292): one row, made at the first use. `sealed` is the
    private key, encrypted with the server's secret key."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    sealed = models.TextField(_("sealed key"))
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("key for push services")
        verbose_name_plural = _("keys for push services")
        constraints: ClassVar = [models.CheckConstraint(condition=models.Q(id=1), name="push_key_is_one")]

    def __str__(self) -> str:
        return f"{self.pk}"
