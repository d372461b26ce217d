"""Users for the screens of accounts: one with every second factor, one without a password; and an invitation.

None of them signs in while pictures are taken: their sessions are created here as after a sign-in.
"""

from __future__ import annotations

import time
from importlib import import_module
from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.test import RequestFactory
from playwright.sync_api import Page

from league.accounts import sign_in_link
from league.accounts.invitations import invitation_create
from league.models import Club, Membership, Player, Role, User
from tests.second_factors import app_for

PASSWORD = "fahrrad lampe regen"
KEEPER, FRESH = "keeper@roessli.example", "fresh@roessli.example"
UNCONFIRMED = "unconfirmed@roessli.example"
# The answer of a browser's virtual authenticator to the creation of a passkey.
CREDENTIAL: dict[str, Any] = {
    "id": "KfausGEDCn6-7dEfgzZlp4C2hXjFhOTBvBgi6Ct-4P8",
    "rawId": "KfausGEDCn6-7dEfgzZlp4C2hXjFhOTBvBgi6Ct-4P8",
    "type": "public-key",
    "clientExtensionResults": {"credProps": {"rk": True}},
    "response": {
        "clientDataJSON": (
            "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiYU1aWUUzUC1hSW90U1JZZlJkTnFlNmY2V2ptLTFIdHl4TWFVdk5Y"
            "OU4wUSIsIm9yaWdpbiI6Imh0dHA6Ly9sb2NhbGhvc3Q6NTE1NzEiLCJjcm9zc09yaWdpbiI6ZmFsc2V9"
        ),
        "attestationObject": (
            "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVikSZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2NFAAAAAQECAwQFBgcIAQID"
            "BAUGBwgAICn2rrBhAwp-vu3RH4M2ZaeAtoV4xYTkwbwYIugrfuD_pQECAyYgASFYIFllDjYp5ezYt9tEONwK91kQ1Furu4-B_sxqxOHr"
            "-zfJIlggVTOSTeWmR4t2tDzUsDFP_-FQB_gJS4If74yL-Ubbypg"
        ),
    },
}
AGENTS = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 Version/19.0 Mobile Safari/605.1",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36",
    "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36",
)


def build(club: Club, owner: User) -> dict[str, str]:
    """Create the users; return the parameters of the addresses of their pages."""
    keeper = User.objects.create_user(KEEPER, PASSWORD, first_name="Bartholomäus", last_name="von Arx-Oberdorf")
    fresh = User.objects.create_user(FRESH)
    for user in (keeper, fresh):
        EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
        Membership.objects.create(club=club, user=user, role=Role.MEMBER)
    unconfirmed = User.objects.create_user(UNCONFIRMED, PASSWORD)
    EmailAddress.objects.create(user=unconfirmed, email=UNCONFIRMED, primary=True, verified=False)
    app_for(keeper)
    data = {"name": "Handy", "credential": CREDENTIAL}
    passkey = Authenticator.objects.create(user=keeper, type=Authenticator.Type.WEBAUTHN, data=data)
    RecoveryCodes.activate(keeper)
    player = Player.objects.create(club=club, nickname="Maximilian-Alexander")
    link = invitation_create(club=club, author=owner, role=Role.RECORDER, player=player)
    over = invitation_create(club=club, author=owner)
    over.invitation.revoked_at = over.invitation.created_at
    over.invitation.save()
    request = RequestFactory(SERVER_NAME="localhost").get("/")
    letter = sign_in_link.address_for(request, KEEPER).rstrip("/").rpartition("/")[2]
    return {
        "keeper_session": session_of(keeper),
        "fresh_session": session_of(fresh),
        "passkey": str(passkey.pk),
        "invitation": link.token,
        "invitation_over": over.token,
        "sign_in_link": letter,
        "reset": f"{user_pk_to_url_str(keeper)}-{default_token_generator.make_token(keeper)}",
    }


def session_of(user: User) -> str:
    """Create a session of a user who has just signed in, and two on other devices."""
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    store[SESSION_KEY] = str(user.pk)
    store[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    store[HASH_SESSION_KEY] = user.get_session_auth_hash()
    # Pictures take a while, so the sign-in is dated in the future.
    store["account_authentication_methods"] = [{"method": "mfa", "at": time.time() + 24 * 3600, "type": "totp"}]
    store["account_authentication_methods_user"] = str(user.pk)
    store.create()
    key = str(store.session_key)
    for nth, agent in enumerate(AGENTS):
        session = key if nth == 0 else _elsewhere(user)
        UserSession.objects.create(user=user, session_key=session, ip=f"192.0.2.{nth}", user_agent=agent)
    return key


def _elsewhere(user: User) -> str:
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    store[SESSION_KEY] = str(user.pk)
    store[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    store[HASH_SESSION_KEY] = user.get_session_auth_hash()
    store.create()
    return str(store.session_key)


# --- Actions on the screens --------------------------------------------------------------------------------


def half_signed_in(page: Page) -> None:
    """Enter the right password, so that the second factor is requested."""
    page.fill("[name=username]", KEEPER)
    page.fill("[name=password]", PASSWORD)
    page.tap("main .btn")
    page.wait_for_url("**/login/factor/")


def code_sent(page: Page) -> None:
    """Request a mail for an address without an account."""
    page.fill("[name=email]", "nobody@example.org")
    page.tap("main .btn")
    page.wait_for_url("**/login/code/confirm/**")


def unconfirmed(page: Page) -> None:
    """Sign in with an unconfirmed mail address. A sign-up leads to the same page."""
    page.fill("[name=username]", UNCONFIRMED)
    page.fill("[name=password]", PASSWORD)
    page.tap("main .btn")
    page.wait_for_url("**/signup/mail/**")


def signing_up(page: Page) -> None:
    """Sign up by an invitation with a password that is refused."""
    page.tap("main .btn")
    page.fill("[name=email]", "new@example.org")
    page.fill("[name=password1]", "Passwort2026!")
    page.tap("main .btn")
    page.wait_for_selector(".errorlist")
