"""Tables, seats, and hands with their revisions: everything else can be rebuilt from these records.

Triggers (`league/triggers.py`) refuse every UPDATE and DELETE of hands, revisions, seats, corrections and happenings.
"""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models import Account, Evening, Player, Posting, Submission, Version
from league.ordered_ids import ordered_id

MAX_NUMBER = 1_000_000
"""The highest number of a hand of a table, or of a version of house rules."""


class Table(models.Model):
    """One table of an evening: a chain of hands with one pot.

    `hands`, `pot_minor`, `dealer` and `deal_number` are the start of the next hand, and follow from the stored hands.
    Storing a hand locks this row and no other. `moved_minor` are the coins that came into the pot (below 0: left it)
    since the last hand other than by a hand; `pot_minor` includes them. `dealer_set`: the dealer was named and does not
    follow from the chain. `paused_at` is set during a pause. A `dissolved` table was merged into another one and takes
    no more hands.
    """

    evening = models.ForeignKey(Evening, on_delete=models.PROTECT, related_name="tables")
    number = models.PositiveSmallIntegerField(_("number"), default=1)
    pot_account = models.OneToOneField(Account, on_delete=models.PROTECT, related_name="table")
    # Without an index, a hand moves the deal and rewrites no index. Only the deletion of a player looks tables up by
    # these columns.
    first_dealer = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", db_index=False)
    hands = models.PositiveIntegerField(_("hands"), default=0)
    pot_minor = models.BigIntegerField(_("pot"), default=0)
    dealer = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", db_index=False)
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


class TableVersion(Version):
    """The version of a table with its hands, seats and happenings (`games/version_triggers.py`)."""

    table = models.OneToOneField(
        Table, on_delete=models.CASCADE, primary_key=True, related_name="version", db_constraint=False
    )

    class Meta:
        verbose_name = _("version of a table")
        verbose_name_plural = _("versions of tables")


class Place(models.Model):
    """A player's seat for the next hand. `seat` counts from 0 in the order of play."""

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


class FirstSeat(models.Model):
    """A player's seat when the evening began, for each evening that was begun with a key. Append-only.

    A phone that began the evening without a network names its guests by their seats until it has their ids.
    """

    # The unique constraint begins with it.
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="first_seats", db_index=False)
    seat = models.PositiveSmallIntegerField(_("seat"))
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")

    class Meta:
        verbose_name = _("first seat")
        verbose_name_plural = _("first seats")
        ordering: ClassVar = ["seat"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "seat"], name="first_seat_once_a_table"),
            models.CheckConstraint(condition=models.Q(seat__lte=6), name="first_seat_within_seven"),
        ]

    def __str__(self) -> str:
        return f"{self.seat}: {self.player_id}"


class Hand(models.Model):
    """A hand's place in the chain of its table. Its records are in its revisions."""

    id = models.UUIDField(primary_key=True, default=ordered_id)
    # The unique constraint begins with it.
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="hand_set", db_index=False)
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
    """A correction of stored hands; the revisions that it wrote refer to it.

    `number` is the first hand that it changed, `details` the other data of its kind ({"to": 7} for a moved hand).
    `before` and `after` are each player's sum at the table in Rappen, by the player's id as text.
    """

    class Kind(models.TextChoices):
        CHANGED = "changed", _("corrected")
        VOIDED = "voided", _("removed")
        INSERTED = "inserted", _("added")
        MOVED = "moved", _("moved")
        SEATS = "seats", _("seats corrected")

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
    """The record of a seating change or of a carried pot, for the timeline of a table; `after` is the number of hands
    before it.

    `data` depends on the kind: {"player", "after"} for an arrival, and so on. `posting` has the coins that moved
    between pots, if any did.
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
    """The recorder who enters the hands of a table, and the device. `asked_*` is a recorder who wants to take over.

    It keeps two recorders from entering at once, but is no lock: the number of the hand decides.
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
    """One stored version of a hand, entered or voided. The newest one is valid if it is not voided.

    `record` is the hand record as entered, completed from the chain; `result` is the engine's result. A voided revision
    has those of the revision that it voids, so that it can be read on its own. `moved_minor` are the coins that came
    into the pot between the hand before and this one, other than by a hand; `dealer_set`: the dealer was named. A
    revision refers to its submission, or to the correction that wrote it. `recorder` entered the hand first.
    """

    class Kind(models.TextChoices):
        ENTERED = "entered", _("entered")
        VOIDED = "voided", _("voided")

    # The unique constraint begins with it.
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="revisions", db_index=False)
    number = models.PositiveIntegerField(_("revision"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    record = models.JSONField(_("record"))
    result = models.JSONField(_("result"))
    posting = models.OneToOneField(Posting, on_delete=models.PROTECT, related_name="hand_revision")
    submission = models.OneToOneField(
        Submission, on_delete=models.PROTECT, null=True, blank=True, related_name="hand_revision"
    )
    # Its index has no rows without a correction: SQLite would look among these for the hands of one table.
    correction = models.ForeignKey(
        Correction, on_delete=models.PROTECT, null=True, blank=True, related_name="revisions", db_index=False
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
        indexes: ClassVar = [
            models.Index(
                fields=["correction"], condition=models.Q(correction__isnull=False), name="revision_of_correction"
            )
        ]

    def __str__(self) -> str:
        return f"{self.hand} r{self.number}"


class Seat(models.Model):
    """A player's seat in one revision of a hand."""

    # The unique constraints begin with it.
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField(_("seat"))
    # Without an index, which every hand would write at five places: the result rows lead from a player to the hands.
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", db_index=False)

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
    """A dispute that was raised, withdrawn or settled. Append-only; the newest row of a player and hand is valid.
    `revision` is the number of the revision that the author saw."""

    class Kind(models.TextChoices):
        RAISED = "raised", _("disputed")
        WITHDRAWN = "withdrawn", _("withdrawn")
        SETTLED = "settled", _("settled")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="disputes")
    revision = models.PositiveIntegerField(_("revision"))
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    text = models.CharField(_("how it was"), max_length=300, blank=True)
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
        # For the list of unsettled disputes, which would else be read from the hands of the club.
        indexes: ClassVar = [models.Index(fields=["kind", "created_at", "id"], name="dispute_kind_created")]

    def __str__(self) -> str:
        return f"{self.hand}: {self.get_kind_display()}"


class Verified(models.Model):
    """A part of the stored data that agreed with the hand records at its last check (`games.integrity.verified`).

    `subject` is the part, such as `evening:12`; `state` is that of its data then.
    """

    subject = models.CharField(max_length=40, primary_key=True)
    state = models.CharField(max_length=80)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("verified part")
        verbose_name_plural = _("verified parts")

    def __str__(self) -> str:
        return self.subject
