"""The texts of the mails about accounts and of the notices on their pages, by the names of allauth's templates."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

IGNORE = _("If you did not ask for this, do nothing: without you nothing happens.")

MAILS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "account/email/login_code": (
        _("%(code)s is your code to sign in"),
        (
            _("Your code to sign in: %(code)s"),
            _("Or open this page and press its button:"),
            "%(link)s",
            _("Both are valid for a quarter of an hour."),
            IGNORE,
        ),
    ),
    "account/email/email_confirmation": (
        _("%(code)s confirms your email address"),
        (_("The code that confirms your email address: %(code)s"), IGNORE),
    ),
    "account/email/email_confirmation_signup": (
        _("%(code)s confirms your email address"),
        (
            _("Welcome to %(product_name)s. The code that confirms your email address: %(code)s"),
            IGNORE,
        ),
    ),
    "account/email/account_already_exists": (
        _("You already have an account"),
        (
            _("Somebody, probably you, wanted to create an account with this email address. It already has one."),
            _("If you have forgotten its password, choose a new one here:"),
            "%(password_reset_url)s",
        ),
    ),
    "account/email/unknown_account": (
        _("No account with this email address"),
        (
            _("Somebody, probably you, wanted to sign in with this email address. It has no account here."),
            _("Perhaps you signed up with another one. New accounts need an invitation of a club."),
            IGNORE,
        ),
    ),
    "account/email/password_reset_key": (
        _("A new password"),
        (
            _("Choose a new password here. The link works once and is valid for three days."),
            "%(password_reset_url)s",
            IGNORE,
        ),
    ),
}
"""Subject and paragraphs of each mail."""

KEY_CREATED = "league/email/key_created"

CHANGES: dict[str, Any] = {
    "account/email/password_changed": _("Your password was changed."),
    "account/email/password_set": _("Your account has a password now."),
    "account/email/password_reset": _("Your password was changed by a link in an email."),
    "account/email/email_changed": _("The email address of your account is now %(to_email)s."),
    "account/email/email_deleted": _("The email address %(deleted_email)s was removed from your account."),
    "mfa/email/totp_activated": _("Signing in asks for a code of your app from now on."),
    "mfa/email/totp_deactivated": _("Signing in no longer asks for a code of your app."),
    "mfa/email/webauthn_added": _("Your account has a new passkey."),
    "mfa/email/webauthn_removed": _("A passkey was removed from your account."),
    "mfa/email/recovery_codes_generated": _("Your account has new recovery codes; the old ones no longer work."),
    KEY_CREATED: _("Your account has a new key for programs, “%(key)s”. It can be revoked under “Keys for programs”."),
}
"""The first paragraph of each mail about a change that another person may have made."""

NOTICES: dict[str, Any] = {
    "account/messages/email_confirmed.txt": _("Your email address is confirmed."),
    "account/messages/email_confirmation_failed.txt": _("This email address could not be confirmed."),
    "account/messages/password_changed.txt": _("The password is changed."),
    "account/messages/password_set.txt": _("The password is set."),
    "mfa/messages/totp_activated.txt": _("The app is set up."),
    "mfa/messages/totp_deactivated.txt": _("The app is turned off."),
    "mfa/messages/webauthn_added.txt": _("The passkey is added."),
    "mfa/messages/webauthn_removed.txt": _("The passkey is removed."),
    "mfa/messages/recovery_codes_generated.txt": _("These are your new codes."),
}
"""The notices on the next page. Other notices of allauth are not shown: they repeat what the page shows."""


def mail(name: str, context: dict[str, Any]) -> tuple[str, str]:
    """Return subject and text of a mail, in the language of the request. Raises KeyError for an unknown mail."""
    if name in MAILS:
        subject, paragraphs = MAILS[name]
        if not context.get("link", "-"):
            paragraphs = (paragraphs[0], paragraphs[-1])
        return str(subject) % context, "\n\n".join(str(each) % context for each in paragraphs)
    when = date_format(timezone.localtime(), "DATETIME_FORMAT")
    paragraphs_of_change = [
        str(CHANGES[name]) % context,
        gettext("At %(when)s, with %(browser)s.") % {"when": when, "browser": context["device"]},
        gettext("If this was not you: choose a new password at once, and sign out everywhere else."),
        str(context["account_url"]),
    ]
    return gettext("Something was changed in your account"), "\n\n".join(paragraphs_of_change)
