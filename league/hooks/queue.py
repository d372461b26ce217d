"""The messages that wait: written with what they tell, claimed by one sender at a time, sent again until they arrive.

A message is a row. It is written in the transaction of the deed, so that neither is there without the other; a worker
is woken after the commit, and the sweep finds what a lost wake-up missed. A webhook has one sender at a time
(`busy_until`), a message is claimed by moving its `next_at` on: a sender that dies leaves both to whoever comes after.
So a message arrives at least once.
"""

from __future__ import annotations

import json
import random
import time
import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, TypeVar, cast

from django.conf import settings
from django.db import connection, models, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, TextField
from django.db.models.expressions import RawSQL
from django.utils import timezone

from .. import audit
from ..audit import What
from ..models import Delivery, Webhook
from . import notices, sending, signing
from .sending import Sent

if TYPE_CHECKING:
    from ..config.celery import WakeUpTask

BACK_OFF = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 2 * 60, 8 * 60, 24 * 60))
"""How long after each try in vain the next one comes; after the last of them it is given up."""
JITTER = 0.1
"""So much longer, at most, each wait is, by chance: not all messages come back at one moment."""
LEASE = timedelta(seconds=60)
"""A claim holds so long: well over the time that a try may take."""
BREAK = timedelta(minutes=1)
"""After a fault the address is left alone: one that is hung costs a worker one time-out a minute at most."""
PATIENCE = timedelta(days=7)
"""After so long without one message that arrived a webhook is switched off."""
TURN_SECONDS = 30.0
"""A sender that has been at it so long lets others have a turn."""

Data = Mapping[str, str | int | bool | list[int] | list[str] | None]
Row = TypeVar("Row", bound=models.Model)


# --- Writing ----------------------------------------------------------------------------------------------


LINES = """(SELECT {join}(CAST(w.id AS text) || ' ' || c.slug || ' ' || CAST(w.events AS text), '\n')
    FROM league_webhook w JOIN league_club c ON c.id = w.club_id
    WHERE w.club_id = {table}.{club} AND w.active AND w.removed_at IS NULL)"""


def with_hooks(rows: QuerySet[Row], club: str) -> QuerySet[Row]:
    """The same rows with what `tell` needs, read in the same query; `club` is the column with their club's id.

    So that a club without webhooks pays for them with no query at all. In SQL: the ORM would take longer to put the
    expression together than the database to answer it, for every hand.
    """
    join = "STRING_AGG" if connection.vendor == "postgresql" else "GROUP_CONCAT"
    lines = LINES.format(join=join, table=rows.model._meta.db_table, club=club)
    return cast("QuerySet[Row]", rows.annotate(hooks=RawSQL(lines, (), TextField())))  # noqa: S611 - names of ours


def standing() -> QuerySet[Webhook]:
    """Webhooks that were not removed."""
    return Webhook.objects.filter(removed_at=None)


def tell(event: Webhook.Event, *, row: models.Model, subject: str, data: Data) -> int:
    """Write the message for each webhook that wants it; how many. One query if there are any, else none.

    To be called inside the transaction of what it tells. `row` was read by `with_hooks`. `subject` names what happened
    (`hand:…:2`): it is told once to each. `data` holds codes, numbers and ids, never a name or an amount.
    """
    wanted = [line.split(" ", 2) for line in _lines(row).split("\n") if line]
    messages = [
        message(uuid.UUID(hook), event, club, subject, data)
        for hook, club, events in wanted
        if event.value in json.loads(events)
    ]
    if messages:
        # What was told before is not told again, and is no reason to refuse the deed.
        Delivery.objects.bulk_create(messages, ignore_conflicts=True)
        wake_after_commit()
    return len(messages)


def _lines(row: models.Model) -> str:
    """What `with_hooks` read; a row that came another way costs a query more."""
    if "hooks" not in row.__dict__:
        row = with_hooks(type(row)._default_manager.filter(pk=row.pk), "club_id").get()
    return row.__dict__["hooks"] or ""


def message(hook_id: uuid.UUID, event: Webhook.Event, club: str, subject: str, data: Data) -> Delivery:
    """One message, due at once; not stored yet."""
    now, own = timezone.now(), uuid.uuid4()
    body = {"id": str(own), "event": event.value, "at": now.isoformat(), "club": club, "data": dict(data)}
    return Delivery(id=own, webhook_id=hook_id, event=event, subject=subject, body=body, next_at=now)


