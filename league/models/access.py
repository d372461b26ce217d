"""Letting people in: invitations to a club, tokens for programs, and the log of who did what."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken

from .people import Club, Player, Role, User


class Invitation(models.Model):
    """A link that lets one person into a club, once and until `expires_at`; of the link only its SHA-256 is kept.

    `player`: whoever takes it up is that player from then on. Without a role above member it grants none beyond it.
    `taken_by`: the account that was made by way of it; nobody else can take it up.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(_("role"), max_length=10, choices=Role.choices, default=Role.MEMBER)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, blank=True, related_name="invitations")
    note = models.CharField(_("for whom"), max_length=80, blank=True)
    digest = models.CharField(max_length=64, unique=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(_("valid until"))
    taken_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    used_at = models.DateTimeField(_("taken up"), null=True, blank=True)
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    revoked_at = models.DateTimeField(_("taken back"), null=True, blank=True)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering: ClassVar = ["-created_at"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="invitation_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.club} · {self.get_role_display()}"


class ApiToken(AbstractAuthToken):
    """A key for a program that acts for its owner, within `scopes` and, where `club` is set, in that club alone.

    Shown once; stored is its SHA-512 alone. What it may do is its owner's right in the club at the time of each
    request, less what the scopes leave out.
    """

    class Scope(models.TextChoices):
        READ = "read", _("read")
        RECORD = "record", _("record and correct hands, close evenings, mark payments")
        MONEY = "money", _("see amounts and the ledger")
        MANAGE = "manage", _("manage clubs, players, seasons and rules")

    name = models.CharField(_("name"), max_length=60)
    scopes = models.JSONField(_("scopes"), default=list)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    used_at = models.DateTimeField(_("last used"), null=True, blank=True)

    class Meta:
        verbose_name = _("token")
        verbose_name_plural = _("tokens")
        ordering: ClassVar = ["-created"]

    def __str__(self) -> str:
        return self.name


class PlayerMerge(models.Model):
    """Two players turned out to be one person, or not after all. Append-only; the newest row of `player` holds.

    `joined`: from then on what `player` did counts for `main`. Otherwise the two are apart again.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="merges")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="merges")
    main = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    joined = models.BooleanField(_("one person"), default=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("merge of players")
        verbose_name_plural = _("merges of players")
        ordering: ClassVar = ["created_at"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=~models.Q(player=models.F("main")), name="merge_of_two_players"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} → {self.main_id}"


class AuditEntry(models.Model):
    """One line of a club's log: who did what, when, to what. Append-only, for owners.

    `club` is empty for what concerns the whole server. `what` is a code of `league.audit`; `about` names the thing
    (`player:12`), `data` what else the sentence needs: codes, numbers and ids, never a name or an address.
    `actor` stays empty for what nobody signed in did; `token` names the program's key.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, null=True, blank=True, related_name="log")
    at = models.DateTimeField(auto_now_add=True)
    actor = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    token = models.CharField(_("token"), max_length=60, blank=True)
    what = models.CharField(_("what"), max_length=40)
    about = models.CharField(_("about"), max_length=80, blank=True)
    data = models.JSONField(_("data"), default=dict)

    class Meta:
        verbose_name = _("entry of the log")
        verbose_name_plural = _("entries of the log")
        ordering: ClassVar = ["-pk"]
        indexes: ClassVar = [models.Index(fields=["club", "-id"], name="log_of_a_club")]

    def __str__(self) -> str:
        return f"{self.at:%F %T} {self.what} {self.about}"
