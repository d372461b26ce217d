"""Queries on webhooks and their messages, for pages and API."""

from __future__ import annotations

import uuid

from django.db.models import Count, Q, QuerySet

from ..models import Club, Delivery, Webhook
from .queue import not_removed

PAGE = 30


def webhooks_of(club: Club) -> QuerySet[Webhook]:
    """A club's webhooks, the oldest first, each with the number of messages that wait (`waiting`)."""
    waiting = Count("deliveries", filter=Q(deliveries__next_at__isnull=False))
    return not_removed().filter(club=club).annotate(waiting=waiting).order_by("created_at", "pk")


def webhook_of(club: Club, pk: uuid.UUID) -> Webhook | None:
    """One of a club's webhooks."""
    return webhooks_of(club).filter(pk=pk).first()


def deliveries_of(webhook: Webhook) -> QuerySet[Delivery]:
    """A webhook's messages, the newest first."""
    return Delivery.objects.filter(webhook=webhook).order_by("-created_at", "-pk")


def delivery_of(club: Club, pk: uuid.UUID) -> Delivery | None:
    """One message to one of a club's webhooks."""
    rows = Delivery.objects.select_related("webhook__club")
    return rows.filter(pk=pk, webhook__club=club, webhook__removed_at=None).first()


def page(webhook: Webhook, after: uuid.UUID | None = None) -> tuple[list[Delivery], uuid.UUID | None]:
    """Thirty messages older than `after`, and the last one of them as the next `after`; None at the end of the log.

    Two queries at most.
    """
    rows = deliveries_of(webhook)
    if after is not None:
        created_at = rows.filter(pk=after).values_list("created_at", flat=True).first()
        if created_at is None:
            return [], None
        rows = rows.filter(Q(created_at__lt=created_at) | Q(created_at=created_at, pk__lt=after))
    deliveries = list(rows[: PAGE + 1])
    return deliveries[:PAGE], deliveries[PAGE - 1].pk if len(deliveries) > PAGE else None
