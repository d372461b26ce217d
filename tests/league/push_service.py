"""A push service for tests: an HTTP server on 127.0.0.1 with browsers that are subscribed to it.

It checks who sends, as a real one does, and decrypts each message with the key of its browser; none of it uses the code
of the product."""

from __future__ import annotations

import base64
import http.server
import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from typing import Any

from cryptography.hazmat.primitives import hmac
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def text_of(plain: bytes) -> str:
    return base64.urlsafe_b64encode(plain).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _mac(key: bytes, data: bytes) -> bytes:
    made = hmac.HMAC(key, SHA256())
    made.update(data)
    return made.finalize()


@dataclass
class Phone:
    """A browser: its keys, and the messages that it got. `status` is what the push service answers for it."""

    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = field(default_factory=lambda: os.urandom(16))
    status: int = 201
    got: list[dict[str, Any]] = field(default_factory=list)
    heads: list[Message] = field(default_factory=list)

    @property
    def point(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def fields(self) -> dict[str, str]:
        """What the browser says of its subscription."""
        return {"endpoint": self.endpoint, "p256dh": text_of(self.point), "auth": text_of(self.auth)}

    def read(self, body: bytes) -> dict[str, Any]:
        """Decrypt a message, step by step as RFC 8291 writes it."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, record = body[21 : 21 + length], body[21 + length :]
        assert len(record) <= size
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        secret = _mac(_mac(self.auth, shared), b"WebPush: info\0" + self.point + sender + b"\1")
        pseudo = _mac(salt, secret)
        key = _mac(pseudo, b"Content-Encoding: aes128gcm\0\1")[:16]
        nonce = _mac(pseudo, b"Content-Encoding: nonce\0\1")[:12]
        plain = AESGCM(key).decrypt(nonce, record, None)
        assert plain.endswith(b"\2")
        payload: dict[str, Any] = json.loads(plain[:-1])
        return payload


class Handler(http.server.BaseHTTPRequestHandler):
    server: PushService

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        phone = self.server.phones[self.path]
        status = phone.status if self.is_signed() else 403
        if status == 201:
            phone.got.append(phone.read(body))
            phone.heads.append(self.headers)
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def is_signed(self) -> bool:
        """Check the header `Authorization` (RFC 8292)."""
        scheme, _space, rest = self.headers["Authorization"].partition(" ")
        values = dict(part.strip().split("=", 1) for part in rest.split(","))
        signed, _dot, signature = values["t"].rpartition(".")
        head, claims = (json.loads(bytes_of(part)) for part in signed.split("."))
        raw = bytes_of(signature)
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), bytes_of(values["k"]))
        der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
        key.verify(der, signed.encode(), ec.ECDSA(SHA256()))
        self.server.keys.add(values["k"])
        self.server.contacts.add(claims["sub"])
        assert (scheme, head["alg"], len(raw)) == ("vapid", "ES256", 64)
        return claims["aud"] == self.server.url and time.time() < claims["exp"] < time.time() + 24 * 60 * 60

    def log_message(self, *args: object) -> None:
        """Log nothing."""


class PushService(http.server.ThreadingHTTPServer):
    """`keys` and `contacts` are those of the servers that sent."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.phones: dict[str, Phone] = {}
        self.keys: set[str] = set()
        self.contacts: set[str] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def phone(self) -> Phone:
        """Subscribe another browser."""
        path = f"/push/{len(self.phones) + 1}"
        self.phones[path] = Phone(self.url + path)
        return self.phones[path]


@contextmanager
def push_service() -> Iterator[PushService]:
    server = PushService()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
