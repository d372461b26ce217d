"""The link in the sign-in mail. It shows a page with a button, as mail scanners follow links but press no buttons.

The link is valid for a time, and only until the user's next sign-in: it signs the time of the last one.
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

SALT = "league.accounts.sign_in_link"


def _state(user: User) -> str:
    """Return a hash that changes with a sign-in, a new password or a new address."""
    now = f"{user.pk}:{user.last_login}:{user.password}:{user.email}:{user.is_active}"
    return salted_hmac(SALT, now, algorithm="sha256").hexdigest()[:24]


def address_for(request: HttpRequest, email: str) -> str:
    """Return the link for the account with this mail address and the next page; empty if there is no account."""
    user = User.objects.filter(email=email.lower(), is_active=True).first()
    if user is None:
        return ""
    content = {"user": user.pk, "state": _state(user), "next": get_next_redirect_url(request) or ""}
    token = signing.dumps(content, salt=SALT, compress=True)
    return request.build_absolute_uri(reverse("login-link", kwargs={"token": token}))


def read(token: str) -> tuple[User, str] | None:
    """Return the user and the next page of a link; None if it is expired, used or not valid."""
    try:
        content: dict[str, Any] = signing.loads(token, salt=SALT, max_age=settings.ACCOUNT_LOGIN_BY_CODE_TIMEOUT)
    except signing.BadSignature:
        return None
    user = User.objects.filter(pk=content["user"], is_active=True).first()
    if user is None or not constant_time_compare(_state(user), content["state"]):
        return None
    return user, str(content["next"])


def use(token: str) -> bool:
    """Return True at the first use of a link. `read` is not enough: a second factor comes after it."""
    name = salted_hmac(SALT, token, algorithm="sha256").hexdigest()
    return bool(cache.add(f"login-link:{name}", 1, settings.ACCOUNT_LOGIN_BY_CODE_TIMEOUT))
