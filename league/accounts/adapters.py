"""Adapters for allauth: permission to sign up, limits for passwords, sending of mails."""

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
from allauth.account.authentication import get_authentication_records
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
from league.web.client_networks import plain_address

from . import mails, sign_in_limits, sign_in_link
from .invitations import no_sign_up_because
from .middleware import SEEN
from .selectors import device
from .visited_invitation import visited_invitation

log = structlog.get_logger(__name__)

NO_ADDRESS = "0.0.0.0"  # noqa: S104 - a key for counting, nothing is bound to it

METHOD_LABELS = {
    "reauthenticate": _("With the password"),
    "mfa_reauthenticate": _("With a code of the app"),
    "mfa_reauthenticate:webauthn": _("With a passkey"),
}


class AccountAdapter(DefaultAccountAdapter):
    """Signing in, signing up, and the mails about it."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "account_inactive": _("This account is switched off. Ask the owner of your club."),
        "duplicate_email": _("This is already your email address."),
        "email_password_mismatch": _(
            "Email address and password do not match. Check both; the password distinguishes capitals."
        ),
        "email_taken": _("This email address already has an account. Sign in with it."),
        "enter_current_password": _("This is not your current password."),
        "incorrect_code": _("This code is wrong or too old."),
        "incorrect_password": _("This is not your password."),
        "invalid_login": _("Nobody can sign in with that."),
        "invalid_password_reset": _("This link is too old or was already used. Ask for a new one."),
        "too_many_login_attempts": _(
            "Too many failed attempts. Wait a quarter of an hour, or sign in by email or with a passkey."
        ),
        "rate_limited": _("Too many requests at once. Wait a minute."),
        "same_as_current": _("This is what it was before."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return True if the server allows it, or for a visited invitation with which no account was created yet."""
        invitation = visited_invitation(request)
        return bool(settings.SIGNUP_OPEN) or (invitation is not None and not no_sign_up_because(invitation))

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the network address for counting tries; behind a socket without addresses all requests share one."""
        try:
            return plain_address(super().get_client_ip(request))
        except PermissionDenied:
            return NO_ADDRESS

    # --- Trying passwords ----------------------------------------------------------------------------------

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Refuse too many tries before a hash is computed. Raises ValidationError `too_many_login_attempts`."""
        self.tries = sign_in_limits.spend(request, str(credentials.get("email", "")), self.get_client_ip(request))
        if not self.tries.allowed:
            raise self.validation_error("too_many_login_attempts")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        user = super().authenticate(request, **credentials)
        if user:
            self.tries.give_back()
        return user

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Log the account, never the typed text."""
        person = User.objects.filter(email=str(credentials.get("email", "")).lower()).first()
        audit.write_for_person(What.SIGN_IN_FAILED, person=person, actor=None)

    # --- Signing in ----------------------------------------------------------------------------------------

    def pre_login(self, request: HttpRequest, user: Any, **hooks: Any) -> HttpResponse | None:
        """Confirm the mail address of an account that was created in the admin or by a command."""
        if not EmailAddress.objects.filter(user=user).exists():
            EmailAddress.objects.get_or_create(
                user=user, email=user.email, defaults={"primary": True, "verified": True}
            )
        return super().pre_login(request, user, **hooks)

    def post_login(self, request: HttpRequest, user: Any, **hooks: Any) -> HttpResponse:
        response = super().post_login(request, user, **hooks)
        request.session[SEEN] = time.time()
        sign_in_limits.remember(request, response, user.email)
        return response

    def is_reauthentication_required(self, *, app: str, **more: Any) -> bool:
        """Return False right after signing in."""
        records = get_authentication_records(self.request, self.request.user)
        last = records[-1]["at"] if records else 0
        return bool(time.time() - last > settings.ACCOUNT_REAUTHENTICATION_TIMEOUT)

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """Return the methods of confirming the identity again, with the product's labels."""
        methods = super().get_reauthentication_methods(user)
        return [{**method, "description": METHOD_LABELS[method["id"]]} for method in methods]

    # --- Mails ---------------------------------------------------------------------------------------------

    def render_mail(
        self, template_prefix: str, email: str | list[str], context: dict[str, Any], headers: Any = None
    ) -> EmailMessage:
        """Return a plain-text mail with the texts of `mails`."""
        values = {
            **context,
            "product_name": settings.PRODUCT_NAME,
            "account_url": self.request.build_absolute_uri(reverse("account")),
            "device": device(self.get_http_user_agent(self.request)),
        }
        if template_prefix == "account/email/login_code":
            values["link"] = sign_in_link.address_for(self.request, str(email))
        subject, text = mails.mail(template_prefix, values)
        to = [email] if isinstance(email, str) else email
        return EmailMessage(f"{settings.PRODUCT_NAME}: {subject}", text, self.get_from_email(), to, headers=headers)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send the mail now. Show a notice if the mail server does not answer, or if the address has had enough mails
        that anybody can request."""
        if not settings.MAIL_ON:
            return
        if template_prefix in mails.MAILS and not sign_in_limits.may_send(email):
            messages.error(self.request, _("This address has had several emails already. Wait a quarter of an hour."))
            return
        try:
            super().send_mail(template_prefix, email, context)
        except (SMTPException, OSError) as error:
            log.warning("mail_failed", error=type(error).__name__)
            messages.error(self.request, _("The email could not be sent. Try again in a few minutes."))

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None, *args: Any, **kwargs: Any
    ) -> None:
        """Add a notice of the product, or none: most notices of allauth repeat what the page shows."""
        if message_template in mails.NOTICES:
            messages.add_message(request, level, mails.NOTICES[message_template])
        elif kwargs.get("message"):
            messages.add_message(request, level, kwargs["message"])


class FactorAdapter(DefaultMFAAdapter):
    """Second factors; their secrets are stored encrypted."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _("This code is wrong or too old."),
        "lost_key": _(
            "Your second factor was stored under another key of this server. Ask its operators to remove it."
        ),
        "unverified_email": _("Confirm your email address first; then a second factor can be set up."),
    }

    def encrypt(self, text: str) -> str:
        return _fernet().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return the secret. Raises ValidationError if it was encrypted under a key that the server no longer has."""
        try:
            return _fernet().decrypt(encrypted_text.encode()).decode()
        except InvalidToken as error:
            log.error("factor_of_another_secret_key")
            raise self.validation_error("lost_key") from error

    def build_totp_svg(self, url: str) -> str:
        picture = io.BytesIO()
        segno.make(url, error="m").save(picture, kind="svg", scale=5, border=4)
        return picture.getvalue().decode()

    def generate_authenticator_name(self, user: Any, type: Any) -> str:
        """Return the first name of a new passkey: the browser in which it was created."""
        return device(context.request.META.get("HTTP_USER_AGENT", ""))

    def _get_site_name(self) -> str:
        return str(settings.PRODUCT_NAME)


def _fernet() -> MultiFernet:
    """Return the encryption with the server's key; earlier keys can still decrypt."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    derived = (salted_hmac("league.accounts.factors", "", secret=key, algorithm="sha256").digest() for key in keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(hashlib.sha256(each).digest())) for each in derived])
