"""Answers of API writes, so that a repeated request gets the same answer."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class KeptAnswer(models.Model):
    """The answer to one write of one person, encrypted under the write's idempotency key, which is not stored here.

    `digest` and `fingerprint` are HMACs under the key: the first finds the row and is unique, the second identifies the
    request. `sealed` is the encrypted answer.
    """

    digest = models.CharField(max_length=64, unique=True)
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(_("answer"), default=0)
    sealed = models.BinaryField(default=b"")
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = _("kept answer")
        verbose_name_plural = _("kept answers")
        ordering: ClassVar = ["-pk"]

    def __str__(self) -> str:
        return self.digest[:12]
