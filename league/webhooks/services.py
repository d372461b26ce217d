"""Add, change, test and remove webhooks, replace their secrets, send messages again."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from .. import audit
from ..audit import What
from ..errors import Refused
from ..models import Club, Delivery, User, Webhook
from . import queue, sending, signing
from .delivery_sentences import FAULTS

EVENTS = tuple(event for event in Webhook.Event if event is not Webhook.Event.PING)
"""The events to which a webhook can listen."""
MAX_WEBHOOKS = 10
MAX_URL = 400
OLD_SECRET_HOURS = 24
MAX_WAITING_BY_HAND = 20
"""The most tests and replays of one webhook that wait at a time, so that nobody floods a receiver."""


@transaction.atomic
def webhook_add(*, club: Club, actor: User | None, url: str, events: Sequence[str]) -> Webhook:
    """Add a webhook. Show its `secret` now; it is not shown again.

    Raises:
        Refused: 422 for an address to which nothing may be sent, no event or an unknown one; 409 where the club has
            this address already, or too many of them.
    """
    url, chosen = _allowed(url), _known_events(events)
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    there = list(queue.not_removed().filter(club=club).values_list("url", flat=True))
    if url in there:
        raise _there_already()
    if len(there) >= MAX_WEBHOOKS:
        sentence = _("A club has %(count)d webhooks at most. Remove one first.") % {"count": MAX_WEBHOOKS}
        raise Refused(status=409, code="webhooks", sentence=sentence)
    webhook = Webhook.objects.create(club=club, url=url, events=chosen, secret=signing.new_secret(), author=actor)
    _log(webhook, actor, "added")
    return webhook


@transaction.atomic
def webhook_change(
    *,
    webhook: Webhook,
    actor: User | None,
    url: str | None = None,
    events: Sequence[str] | None = None,
    active: bool | None = None,
) -> Webhook:
    """Change the given fields. Switching a webhook on clears its faults: it is tried at once.

    Raises:
        Refused: as `webhook_add`; 404 where it was removed.
    """
    # The club is locked as in webhook_add: of two requests for one address the second sees the first.
    Club.objects.select_for_update(no_key=True).get(pk=webhook.club_id)
    locked = _locked(webhook)
    on = locked.active if active is None else active
    chosen = locked.events if events is None else _known_events(events)
    # An address that is stored stays, so that a webhook can be switched off whatever was allowed when it was added.
    same = not on and url in (None, locked.url)
    new_url = locked.url if same else _allowed(locked.url if url is None else url)
    if (new_url, chosen, on) == (locked.url, locked.events, locked.active):
        return locked
    if new_url != locked.url:
        if queue.not_removed().filter(club=locked.club_id, url=new_url).exists():
            raise _there_already()
        # A new address starts without the faults of the old one.
        locked.failing_since = locked.retry_at = None
    if on and not locked.active:
        locked.failing_since = locked.retry_at = locked.off_at = None
    elif not on and locked.active:
        queue.drop_waiting(locked)
    locked.url, locked.events, locked.active = new_url, chosen, on
    locked.save(update_fields=["url", "events", "active", "failing_since", "retry_at", "off_at"])
    _log(locked, actor, "changed")
    return locked


@transaction.atomic
def webhook_roll(*, webhook: Webhook, actor: User | None) -> Webhook:
    """Replace the secret; show the new one now, it is not shown again. The old one signs for a day as well, so that
    the receiver can be changed in between.

    Raises:
        Refused: 404 where it was removed.
    """
    locked = _locked(webhook)
    locked.old_secret, locked.secret = locked.secret, signing.new_secret()
    locked.old_until = timezone.now() + timedelta(hours=OLD_SECRET_HOURS)
    locked.save(update_fields=["secret", "old_secret", "old_until"])
    _log(locked, actor, "rolled")
    return locked


@transaction.atomic
def webhook_remove(*, webhook: Webhook, actor: User | None) -> None:
    """Remove a webhook and the messages that wait for it. A second call changes nothing."""
    removed = queue.not_removed().filter(pk=webhook.pk)
    if removed.update(active=False, removed_at=timezone.now(), secret="", old_secret="", old_until=None):
        queue.drop_waiting(webhook)
        _log(webhook, actor, "removed")


@transaction.atomic
def webhook_ping(*, webhook: Webhook, actor: User | None) -> Delivery:
    """Send a message without data, to see whether it arrives.

    Raises:
        Refused: 404 where the webhook was removed, 409 where it is off, 429 where too many such messages wait.
    """
    locked = _sendable(webhook)
    club = locked.club.slug
    ping = queue.message(locked.pk, Webhook.Event.PING, club, f"ping:{uuid.uuid4()}", {})
    ping.save(force_insert=True)
    queue.wake_after_commit()
    return ping


@transaction.atomic
def delivery_replay(*, delivery: Delivery, actor: User | None) -> Delivery:
    """Send a message again, with the same body and id.

    Raises:
        Refused: as `webhook_ping`.
    """
    locked = _sendable(delivery.webhook)
    again = Delivery.objects.create(
        webhook=locked,
        event=delivery.event,
        subject=delivery.subject,
        body=delivery.body,
        next_at=timezone.now(),
        replay_of_id=delivery.replay_of_id or delivery.pk,
    )
    queue.wake_after_commit()
    return again


def _sendable(webhook: Webhook) -> Webhook:
    """Lock a webhook and end its pause: a message that a person sends is tried now."""
    locked = _locked(webhook)
    if not locked.active:
        raise Refused(status=409, code="off", sentence=_("This webhook is off. Switch it on first."))
    by_hand = Delivery.objects.filter(webhook=locked, next_at__isnull=False)
    by_hand = by_hand.exclude(event__in=EVENTS, replay_of=None)
    if by_hand.count() >= MAX_WAITING_BY_HAND:
        sentence = _("Too many messages wait for this webhook already. Try again later.")
        raise Refused(status=429, code="webhooks", sentence=sentence)
    Webhook.objects.filter(pk=locked.pk).update(retry_at=None)
    return locked


def _locked(webhook: Webhook) -> Webhook:
    # The weaker lock: a hand that is being stored refers to this row and need not wait.
    rows = queue.not_removed().select_for_update(of=("self",), no_key=True).select_related("club")
    locked = rows.filter(pk=webhook.pk).first()
    if locked is None:
        raise Refused(status=404, code="webhook", sentence=_("There is no such webhook here."))
    return locked


def _allowed(url: str) -> str:
    """Return the address as it is stored. Raises Refused (422)."""
    url = url.strip()
    if len(url) > MAX_URL:
        raise Refused(status=422, code="url", sentence=_("The address is too long."), at="url")
    try:
        sending.target(url)
    except sending.Fault as fault:
        raise Refused(status=422, code="url", sentence=str(FAULTS[fault.code]), at="url") from fault
    return url


def _known_events(events: Sequence[str]) -> list[str]:
    """Return the events in their order. Raises Refused (422)."""
    known = [event.value for event in EVENTS]
    if any(event not in known for event in events):
        raise Refused(status=422, code="events", sentence=_("There is no such event."), at="events")
    if not events:
        raise Refused(status=422, code="events", sentence=_("Choose at least one event."), at="events")
    return [event for event in known if event in events]


def _there_already() -> Refused:
    sentence = _("There is already a webhook with this address. Change that one.")
    return Refused(status=409, code="url", sentence=sentence, at="url")


def _log(webhook: Webhook, actor: User | None, did: str) -> None:
    # Without the address: its path may contain a secret of the receiver.
    audit.write(What.WEBHOOK_CHANGED, club=webhook.club, actor=actor, about=f"webhook:{webhook.pk}", data={"did": did})
