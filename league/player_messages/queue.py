"""The queue of messages to players: stored when an evening is final or near, sent until mail server or push service
takes them.

A message is a row, one for a player, an evening and a closing, or the day of a planned evening, or for a share of a
member fee and the number of the reminder; the database refuses a second one. The closing of an evening stores in its
transaction that there is something to tell, and the sweep finds it once the evening is final, so no worker and no
wake-up is needed at that moment. A sender claims a message by moving its `next_at` on before it sends; the claim of a
sender that dies runs out. So no message is lost. It is sent twice only if a sender dies between the answer of the mail
server or push service and the commit of the next statement; both mails have the same `Message-ID` then, both pushes the
same tag.
"""

from __future__ import annotations

import contextlib
import random
import time
from datetime import datetime, timedelta
from functools import partial
from smtplib import SMTPException, SMTPRecipientsRefused

import structlog
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone, translation

from .. import locks
from ..features import uses
from ..models import Closing, Evening, EveningToTell, MessageChoice, PlannedEvening, PlayerMessage
from . import fees, push_sending
from .choices import address_of, address_refused, still_theirs
from .letter import Letter, mail_of
from .reminders import near_evenings, reminder_letter, to_remind
from .results import Sums, newest_closing, own_sums, result_letter

log = structlog.get_logger(__name__)

BACK_OFF = tuple(timedelta(minutes=minutes) for minutes in (5, 30, 2 * 60, 8 * 60, 24 * 60))
"""The wait after each failed try; after the last one the message is given up."""
JITTER = 0.1
"""The largest random part that is added to a wait."""
LEASE = timedelta(minutes=5)
"""The length of a claim: well over the time that the mail server may take (`EMAIL_TIMEOUT` for each step)."""
TURN_SECONDS = 30.0
"""A sender ends after this time; what is left is for the next one."""
COUNT_PATIENCE = timedelta(hours=1)
"""So long a result waits for the count of its season; then it is sent without the rank."""
NEWS = timedelta(days=7)
"""The result of an evening that was final for longer is no news: who got no message about it gets none."""
KEEP = timedelta(days=365)
State = PlayerMessage.State
Way = MessageChoice.Way


# --- Storing ----------------------------------------------------------------------------------------------


def evening_closed(evening: Evening) -> None:
    """Note that the players of an evening get its result once it is final. Call it in the transaction of the
    closing, with the evening locked. One statement."""
    if settings.MAIL_ON and evening.club.practice_until is None:
        EveningToTell.objects.bulk_create([EveningToTell(evening=evening)], ignore_conflicts=True)


def evenings_to_tell(now: datetime | None = None) -> QuerySet[EveningToTell]:
    """Return the evenings that are final and whose results are not stored as messages yet, without those that another
    worker has, and for an hour without those whose season waits to be counted."""
    moment = now or timezone.now()
    counted = Q(evening__season__count__counted_mark__gte=F("evening__season__ledger_mark"))
    waited = Q(evening__final_at__lte=moment - COUNT_PATIENCE)
    final = Q(evening__state=Evening.State.CLOSED, evening__final_at__lte=moment)
    free = locks.free("busy_until", LEASE, now)
    return EveningToTell.objects.filter(final, counted | waited, free, evening__club__suspended_at=None)


def is_due() -> bool:
    """Return True if there is something to store or to send. Five queries at most."""
    if not settings.MAIL_ON:
        return False
    return _due().exists() or evenings_to_tell().exists() or bool(_near()) or bool(fees.to_remind())


def store_due() -> int:
    """Store the messages about evenings that became final, and the reminders; return their number."""
    stored = 0
    for pk in list(evenings_to_tell().values_list("pk", flat=True)):
        # Without a join in the claim: its condition is tested again after another worker's commit.
        rows = EveningToTell.objects.filter(locks.free("busy_until", LEASE), pk=pk)
        if locks.claim(rows, "busy_until", LEASE) is not None:
            stored += results_store(pk)
    for planned in _near():
        stored += reminders_store(planned)
    return stored + fees.reminders_store()


@transaction.atomic
def results_store(evening_id: int) -> int:
    """Store a message for each player of a final evening who wants the result. Whoever has one about it gets another
    one only if the own sums differ. Return the number of messages."""
    evening = Evening.objects.select_for_update(of=("self",)).select_related("club", "season").get(pk=evening_id)
    noted = EveningToTell.objects.filter(pk=evening_id)
    closing = newest_closing(evening)
    if evening.stage() != Evening.Stage.FINAL or closing is None or not noted.exists():
        noted.update(busy_until=None)
        return 0
    messages = _results_of(evening, closing) if uses(evening.club, "own-messages") else []
    PlayerMessage.objects.bulk_create(messages, ignore_conflicts=True)
    noted.delete()
    return len(messages)


