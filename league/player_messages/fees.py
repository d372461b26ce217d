"""The message that reminds of a member fee that is still owed, by the rule of the club (`fee_rule`)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, time

from django.conf import settings
from django.db.models import F, IntegerField, Max, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ..features import uses
from ..models import FeeReminders, MemberFeeShare, MessageChoice, Payment, PlayerMessage
from ..money import format_price
from ..payments.services import outstanding
from .fee_rule import due_day, due_number
from .letter import Letter, LetterLine

FROM = time(9)
"""Reminders are stored from this hour on."""


def to_remind(now: datetime | None = None) -> list[PlayerMessage]:
    """Return the reminders that are due and not stored: of each share the latest number alone, for those who wanted it
    before that day. Two queries at most."""
    local = timezone.localtime(now or timezone.now())
    if not settings.MAIL_ON or local.time() < FROM:
        return []
    numbers = PlayerMessage.objects.filter(fee_share=OuterRef("fee_share")).order_by().values("fee_share")
    newest = Subquery(numbers.annotate(newest=Max("version")).values("newest"), output_field=IntegerField())
    rows = Payment.objects.filter(
        fee_share__undone_at=None,
        fee_share__fee__day__lt=local.date(),
        fee_share__fee__club__fee_reminders__isnull=False,
        fee_share__fee__club__suspended_at=None,
        fee_share__fee__club__practice_until=None,
    ).annotate(newest=Coalesce(newest, 0), person=Coalesce("fee_share__player__main", "fee_share__player"))
    rows = rows.filter(
        newest__lt=F("fee_share__fee__club__fee_reminders__most"),
        person__in=MessageChoice.objects.filter(fees_since__isnull=False).values("player"),
    )
    payments = list(outstanding(rows).select_related("fee_share__fee__club__fee_reminders").order_by("pk"))
    since = _since({payment.person for payment in payments}) if payments else {}  # type: ignore[attr-defined]
    messages = (_message(payment, since, local) for payment in payments)
    return [message for message in messages if message is not None]


def _since(players: set[int]) -> Mapping[int, datetime | None]:
    choices = MessageChoice.objects.filter(player__in=players, player__active=True, player__main=None)
    return dict(choices.values_list("player", "fees_since"))


def _message(payment: Payment, since: Mapping[int, datetime | None], now: datetime) -> PlayerMessage | None:
    share, person = payment.fee_share, payment.person  # type: ignore[attr-defined]
    assert share is not None
    fee = share.fee
    rule = fee.club.fee_reminders
    number, wanted = due_number(rule, fee.day, now.date()), since.get(person)
    if number <= payment.newest or wanted is None:  # type: ignore[attr-defined]
        return None
    day = due_day(rule, fee.day, number)
    if wanted > timezone.make_aware(datetime.combine(day, FROM)):
        return None
    if not (uses(fee.club, "own-messages") and uses(fee.club, "member-fees")):
        return None
    kind = PlayerMessage.Kind.FEE
    return PlayerMessage(player_id=person, kind=kind, fee_share=share, version=number, day=day, next_at=now)


def reminders_store() -> int:
    """Store the reminders that are due; return their number. Another worker may store them at the same time."""
    messages = to_remind()
    PlayerMessage.objects.bulk_create(messages, ignore_conflicts=True)
    return len(messages)


def still_due(message: PlayerMessage) -> MemberFeeShare | None:
    """Return the share of a message, read now; None if it is not owed any more, if a later reminder is due, or if the
    club does not remind any more. Two queries."""
    shares = MemberFeeShare.objects.select_related("fee__club").filter(
        reminders=message, undone_at=None, fee__club__suspended_at=None
    )
    share = shares.filter(Q(payment__in=outstanding(Payment.objects.filter(fee_share__reminders=message)).values("pk")))
    fee_share = share.first()
    if fee_share is None or not (uses(fee_share.fee.club, "own-messages") and uses(fee_share.fee.club, "member-fees")):
        return None
    rule = FeeReminders.objects.filter(club=fee_share.fee.club_id, most__gte=message.version).first()
    if rule is None or due_number(rule, fee_share.fee.day, timezone.localdate()) > message.version:
        return None
    return fee_share


def fee_letter(choice: MessageChoice, message: PlayerMessage) -> Letter | None:
    """Return the reminder for a player; None if it is not due any more."""
    share = still_due(message)
    if share is None:
        return None
    club = share.fee.club
    amount = format_price(share.amount_minor, club.currency)
    day = date_format(share.fee.day, "DATE_FORMAT")
    values = {"fee": share.fee.title, "club": club.name, "day": day}
    link = ""
    if choice.user_id is not None:
        route = "bill-mine" if uses(club, "bill-mine") else "debts"
        link = f"{settings.BASE_URL}{reverse(route, kwargs={'club': club.slug})}"
    how = _("How to pay is on your page.") if link else _("Your treasurer tells you how to pay.")
    return Letter(
        subject=_("Not paid yet: %(fee)s, %(club)s") % values,
        title=share.fee.title,
        main=amount,
        paragraphs=[
            _("This is a friendly reminder: the kitty still waits for your member fee.") + " " + how,
            _("If you have just paid: thank you, there is nothing more to do."),
        ],
        lines=[LetterLine(_("Owed since"), day)],
        link=link,
        link_text=_("To the payment"),
        short=[_("Owed since %(day)s. If you have just paid: thank you.") % values],
        short_money=[_("Amount: %(amount)s") % {"amount": amount}],
    )
