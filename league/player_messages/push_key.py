"""The key by which push services know this server: made at the first use, kept encrypted in the database."""

from __future__ import annotations

import base64
from email.utils import parseaddr

import structlog
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_der_private_key,
)
from django.conf import settings
from django.db import transaction
from django.utils.crypto import salted_hmac

from ..models import PushDevice, PushKey
from .push_crypto import CURVE, public_bytes, to_text

log = structlog.get_logger(__name__)
SALT = "league.player_messages.push_key"


def private_key() -> ec.EllipticCurvePrivateKey:
    """Return the key of this server. One query, once it is made.

    A key that the server's secret key does not open is replaced, and all devices are removed: they know the old one.
    """
    row = PushKey.objects.filter(pk=1).first() or PushKey.objects.get_or_create(pk=1, defaults={"sealed": _new()})[0]
    try:
        return _opened(row.sealed)
    except InvalidToken:
        log.error("push_key_replaced")
        return _replaced(row)


def public_key() -> str:
    """Return the public key of this server, as browsers want it."""
    return to_text(public_bytes(private_key().public_key()))


def contact() -> str:
    """Return the address that push services use if something is wrong."""
    return f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"


@transaction.atomic
def _replaced(row: PushKey) -> ec.EllipticCurvePrivateKey:
    # Of two that find it at the same time, one replaces it.
    if PushKey.objects.filter(pk=1, sealed=row.sealed).update(sealed=_new()):
        PushDevice.objects.all().delete()
    return _opened(PushKey.objects.get(pk=1).sealed)


def _new() -> str:
    plain = ec.generate_private_key(CURVE).private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    return _fernet().encrypt(plain).decode()


def _opened(sealed: str) -> ec.EllipticCurvePrivateKey:
    key = load_der_private_key(_fernet().decrypt(sealed.encode()), password=None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    return key


def _fernet() -> MultiFernet:
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    derived = (salted_hmac(SALT, "", secret=key, algorithm="sha256").digest() for key in keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(each)) for each in derived])
