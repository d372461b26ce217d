"""The mails to somebody who entered on the public page of a tournament: the code, and the answer of the desk."""

from __future__ import annotations

from collections.abc import Sequence
from smtplib import SMTPException

import structlog
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ..models import OwnEntry

log = structlog.get_logger(__name__)


def send_code(entry: OwnEntry, code: str) -> None:
    """Send the code that confirms the entry, once the transaction is committed."""
    _after_commit(
        entry.mail,
        _("%(code)s confirms your entry") % {"code": code},
        [
            _("Your code for %(tournament)s, %(day)s: %(code)s") % (_about(entry) | {"code": code}),
            _("It is valid for a day. If you did not ask for this, do nothing: without you nothing happens."),
        ],
    )


def send_answer(entry: OwnEntry, *, accepted: bool) -> None:
    """Tell somebody that the desk accepted or refused the entry, in the language of the entry."""
    if not entry.mail:
        return
    with translation.override(entry.language or settings.LANGUAGE_CODE):
        if accepted:
            subject = _("You are entered: %(tournament)s") % _about(entry)
            sentence = _("%(name)s is entered to %(tournament)s of %(club)s, %(day)s.") % _about(entry)
        else:
            subject = _("Your entry: %(tournament)s") % _about(entry)
            sentence = _("%(club)s has no place for %(name)s at %(tournament)s, %(day)s.") % _about(entry)
        _after_commit(entry.mail, subject, [sentence])


def _about(entry: OwnEntry) -> dict[str, str]:
    tournament = entry.tournament
    return {
        "name": entry.name,
        "tournament": tournament.name,
        "club": tournament.club.name,
        "day": date_format(tournament.starts_on, "DATE_FORMAT"),
    }


def _after_commit(to: str, subject: str, paragraphs: Sequence[str]) -> None:
    title, text = f"{settings.PRODUCT_NAME}: {' '.join(subject.split())}", "\n\n".join(paragraphs)
    transaction.on_commit(lambda: _send(to, title, text), robust=True)


def _send(to: str, title: str, text: str) -> None:
    try:
        EmailMessage(title, text, to=[to]).send()
    except (SMTPException, OSError) as error:
        log.warning("mail_failed", error=type(error).__name__)
