"""Mails to `ADMINS` about errors in the log: each fault at most once an hour, without personal data."""

from __future__ import annotations

import hashlib
import logging
import traceback

from django.conf import settings
from django.core.cache import cache
from django.core.mail import mail_admins

EVERY_SECONDS = 3600


class ErrorMail(logging.Handler):
    """Sends what the log has of an error. Its formatter is that of the log, which withholds names, amounts and secrets.

    Without `ADMINS` nothing is sent. A process whose cache is away may send a mail again.
    """

    def emit(self, record: logging.LogRecord) -> None:
        """Send a mail, unless the fault had one within an hour."""
        if not settings.ADMINS:
            return
        try:
            fault = hashlib.sha256(_fault(record).encode()).hexdigest()
            if cache.add(f"error-mail:{fault}", 1, EVERY_SECONDS):
                subject = f"Chratzete: error in {record.name}"
                mail_admins(subject, f"{self.format(record)}\n\nThe same fault sends no second mail within an hour.\n")
        except Exception:
            self.handleError(record)


def _fault(record: logging.LogRecord) -> str:
    """Return what two records of one fault share: the place of the error, else the message without its values."""
    error = record.exc_info[1] if record.exc_info else None
    if error is not None and error.__traceback__:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__qualname__} {last.filename}:{last.lineno}"
    message = record.msg.get("event") if isinstance(record.msg, dict) else record.msg
    return f"{record.name} {message}"
