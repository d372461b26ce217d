"""The queue of messages: stored with the change that they report, sent by one sender at a time until they arrive.

A message is a row. It is stored in the transaction of the change, so that neither exists without the other. A worker
is woken after the commit; the sweep finds the messages of a lost wake-up. A webhook has one sender at a time
(`busy_until`), and a sender claims a message by moving its `next_at` on: the claims of a sender that dies run out, and
another one takes over. So a message arrives at least once.
"""

from __future__ import annotations

import json
import random
import time
import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from .. import after_commit, audit, locks
from ..audit import What
from ..config import celery
from ..models import Delivery, Webhook
from . import sending, signing, switched_off_mail
from .sending import Sent

BACK_OFF = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 2 * 60, 8 * 60, 24 * 60))
"""The wait after each failed try; after the last one the message is given up."""
JITTER = 0.1
"""The largest random part that is added to a wait, so that messages do not all come back at one moment."""
LEASE = timedelta(seconds=60)
"""The length of a claim: well over the time that a try may take."""
BREAK = timedelta(minutes=1)
"""The pause after a fault: a receiver that hangs costs a worker one time-out a minute at most."""
PATIENCE = timedelta(days=7)
"""A webhook is switched off after this time without a message that arrived."""
TURN_SECONDS = 30.0
"""A sender ends after this time, so that other webhooks get their turn."""

Data = Mapping[str, str | int | bool | list[int] | list[str] | None]


# --- Writing ----------------------------------------------------------------------------------------------


def not_removed() -> QuerySet[Webhook]:
    """Return the webhooks that were not removed."""
    return Webhook.objects.filter(removed_at=None)


def _active(club: int) -> QuerySet[Webhook]:
    return not_removed().filter(club_id=club, active=True).select_related("club")


def enqueue(event: Webhook.Event, *, club_id: int, subject: str, data: Data) -> int:
    """Store a message for each active webhook of a club that listens to this event; returns their number.

    Call it in the transaction of the reported change. `subject` identifies the event (`hand:…:2`): each
    webhook gets one message for a subject. `data` holds codes, numbers and ids, never a name or an amount.

    One query; a second one where a webhook listens.
    """
    messages = [
        message(webhook.pk, event, webhook.club.slug, subject, data)
        for webhook in _active(club_id)
        if event.value in webhook.events
    ]
    if messages:
        # A subject that has its message already gets no second one, and does not fail the transaction.
        Delivery.objects.bulk_create(messages, ignore_conflicts=True)
        wake_after_commit()
    return len(messages)


def message(webhook_id: uuid.UUID, event: Webhook.Event, club: str, subject: str, data: Data) -> Delivery:
    """Return a message that is due at once and not stored yet."""
    now, own = timezone.now(), uuid.uuid4()
    body = {"id": str(own), "event": event.value, "at": now.isoformat(), "club": club, "data": dict(data)}
    return Delivery(id=own, webhook_id=webhook_id, event=event, subject=subject, body=body, next_at=now)


def wake_after_commit() -> None:
    """Wake a sender, once, when the transaction is committed."""
    after_commit.once(celery.wake, "league.webhooks.tasks.send")


# --- Sending ----------------------------------------------------------------------------------------------


def due_webhooks(now: datetime | None = None) -> list[uuid.UUID]:
    """Return the webhooks that have a due message and no sender, the one with the oldest message first."""
    active = _free(not_removed().filter(active=True), now)
    waiting = Delivery.objects.filter(
        Exists(active.filter(pk=OuterRef("webhook_id"))), next_at__lte=now or timezone.now()
    )
    first = waiting.order_by().values("webhook_id").annotate(first=models.Min("next_at")).order_by("first")
    return [row["webhook_id"] for row in first]


def _free(webhooks: QuerySet[Webhook], now: datetime | None = None) -> QuerySet[Webhook]:
    return webhooks.filter(locks.free("busy_until", LEASE, now), locks.free("retry_at", BREAK, now))


def send_due(webhook_id: uuid.UUID) -> int:
    """Send the due messages of one webhook, oldest first, until a try fails; returns how many arrived.

    Returns 0 at once where another sender has the webhook.
    """
    rows, held = _free(not_removed().filter(pk=webhook_id, active=True)), Webhook.objects.none()
    arrived, until = 0, time.monotonic() + TURN_SECONDS
    try:
        while time.monotonic() < until and (webhook := locks.claim(rows, "busy_until", LEASE)) is not None:
            held = Webhook.objects.filter(pk=webhook_id, busy_until=webhook.busy_until)
            rows = held.filter(active=True, removed_at=None)
            claimed = _claim(webhook_id)
            if claimed is None or not mark(claimed, attempt(webhook, claimed)):
                break
            arrived += 1
    finally:
        held.update(busy_until=None)
    return arrived