class _Wake:
    """A wake-up after the commit; all are equal, so that a transaction wakes once."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Wake)

    def __hash__(self) -> int:
        return hash(_Wake)

    def __call__(self) -> None:
        from .tasks import send

        cast("WakeUpTask", send).wake(retry=False)


def wake_after_commit() -> None:
    """Wake a sender when the transaction is through."""
    call = _Wake()
    if not any(hook[1] == call for hook in connection.run_on_commit):
        transaction.on_commit(call, robust=True)


# --- Sending ----------------------------------------------------------------------------------------------


def due_hooks(now: datetime | None = None) -> list[uuid.UUID]:
    """Webhooks with a message that is due and no sender, those first whose message waits longest."""
    now = now or timezone.now()
    free = _free(standing().filter(active=True), now)
    waiting = Delivery.objects.filter(next_at__lte=now).filter(Exists(free.filter(pk=OuterRef("webhook_id"))))
    first = waiting.order_by().values("webhook_id").annotate(first=models.Min("next_at")).order_by("first")
    return [row["webhook_id"] for row in first]


def _free(hooks: QuerySet[Webhook], now: datetime) -> QuerySet[Webhook]:
    return hooks.filter(
        Q(busy_until=None) | Q(busy_until__lte=now),
        Q(retry_at=None) | Q(retry_at__lte=now),
    )


def send_due(hook_id: uuid.UUID) -> int:
    """Send what is due to one webhook, oldest first, until a try fails; how many arrived. Zero at once where another
    sender is at it."""
    lease = timezone.now() + LEASE
    mine = standing().filter(pk=hook_id, active=True)
    if not _free(mine, timezone.now()).update(busy_until=lease):
        return 0
    arrived, until = 0, time.monotonic() + TURN_SECONDS
    try:
        while time.monotonic() < until:
            hook = mine.filter(busy_until=lease).first()
            claimed = _claim(hook_id) if hook is not None else None
            if hook is None or claimed is None or not mark(claimed, attempt(hook, claimed)):
                break
            arrived += 1
            renewed = timezone.now() + LEASE
            if not mine.filter(busy_until=lease).update(busy_until=renewed):
                break
            lease = renewed
    finally:
        Webhook.objects.filter(pk=hook_id, busy_until=lease).update(busy_until=None)
    return arrived


def _claim(hook_id: uuid.UUID) -> Delivery | None:
    """The oldest message that is due, for us alone for the length of a lease."""
    now = timezone.now()
    found = Delivery.objects.filter(webhook_id=hook_id, next_at__lte=now).order_by("created_at", "pk").first()
    if found is None:
        return None
    same = Delivery.objects.filter(pk=found.pk, next_at=found.next_at, delivered_at=None)
    if not same.update(next_at=now + LEASE, tried_at=now, tries=F("tries") + 1):
        return None
    found.tries, found.tried_at = found.tries + 1, now
    return found


def attempt(hook: Webhook, delivery: Delivery) -> Sent:
    """One try. The bytes are the same each time, the signature says when."""
    body = json.dumps(delivery.body, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    at = int(time.time())
    old = [hook.old_secret] if hook.old_secret and hook.old_until and hook.old_until > timezone.now() else []
    headers = {
        "Content-Type": "application/json",
        "User-Agent": f"{settings.PRODUCT_NAME}/{settings.PRODUCT_VERSION}",
        "Chratzete-Event": delivery.event,
        "Chratzete-Delivery": delivery.body["id"],
        "Chratzete-Try": str(delivery.tries),
        signing.HEADER: signing.header([hook.secret, *old], at, body),
    }
    return sending.post(hook.url, body, headers)


@transaction.atomic
def mark(delivery: Delivery, sent: Sent) -> bool:
    """Note what a try came to; whether it arrived."""
    now = timezone.now()
    told = {"status": sent.status, "error": sent.error, "took_ms": sent.took_ms}
    this = Delivery.objects.filter(pk=delivery.pk, delivered_at=None)
    hook = Webhook.objects.select_related("club").get(pk=delivery.webhook_id)
    if not sent.error:
        this.update(**told, delivered_at=now, next_at=None)
        if hook.failing_since or hook.retry_at:
            Webhook.objects.filter(pk=hook.pk).update(failing_since=None, retry_at=None)
            # Whoever answers again gets at once what has waited.
            Delivery.objects.filter(webhook=hook, next_at__gt=now).update(next_at=now)
        return True
    stands = hook.active and hook.removed_at is None
    this.update(**told, next_at=_next_try(delivery.tries, now) if stands else None)
    since = hook.failing_since or now
    Webhook.objects.filter(pk=hook.pk).update(failing_since=since, retry_at=now + BREAK)
    if now - since >= PATIENCE:
        switch_off(hook, now)
    return False


def _next_try(tries: int, now: datetime) -> datetime | None:
    if tries > len(BACK_OFF):
        return None
    return now + BACK_OFF[tries - 1] * random.uniform(1, 1 + JITTER)  # noqa: S311 - spreads load, keeps no secret


def switch_off(hook: Webhook, now: datetime) -> None:
    """Send nothing more to an address that has not answered for so long; its owners are told."""
    if Webhook.objects.filter(pk=hook.pk, active=True).update(active=False, off_at=now, retry_at=None):
        drop_waiting(hook)
        about, data = f"webhook:{hook.pk}", {"did": "switched_off"}
        audit.write(What.WEBHOOK_CHANGED, club=hook.club, actor=None, about=about, data=data)
        notices.switched_off(hook)


def drop_waiting(hook: Webhook) -> None:
    """Give up what waits for this webhook."""
    Delivery.objects.filter(webhook=hook, next_at__isnull=False).update(next_at=None)


def tidy(now: datetime | None = None) -> int:
    """Delete the log of messages older than `HOOKS_KEEP_DAYS` that wait no longer, removed webhooks without any, and
    secrets that sign no longer; how many messages."""
    before = (now or timezone.now()) - timedelta(days=settings.HOOKS_KEEP_DAYS)
    # What was repeated goes after its repetitions: these name it.
    gone, _each = Delivery.objects.filter(created_at__lt=before, next_at=None, replays=None).delete()
    Webhook.objects.filter(removed_at__lt=before, deliveries=None).delete()
    Webhook.objects.filter(old_until__lt=now or timezone.now()).update(old_secret="", old_until=None)
    return gone
