"""Webhooks for the screens, each with a log: one that works, one that fails, one that was switched off."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from league.models import Club, User, Webhook
from league.webhooks import queue, services

EVENTS = [event.value for event in services.EVENTS]
LONG = "https://receiver.example/very/long/path/for/a/club/with/a/long/name?token=" + "a1b2c3d4" * 8


def build(club: Club, owner: User) -> dict[str, str]:
    """Create three webhooks of a club; return the parameters of the addresses of their pages."""
    works = services.webhook_add(club=club, actor=owner, url="https://receiver.example/chratzete", events=EVENTS)
    fails = services.webhook_add(club=club, actor=owner, url=LONG, events=EVENTS[:1])
    off = services.webhook_add(club=club, actor=owner, url="https://gone.example/", events=EVENTS[1:])
    now = timezone.now()
    for nth, webhook in enumerate((works, fails, off)):
        for n in range(6):
            event = Webhook.Event(EVENTS[n % 3])
            message = queue.message(webhook.pk, event, club.slug, f"shown:{n}", {"evening": 7, "hands": [n + 1]})
            message.tries, message.tried_at, message.took_ms = 1 + nth, now, 84 + n
            message.status, message.error = ((204, ""), (500, "status"), (None, "refused"))[nth]
            message.delivered_at, message.next_at = ((now, None), (None, now + timedelta(minutes=5)), (None, None))[nth]
            message.save(force_insert=True)
    ping = queue.message(works.pk, Webhook.Event.PING, club.slug, "ping:1", {})
    # Its time is in the future, so that no worker sends it while pictures are taken.
    ping.next_at = now + timedelta(days=1)
    ping.save(force_insert=True)
    Webhook.objects.filter(pk=fails.pk).update(failing_since=now - timedelta(hours=3))
    Webhook.objects.filter(pk=off.pk).update(active=False, off_at=now, failing_since=now - timedelta(days=7))
    return {"webhook_works": str(works.pk), "webhook_fails": str(fails.pk), "webhook_off": str(off.pk)}
