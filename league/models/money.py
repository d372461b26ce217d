"""The ledger, the result rows and the submissions.

A transfer is balanced by construction: the amount taken from one account is given to the other. Database triggers
(`league/triggers.py`) refuse every UPDATE and DELETE of postings, transfers and submissions, transfers between two
clubs, and a posting whose result rows do not add up to its transfers.
"""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .people import Club, Player
from .season import Evening, Season


class Account(models.Model):
    """A ledger account of a club: of a player, of a table's pot, the kitty, the box for a pot that waits for the next
    evening, or everything outside the club: where money from the kitty is spent, and where it comes from."""

    class Kind(models.TextChoices):
        PLAYER = "player", _("player")
        POT = "pot", _("pot")
        KITTY = "kitty", _("kitty")
        BOX = "box", _("carried pot")
        OUTSIDE = "outside", _("outside the club")

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="accounts")
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    player = models.OneToOneField(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="account")

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(kind="player", player__isnull=False)
                | models.Q(kind__in=["pot", "kitty", "box", "outside"], player__isnull=True),
                name="account_player_exactly_for_players",
            ),
            models.UniqueConstraint(fields=["club"], condition=models.Q(kind="kitty"), name="account_one_kitty_a_club"),
            models.UniqueConstraint(fields=["club"], condition=models.Q(kind="box"), name="account_one_box_a_club"),
            models.UniqueConstraint(
                fields=["club"], condition=models.Q(kind="outside"), name="account_one_outside_a_club"
            ),
        ]

    def __str__(self) -> str:
        return str(self.player) if self.player_id else f"{self.get_kind_display()} {self.pk}"


class Posting(models.Model):
    """One event of the ledger with all its transfers: a hand, a pot that moves, the end of an evening, a payment
    between two players, money that the kitty spent or got, or the reversal of one of these.

    `source` is the id of the cause (such as a hand), `revision` its version. `evening` is None for money that the kitty
    spent or got. A reversal has the transfers of the posting that it `reverses`, each with from and to exchanged.
    """

    id = models.UUIDField(primary_key=True)
    # No query reads the postings of a club or season, and each index is written with every hand.
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="postings", db_index=False)
    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="postings", db_index=False)
    evening = models.ForeignKey(Evening, on_delete=models.PROTECT, null=True, blank=True, related_name="postings")
    source = models.UUIDField(_("source"))
    revision = models.PositiveIntegerField(_("revision"))
    reverses = models.OneToOneField("self", on_delete=models.PROTECT, null=True, blank=True, related_name="reversed_by")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("posting")
        verbose_name_plural = _("postings")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["source", "revision"], name="posting_once_a_revision"),
            models.CheckConstraint(condition=models.Q(revision__gte=1), name="posting_revision_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.source} r{self.revision}"


class Transfer(models.Model):
    """`amount_minor` Rappen from one ledger account to another. Never changed."""

    class Kind(models.TextChoices):
        ANTE = "ante", _("ante")
        CUT = "cut", _("cut")
        PAYOUT = "payout", _("payout")
        PENALTY = "penalty", _("penalty")
        SEVEN = "seven", _("seven of Schellen lost")
        MOVED = "moved", _("pot moved")
        SHARE = "share", _("share of the pot")
        PAID = "paid", _("paid")
        SPENT = "spent", _("spent")
        BROUGHT = "brought", _("brought in")
        FEE = "fee", _("member fee")

    posting = models.ForeignKey(Posting, on_delete=models.PROTECT, related_name="transfers")
    # The indexes of these three begin with them.
    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="+", db_index=False)
    from_account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="paid", db_index=False)
    to_account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="received", db_index=False)
    amount_minor = models.BigIntegerField(_("amount"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)

    class Meta:
        verbose_name = _("transfer")
        verbose_name_plural = _("transfers")
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(amount_minor__gt=0), name="transfer_amount_above_0"),
            models.CheckConstraint(
                condition=models.Q(amount_minor__lte=1_000_000_000_000_000),
                name="transfer_amount_within_limits",
            ),
            models.CheckConstraint(
                condition=~models.Q(from_account=models.F("to_account")), name="transfer_between_two_accounts"
            ),
        ]
        # Files and pages are read in the order of storage, from any row on: of a season, of one kind, of an account.
        indexes: ClassVar = [
            models.Index(fields=["season", "id"], name="transfer_season_id"),
            models.Index(fields=["season", "kind", "id"], name="transfer_season_kind_id"),
            models.Index(fields=["from_account", "kind", "id"], name="transfer_from_kind_id"),
            models.Index(fields=["to_account", "kind", "id"], name="transfer_to_kind_id"),
        ]

    def __str__(self) -> str:
        return f"{self.from_account_id} → {self.to_account_id}: {self.amount_minor}"


