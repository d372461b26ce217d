"""Invitations, API keys, merges of players, and the audit log."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken

from .people import Club, Player, Role, User


class Invitation(models.Model):
    """A link by which one person joins a club, once and until `expires_at`. Only the SHA-256 of the link is stored.

    The person who accepts it becomes `player`, if it names one. `taken_by` is the account that was created through the
    link; no other account can accept it then.
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
    used_at = models.DateTimeField(_("accepted"), null=True, blank=True)
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    revoked_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)

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
    """An API key: a program acts for its owner, within `scopes` and, where `club` is set, in that club only.

    The key is shown once; only its SHA-512 is stored. At each request it has the rights that its owner has in the club
    at that time and that its scopes include.
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
    """A merge of two players into one person, or its end. Append-only; the newest row of `player` is valid.

    With `joined` the hands of `player` count for `main` from then on, otherwise for `player` again.
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
    """One line of a club's audit log, for its owners. Append-only.

    `club` is empty for actions on the whole server. `what` is a code of `league.audit`, `about` the subject
    (`player:12`). `data` has what else the sentence needs: codes, numbers and ids, never a name or an address.
    `actor` is empty if nobody was signed in; `token` is the name of the API key.
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
