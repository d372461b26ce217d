"""The forms of people's accounts: the machinery's fields in the product's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from allauth.account import forms as account
from allauth.account.utils import filter_users_by_email
from allauth.mfa.base import forms as factors
from allauth.mfa.totp import forms as totp
from allauth.mfa.webauthn import forms as webauthn
from django import forms
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from league.models import User

from .invitations import invitation_keep
from .joining import opened

if TYPE_CHECKING:
    # Generic for the type checker alone.
    PersonForm = forms.ModelForm[User]
else:
    PersonForm = forms.ModelForm

MAIL = (_("Mail address"), _("Type your mail address."))
WORDS = {
    "login": MAIL,
    "email": MAIL,
    "password": (_("Password"), _("Type your password.")),
    "oldpassword": (_("Password until now"), _("Type your password until now.")),
    "password1": (_("New password"), _("Type a password.")),
    "code": (_("Code"), _("Type the code.")),
    "name": (_("Name"), _("Type a name.")),
}
PASSWORD_HELP = _("At least ten characters. A few words in a row are good: long and easy to keep in mind.")


class InOurWords(forms.Form):
    """Labels and complaints of the product; what is wrong is said beside the field, not in it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A new password is typed once, to be seen if one wants: twice is no help against a wrong one pasted twice.
        self.fields.pop("password2", None)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            field.help_text = PASSWORD_HELP if name == "password1" else ""
            if name in WORDS:
                field.label, field.error_messages["required"] = WORDS[name]
            if name in ("login", "email"):
                field.widget.input_type = "email"
                field.widget.attrs |= {"maxlength": 254, "inputmode": "email"}
            if name == "code":
                field.widget.attrs |= {"inputmode": "text", "autocapitalize": "characters", "spellcheck": "false"}


class SignInForm(InOurWords, account.LoginForm):
    """Mail address and password; one sentence for every failure, so that nobody learns which addresses exist."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # `webauthn`: a browser may offer a passkey where the address is typed.
        self.fields["login"].widget.attrs |= {"autofocus": True, "autocomplete": "username webauthn"}

    def add_prefix(self, field_name: str) -> str:
        """The name by which password managers know it."""
        return "username" if field_name == "login" else super().add_prefix(field_name)


class SignUpForm(InOurWords, account.SignupForm):  # type: ignore[misc]
    """Name, mail address and password. An address that has an account costs a hash too, so that nobody can tell; and
    the invitation is kept for that account as it is for a new one."""

    first_name = forms.CharField(
        label=_("First name"),
        max_length=150,
        error_messages={"required": _("Type your first name.")},
        widget=forms.TextInput(attrs={"autocomplete": "given-name"}),
    )
    last_name = forms.CharField(
        label=_("Last name"),
        max_length=150,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "family-name"}),
    )
    field_order = ("first_name", "last_name", "email", "password1")

    def try_save(self, request: HttpRequest) -> Any:
        """Raises InvitationGone where another account was made with the invitation a moment earlier."""
        if not self.account_already_exists:
            try:
                with transaction.atomic():
                    user, response = super().try_save(request)
                    _keep_invitation(request, user)
                    return user, response
            except IntegrityError:
                # Somebody else with this address was a moment earlier.
                self.account_already_exists = True
        make_password(self.cleaned_data["password1"])
        for user in filter_users_by_email(self.cleaned_data["email"])[:1]:
            _keep_invitation(request, user)
        return super().try_save(request)


def _keep_invitation(request: HttpRequest, user: User) -> None:
    """Where only who is invited may sign up."""
    invitation = opened(request)
    if invitation is not None and not settings.SIGNUP_OPEN:
        invitation_keep(invitation=invitation, user=user)


class MailForm(InOurWords, account.AddEmailForm):
    """A new mail address."""


class PasswordChangeForm(InOurWords, account.ChangePasswordForm):
    """A new password, by who knows the one until now."""


class PasswordSetForm(InOurWords, account.SetPasswordForm):
    """The first password of somebody who signed in without one."""


class ResetForm(InOurWords, account.ResetPasswordForm):
    """Ask for the link to a new password."""


class ResetKeyForm(InOurWords, account.ResetPasswordKeyForm):
    """A new password, by the link in the mail."""


class AgainForm(InOurWords, account.ReauthenticateForm):
    """The password once more, before something that must not happen by a phone left lying."""


class CodeAskForm(InOurWords, account.RequestLoginCodeForm):
    """Ask for the mail to sign in with."""


class CodeForm(InOurWords, account.ConfirmLoginCodeForm):
    """The code of that mail."""


class MailCodeForm(InOurWords, account.ConfirmEmailVerificationCodeForm):
    """The code that says that a mail address is one's own."""


class FactorForm(InOurWords, factors.AuthenticateForm):
    """A code of the app, or one for an emergency."""


class FactorAgainForm(InOurWords, factors.ReauthenticateForm):
    """The same, by who is signed in."""


class AppForm(InOurWords, totp.ActivateTOTPForm):
    """The first code of the app, to show that it has the key."""


class PasskeyForm(InOurWords, webauthn.AddWebAuthnForm):
    """A passkey and its name."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["passwordless"].label = _("Sign in with it alone, without the password")
        self.fields["passwordless"].initial = True


class PasskeyNameForm(InOurWords, webauthn.EditWebAuthnForm):
    """Another name for a passkey."""


class NameForm(PersonForm):
    """How one is called on pages that the own clubs see."""

    class Meta:
        model = User
        fields = ("first_name", "last_name")
        labels: ClassVar = {"first_name": _("First name"), "last_name": _("Last name")}
        widgets: ClassVar = {
            "first_name": forms.TextInput(attrs={"autocomplete": "given-name"}),
            "last_name": forms.TextInput(attrs={"autocomplete": "family-name"}),
        }
