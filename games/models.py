"""Tables, who sits where, and the hands with their revisions: the records that everything else follows from.

Triggers (migration 0002) refuse every UPDATE and DELETE of hands, revisions and seats.
"""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models import Account, Evening, Player, Posting, Submission


class Table(models.Model):
    """One table of an evening: a chain of hands round one pot.

    `hands`, `pot_minor`, `dealer` and `deal_number` say what the next hand starts with. They follow from the
    hands; the row is the one lock
    that a recording takes.
    """

    evening = models.ForeignKey(Evening, on_delete=models.PROTECT, related_name="tables")
    number = models.PositiveSmallIntegerField(_("number"), default=1)
    pot_account = models.OneToOneField(Account, on_delete=models.PROTECT, related_name="table")
    first_dealer = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    hands = models.PositiveIntegerField(_("hands"), default=0)
    pot_minor = models.BigIntegerField(_("pot"), default=0)
    dealer = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    deal_number = models.PositiveSmallIntegerField(_("deal number"), default=1)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["evening", "number"], name="table_number_once_an_evening"),
            models.CheckConstraint(condition=models.Q(pot_minor__gte=0), name="table_pot_not_negative"),
            models.CheckConstraint(condition=models.Q(deal_number__gte=1), name="table_deal_number_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.evening} · {self.number}"


class Place(models.Model):
    """Who sits where for the next hand. `seat` counts from 0 in the order of play."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="places")
    seat = models.PositiveSmallIntegerField(_("seat"))
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")

    class Meta:
        verbose_name = _("place")
        verbose_name_plural = _("places")
        ordering: ClassVar = ["seat"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "seat"], name="place_once_a_seat"),
            models.UniqueConstraint(fields=["table", "player"], name="place_once_a_player"),
            models.CheckConstraint(condition=models.Q(seat__lte=6), name="place_within_seven_seats"),
        ]

    def __str__(self) -> str:
        return f"{self.seat}: {self.player}"


class Hand(models.Model):
    """A hand's place in its table's chain. What happened in it is in its revisions."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="hand_set")
    number = models.PositiveIntegerField(_("number"))

    class Meta:
        verbose_name = _("hand")
        verbose_name_plural = _("hands")
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "number"], name="hand_number_once_a_table"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="hand_number_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.table} · {self.number}"


class Revision(models.Model):
    """One state of a hand, for ever: entered, or voided. The one with the highest number stands.

    `record` is the hand record as entered and completed from the chain, `result` the engine's answer to it; a voided
    revision keeps those of the revision it voids, so that it can be read on its own.
    """

    class Kind(models.TextChoices):
        ENTERED = "entered", _("entered")
        VOIDED = "voided", _("voided")

    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="revisions")
    number = models.PositiveIntegerField(_("revision"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    record = models.JSONField(_("record"))
    result = models.JSONField(_("result"))
    posting = models.OneToOneField(Posting, on_delete=models.PROTECT, related_name="hand_revision")
    submission = models.OneToOneField(Submission, on_delete=models.PROTECT, related_name="hand_revision")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("revision")
        verbose_name_plural = _("revisions")
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["hand", "number"], name="revision_number_once_a_hand"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="revision_number_from_1"),
            models.CheckConstraint(condition=models.Q(kind__in=["entered", "voided"]), name="revision_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.hand} r{self.number}"


class Seat(models.Model):
    """Who sat where in one revision of a hand."""

    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="seats")
    number = models.PositiveSmallIntegerField(_("seat"))
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["revision", "number"], name="seat_once_a_revision"),
            models.UniqueConstraint(fields=["revision", "player"], name="seat_player_once_a_revision"),
            models.CheckConstraint(condition=models.Q(number__lte=6), name="seat_within_seven"),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.player_id}"
