"""Files that a worker makes, and pictures that a club uploads; both are in the database, so that each process of the
service has them."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from .people import Club, User


class LargeFile(models.Model):
    """A file that was requested and that a worker makes. It is kept for a day after it was made.

    `subject` is the key of its subject, `options` are further parts of the request. `maker` is a random number of the
    process that makes it: it may write until `lease_until`, and renews that time while it works.
    """

    left_behind: ClassVar = True

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        MAKING = "making", _("being made")
        READY = "ready", _("ready")
        FAILED = "failed", _("not made")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="large_files")
    asker = models.ForeignKey(User, on_delete=models.CASCADE, related_name="large_files")
    kind = models.CharField(_("kind"), max_length=30)
    subject = models.BigIntegerField(_("subject"))
    form = models.CharField(_("form"), max_length=8)
    options = models.JSONField(_("options"), default=dict, blank=True)
    language = models.CharField(_("language"), max_length=10)
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.WAITING)
    fault = models.CharField(_("fault"), max_length=20, blank=True)
    attempts = models.SmallIntegerField(_("attempts"), default=0)
    maker = models.UUIDField(_("maker"), null=True, blank=True)
    lease_until = models.DateTimeField(_("lease until"), null=True, blank=True)
    rows = models.IntegerField(_("rows"))
    rows_done = models.IntegerField(_("rows done"), default=0)
    size = models.BigIntegerField(_("size"), default=0)
    asked_at = models.DateTimeField(_("asked"), auto_now_add=True)
    ready_at = models.DateTimeField(_("made"), null=True, blank=True)
    expires_at = models.DateTimeField(_("expires"))

    class Meta:
        verbose_name = _("large file")
        verbose_name_plural = _("large files")
        ordering: ClassVar = ["-asked_at"]
        indexes: ClassVar = [models.Index(fields=["state", "lease_until"], name="large_file_due")]

    def __str__(self) -> str:
        return f"{self.club_id} · {self.kind} · {self.form}"


class LargeFilePart(models.Model):
    """A part of the content of a large file. Parts of another maker than the file's are left over from one that was
    killed."""

    left_behind: ClassVar = True

    file = models.ForeignKey(LargeFile, on_delete=models.CASCADE, related_name="parts")
    maker = models.UUIDField(_("maker"))
    number = models.IntegerField(_("number"))
    content = models.BinaryField(_("content"))

    class Meta:
        verbose_name = _("part of a large file")
        verbose_name_plural = _("parts of large files")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["file", "maker", "number"], name="large_file_part_once")
        ]

    def __str__(self) -> str:
        return f"{self.file_id} · {self.number}"


class ClubLogo(models.Model):
    """A club's logo as PNG, drawn again from the uploaded picture. `Club.logo_mark` has its number."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, primary_key=True, related_name="logo")
    content = models.BinaryField(_("content"))
    width = models.PositiveSmallIntegerField(_("width"))
    height = models.PositiveSmallIntegerField(_("height"))

    class Meta:
        verbose_name = _("logo")
        verbose_name_plural = _("logos")

    def __str__(self) -> str:
        return f"{self.club_id}"
