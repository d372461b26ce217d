"""The queue of clubs whose luck is to be counted (`league.luck`). Whatever ends, opens or recounts an evening asks
here; the sweep finds what was asked for."""

from __future__ import annotations

import uuid
from collections.abc import Collection

from django.db import connection
from django.db.models import Q
from django.utils import timezone

from ..features.table import LUCK
from ..models import Club, Evening, LuckOfEvening, LuckOfPlayer, LuckToCount


def ask(club: Club) -> None:
    """Let a worker look through the evenings of a club that uses the feature. One statement, in the transaction of the
    caller."""
    if LUCK.is_on(club):
        LuckToCount.objects.bulk_create(
            [LuckToCount(club=club, mark=uuid.uuid4(), due_at=timezone.now())],
            update_conflicts=True,
            unique_fields=["club"],
            update_fields=["mark", "due_at"],
        )


def recounted(club: Club, evenings: Collection[int]) -> None:
    """Forget the luck of evenings whose hands were counted again, and of those after them, whose shares were made of
    them. The caller holds the club's lock."""
    first = LuckOfEvening.objects.filter(evening__in=evenings).order_by("held_on", "evening_id").first()
    if first is not None:
        forget_from(first)
    if first is not None or Evening.objects.filter(pk__in=evenings, state=Evening.State.CLOSED).exists():
        ask(club)


def forget_from(first: LuckOfEvening) -> None:
    """Delete the luck of this evening and of all later ones of its club. The caller holds the club's lock."""
    later = Q(held_on__gt=first.held_on) | Q(held_on=first.held_on, evening__gte=first.evening_id)
    gone = list(LuckOfEvening.objects.filter(later, club=first.club_id).values_list("pk", flat=True))
    LuckOfPlayer.objects.filter(evening__in=gone)._raw_delete(using=connection.alias)
    LuckOfEvening.objects.filter(pk__in=gone)._raw_delete(using=connection.alias)
