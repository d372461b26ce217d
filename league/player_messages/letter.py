"""A mail with a message: subject, plain text and HTML, with the address that ends all messages (RFC 8058)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from email.utils import formataddr, parseaddr

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from ..models import Club, MessageChoice, PlayerMessage
from .bounces import envelope_sender
from .choices import off_address


@dataclass(frozen=True)
class LetterLine:
    """A line of a message: label, value, and a note below."""

    label: str
    value: str
    note: str = ""


@dataclass(frozen=True)
class Letter:
    """The content of a message. `main` is the large figure below the title, `link` an absolute address or empty.
    By push only `subject` and the lines `short` are shown, and those of `short_money` if amounts are wanted."""

    subject: str
    title: str
    main: str = ""
    paragraphs: Sequence[str] = ()
    lines: Sequence[LetterLine] = ()
    link: str = ""
    link_text: str = ""
    short: Sequence[str] = ()
    short_money: Sequence[str] = ()


def mail_of(letter: Letter, choice: MessageChoice, address: str, message: PlayerMessage) -> EmailMultiAlternatives:
    """Return the mail of a message, in the language that is active. No picture, no remote address, nothing that tells
    the server that it was read."""
    club, off = choice.player.club, off_address(choice)
    context = {"letter": letter, "club": club, "off": off, "language": choice.language, "why": why(choice)}
    text = render_to_string("league/player_messages/mail.txt", context)
    # Django's `from_email` is the envelope sender; the head of the mail may say another one.
    envelope = envelope_sender(choice, address) or sender(club)
    mail = EmailMultiAlternatives(one_line(letter.subject), text.strip() + "\n", envelope, [address])
    mail.extra_headers = {
        "From": sender(club),
        "List-Unsubscribe": f"<{off}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
        # The same at each try: a mail server that has it already need not deliver it again.
        "Message-ID": f"<{message.kind}-{message.pk}.{choice.number:x}@{sending_domain()}>",
    }
    mail.attach_alternative(render_to_string("league/player_messages/mail.html", context).strip(), "text/html")
    return mail


def why(choice: MessageChoice) -> str:
    """Say why the mail comes."""
    values = {"name": choice.player.nickname, "club": choice.player.club.name}
    return _("You get this mail because %(name)s of %(club)s wanted it.") % values


def sender(club: Club) -> str:
    """Return the sender: the name of the club, with the address of the server."""
    _name, address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    return formataddr((one_line(club.name), address))


def sending_domain() -> str:
    """Return the domain of the server's mail address."""
    return parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2] or "localhost"


def one_line(text: str) -> str:
    """Return a text as one line: a line break in a header is refused."""
    return " ".join(text.split())
