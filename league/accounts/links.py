"""The link in the mail to sign in with. It opens a page with a button: what looks through mails presses none.

Beside its time it holds until the next sign-in of the person, with it or not: what it signs names the last one.
"""

from __future__ import annotations

from typing import Any

from allauth.account.utils import get_next_redirect_url
from django.conf import settings
from django.core import signing
from django.core.cache import cache
from django.http import HttpRequest
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from league.models import User

SALT = "league.accounts.links"


def _state(user: User) -> str:
    """What changes with a sign-in, another password or another address."""
    now = f"{user.pk}:{user.last_login}:{user.password}:{user.email}:{user.is_active}"
    return salted_hmac(SALT, now, algorithm="sha256").hexdigest()[:24]


def address_for(request: HttpRequest, email: str) -> str:
    """The whole link for the account with this mail address, with where to go then; empty where there is none."""
    user = User.objects.filter(email=email.lower(), is_active=True).first()
    if user is None:
        return ""
    told = {"user": user.pk, "state": _state(user), "next": get_next_redirect_url(request) or ""}
    token = signing.dumps(told, salt=SALT, compress=True)
    return request.build_absolute_uri(reverse("login-link", kwargs={"token": token}))


def read(token: str) -> tuple[User, str] | None:
    """Who signs in by it, and where they go then; None where it is too old, used, or none of ours."""
    try:
        told: dict[str, Any] = signing.loads(token, salt=SALT, max_age=settings.ACCOUNT_LOGIN_BY_CODE_TIMEOUT)
    except signing.BadSignature:
        return None
    user = User.objects.filter(pk=told["user"], is_active=True).first()
    if user is None or not constant_time_compare(_state(user), told["state"]):
        return None
    return user, str(told["next"])


def use(token: str) -> bool:
    """Whether this is the first who presses the button; a second factor still to be shown leaves `read` as it was."""
    name = salted_hmac(SALT, token, algorithm="sha256").hexdigest()
    return bool(cache.add(f"login-link:{name}", 1, settings.ACCOUNT_LOGIN_BY_CODE_TIMEOUT))