def _results_of(evening: Evening, closing: Closing) -> list[PlayerMessage]:
    now, sums = timezone.now(), own_sums(evening)
    known = _stored(evening)
    final_at = evening.final_at or now
    wants = MessageChoice.objects.filter(player__in=sums, results_since__isnull=False)
    messages = []
    for player, since in wants.values_list("player", "results_since"):
        new = player not in known and since is not None and since <= final_at and final_at > now - NEWS
        if new or (player in known and known[player] != sums[player]):
            points, change = sums[player]
            message = PlayerMessage(player_id=player, kind=PlayerMessage.Kind.RESULT, evening=evening)
            message.version, message.day, message.next_at = closing.number, evening.held_on, now
            message.points, message.change_minor = points, change
            messages.append(message)
    return messages


def _stored(evening: Evening) -> dict[int, Sums]:
    """Return the sums of the newest message about an evening that was sent, or is to be, by player."""
    rows = PlayerMessage.objects.filter(evening=evening, state__in=[State.WAITING, State.SENT]).order_by("version")
    return {total.player_id: (total.points or 0, total.change_minor) for total in rows}


def _near() -> list[PlannedEvening]:
    """Return the planned evenings about which somebody still gets a reminder. One query, and two for each of them."""
    now = timezone.now()
    near = near_evenings(now).select_related("club")
    return [evening for evening in near if uses(evening.club, "own-messages") and to_remind(evening, now).exists()]


@transaction.atomic
def reminders_store(planned: PlannedEvening) -> int:
    """Store a reminder of a planned evening for each player who still gets one; return their number."""
    now = timezone.now()
    messages = [
        PlayerMessage(
            player_id=player,
            kind=PlayerMessage.Kind.REMINDER,
            planned_evening=planned,
            day=planned.held_on,
            next_at=now,
        )
        for player in to_remind(planned, now).values_list("player", flat=True)
    ]
    PlayerMessage.objects.bulk_create(messages, ignore_conflicts=True)
    return len(messages)


# --- Sending ----------------------------------------------------------------------------------------------


def _due() -> QuerySet[PlayerMessage]:
    return PlayerMessage.objects.filter(next_at__lte=timezone.now()).order_by("next_at", "pk")


def send_due() -> int:
    """Send the due messages, the oldest first, for `TURN_SECONDS` at most; return how many were taken."""
    sent, until = 0, time.monotonic() + TURN_SECONDS
    connection = get_connection()
    try:
        while time.monotonic() < until and (message := _claim()) is not None:
            sent += send(message, connection)
    finally:
        with contextlib.suppress(SMTPException, OSError):
            connection.close()
    return sent


def _claim() -> PlayerMessage | None:
    return locks.claim(_due(), "next_at", LEASE, tries=F("tries") + 1)


def send(message: PlayerMessage, connection: BaseEmailBackend) -> bool:
    """Send a claimed message by mail or push, and store the outcome. Return True if it was taken."""
    choice = MessageChoice.objects.select_related("player__club", "user").filter(player=message.player_id).first()
    if choice is not None and choice.player.club.suspended_at is not None:
        _end(message, State.WAITING, "suspended", next_at=timezone.now() + BACK_OFF[1], tries=message.tries - 1)
        return False
    if choice is not None and choice.way == Way.PUSH:
        return _send_by_push(choice, message)
    if push_sending.taken(message):
        # A device has it already, and the way was changed before the others had it.
        _end(message, State.SENT, sent_at=timezone.now())
        return False
    try:
        mail = _mail(choice, message) if choice is not None else None
        if choice is None or mail is None or not _wants(choice.pk, message, Way.MAIL):
            _end(message, State.DROPPED)
            return False
        mail.connection = connection
        # Stays open for the next mail: the mail server would greet and check each connection.
        connection.open()
        mail.send()
    except SMTPRecipientsRefused as refused:
        _refused(message, choice, refused)
    except Exception as error:
        log.warning("player_message_not_sent", message=message.pk, error=type(error).__name__)
        _try_again(message, type(error).__name__)
    else:
        _end(message, State.SENT, sent_at=timezone.now())
        return True
    with contextlib.suppress(SMTPException, OSError):
        # The next mail opens a new one.
        connection.close()
    return False


