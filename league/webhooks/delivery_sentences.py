"""Sentences for the log of deliveries."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

FAULTS: dict[str, str | Promise] = {
    "url": _("The address cannot be understood."),
    "scheme": _("The address must begin with https://."),
    "number": _("Write the number of the machine as four numbers with full stops, or take its name."),
    "private": _("The address leads into a private network; nothing is sent there."),
    "dns": _("The name is not known."),
    "refused": _("The receiver did not take the connection."),
    "timeout": _("The receiver did not answer within ten seconds."),
    "tls": _("The receiver's certificate is not valid."),
    "reset": _("The connection broke off."),
    "answer": _("The answer is not HTTP."),
    "redirect": _("The receiver points to another address; nothing is sent there."),
    "status": _("The receiver answered with an error."),
}
"""The error codes of a try, each with its sentence."""
