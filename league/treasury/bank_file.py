"""A bank statement that somebody sent: read within its limits, each fault as a sentence."""

from __future__ import annotations

from typing import IO, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..errors import Refused
from .camt053 import MAX_BYTES, BankPayment, UnreadableStatement, read_statement

FAULTS = {
    "large": gettext_lazy("This file is too large: at most 4 MB and 5,000 payments."),
    "kind": gettext_lazy("This is no bank statement camt.053 of version 04 or 08. Download that file from your bank."),
    "xml": gettext_lazy("This file cannot be read. Download it from your bank once more, as camt.053."),
}


def payments_of(file: IO[bytes] | Any | None) -> list[BankPayment]:
    """Return the payments of an uploaded file.

    Raises:
        Refused: 422 without a file, or for one that is no bank statement; 413 for one that is too large.
    """
    if file is None:
        raise Refused(status=422, code="bank", sentence=_("Choose a file."), at="file")
    # One byte more than is read: a longer file is known by it.
    return payments_in(file.read(MAX_BYTES + 1))


def payments_in(content: bytes) -> list[BankPayment]:
    """Return the payments of a file. Raises as `payments_of` does."""
    try:
        return read_statement(content)
    except UnreadableStatement as fault:
        status = 413 if fault.code == "large" else 422
        raise Refused(status=status, code="bank", sentence=str(FAULTS[fault.code]), at="file") from fault
