"""Money that a treasurer books by hand, and the settings of a club's bills."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from .money import Posting, Submission
from .people import Club, Player


class KittyEntry(models.Model):
    """Money that the kitty spent or got, booked by a treasurer; or a share of a member fee (`MemberFeeShare`), which
    the person owes to the kitty from its day on. Append-only.

    Its id is the source of its postings: the first one moves the money (`posting`), a second one reverses it. `player`
    is the person who got or gave the money, None for anybody else. The reason is the posting's.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="kitty_entries")
    day = models.DateField(_("date"))
    player = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="kitty_entries")
    posting = models.OneToOneField(Posting, on_delete=models.PROTECT, related_name="kitty_entry")
    submission = models.OneToOneField(Submission, on_delete=models.PROTECT, related_name="kitty_entry")

    class Meta:
        verbose_name = _("kitty entry")
        verbose_name_plural = _("kitty entries")
        ordering: ClassVar = ["day", "posting__created_at"]

    def __str__(self) -> str:
        return f"{self.club} · {self.day}"


def fee_title(name: str, year: int) -> str:
    """Return the name of a member fee with its year, unless the name has it."""
    name = name or gettext("Member fee")
    return name if str(year) in name else f"{name} {year}"


class MemberFee(models.Model):
    """A member fee of one year, as it was booked for some people: `amount_minor` Rappen each, unless a share has
    another amount. Owed from its day on. Append-only."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="member_fees")
    year = models.PositiveSmallIntegerField(_("year"))
    name = models.CharField(_("name"), max_length=60)
    amount_minor = models.BigIntegerField(_("amount"))
    day = models.DateField(_("date"))
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True)
    submission = models.OneToOneField(Submission, on_delete=models.PROTECT, related_name="member_fee")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("member fee")
        verbose_name_plural = _("member fees")
        ordering: ClassVar = ["-year", "-created_at"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(amount_minor__gt=0), name="member_fee_amount_above_0"),
            models.CheckConstraint(condition=models.Q(year__gte=1900, year__lte=2200), name="member_fee_year_known"),
        ]

    def __str__(self) -> str:
        return f"{self.club} · {self.title}"

    @property
    def title(self) -> str:
        """The name with the year, also after it was emptied."""
        return fee_title(self.name, self.year)


class MemberFeeShare(models.Model):
    """The part of a member fee that one player owes, in Rappen. A player has one for each year that was not undone.

    `entry` is its posting from the player's account to the kitty, `payment` the outstanding payment. `undone_at` is
    set with the reversal of the posting; nothing else changes.
    """

    fee = models.ForeignKey(MemberFee, on_delete=models.PROTECT, related_name="shares")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="fee_shares")
    year = models.PositiveSmallIntegerField(_("year"))
    amount_minor = models.BigIntegerField(_("amount"))
    entry = models.OneToOneField(KittyEntry, on_delete=models.PROTECT, related_name="fee_share")
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)

    class Meta:
        verbose_name = _("share of a member fee")
        verbose_name_plural = _("shares of member fees")
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["player", "year"],
                condition=models.Q(undone_at__isnull=True),
                name="fee_share_once_a_player_and_year",
            ),
            models.CheckConstraint(condition=models.Q(amount_minor__gt=0), name="fee_share_amount_above_0"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} · {self.year}: {self.amount_minor}"


class FeeReminders(models.Model):
    """When those who want it are reminded of a member fee that they still owe: `first_days` days after its day, then
    every `every_days` days, `most` times at most. Without this row a club reminds nobody."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, primary_key=True, related_name="fee_reminders")
    first_days = models.PositiveSmallIntegerField(_("days until the first reminder"))
    every_days = models.PositiveSmallIntegerField(_("days between reminders"))
    most = models.PositiveSmallIntegerField(_("most reminders"))

    class Meta:
        verbose_name = _("reminders of member fees")
        verbose_name_plural = _("reminders of member fees")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(first_days__gte=1, every_days__gte=1, most__gte=1), name="fee_reminders_above_0"
            )
        ]

    def __str__(self) -> str:
        return f"{self.club_id}: {self.first_days}, {self.every_days}, {self.most}"


class BillingDetails(models.Model):
    """The account to which a club's bills are paid, with its holder's structured address; bills below `least_minor`
    (Rappen) are carried on."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, primary_key=True, related_name="billing_details")
    name = models.CharField(_("name"), max_length=70)
    street = models.CharField(_("street"), max_length=70, blank=True)
    house_number = models.CharField(_("house number"), max_length=16, blank=True)
    postcode = models.CharField(_("postcode"), max_length=16)
    town = models.CharField(_("town"), max_length=35)
    country = models.CharField(_("country"), max_length=2, default="CH")
    iban = models.CharField(_("IBAN"), max_length=21)
    least_minor = models.BigIntegerField(_("least amount"), default=0)

    class Meta:
        verbose_name = _("account for bills")
        verbose_name_plural = _("accounts for bills")
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(least_minor__gte=0), name="billing_least_not_negative")
        ]

    def __str__(self) -> str:
        return f"{self.club} · {self.iban}"


class BankEntry(models.Model):
    """A payment of a bank statement that was booked, once: `key` is the digest of the account and the bank's number of
    the payment, with its day and amount. Append-only.

    The payments of the ledger have its day. `player` is the person of the bill, `amount_minor` is Rappen.
    """

    # The unique constraint begins with it.
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="bank_entries", db_index=False)
    key = models.CharField(max_length=64)
    day = models.DateField(_("date"))
    amount_minor = models.BigIntegerField(_("amount"))
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="bank_entries")
    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="bank_entries")

    class Meta:
        verbose_name = _("payment of a bank statement")
        verbose_name_plural = _("payments of bank statements")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "key"], name="bank_entry_once_a_club"),
            models.CheckConstraint(condition=models.Q(amount_minor__gt=0), name="bank_entry_amount_above_0"),
        ]

    def __str__(self) -> str:
        return f"{self.club} · {self.day}"


class SentBill(models.Model):
    """A bill that was sent to a member by mail, once for each request (`key`). The address is not stored.

    The row is stored before the mail is sent: one that stayed `claimed` was perhaps sent, and is never sent by itself
    again. `amount_minor` (Rappen) is the sum of that day. The audit log has who sent it.
    """

    class State(models.TextChoices):
        CLAIMED = "claimed", _("perhaps sent")
        SENT = "sent", _("sent")
        FAILED = "failed", _("not sent")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    # The unique constraint and the index begin with it.
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="sent_bills", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="sent_bills")
    key = models.UUIDField()
    first = models.DateField(_("from"))
    last = models.DateField(_("to"))
    amount_minor = models.BigIntegerField(_("amount"))
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.CLAIMED)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("sent bill")
        verbose_name_plural = _("sent bills")
        ordering: ClassVar = ["-created_at"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "key", "player"], name="sent_bill_once_a_key"),
            models.CheckConstraint(
                condition=models.Q(state__in=["claimed", "sent", "failed"]), name="sent_bill_state_known"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["club", "last", "player"], name="sent_bill_club_last")]

    def __str__(self) -> str:
        return f"{self.club} · {self.player} · {self.last}"
