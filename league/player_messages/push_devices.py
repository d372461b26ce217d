"""The devices on which a person gets messages by push: switching on and off, what a push service does to them."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from .. import locks
from ..errors import Refused, form_outdated
from ..models import MessageChoice, Player, PushDevice, User
from ..webhooks import sending
from .push_crypto import check_keys

MOST = 10
PATIENCE = timedelta(days=7)
"""A device is removed when its push service took nothing for so long."""
MAX_ENDPOINT = 1000


@dataclass(frozen=True)
class Subscription:
    """What a browser says of its subscription."""

    endpoint: str
    p256dh: str
    auth: str

    def check(self) -> None:
        """Raise Refused (422) for an address to which nothing may be sent, or for keys that are none."""
        try:
            if len(self.endpoint) > MAX_ENDPOINT:
                raise sending.Fault("url")
            sending.target(self.endpoint, reach())
            check_keys(self.p256dh, self.auth)
        except (sending.Fault, ValueError):
            sentence = _("This browser's push service cannot be used here.")
            raise Refused(status=422, code="endpoint", sentence=sentence) from None


@dataclass(frozen=True)
class Owner:
    """Whose devices these are: those of an account, or those of a player without one."""

    user: User | None
    player: Player | None

    @property
    def devices(self) -> QuerySet[PushDevice]:
        return PushDevice.objects.filter(user=self.user, player=self.player).order_by("pk")

    @property
    def choices(self) -> QuerySet[MessageChoice]:
        """Return the choices whose messages go to these devices."""
        if self.user is not None:
            return MessageChoice.objects.filter(user=self.user)
        return MessageChoice.objects.filter(player=self.player, user=None)


def reach() -> sending.Reach:
    """Return what push services may be: public, over TLS, but for trials. The settings of webhooks do not matter: those
    are added by owners of a club, devices by anybody."""
    return sending.Reach(http=settings.PUSH_PRIVATE, private=settings.PUSH_PRIVATE)


def owner_of(choice: MessageChoice) -> Owner:
    """Return whose devices get the messages of a choice."""
    return Owner(choice.user, None) if choice.user_id else Owner(None, choice.player)


@transaction.atomic
def device_on(owner: Owner, subscription: Subscription, label: str) -> PushDevice:
    """Store a device, or take it over: a browser belongs to whoever switched it on last.

    Raises:
        Refused: as `Subscription.check`; 409 for too many devices.
    """
    subscription.check()
    if owner.player is not None:
        locks.lock_club(owner.player.club_id)
    elif owner.user is not None:
        User.objects.select_for_update(no_key=True).get(pk=owner.user.pk)
    if owner.devices.exclude(endpoint=subscription.endpoint).count() >= MOST:
        sentence = _("%(most)d devices at most. Remove one first.") % {"most": MOST}
        raise Refused(status=409, code="devices", sentence=sentence)
    known = PushDevice.objects.filter(endpoint=subscription.endpoint).first()
    if known is not None and (known.user_id, known.player_id) != _keys(owner):
        # Messages that wait for the former owner do not come here.
        known.delete()
    values = {
        "user": owner.user,
        "player": owner.player,
        "p256dh": subscription.p256dh,
        "auth": subscription.auth,
        "label": label[:80],
        "failing_since": None,
        "failures": 0,
    }
    device, _new = PushDevice.objects.update_or_create(endpoint=subscription.endpoint, defaults=values)
    owner.choices.update(device_lost_at=None)
    return device


def _keys(owner: Owner) -> tuple[int | None, int | None]:
    return owner.user.pk if owner.user else None, owner.player.pk if owner.player else None


def device_off(owner: Owner, pk: str) -> None:
    """Remove a device of this owner; one that is gone already changes nothing. Raises Refused for no number."""
    if not pk.isdecimal():
        raise form_outdated()
    owner.devices.filter(pk=int(pk)).delete()


def endpoint_off(owner: Owner, endpoint: str) -> None:
    """Remove the device with this address, if it is this owner's."""
    owner.devices.filter(endpoint=endpoint).delete()


@transaction.atomic
def device_renew(old: str, auth: str, subscription: Subscription) -> bool:
    """Give a device the new subscription that its browser made. Who knows the old address and its secret is that
    browser. Return False if there is no such device. Raises Refused as `Subscription.check`."""
    subscription.check()
    device = PushDevice.objects.select_for_update().filter(endpoint=old).first()
    if device is None or not hmac.compare_digest(device.auth.encode(), auth.encode()):
        return False
    PushDevice.objects.filter(endpoint=subscription.endpoint).exclude(pk=device.pk).delete()
    device.endpoint, device.p256dh, device.auth = subscription.endpoint, subscription.p256dh, subscription.auth
    device.failing_since, device.failures = None, 0
    device.save()
    return True


def mark(device: PushDevice) -> str:
    """Return the digest by which a page recognises its own browser among the devices."""
    return hashlib.sha256(device.endpoint.encode()).hexdigest()


# --- What a push service says ---


def taken(device: PushDevice) -> None:
    """Note that the push service took a message."""
    PushDevice.objects.filter(pk=device.pk).update(ok_at=timezone.now(), failing_since=None, failures=0)


@transaction.atomic
def gone(device: PushDevice) -> None:
    """Remove a device whose browser gets nothing any more; with the last one, the pages of the person say so."""
    PushDevice.objects.filter(pk=device.pk).delete()
    owner = Owner(device.user, device.player)
    if not owner.devices.exists():
        owner.choices.filter(way=MessageChoice.Way.PUSH).update(device_lost_at=timezone.now())


def failed(device: PushDevice) -> bool:
    """Note a failure; after a week of them the device is removed. Return True if it stays."""
    now = timezone.now()
    if device.failing_since is not None and now - device.failing_since >= PATIENCE:
        gone(device)
        return False
    values = {"failing_since": device.failing_since or now, "failures": F("failures") + 1}
    PushDevice.objects.filter(pk=device.pk).update(**values)
    return True


# --- Players ---


def devices_move(*, player: Player, main: Player) -> None:
    """Give the devices of a merged player to the main one. The caller holds the transaction."""
    PushDevice.objects.filter(player=player).update(player=main)
