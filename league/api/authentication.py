"""Authenticate a program by its API key (`Authorization: Bearer …`), or a browser by its session and CSRF token."""

from __future__ import annotations

from datetime import timedelta
from hmac import compare_digest
from http import HTTPStatus
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from knox.auth import TokenAuthentication
from knox.crypto import hash_token
from knox.settings import CONSTANTS
from rest_framework import exceptions
from rest_framework.authentication import SessionAuthentication
from rest_framework.request import Request

from league.models import ApiToken, User

from .problems import Problem

USED_EVERY = timedelta(minutes=1)
"""The time of a key's last use is stored at most this often, so that a read does not always write."""


def _keys(token_key: str) -> QuerySet[ApiToken]:
    """The keys whose text begins so, with their owners and the clubs that they are for."""
    return ApiToken.objects.filter(token_key=token_key).select_related("user", "club")


class KeyAuthentication(TokenAuthentication):
    """Authenticate by an API key. Unlike its base it deletes nothing: an expired key stays in its owner's list for
    `KEEP_KEYS_DAYS`."""

    def authenticate_credentials(self, token: bytes) -> tuple[User, ApiToken]:
        try:
            text = token.decode("ascii")
        except UnicodeDecodeError:
            raise exceptions.AuthenticationFailed from None
        digest = hash_token(text)
        now = timezone.now()
        for key in _keys(text[: CONSTANTS.TOKEN_KEY_LENGTH]):
            if not compare_digest(digest, key.digest):
                continue
            if not key.user.is_active or (key.expiry is not None and key.expiry <= now):
                break
            stale = Q(used_at__isnull=True) | Q(used_at__lt=now - USED_EVERY)
            if key.used_at is None or key.used_at < now - USED_EVERY:
                ApiToken.objects.filter(stale, pk=key.pk).update(used_at=now)
            return key.user, key
        raise exceptions.AuthenticationFailed


class BrowserAuthentication(SessionAuthentication):
    """Authenticate by the session of a browser."""

    def enforce_csrf(self, request: Request) -> None:
        try:
            super().enforce_csrf(request)
        except exceptions.PermissionDenied:
            raise Problem(
                HTTPStatus.FORBIDDEN, "csrf", _("The CSRF token is missing or wrong; load the page again.")
            ) from None


def key_of(request: Any) -> ApiToken | None:
    """Return the API key of a request, None for a browser or a visitor."""
    return request.auth if isinstance(request.auth, ApiToken) else None
