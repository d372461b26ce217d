"""What a push service needs: a body that only the browser can read (RFC 8291), and a signed header that says which
server sends it (RFC 8292). All keys are on the curve P-256.

`pywebpush` is not used: it brings its own HTTP client, and the address comes from a user (`league.webhooks.sending`).
Its parts `http_ece` and `py-vapid` are not: the first has no wheel, so it cannot be installed here. The example of
RFC 8291 is a test.
"""

from __future__ import annotations

import base64
import json
import os
import time
from collections.abc import Mapping
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
POINT_BYTES, AUTH_BYTES, SALT_BYTES = 65, 16, 16
RECORD_BYTES = 4096
"""The size of a record: a message is one. A push service takes 4096 bytes at least (RFC 8030)."""
MAX_TEXT_BYTES = 3000
SIGNED_SECONDS = 12 * 60 * 60
"""A push service refuses a signature for more than a day."""


def to_text(plain: bytes) -> str:
    """Return bytes as base64url without padding."""
    return base64.urlsafe_b64encode(plain).rstrip(b"=").decode()


def to_bytes(text: str) -> bytes:
    """Return the bytes of base64url, with or without padding. Raises ValueError for anything else."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def public_bytes(key: ec.EllipticCurvePublicKey) -> bytes:
    """Return a public key as 65 bytes: an uncompressed point."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def check_keys(p256dh: str, auth: str) -> None:
    """Raise ValueError unless these are a point on the curve and a secret of 16 bytes."""
    point = to_bytes(p256dh)
    if len(point) != POINT_BYTES or len(to_bytes(auth)) != AUTH_BYTES:
        raise ValueError("wrong length")
    ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)


def encrypt(
    text: bytes,
    p256dh: str,
    auth: str,
    *,
    key: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Return the body of a push for a browser: header and one record of `aes128gcm` (RFC 8188). `key` and `salt` are
    new for each message; only a test gives them.

    Raises:
        ValueError: the text has more than `MAX_TEXT_BYTES`, or the keys are none.
    """
    if len(text) > MAX_TEXT_BYTES:
        raise ValueError("too long")
    own, salt = key or ec.generate_private_key(CURVE), salt or os.urandom(SALT_BYTES)
    theirs = to_bytes(p256dh)
    shared = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs))
    point = public_bytes(own.public_key())
    secret = _derived(shared, to_bytes(auth), b"WebPush: info\x00" + theirs + point, 32)
    cipher = AESGCM(_derived(secret, salt, b"Content-Encoding: aes128gcm\x00", 16))
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\x00", 12)
    # The byte 2 ends the last record.
    record = cipher.encrypt(nonce, text + b"\x02", None)
    return salt + RECORD_BYTES.to_bytes(4, "big") + bytes([len(point)]) + point + record


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(secret)


def authorization(endpoint: str, contact: str, key: ec.EllipticCurvePrivateKey) -> str:
    """Return the header `Authorization` for an endpoint: a JSON web token (ES256) and the public key. `contact` is the
    address of the operator, as `mailto:`."""
    parts = urlsplit(endpoint)
    claims: dict[str, object] = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + SIGNED_SECONDS,
        "sub": contact,
    }
    signed = f"{_part({'typ': 'JWT', 'alg': 'ES256'})}.{_part(claims)}"
    r, s = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(SHA256())))
    token = f"{signed}.{to_text(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"
    return f"vapid t={token}, k={to_text(public_bytes(key.public_key()))}"


def _part(data: Mapping[str, object]) -> str:
    return to_text(json.dumps(data, separators=(",", ":")).encode())
