"""The mails about a club that somebody asked for, if the server sends mails: to the operators, and to the person."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from smtplib import SMTPException

import structlog
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from league.models import ClubRequest, User

from .services import first_table

log = structlog.get_logger(__name__)


def asked(request: ClubRequest) -> None:
    """Tell every operator, in the language of the server."""
    operators = User.objects.filter(is_superuser=True, is_active=True).values_list("email", flat=True)
    with translation.override(settings.LANGUAGE_CODE):
        _after_commit(
            list(operators),
            _("A club is waiting: %(club)s") % {"club": request.name},
            [
                _("%(person)s would like to open the club “%(club)s”.")
                % {"person": request.user.email, "club": request.name},
                _("Confirm or decline it here:"),
                _address(reverse("club-requests")),
            ],
        )


def opened(request: ClubRequest) -> None:
    """Tell the person, with the address of the first table."""
    assert request.club is not None
    table = first_table(request.club)
    slug = request.club.slug
    where = reverse("table", kwargs={"club": slug, "table": table.pk}) if table else request.club.get_absolute_url()
    with translation.override(request.language):
        _after_commit(
            [request.user.email],
            _("Your club is open: %(club)s") % {"club": request.name},
            [_("“%(club)s” is open. Your table is here:") % {"club": request.name}, _address(where)],
        )


def declined(request: ClubRequest) -> None:
    """Tell the person, with the operator's sentence."""
    with translation.override(request.language):
        _after_commit(
            [request.user.email],
            _("Your club was not opened: %(club)s") % {"club": request.name},
            [
                _("Whoever runs this server did not open “%(club)s”.") % {"club": request.name},
                *([request.reason] if request.reason else []),
            ],
        )


def _address(path: str) -> str:
    return f"{settings.BASE_URL}{path}"


def _after_commit(to: Collection[str], subject: str, paragraphs: Sequence[str]) -> None:
    """Send one mail to each address: none shows the address of another one."""
    if settings.MAIL_ON:
        title, text = f"{settings.PRODUCT_NAME}: {' '.join(subject.split())}", "\n\n".join(paragraphs)
        transaction.on_commit(lambda: _send(to, title, text), robust=True)


def _send(to: Collection[str], title: str, text: str) -> None:
    for address in to:
        try:
            EmailMessage(title, text, to=[address]).send()
        except (SMTPException, OSError) as error:
            # The pages say the same.
            log.warning("mail_failed", error=type(error).__name__)
