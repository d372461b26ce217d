"""API keys for the screens: one in use, one for all clubs that was never used, one that expired."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from league.api_keys import services
from league.models import ApiToken, Club, User


def build(club: Club, owner: User) -> dict[str, str]:
    """Create three API keys of a user."""
    now = timezone.now()
    old = services.key_create(user=owner, name="Anzeige im Saal des Restaurants zur Krone", scopes=["read"], club=club)
    ApiToken.objects.filter(pk=old.key.pk).update(expiry=now - timedelta(days=3), used_at=now - timedelta(days=5))
    services.key_create(user=owner, name="Auswertung", scopes=["read", "record", "money", "manage"], days=365)
    used = services.key_create(user=owner, name="Tablet am Stammtisch", scopes=["read", "record"], club=club)
    ApiToken.objects.filter(pk=used.key.pk).update(used_at=now)
    return {}
