"""When regular work was last done, and its number: the differences that `verify` found, the bytes of a backup."""

from __future__ import annotations

from django.utils import timezone

from ..models import Heartbeat

BACKUP, CLOCK, VERIFY = "backup", "clock", "verify"


def done(name: str, value: int | None = None) -> None:
    """Store that this work was done now."""
    now = {"at": timezone.now(), "value": value}
    if not Heartbeat.objects.filter(name=name).update(**now):
        Heartbeat.objects.update_or_create(name=name, defaults=now)
