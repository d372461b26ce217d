"""A message by push: its text, and its way to each device of a person.

A message goes to a device once: what its push service took is a row (`PushDelivery`), and a try goes to the other
devices only. If a worker is killed between the answer and that row, the device gets the message again; it has the same
tag then, by which the browser replaces the first one.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _

from ..models import MessageChoice, PlayerMessage, PushDelivery, PushDevice
from ..web.kept_pages import account_digest
from ..webhooks import sending
from . import push_devices
from .letter import Letter, one_line
from .push_crypto import authorization, encrypt
from .push_key import contact, private_key

KEEP_SECONDS = 24 * 60 * 60
"""So long a push service keeps a message for a device that is off."""
SECONDS = 10.0
TEST_SECONDS = 5.0
MOST_TITLE, MOST_BODY, MOST_URL = 120, 400, 500
GONE = (404, 410)


@dataclass(frozen=True)
class Push:
    """What a device shows. `path` is opened by a tap; `tag` replaces a message with the same one. `hidden` is shown in
    place of all of it if the account of the device is not signed in there."""

    title: str
    body: str
    path: str
    tag: str
    hidden: str

    def text(self, account: str) -> bytes:
        """Return the text for a device. `account` is the digest of its account, empty for a player without one."""
        data = {
            "title": one_line(self.title)[:MOST_TITLE],
            "body": self.body[:MOST_BODY],
            "url": self.path if len(self.path) <= MOST_URL else "/",
            "tag": self.tag,
            "account": account,
            "hidden": self.hidden,
        }
        return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


@dataclass(frozen=True)
class Outcome:
    """How many devices have the message by now, and the fault of those that are to be tried again, else empty."""

    taken: int
    fault: str = ""


def push_of(letter: Letter, choice: MessageChoice, message: PlayerMessage) -> Push:
    """Return the push of a message, in the language that is active. Amounts are in it only if the player wants that:
    a locked screen shows it to everybody."""
    lines = [*letter.short, *(letter.short_money if choice.amounts else ())]
    body = "\n".join(lines) or _("Tap to read it.")
    return Push(letter.subject, body, path_of(letter.link), f"{message.kind}-{message.pk}", hidden())


def hidden() -> str:
    """Return what a device shows to somebody else."""
    return _("A message is here. Sign in to read it.")


def path_of(link: str) -> str:
    """Return the path of an own address; `/` without one."""
    return link.removeprefix(settings.BASE_URL) if link.startswith(f"{settings.BASE_URL}/") else "/"


def send_to_devices(choice: MessageChoice, message: PlayerMessage, push: Push, wanted: Callable[[], bool]) -> Outcome:
    """Send a message to each device that has not got it; `wanted` is asked as the last step before each."""
    fault, owner = "", push_devices.owner_of(choice)
    for device in owner.devices.exclude(deliveries__message=message).select_related("user", "player"):
        if not wanted():
            break
        sent = send_one(device, push)
        if not sent.error:
            PushDelivery.objects.bulk_create([PushDelivery(message=message, device=device)], ignore_conflicts=True)
            push_devices.taken(device)
        elif sent.status in GONE:
            push_devices.gone(device)
        elif push_devices.failed(device):
            fault = f"push {sent.status or sent.error}"
    return Outcome(taken(message), fault)


def taken(message: PlayerMessage) -> int:
    """Return the number of devices that have the message."""
    return PushDelivery.objects.filter(message=message).count()


def send_one(device: PushDevice, push: Push, seconds: float = SECONDS) -> sending.Sent:
    """Encrypt a push for a device, and send it to its push service. Network faults are returned, not raised."""
    account = account_digest(device.user_id) if device.user_id else ""
    body = encrypt(push.text(account), device.p256dh, device.auth)
    headers = {
        "Authorization": authorization(device.endpoint, contact(), private_key()),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(KEEP_SECONDS),
        # A push service that still has the first one keeps only the second.
        "Topic": push.tag,
        "Urgency": "normal",
    }
    return sending.post(device.endpoint, body, headers, seconds, push_devices.reach())


def try_out(device: PushDevice) -> sending.Sent:
    """Send a device a message without content, so that its owner sees that it works."""
    push = Push(settings.PRODUCT_NAME, _("This device gets your messages."), "/", "test", hidden())
    sent = send_one(device, push, TEST_SECONDS)
    if not sent.error:
        push_devices.taken(device)
    elif sent.status in GONE:
        push_devices.gone(device)
    return sent
