"""What a club's owners are told when a webhook was switched off: a mail, where the server sends mails."""

from __future__ import annotations

import structlog
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from ..models import Role, User, Webhook

log = structlog.get_logger(__name__)


def switched_off(hook: Webhook) -> None:
    """Tell the owners after the commit, each by a mail of their own: who else is an owner is none of a mail's words."""
    if settings.MAIL_ON:
        transaction.on_commit(lambda: _send(hook), robust=True)


def _send(hook: Webhook) -> None:
    owners = User.objects.filter(
        is_active=True, memberships__club=hook.club_id, memberships__role=Role.OWNER
    ).values_list("email", flat=True)
    where = settings.BASE_URL + reverse("hook", kwargs={"club": hook.club.slug, "hook": hook.pk})
    subject = _("A webhook of %(club)s was switched off") % {"club": hook.club.name}
    paragraphs = [
        _("For seven days no message arrived at this address, so nothing more is sent there: %(url)s")
        % {"url": hook.url},
        _("Put the receiver right, then switch the webhook on again. What was not told can be sent again there:"),
        where,
    ]
    for email in owners:
        title = f"{settings.PRODUCT_NAME}: {' '.join(subject.split())}"
        try:
            EmailMessage(title, "\n\n".join(paragraphs), to=[email]).send()
        except OSError as error:
            # Its page and the log say the same.
            log.warning("mail_failed", error=type(error).__name__)