def _send_by_push(choice: MessageChoice, message: PlayerMessage) -> bool:
    """Send a claimed message to the devices of its player, and store the outcome. Return True if one took it."""
    try:
        push = _push(choice, message)
        if push is None:
            _end(message, State.DROPPED)
            return False
        outcome = push_sending.send_to_devices(choice, message, push, partial(_wants, choice.pk, message, Way.PUSH))
        wanted = _wants(choice.pk, message)
    except Exception as error:
        log.warning("player_message_not_pushed", message=message.pk, error=type(error).__name__)
        _try_again(message, type(error).__name__)
        return False
    last = message.tries > len(BACK_OFF)
    if outcome.taken and (last or not outcome.fault or not wanted):
        _end(message, State.SENT, sent_at=timezone.now())
    elif not wanted:
        _end(message, State.DROPPED)
    else:
        _try_again(message, outcome.fault or "no device")
    return outcome.taken > 0


def _push(choice: MessageChoice, message: PlayerMessage) -> push_sending.Push | None:
    """Return the push of a message; None if nobody wants it any more."""
    if not still_theirs(choice) or not uses(choice.player.club, "own-messages"):
        return None
    with translation.override(choice.language):
        letter: Letter | None = _LETTERS[message.kind](choice, message)
        return push_sending.push_of(letter, choice, message) if letter else None


def _mail(choice: MessageChoice, message: PlayerMessage) -> EmailMessage | None:
    """Return the mail of a message; None if nobody wants it any more."""
    address = address_of(choice)
    if not address or not uses(choice.player.club, "own-messages"):
        return None
    with translation.override(choice.language):
        letter: Letter | None = _LETTERS[message.kind](choice, message)
        return mail_of(letter, choice, address, message) if letter else None


_LETTERS = {
    PlayerMessage.Kind.RESULT.value: result_letter,
    PlayerMessage.Kind.REMINDER.value: reminder_letter,
    PlayerMessage.Kind.FEE.value: fees.fee_letter,
}
_SINCE = {
    PlayerMessage.Kind.RESULT.value: "results_since",
    PlayerMessage.Kind.REMINDER.value: "reminders_since",
    PlayerMessage.Kind.FEE.value: "fees_since",
}


def _wants(choice: int, message: PlayerMessage, way: str = "") -> bool:
    """Read once more, as the last step before the mail server or a push service, that the player wants the message, and
    this way if one is given. A member fee has to be owed still."""
    rows = MessageChoice.objects.filter(pk=choice, **{f"{_SINCE[message.kind]}__isnull": False})
    if message.kind == PlayerMessage.Kind.FEE and fees.still_due(message) is None:
        return False
    return (rows.filter(way=way) if way else rows).exists()


def _refused(message: PlayerMessage, choice: MessageChoice | None, refused: SMTPRecipientsRefused) -> None:
    """Store that the mail server refused the recipient: for good (5xx), or for now."""
    codes = [code for code, _text in refused.recipients.values()]
    log.warning("player_message_refused", message=message.pk, codes=codes)
    if choice is None or not codes or any(code < 500 for code in codes):
        _try_again(message, f"refused {min(codes, default=0)}")
        return
    _end(message, State.FAILED, f"refused {codes[0]}")
    address_refused(choice)


def _try_again(message: PlayerMessage, error: str) -> None:
    if message.tries > len(BACK_OFF):
        _end(message, State.FAILED, error)
        return
    wait = BACK_OFF[message.tries - 1] * random.uniform(1, 1 + JITTER)  # noqa: S311 - spreads load, keeps no secret
    _end(message, State.WAITING, error, next_at=timezone.now() + wait)


def _end(
    message: PlayerMessage,
    state: str,
    error: str = "",
    *,
    next_at: datetime | None = None,
    sent_at: datetime | None = None,
    tries: int | None = None,
) -> None:
    rows = PlayerMessage.objects.filter(pk=message.pk)
    if state != State.SENT:
        # Not one that was dropped meanwhile, or that another sender sent because the claim had run out.
        rows = rows.filter(next_at__isnull=False)
    rows.update(
        state=state, error=error, next_at=next_at, sent_at=sent_at, tries=message.tries if tries is None else tries
    )


def tidy(now: datetime | None = None) -> int:
    """Delete messages that are over and older than a year; return their number."""
    before = (now or timezone.now()) - KEEP
    return PlayerMessage.objects.filter(created_at__lt=before, next_at=None).delete()[0]
