"""Closings of evenings with their payments and receipts.

All append-only. A closing that is no longer valid is followed by the next one, which closes or reopens the evening.
"""

from __future__ import annotations

import uuid
from datetime import date
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .money import Account, Posting, Submission
from .people import Club, Player
from .season import Evening


class Closing(models.Model):
    """The closing of an evening, its reopening, or a cash-out: one player settles up while it is open.

    Of closings and reopenings the one with the highest number is valid. `pot` is the destination of the coins of the
    pots;
    `posting` has those transfers, None for empty pots. The kind `mended` is a closing by the correction of a hand.
    """

    class Kind(models.TextChoices):
        CLOSED = "closed", _("closed")
        MENDED = "mended", _("corrected")
        REOPENED = "reopened", _("opened again")
        CASHED = "cashed", _("settled up early")

    class Pot(models.TextChoices):
        CARRY = "carry", _("stays for the next evening")
        SHARE = "share", _("shared among those present")
        KITTY = "kitty", _("goes to the kitty")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    evening = models.ForeignKey(Evening, on_delete=models.PROTECT, related_name="closings")
    number = models.PositiveIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    pot = models.CharField(_("pot"), max_length=10, choices=Pot.choices, blank=True)
    posting = models.OneToOneField(Posting, on_delete=models.PROTECT, null=True, blank=True, related_name="closing")
    submission = models.OneToOneField(
        Submission, on_delete=models.PROTECT, null=True, blank=True, related_name="closing"
    )
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("end of an evening")
        verbose_name_plural = _("ends of evenings")
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["evening", "number"], name="closing_number_once_an_evening"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="closing_number_from_1"),
            models.CheckConstraint(
                condition=models.Q(kind__in=["closed", "mended"], pot__in=["carry", "share", "kitty"])
                | models.Q(kind__in=["reopened", "cashed"], pot="", posting__isnull=True),
                name="closing_pot_where_closed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.evening} · {self.get_kind_display()}"


class Payment(models.Model):
    """A payment that settles a part of an evening (`closing`), or a member fee (`fee_share`). The ledger says whether
    it was paid.

    A posting with the payment as its source marks it as paid; the reversal of that posting unmarks it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    closing = models.ForeignKey(Closing, on_delete=models.PROTECT, null=True, blank=True, related_name="payments")
    fee_share = models.OneToOneField(
        "league.MemberFeeShare", on_delete=models.PROTECT, null=True, blank=True, related_name="payment"
    )
    number = models.PositiveSmallIntegerField(_("number"))
    payer = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="+")
    payee = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="+")
    amount_minor = models.BigIntegerField(_("amount"))

    class Meta:
        verbose_name = _("payment")
        verbose_name_plural = _("payments")
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["closing", "number"], name="payment_number_once_a_closing"),
            models.CheckConstraint(condition=models.Q(amount_minor__gt=0), name="payment_amount_above_0"),
            models.CheckConstraint(condition=~models.Q(payer=models.F("payee")), name="payment_between_two_accounts"),
            models.CheckConstraint(
                condition=models.Q(closing__isnull=False, fee_share__isnull=True)
                | models.Q(closing__isnull=True, fee_share__isnull=False),
                name="payment_of_an_evening_or_a_fee",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.payer_id} → {self.payee_id}: {self.amount_minor}"

    @property
    def evening(self) -> Evening | None:
        """The evening that the payment settles; None for a member fee."""
        return self.closing.evening if self.closing else None

    @property
    def owed_on(self) -> date:
        """The day from which the amount is owed: that of the evening or of the fee."""
        if self.closing is not None:
            return self.closing.evening.held_on
        # The database has exactly one of both.
        assert self.fee_share is not None
        return self.fee_share.fee.day

    @property
    def fee_title(self) -> str:
        """The name of the member fee; empty for a payment of an evening."""
        return self.fee_share.fee.title if self.fee_share else ""


class PaymentDay(models.Model):
    """The day on which a payment was made, and the way, of a posting that marks it as paid. Append-only.

    The reversal of that posting has the same day. A posting without one counts on the day of its evening: the coins
    moved after each hand, or the evening was imported.
    """

    class Way(models.TextChoices):
        """How the amount went from one to the other; noted only, nothing is transferred here."""

        CASH = "cash", _("in cash")
        TWINT = "twint", _("with TWINT")
        TRANSFER = "transfer", _("by bank transfer")

    # The index begins with it.
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+", db_index=False)
    posting = models.OneToOneField(Posting, on_delete=models.PROTECT, related_name="payment_day")
    day = models.DateField(_("date"))
    way = models.CharField(_("way of paying"), max_length=8, choices=Way.choices, default=Way.CASH)

    class Meta:
        verbose_name = _("day of a payment")
        verbose_name_plural = _("days of payments")
        indexes: ClassVar = [models.Index(fields=["club", "day"], name="payment_day_club_day")]

    def __str__(self) -> str:
        return f"{self.posting_id}: {self.day}"


class Receipt(models.Model):
    """The sealed account of an evening at its closing.

    `digest` is the SHA-256 of the digest of the club's receipt before it, followed by `content` as canonical JSON.
    Names are stored apart, see `ReceiptName`.
    """

    closing = models.OneToOneField(Closing, on_delete=models.PROTECT, primary_key=True, related_name="receipt")
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="receipts")
    number = models.PositiveIntegerField(_("number"))
    content = models.JSONField(_("content"))
    digest = models.CharField(_("digest"), max_length=64)

    class Meta:
        verbose_name = _("receipt")
        verbose_name_plural = _("receipts")
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "number"], name="receipt_number_once_a_club"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="receipt_number_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.digest[:12]}"


class ReceiptName(models.Model):
    """The name of a player when a receipt was sealed.

    The seal covers only the SHA-256 of `salt` and `name`: the row is deleted when the player is forgotten, and without
    the salt nobody can guess the name from the hash.
    """

    receipt = models.ForeignKey(Receipt, on_delete=models.PROTECT, related_name="names")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    name = models.CharField(_("name"), max_length=40)
    salt = models.CharField(max_length=32)

    class Meta:
        verbose_name = _("name in a receipt")
        verbose_name_plural = _("names in receipts")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["receipt", "player"], name="receipt_name_once_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.receipt_id}: {self.player_id}"


class ReceiptOpening(models.Model):
    """How often a participant's link to a receipt was opened, and when: nothing else about the reader is stored."""

    receipt = models.ForeignKey(Receipt, on_delete=models.PROTECT, related_name="openings")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    count = models.PositiveIntegerField(_("opened"), default=1)
    first_at = models.DateTimeField(_("first"))
    last_at = models.DateTimeField(_("last"))

    class Meta:
        verbose_name = _("opened receipt")
        verbose_name_plural = _("opened receipts")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["receipt", "player"], name="receipt_opening_once_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.receipt_id}: {self.player_id}, {self.count}"
