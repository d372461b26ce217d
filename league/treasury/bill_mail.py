"""Send bills by mail: to members whose account has a confirmed address, each once for a request.

A row of `SentBill` is stored and committed before its mail is sent. A request with the same key finds the row and sends
nothing, also after a crash between the two.
"""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus

import structlog
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import Q
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from .. import audit
from ..audit import What
from ..errors import Refused
from ..logo.services import logo_file
from ..models import Club, Player, SentBill, User
from ..money import format_price
from .statement_files import Statements
from .statements import Statement

log = structlog.get_logger(__name__)
MOST = 60
"""The most bills of one request: the server waits for the mail server."""


@dataclass(frozen=True)
class Recipient:
    """A member with a bill: the account's confirmed `address`, empty if there is none (`problem` is the reason), and
    the newest bill of the same last day that was sent before."""

    statement: Statement
    address: str
    problem: str
    before: SentBill | None

    @property
    def chosen(self) -> bool:
        """Return True if the page proposes to send it: it can be sent, and was not sent with this sum before."""
        known = self.before
        done = known is not None and known.state != SentBill.State.FAILED
        return bool(self.address) and not (done and known and known.amount_minor == self.statement.total_minor)


def recipients(of: Statements) -> list[Recipient]:
    """Return everybody who has a bill, by name. Three queries."""
    bills = of.bills()
    roots = [statement.player_id for statement in bills]
    users = _users(of.club, roots)
    addresses = _addresses(users.values())
    sent = SentBill.objects.filter(club=of.club, last=of.period.last, player__in=roots).order_by("created_at")
    before = {sent_bill.player_id: sent_bill for sent_bill in sent}
    everybody = []
    for bill in bills:
        user = users.get(bill.player_id)
        address = addresses.get(user, "") if user else ""
        problem = "" if address else _("has no account") if user is None else _("has no confirmed address")
        everybody.append(Recipient(bill, address, problem, before.get(bill.player_id)))
    return everybody


def _users(club: Club, roots: Collection[int]) -> dict[int, int]:
    """Return the account of each person, by main player: the main player's, else one of a merged player."""
    rows = Player.objects.filter(Q(pk__in=roots) | Q(main__in=roots), club=club, user__is_active=True)
    # The main player's own account comes last, and stays.
    ordered = sorted(rows.values_list("pk", "main", "user"), key=lambda row: row[1] is None)
    return {main or pk: user for pk, main, user in ordered}


def _addresses(users: Collection[int]) -> dict[int, str]:
    rows = EmailAddress.objects.filter(user__in=users, verified=True).order_by("primary", "pk")
    return dict(rows.values_list("user", "email"))


def bills_send(
    *, club: Club, author: User | None, key: uuid.UUID, of: Statements, players: Collection[int], page: str
) -> list[SentBill]:
    """Send the bills of these main players; return a row for each, with its outcome. A key sends each bill once. `page`
    is the absolute address at which a member reads the own bill.

    Raises:
        Refused: 409 if the server sends no mail, or the club has no account for bills; 422 for no players, too many, or
            a player without a bill or a confirmed address.
    """
    if not settings.MAIL_ON:
        raise Refused(status=HTTPStatus.CONFLICT, code="mail", sentence=no_mail())
    if of.details is None:
        sentence = _("Enter first to which account bills are paid.")
        raise Refused(status=HTTPStatus.CONFLICT, code="billing", sentence=sentence)
    known = {
        sent_bill.player_id: sent_bill
        for sent_bill in SentBill.objects.filter(club=club, key=key).select_related("player")
    }
    by_player = {recipient.statement.player_id: recipient for recipient in recipients(of)}
    _check(set(players) - set(known), by_player)
    rows: list[SentBill] = list(known.values())
    sent: list[str] = []
    connection = get_connection()
    for player in sorted(set(players) - set(known)):
        row, is_own = _claim(club, key, of, by_player[player].statement)
        rows.append(row)
        if is_own:
            _send(row, club, of, by_player[player], page, connection)
            sent.append(row.state)
    connection.close()
    if sent:
        failed = sent.count(SentBill.State.FAILED)
        data: audit.Data = {"count": len(sent) - failed, "failed": failed}
        audit.write(What.BILLS_SENT, club=club, actor=author, about=f"club:{club.pk}", data=data)
    return rows


def _check(wanted: Collection[int], by_player: Mapping[int, Recipient]) -> None:
    if len(wanted) > MOST:
        raise _wrong(_("Send at most %(most)d bills at once.") % {"most": MOST})
    for player in wanted:
        recipient = by_player.get(player)
        if recipient is None:
            raise _wrong(_("One of these people has no bill for these days any more. Look at the list again."))
        if not recipient.address:
            raise _wrong(f"{recipient.statement.name} {recipient.problem}.")


def _claim(club: Club, key: uuid.UUID, of: Statements, bill: Statement) -> tuple[SentBill, bool]:
    """Return the row of a bill, and False if another request with the key claimed it at the same time."""
    values = {"first": of.period.first, "last": of.period.last, "amount_minor": bill.total_minor}
    return SentBill.objects.get_or_create(club=club, key=key, player_id=bill.player_id, defaults=values)


def _send(row: SentBill, club: Club, of: Statements, to: Recipient, page: str, connection: BaseEmailBackend) -> None:
    """Send a claimed bill, and store the outcome."""
    try:
        mail = _mail(club, of, to.statement, to.address, page)
        mail.connection = connection
        # Stays open for the next mail: the mail server would greet and check each connection.
        connection.open()
        mail.send()
    except Exception as error:
        log.warning("bill_not_sent", error=type(error).__name__)
        row.state = SentBill.State.FAILED
        # The next mail opens a new one.
        with contextlib.suppress(OSError):
            connection.close()
    else:
        row.state = SentBill.State.SENT
    row.save(update_fields=["state"])


def _mail(club: Club, of: Statements, bill: Statement, address: str, page: str) -> EmailMessage:
    from .bill_pdf import pdf_of

    subject, paragraphs = mail_text(club, of, bill, page)
    message = EmailMessage(subject, "\n\n".join(paragraphs), to=[address])
    if of.details is not None:
        name = f"{club.slug}-{of.period.last.isoformat()}.pdf"
        message.attach(name, pdf_of(club, of.details, [bill], of.period, logo=logo_file(club)), "application/pdf")
    return message


def mail_text(club: Club, of: Statements, bill: Statement, page: str) -> tuple[str, Sequence[str]]:
    """Return subject and paragraphs of the mail with a bill; `page` is the address of the own bill."""
    amount = format_price(bill.total_minor, club.currency)
    subject = " ".join((_("%(club)s: bill of the kitty") % {"club": club.name}).split())
    values = {"name": bill.name, "amount": amount, "last": date_format(of.period.last, "DATE_FORMAT")}
    return subject, (
        _("Hello %(name)s") % values,
        _("You owe the kitty %(amount)s, as of %(last)s. The bill with its payment slip is attached.") % values,
        _("Pay it with the slip, or in coins at the next evening. Your evenings are here:"),
        page,
        club.name,
    )


def no_mail() -> str:
    """Return the sentence of a server that sends no mail."""
    return _("This server sends no mail. Print the bills, or send the PDF yourself.")


def _wrong(sentence: str) -> Refused:
    return Refused(status=HTTPStatus.UNPROCESSABLE_ENTITY, code="bills", sentence=sentence)
