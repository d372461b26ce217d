"""Second factors for tests: an authenticator app with codes, and sessions in which a code was given."""

from __future__ import annotations

import base64
import hashlib
import hmac
import struct
import time
from typing import Any

from allauth.account.internal.flows import login as login_flow
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.test import Client

from league.models import User


def app_for(user: User) -> str:
    """Set up an authenticator app for a user; return its secret."""
    secret: str = totp.generate_totp_secret()
    totp.TOTP.activate(user, secret)
    return secret


def code_of(secret: str) -> str:
    """Return the current code of the app, computed by RFC 6238 without the product's code."""
    counter = struct.pack(">Q", int(time.time()) // 30)
    digest = hmac.new(base64.b32decode(secret), counter, hashlib.sha1).digest()
    begin = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[begin : begin + 4])[0] & 0x7FFFFFFF) % 10**6:06}"


def signed_in_now(client: Client, user: User) -> Client:
    """Sign `user` in with a password just now; return the client."""
    client.force_login(user)
    return _with_sign_in_record(client, user, {"method": "password", "at": time.time()})


def _with_sign_in_record(client: Client, user: User, record: dict[str, Any]) -> Client:
    session = client.session
    session[login_flow.AUTHENTICATION_METHODS_SESSION_KEY] = [record]
    session[login_flow._AUTHENTICATION_METHODS_USER_SESSION_KEY] = str(user.pk)
    session.save()
    return client


def with_factor(client: Client, user: User) -> Client:
    """Sign `user` in with a password and a code of an app; return the client."""
    if not Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).exists():
        app_for(user)
    factor = Authenticator.objects.get(user=user, type=Authenticator.Type.TOTP)
    client.force_login(user)
    return _with_sign_in_record(client, user, {"method": "mfa", "at": time.time(), "id": factor.pk, "type": "totp"})
