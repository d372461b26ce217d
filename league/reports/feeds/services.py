"""Renewing the secret links of a club's feeds."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F, Value
from django.db.models.functions import Coalesce

from ... import audit
from ...audit import What
from ...models import Club, User


@transaction.atomic
def links_renew(*, club: Club, actor: User | None) -> None:
    """Make the links of a club invalid; there are new ones at once."""
    Club.objects.filter(pk=club.pk).update(feeds_mark=Coalesce(F("feeds_mark"), Value(0)) + 1)
    data: audit.Data = {"fields": ["feeds_mark"]}
    audit.write(What.CLUB_CHANGED, club=club, actor=actor, about=f"club:{club.pk}", data=data)
