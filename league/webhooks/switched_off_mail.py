"""Mail a club's owners that a webhook was switched off, if the server sends mails."""

from __future__ import annotations

import structlog
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from ..models import Role, User, Webhook

log = structlog.get_logger(__name__)


def switched_off(webhook: Webhook) -> None:
    """Send the mails after the commit, one to each owner: no mail shows the address of another one."""
    if settings.MAIL_ON:
        transaction.on_commit(lambda: _send(webhook), robust=True)


def _send(webhook: Webhook) -> None:
    owners = User.objects.filter(
        is_active=True, memberships__club=webhook.club_id, memberships__role=Role.OWNER
    ).values_list("email", flat=True)
    where = settings.BASE_URL + reverse("webhook", kwargs={"club": webhook.club.slug, "webhook": webhook.pk})
    subject = _("A webhook of %(club)s was switched off") % {"club": webhook.club.name}
    paragraphs = [
        _("For seven days no message arrived at this address, so nothing more is sent there: %(url)s")
        % {"url": webhook.url},
        _("Fix the receiver, then switch the webhook on again. What was not sent can be sent again there:"),
        where,
    ]
    for email in owners:
        title = f"{settings.PRODUCT_NAME}: {' '.join(subject.split())}"
        try:
            EmailMessage(title, "\n\n".join(paragraphs), to=[email]).send()
        except OSError as error:
            # The page of the webhook and the audit log say the same.
            log.warning("mail_failed", error=type(error).__name__)