def _claim(webhook_id: uuid.UUID) -> Delivery | None:
    """Claim the oldest due message for the length of a lease."""
    now = timezone.now()
    due = Delivery.objects.filter(webhook_id=webhook_id, next_at__lte=now).order_by("created_at", "pk")
    return locks.claim(due, "next_at", LEASE, tried_at=now, tries=F("tries") + 1)


def attempt(webhook: Webhook, delivery: Delivery) -> Sent:
    """Make one try. The body is the same each time; the signature contains the time."""
    body = json.dumps(delivery.body, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    timestamp = int(time.time())
    old_signs = webhook.old_secret and webhook.old_until and webhook.old_until > timezone.now()
    old = [webhook.old_secret] if old_signs else []
    headers = {
        "Content-Type": "application/json",
        "User-Agent": f"{settings.PRODUCT_NAME}/{settings.PRODUCT_VERSION}",
        "Chratzete-Event": delivery.event,
        "Chratzete-Delivery": delivery.body["id"],
        "Chratzete-Try": str(delivery.tries),
        signing.HEADER: signing.header([webhook.secret, *old], timestamp, body),
    }
    return sending.post(webhook.url, body, headers)


@transaction.atomic
def mark(delivery: Delivery, sent: Sent) -> bool:
    """Store the outcome of a try. Returns True if the message arrived."""
    now = timezone.now()
    outcome = {"status": sent.status, "error": sent.error, "took_ms": sent.took_ms}
    this = Delivery.objects.filter(pk=delivery.pk, delivered_at=None)
    webhook = Webhook.objects.select_related("club").get(pk=delivery.webhook_id)
    if not sent.error:
        this.update(**outcome, delivered_at=now, next_at=None)
        if webhook.failing_since or webhook.retry_at:
            Webhook.objects.filter(pk=webhook.pk).update(failing_since=None, retry_at=None)
            # The receiver answers again: send the waiting messages at once.
            Delivery.objects.filter(webhook=webhook, next_at__gt=now).update(next_at=now)
        return True
    in_use = webhook.active and webhook.removed_at is None
    this.update(**outcome, next_at=_next_try(delivery.tries, now) if in_use else None)
    since = webhook.failing_since or now
    Webhook.objects.filter(pk=webhook.pk).update(failing_since=since, retry_at=now + BREAK)
    if now - since >= PATIENCE:
        switch_off(webhook, now)
    return False


def _next_try(tries: int, now: datetime) -> datetime | None:
    if tries > len(BACK_OFF):
        return None
    return now + BACK_OFF[tries - 1] * random.uniform(1, 1 + JITTER)  # noqa: S311 - spreads load, keeps no secret


def switch_off(webhook: Webhook, now: datetime) -> None:
    """Switch a webhook off after `PATIENCE`, log it, and send its owners a mail."""
    if Webhook.objects.filter(pk=webhook.pk, active=True).update(active=False, off_at=now, retry_at=None):
        drop_waiting(webhook)
        about, data = f"webhook:{webhook.pk}", {"did": "switched_off"}
        audit.write(What.WEBHOOK_CHANGED, club=webhook.club, actor=None, about=about, data=data)
        switched_off_mail.switched_off(webhook)


def drop_waiting(webhook: Webhook) -> None:
    """Give up the messages that wait for this webhook."""
    Delivery.objects.filter(webhook=webhook, next_at__isnull=False).update(next_at=None)


def tidy(now: datetime | None = None) -> int:
    """Delete messages older than `WEBHOOKS_KEEP_DAYS` that do not wait, removed webhooks without messages, and old
    secrets that no longer sign; returns the number of messages."""
    # On PostgreSQL a message may be committed after its webhook was switched off or removed: nobody would send it.
    unused = Webhook.objects.filter(Q(active=False) | Q(removed_at__isnull=False))
    Delivery.objects.filter(webhook__in=unused, next_at__isnull=False).update(next_at=None)
    before = (now or timezone.now()) - timedelta(days=settings.WEBHOOKS_KEEP_DAYS)
    # A message goes after its replays: their rows refer to it.
    gone, _each = Delivery.objects.filter(created_at__lt=before, next_at=None, replays=None).delete()
    Webhook.objects.filter(removed_at__lt=before, deliveries=None).delete()
    Webhook.objects.filter(old_until__lt=now or timezone.now()).update(old_secret="", old_until=None)
    return gone
