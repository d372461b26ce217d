"""Tables, who sits where, and the hands with their revisions: the records that everything else follows from.

Triggers (migration 0002) refuse every UPDATE and DELETE of hands, revisions, seats, corrections and happenings.
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
    hands; the row is the one lock that a recording takes. `moved_minor` is what came into the pot (or left it, below 0)
    since the last hand otherwise than by a hand; `pot_minor` has it in it. `dealer_set`: somebody said who deals, the
    chain did not. While `paused_at` is set, the table rests; once it was `dissolved` (merged into another), it takes
    no hand any more.
    """

    evening = models.ForeignKey(Evening, on_delete=models.PROTECT, related_name="tables")
    number = models.PositiveSmallIntegerField(_("number"), default=1)
    pot_account = models.OneToOneField(Account, on_delete=models.PROTECT, related_name="table")
    first_dealer = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    hands = models.PositiveIntegerField(_("hands"), default=0)
    pot_minor = models.BigIntegerField(_("pot"), default=0)
    dealer = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    deal_number = models.PositiveSmallIntegerField(_("deal number"), default=1)
    dealer_set = models.BooleanField(_("dealer named"), default=False)
    moved_minor = models.BigIntegerField(_("moved into the pot"), default=0)
    last_hand = models.BooleanField(_("last hand for all"), default=False)
    paused_at = models.DateTimeField(_("paused since"), null=True, blank=True)
    dissolved = models.BooleanField(_("dissolved"), default=False)

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


class Correction(models.Model):
    """Something put right after the fact, with all it changed: the revisions that it wrote point here.

    `number` is the hand it began with, `details` what else the kind needs ({"to": 7} where a hand was moved). `before`
    and `after` tell each player's sum at the table in Rappen, by the player's id as text.
    """

    class Kind(models.TextChoices):
        CHANGED = "changed", _("corrected")
        VOIDED = "voided", _("taken out")
        INSERTED = "inserted", _("put in")
        MOVED = "moved", _("moved")
        SEATS = "seats", _("seats put right")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="corrections")
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    number = models.PositiveIntegerField(_("hand"))
    before = models.JSONField(_("before"), default=dict)
    after = models.JSONField(_("after"), default=dict)
    details = models.JSONField(_("details"), default=dict)
    submission = models.OneToOneField(Submission, on_delete=models.PROTECT, related_name="correction")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("correction")
        verbose_name_plural = _("corrections")
        ordering: ClassVar = ["-created_at"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(kind__in=["changed", "voided", "inserted", "moved", "seats"]),
                name="correction_kind_known",
            ),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="correction_hand_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.table} · {self.number}: {self.get_kind_display()}"


class Happening(models.Model):
    """What happened at a table between two hands, for the story of the night; `after` counts the hands before it.

    `data` is what the kind needs: {"player", "seat"} for an arrival, and so on. Where coins moved from pot to pot,
    `posting` has them.
    """

    class Kind(models.TextChoices):
        ARRIVED = "arrived", _("came")
        LEFT = "left", _("left")
        SWAPPED = "swapped", _("changed seats")
        DEALER = "dealer", _("other dealer")
        PAUSED = "paused", _("pause")
        RESUMED = "resumed", _("on again")
        SPLIT = "split", _("table divided")
        MERGED = "merged", _("tables joined")
        CARRIED = "carried", _("pot of the last evening")
        LAST = "last", _("last hand for all")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="happenings")
    after = models.PositiveIntegerField(_("after hand"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    data = models.JSONField(_("data"), default=dict)
    posting = models.OneToOneField(Posting, on_delete=models.PROTECT, null=True, blank=True, related_name="happening")
    submission = models.OneToOneField(
        Submission, on_delete=models.PROTECT, null=True, blank=True, related_name="happening"
    )
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("happening")
        verbose_name_plural = _("happenings")
        ordering: ClassVar = ["created_at", "pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(
                    kind__in=[
                        *("arrived", "left", "swapped", "dealer", "paused", "resumed"),
                        *("split", "merged", "carried", "last"),
                    ]
                ),
                name="happening_kind_known",
            )
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.get_kind_display()}"


class Pencil(models.Model):
    """Who writes at a table, and on which device; the others look on. `asked_*` is who would like to take over.

    It keeps two people from writing at once and is no lock: the hand's number is what decides.
    """

    table = models.OneToOneField(Table, on_delete=models.CASCADE, primary_key=True, related_name="pencil")
    holder = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    device = models.CharField(_("device"), max_length=36)
    taken_at = models.DateTimeField(_("taken"))
    seen_at = models.DateTimeField(_("last seen"))
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    asked_device = models.CharField(_("device that asks"), max_length=36, blank=True)
    asked_at = models.DateTimeField(_("asked"), null=True, blank=True)

    class Meta:
        verbose_name = _("pencil")
        verbose_name_plural = _("pencils")

    def __str__(self) -> str:
        return f"{self.table_id}: {self.holder}"


class Revision(models.Model):
    """One state of a hand, for ever: entered, or voided. The one with the highest number stands.

    `record` is the hand record as entered and completed from the chain, `result` the engine's answer to it; a voided
    revision keeps those of the revision it voids, so that it can be read on its own. `moved_minor` is what came into
    the pot between the hand before it and this one otherwise than by a hand; `dealer_set`: somebody said who dealt.
    A revision that a correction wrote names it in place of a submission; `recorder` is who wrote the hand down first.
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
    submission = models.OneToOneField(
        Submission, on_delete=models.PROTECT, null=True, blank=True, related_name="hand_revision"
    )
    correction = models.ForeignKey(
        Correction, on_delete=models.PROTECT, null=True, blank=True, related_name="revisions"
    )
    dealer_set = models.BooleanField(_("dealer named"), default=False)
    moved_minor = models.BigIntegerField(_("moved into the pot"), default=0)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True)
    recorder = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
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
            models.CheckConstraint(
                condition=models.Q(submission__isnull=False, correction__isnull=True)
                | models.Q(submission__isnull=True, correction__isnull=False),
                name="revision_of_a_submission_or_a_correction",
            ),
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


class Dispute(models.Model):
    """A player says that a hand was not so, or that the matter is settled. Append-only; the newest row of a player and
    hand holds. `revision` is the state of the hand that was looked at."""

    class Kind(models.TextChoices):
        RAISED = "raised", _("disputed")
        WITHDRAWN = "withdrawn", _("withdrawn")
        SETTLED = "settled", _("settled")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="disputes")
    revision = models.PositiveIntegerField(_("revision"))
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    text = models.CharField(_("what was it like"), max_length=300, blank=True)
    submission = models.OneToOneField(Submission, on_delete=models.PROTECT, related_name="dispute")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("dispute")
        verbose_name_plural = _("disputes")
        ordering: ClassVar = ["created_at"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(kind__in=["raised", "withdrawn", "settled"]), name="dispute_kind_known"
            ),
            models.CheckConstraint(condition=models.Q(revision__gte=1), name="dispute_revision_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.hand}: {self.get_kind_display()}"
