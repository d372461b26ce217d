"""What an owner does with webhooks: add, change, make the secret anew, test, send again, remove."""

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
from .words import FAULTS

EVENTS = (Webhook.Event.HAND, Webhook.Event.CLOSED, Webhook.Event.COUNTED)
"""What a webhook can be told of."""
MAX_HOOKS = 10
MAX_URL = 400
OLD_SECRET_HOURS = 24
MAX_WAITING_BY_HAND = 20
"""So many tests and repetitions of one webhook wait at a time: it is no tool to flood somebody with."""


@transaction.atomic
def hook_add(*, club: Club, actor: User | None, url: str, events: Sequence[str]) -> Webhook:
    """A new webhook. Its `secret` is to be shown now, once.

    Raises:
        Refused: 422 for an address that messages may not go to, no event or an unknown one; 409 where the club has
            this address already, or too many of them.
    """
    url, chosen = _checked(url, events)
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    there = list(queue.standing().filter(club=club).values_list("url", flat=True))
    if url in there:
        raise _there_already()
    if len(there) >= MAX_HOOKS:
        sentence = _("A club has %(count)d webhooks at most. Remove one first.") % {"count": MAX_HOOKS}
        raise Refused(status=409, code="hooks", sentence=sentence)
    hook = Webhook.objects.create(club=club, url=url, events=chosen, secret=signing.new_secret(), author=actor)
    _log(hook, actor, "added")
    return hook


@transaction.atomic
def hook_change(
    *,
    hook: Webhook,
    actor: User | None,
    url: str | None = None,
    events: Sequence[str] | None = None,
    active: bool | None = None,
) -> Webhook:
    """Set what is given. Switched on again, it begins anew: what waits is due at once.

    Raises:
        Refused: as `hook_add`; 404 where it was removed.
    """
    locked = _locked(hook)
    new_url, chosen = _checked(locked.url if url is None else url, locked.events if events is None else events)
    on = locked.active if active is None else active
    if (new_url, chosen, on) == (locked.url, locked.events, locked.active):
        return locked
    if new_url != locked.url:
        if queue.standing().filter(club=locked.club_id, url=new_url).exists():
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
def hook_roll(*, hook: Webhook, actor: User | None) -> Webhook:
    """A new secret, to be shown now, once. For a day the one before it signs as well, so that the receiver can be
    changed in between.

    Raises:
        Refused: 404 where it was removed.
    """
    locked = _locked(hook)
    locked.old_secret, locked.secret = locked.secret, signing.new_secret()
    locked.old_until = timezone.now() + timedelta(hours=OLD_SECRET_HOURS)
    locked.save(update_fields=["secret", "old_secret", "old_until"])
    _log(locked, actor, "rolled")
    return locked


@transaction.atomic
def hook_remove(*, hook: Webhook, actor: User | None) -> None:
    """Remove a webhook and what waits for it. Removing it again changes nothing."""
    removed = (
        queue.standing()
        .filter(pk=hook.pk)
        .update(active=False, removed_at=timezone.now(), secret="", old_secret="", old_until=None)
    )
    if removed:
        queue.drop_waiting(hook)
        _log(hook, actor, "removed")


@transaction.atomic
def hook_ping(*, hook: Webhook, actor: User | None) -> Delivery:
    """Send a message that says nothing, to see whether it arrives.

    Raises:
        Refused: 404 where the webhook was removed, 409 where it is off, 429 where too many such messages wait.
    """
    locked = _sendable(hook)
    club = locked.club.slug
    ping = queue.message(locked.pk, Webhook.Event.PING, club, f"ping:{uuid.uuid4()}", {})
    ping.save(force_insert=True)
    queue.wake_after_commit()
    return ping


@transaction.atomic
def delivery_replay(*, delivery: Delivery, actor: User | None) -> Delivery:
    """Send a message again, the same to the letter and under the same id.

    Raises:
        Refused: as `hook_ping`.
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


def _sendable(hook: Webhook) -> Webhook:
    """The webhook, locked, with the way free: who sends by hand wants to see what comes of it now."""
    locked = _locked(hook)
    if not locked.active:
        raise Refused(status=409, code="off", sentence=_("This webhook is off. Switch it on first."))
    by_hand = Delivery.objects.filter(webhook=locked, next_at__isnull=False)
    by_hand = by_hand.exclude(event__in=EVENTS, replay_of=None)
    if by_hand.count() >= MAX_WAITING_BY_HAND:
        sentence = _("Too many messages wait for this webhook already. Try again later.")
        raise Refused(status=429, code="hooks", sentence=sentence)
    Webhook.objects.filter(pk=locked.pk).update(retry_at=None)
    return locked


def _locked(hook: Webhook) -> Webhook:
    # Not against a hand that is being stored meanwhile, and names the row in its message.
    found = (
        queue.standing().select_for_update(of=("self",), no_key=True).select_related("club").filter(pk=hook.pk).first()
    )
    if found is None:
        raise Refused(status=404, code="hook", sentence=_("There is no such webhook here."))
    return found


def _checked(url: str, events: Sequence[str]) -> tuple[str, list[str]]:
    """Address and events as they are stored. Raises Refused (422)."""
    url = url.strip()
    if len(url) > MAX_URL:
        raise Refused(status=422, code="url", sentence=_("The address is too long."), at="url")
    try:
        sending.target(url)
    except sending.Fault as fault:
        raise Refused(status=422, code="url", sentence=str(FAULTS[fault.code]), at="url") from fault
    known = [event.value for event in EVENTS]
    if any(event not in known for event in events):
        raise Refused(status=422, code="events", sentence=_("There is no such event."), at="events")
    if not events:
        raise Refused(status=422, code="events", sentence=_("Choose at least one event."), at="events")
    return url, [event for event in known if event in events]


def _there_already() -> Refused:
    sentence = _("There is a webhook with this address already. Change that one.")
    return Refused(status=409, code="url", sentence=sentence, at="url")


def _log(hook: Webhook, actor: User | None, did: str) -> None:
    # Not the address: a path may hold a secret of the receiver's.
    audit.write(What.WEBHOOK_CHANGED, club=hook.club, actor=actor, about=f"webhook:{hook.pk}", data={"did": did})
