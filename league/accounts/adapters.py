"""What the accounts' machinery asks of the product: who may sign up, how often one may try, how mails are sent."""

from __future__ import annotations

import base64
import hashlib
import io
import time
from smtplib import SMTPException
from typing import Any

import segno
import structlog
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from league import audit
from league.audit import What
from league.models import User

from . import limits, links, mails
from .invitations import no_sign_up_because
from .joining import opened
from .middleware import SEEN
from .selectors import device

log = structlog.get_logger(__name__)

NOWHERE = "0.0.0.0"  # noqa: S104 - an address to count by, nothing is bound to it

WAYS = {
    "reauthenticate": _("With the password"),
    "mfa_reauthenticate": _("With a code of the app"),
    "mfa_reauthenticate:webauthn": _("With a passkey"),
}


class AccountAdapter(DefaultAccountAdapter):
    """Signing in, signing up, and the mails about it."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "account_inactive": _("This account is switched off. Ask the owner of your club."),
        "duplicate_email": _("This is your mail address already."),
        "email_password_mismatch": _(
            "This mail address and password do not belong together. Look at both again; the password minds capitals."
        ),
        "email_taken": _("This mail address has an account already. Sign in with it."),
        "enter_current_password": _("This is not your password until now."),
        "incorrect_code": _("This code is not the right one, or it is too old."),
        "incorrect_password": _("This is not your password."),
        "invalid_login": _("Nobody can sign in with that."),
        "invalid_password_reset": _("This link is too old or was used. Ask for a new one."),
        "too_many_login_attempts": _(
            "Too many tries that failed. Wait a quarter of an hour, or sign in by mail or with a passkey."
        ),
        "rate_limited": _("Too many requests at once. Wait a minute."),
        "same_as_current": _("This is what it was before."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """By the server's setting, or because an invitation was opened in this browser that made no account yet."""
        invitation = opened(request)
        return bool(settings.SIGNUP_OPEN) or (invitation is not None and not no_sign_up_because(invitation))

    def get_client_ip(self, request: HttpRequest) -> str:
        """The network address to count by; a server behind a socket that names none counts all as one."""
        try:
            return super().get_client_ip(request)
        except PermissionDenied:
            return NOWHERE

    # --- Trying passwords ----------------------------------------------------------------------------------

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Refuses before a hash is computed. Raises ValidationError `too_many_login_attempts`."""
        self.tries = limits.spend(request, str(credentials.get("email", "")), self.get_client_ip(request))
        if not self.tries.allowed:
            raise self.validation_error("too_many_login_attempts")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        user = super().authenticate(request, **credentials)
        if user:
            self.tries.give_back()
        return user

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Into the log: whose account it was, never what was typed."""
        person = User.objects.filter(email=str(credentials.get("email", "")).lower()).first()
        audit.write_for_person(What.SIGN_IN_FAILED, person=person, actor=None)

    # --- Signing in ----------------------------------------------------------------------------------------

    def pre_login(self, request: HttpRequest, user: Any, **hooks: Any) -> HttpResponse | None:
        """Whoever runs the server made this account, and is believed about its mail address."""
        if not EmailAddress.objects.filter(user=user).exists():
            EmailAddress.objects.get_or_create(
                user=user, email=user.email, defaults={"primary": True, "verified": True}
            )
        return super().pre_login(request, user, **hooks)

    def post_login(self, request: HttpRequest, user: Any, **hooks: Any) -> HttpResponse:
        response = super().post_login(request, user, **hooks)
        request.session[SEEN] = time.time()
        limits.remember(request, response, user.email)
        return response

    def is_reauthentication_required(self, *, app: str, **more: Any) -> bool:
        """Not right after the sign-in itself."""
        records = get_authentication_records(self.request, self.request.user)
        last = records[-1]["at"] if records else 0
        return bool(time.time() - last > settings.ACCOUNT_REAUTHENTICATION_TIMEOUT)

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """How somebody can show once more who they are, in our words."""
        return [{**way, "description": WAYS[way["id"]]} for way in super().get_reauthentication_methods(user)]

    # --- Mails ---------------------------------------------------------------------------------------------

    def render_mail(
        self, template_prefix: str, email: str | list[str], context: dict[str, Any], headers: Any = None
    ) -> EmailMessage:
        """Plain text, in the words of `mails`."""
        told = {
            **context,
            "product_name": settings.PRODUCT_NAME,
            "account_url": self.request.build_absolute_uri(reverse("account")),
            "device": device(self.get_http_user_agent(self.request)),
        }
        if template_prefix == "account/email/login_code":
            told["link"] = links.address_for(self.request, str(email))
        subject, text = mails.mail(template_prefix, told)
        to = [email] if isinstance(email, str) else email
        return EmailMessage(f"{settings.PRODUCT_NAME}: {subject}", text, self.get_from_email(), to, headers=headers)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send it now. A mail server that does not answer is told to the person, whoever that is."""
        if not settings.MAIL_ON:
            return
        try:
            super().send_mail(template_prefix, email, context)
        except (SMTPException, OSError) as error:
            log.warning("mail_failed", error=type(error).__name__)
            messages.error(self.request, _("The mail could not be sent. Try again in a few minutes."))

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None, *more: Any, **told: Any
    ) -> None:
        """A note of ours, or none: most of what the machinery would say the page says by itself."""
        if message_template in mails.NOTES:
            messages.add_message(request, level, mails.NOTES[message_template])
        elif told.get("message"):
            messages.add_message(request, level, told["message"])


class FactorAdapter(DefaultMFAAdapter):
    """Second factors: what is secret about them is kept encrypted."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _("This code is not the right one, or it is too old."),
        "unverified_email": _("Confirm your mail address first; then a second factor can be set up."),
    }

    def encrypt(self, text: str) -> str:
        return _fernet().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return _fernet().decrypt(encrypted_text.encode()).decode()
        except InvalidToken as error:
            raise RuntimeError("a second factor was kept under another SECRET_KEY") from error

    def build_totp_svg(self, url: str) -> str:
        picture = io.BytesIO()
        segno.make(url, error="m").save(picture, kind="svg", scale=5, border=4)
        return picture.getvalue().decode()

    def generate_authenticator_name(self, user: Any, type: Any) -> str:
        """What a new passkey is called until somebody calls it something else: the browser it was made in."""
        return device(context.request.META.get("HTTP_USER_AGENT", ""))

    def _get_site_name(self) -> str:
        return str(settings.PRODUCT_NAME)


def _fernet() -> MultiFernet:
    """From the server's key, and those before it."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    derived = (salted_hmac("league.accounts.factors", "", secret=key, algorithm="sha256").digest() for key in keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(hashlib.sha256(each).digest())) for each in derived])
