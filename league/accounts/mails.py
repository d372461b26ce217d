"""What the mails about accounts and the notes on their pages say. The machinery names them by its templates."""

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
            _("Both hold for a quarter of an hour."),
            IGNORE,
        ),
    ),
    "account/email/email_confirmation": (
        _("%(code)s confirms your mail address"),
        (_("The code that says that this mail address is yours: %(code)s"), IGNORE),
    ),
    "account/email/email_confirmation_signup": (
        _("%(code)s confirms your mail address"),
        (
            _("Welcome to %(product_name)s. The code that says that this mail address is yours: %(code)s"),
            IGNORE,
        ),
    ),
    "account/email/account_already_exists": (
        _("You have an account already"),
        (
            _("Somebody, most likely you, wanted to make an account with this mail address. It has one."),
            _("If you do not know its password any more, choose a new one here:"),
            "%(password_reset_url)s",
        ),
    ),
    "account/email/unknown_account": (
        _("No account with this mail address"),
        (
            _("Somebody, most likely you, wanted to sign in with this mail address. It has no account here."),
            _("Perhaps you signed up with another one. New accounts are made by invitation of a club."),
            IGNORE,
        ),
    ),
    "account/email/password_reset_key": (
        _("A new password"),
        (_("Choose a new password here. The link works once, for three days."), "%(password_reset_url)s", IGNORE),
    ),
}
"""Subject and paragraphs, by the machinery's name."""

KEY_MADE = "league/email/key_made"

CHANGES: dict[str, Any] = {
    "account/email/password_changed": _("Your password was changed."),
    "account/email/password_set": _("Your account has a password now."),
    "account/email/password_reset": _("Your password was changed by a link in a mail."),
    "account/email/email_changed": _("The mail address of your account is now %(to_email)s."),
    "account/email/email_deleted": _("The mail address %(deleted_email)s was taken off your account."),
    "mfa/email/totp_activated": _("Signing in asks for a code of your app from now on."),
    "mfa/email/totp_deactivated": _("Signing in no longer asks for a code of your app."),
    "mfa/email/webauthn_added": _("Your account has a new passkey."),
    "mfa/email/webauthn_removed": _("A passkey was removed from your account."),
    "mfa/email/recovery_codes_generated": _(
        "Your account has new codes for an emergency; the old ones work no longer."
    ),
    KEY_MADE: _("Your account has a new key for programs, “%(key)s”. It can be revoked under “Keys for programs”."),
}
"""What somebody is told who may not have done it."""

NOTES: dict[str, Any] = {
    "account/messages/email_confirmed.txt": _("Your mail address is confirmed."),
    "account/messages/email_confirmation_failed.txt": _("This mail address could not be confirmed."),
    "account/messages/password_changed.txt": _("The password is changed."),
    "account/messages/password_set.txt": _("The password is set."),
    "mfa/messages/totp_activated.txt": _("The app is set up."),
    "mfa/messages/totp_deactivated.txt": _("The app is turned off."),
    "mfa/messages/webauthn_added.txt": _("The passkey is added."),
    "mfa/messages/webauthn_removed.txt": _("The passkey is removed."),
    "mfa/messages/recovery_codes_generated.txt": _("These are your new codes."),
}
"""Notes on the next page; what the machinery would say beside them the page itself says."""


def mail(name: str, context: dict[str, Any]) -> tuple[str, str]:
    """Subject and text of a mail, in the language of the request. Raises KeyError for one that has no words."""
    if name in MAILS:
        subject, paragraphs = MAILS[name]
        if not context.get("link", "-"):
            paragraphs = (paragraphs[0], paragraphs[-1])
        return str(subject) % context, "\n\n".join(str(each) % context for each in paragraphs)
    when = date_format(timezone.localtime(), "DATETIME_FORMAT")
    told = [
        str(CHANGES[name]) % context,
        gettext("At %(when)s, with %(browser)s.") % {"when": when, "browser": context["device"]},
        gettext("If this was not you: choose a new password at once, and sign out everywhere else."),
        str(context["account_url"]),
    ]
    return gettext("Something was changed in your account"), "\n\n".join(told)