class ResultRow(models.Model):
    """The result of one hand for one player. Standings and statistics are counted from these rows.

    Only the valid revision of a hand has rows (a voided hand has none); `rebuild` makes them again from the hands.
    `pot_won_minor` is the payout from the pot, `change_minor` the change of the player's account, ante included. A row
    with the role `share` is no hand, but a share of a pot that was divided when the evening ended, or the gain or loss
    of a player at a table of a tournament that handed in a sheet instead of its hands.
    """

    class Role(models.TextChoices):
        DECLARER = "declarer", _("declarer")
        JOINER = "joiner", _("joiner")
        OUT = "out", _("out")
        SHARE = "share", _("share of the pot")

    posting = models.ForeignKey(Posting, on_delete=models.PROTECT, related_name="results")
    # The indexes below begin with the season, the evening, or the player.
    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="results", db_index=False)
    evening = models.ForeignKey(Evening, on_delete=models.PROTECT, related_name="results", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="results", db_index=False)
    source = models.UUIDField()
    revision = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField(_("seat"))
    role = models.CharField(_("role"), max_length=10, choices=Role.choices)
    made = models.BooleanField(_("reached the goal"), null=True)
    tricks = models.PositiveSmallIntegerField(_("tricks"), null=True)
    walkover = models.BooleanField(_("walkover"), default=False)
    passed_out = models.BooleanField(_("passed out"), default=False)
    muss = models.BooleanField(_("Muss"), default=False)
    blind = models.CharField(_("blind"), max_length=10, blank=True)
    susi = models.BooleanField(_("Susi"), default=False)
    pot_won_minor = models.BigIntegerField(_("won from the pot"), default=0)
    change_minor = models.BigIntegerField(_("change"))

    class Meta:
        verbose_name = _("result row")
        verbose_name_plural = _("result rows")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["source", "player"], name="result_once_a_player_and_hand"),
            models.UniqueConstraint(fields=["source", "seat"], name="result_once_a_seat_and_hand"),
            models.CheckConstraint(
                condition=models.Q(role__in=["declarer", "joiner", "out", "share"]), name="result_role_known"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["player", "season"], name="result_player_season"),
            models.Index(fields=["season", "id"], name="result_season_id"),
            models.Index(fields=["evening", "player"], name="result_evening_player"),
            # The hands of an evening: each has one row of seat 0.
            models.Index(
                fields=["evening"], condition=models.Q(seat=0) & ~models.Q(role="share"), name="result_hand_of_evening"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.change_minor}"


class Submission(models.Model):
    """The idempotency key of a write. The stored result refers to it, so that a repeated request gets the same answer.

    Of two requests at once with one key the unique constraint lets one through.
    """

    # The unique constraint begins with it; no query reads the submissions of an author.
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+", db_index=False)
    key = models.UUIDField()
    body_hash = models.CharField(max_length=64)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, db_index=False
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("submission")
        verbose_name_plural = _("submissions")
        constraints: ClassVar = [models.UniqueConstraint(fields=["club", "key"], name="submission_key_once_a_club")]

    def __str__(self) -> str:
        return str(self.key)
