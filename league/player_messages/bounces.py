"""Mails that come back: each mail to a player has an envelope sender of its own, by which its bounce is known.

A bounce is a report on a delivery (RFC 3464) to that address. The server that takes it gives it to `manage.py bounce`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import Message
from email.utils import getaddresses
from typing import Final

import structlog
from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from ..models import MessageChoice
from .choices import address_of, address_refused

log = structlog.get_logger(__name__)

SALT: Final = "league.player_messages.bounces"
LARGEST: Final = 1 << 20
"""The part of a mail that is read, in bytes: the report comes before the mail that it is about."""

# Mail servers may change the case of an address.
_TOKEN: Final = re.compile(r"\+([0-9a-f]{1,16})-([0-9a-f]{16})@")
_TO: Final = ("X-Original-To", "Delivered-To", "To")


def envelope_sender(choice: MessageChoice, address: str) -> str:
    """Return the envelope sender of a mail to this address; an empty text if the server takes no bounces.

    It is `BOUNCES_TO` with the number of the choice, and a signature that is good for this address alone: the bounce of
    an address that was changed since ends nothing.
    """
    name, _at, domain = settings.BOUNCES_TO.rpartition("@")
    return f"{name}+{choice.number:x}-{_signature(choice, address)}@{domain}" if name else ""


def _signature(choice: MessageChoice, address: str) -> str:
    return salted_hmac(SALT, f"{choice.number} {address.lower()}", algorithm="sha256").hexdigest()[:16]


def bounce_take(mail: bytes, recipient: str = "") -> bool:
    """End the messages of the player whose mail came back for good, as if the mail server had refused it at once.

    `recipient` is the address to which the bounce was sent, if the mail server tells it; else the heads of the mail say
    it. Return False for what is no such bounce: an answer of a person or a machine, a delay, an address that this
    server did not make, or one that the player changed since.
    """
    parsed = message_from_bytes(mail[:LARGEST], policy=policy.compat32)
    choice = _choice_of(recipient) or _choice_of(" ".join(_receivers(parsed)))
    if choice is None or not any(_failed_for_good(parsed)):
        log.info("player_message_came_back", ended=False, known=choice is not None)
        return False
    address_refused(choice)
    log.warning("player_message_came_back", ended=True, player=choice.player_id)
    return True


def _receivers(mail: Message) -> Iterator[str]:
    heads = [str(value) for name in _TO for value in mail.get_all(name, [])]
    return (address for _name, address in getaddresses(heads))


def _choice_of(text: str) -> MessageChoice | None:
    """Return the choice to whose address a mail with this envelope sender was sent."""
    match = _TOKEN.search(text.lower())
    if match is None:
        return None
    rows = MessageChoice.objects.select_related("player__club", "user")
    choice = rows.filter(number=int(match[1], 16)).first()
    if choice is None:
        return None
    return choice if constant_time_compare(_signature(choice, address_of(choice)), match[2]) else None


def _failed_for_good(mail: Message) -> Iterator[bool]:
    """Yield for each recipient of a report on a delivery if it failed for good: `Action: failed`, `Status: 5.…`."""
    for part in mail.walk():
        if part.get_content_type() != "message/delivery-status" or not part.is_multipart():
            continue
        for recipient in part.get_payload():
            if isinstance(recipient, Message) and recipient["Action"]:
                action, status = (str(recipient[name] or "").strip().lower() for name in ("Action", "Status"))
                yield action == "failed" and status.startswith("5.")
