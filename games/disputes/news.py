"""Disputes that were answered, for the page of the person who raised them."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from league.access import ClubAccess
from league.career.news import NewsItem
from league.features import uses

from ..models import Dispute


def disputes_answered(access: ClubAccess, player_ids: Collection[int], since: datetime) -> list[NewsItem]:
    """Return the disputes of these players that recorders settled since then, newest first. One query."""
    if not uses(access.club, "hand-dispute"):
        return []
    rows = Dispute.objects.filter(
        player__in=player_ids,
        kind=Dispute.Kind.SETTLED,
        created_at__gt=since,
        hand__table__evening__club=access.club,
    ).select_related("hand__table__evening")
    return [_item(access, row) for row in rows.order_by("-created_at")]


def _item(access: ClubAccess, row: Dispute) -> NewsItem:
    hand = row.hand
    where = {"club": access.club.slug, "table": hand.table_id, "number": hand.number}
    values = {"hand": hand.number, "evening": hand.table.evening.number}
    text = _("Your dispute of hand %(hand)s, evening %(evening)s, was answered") % values
    return NewsItem(f"{text}: {row.text}" if row.text else text, reverse("hand-dispute", kwargs=where))
