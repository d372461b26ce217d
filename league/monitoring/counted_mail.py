"""The mail backend while metrics are on: it counts what the backend of `EMAIL_URL` sends, and what fails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.utils.module_loading import import_string

from .task_counts import count_mails


class CountedMail(BaseEmailBackend):
    """Passes everything on to the backend `MAIL_BACKEND`."""

    def __init__(self, fail_silently: bool = False, **options: Any) -> None:
        super().__init__(fail_silently=fail_silently)
        self.inner: BaseEmailBackend = import_string(settings.MAIL_BACKEND)(fail_silently=fail_silently, **options)

    def open(self) -> bool | None:
        try:
            return self.inner.open()
        except Exception:
            count_mails("failed")
            raise

    def close(self) -> None:
        self.inner.close()

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        try:
            sent = self.inner.send_messages(email_messages) or 0
        except Exception:
            count_mails("failed", len(email_messages))
            raise
        count_mails("sent", sent)
        count_mails("failed", len(email_messages) - sent)
        return sent
