"""Whether the players of an account in several clubs are one person in cups: the person's own choice."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from ..models import CupConsent, User


def consents(user: User) -> bool:
    """Return True if the account agreed."""
    return CupConsent.objects.filter(user=user).exists()


@transaction.atomic
def consent_set(*, user: User, agreed: bool) -> None:
    """Agree, or take it back: every cup shows it at once."""
    if not agreed:
        CupConsent.objects.filter(user=user).delete()
        return
    CupConsent.objects.get_or_create(user=user, defaults={"agreed_at": timezone.now()})
