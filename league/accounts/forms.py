"""The forms of accounts: allauth's forms with the product's labels and error messages."""

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

from .invitations import invitation_reserve
from .visited_invitation import visited_invitation

if TYPE_CHECKING:
    # ModelForm is generic for the type checker only.
    PersonForm = forms.ModelForm[User]
else:
    PersonForm = forms.ModelForm

MAIL = (_("Email address"), _("Type your email address."))
LABELS = {
    "login": MAIL,
    "email": MAIL,
    "password": (_("Password"), _("Type your password.")),
    "oldpassword": (_("Current password"), _("Type your current password.")),
    "password1": (_("New password"), _("Type a password.")),
    "code": (_("Code"), _("Type the code.")),
    "name": (_("Name"), _("Type a name.")),
}
PASSWORD_HELP = _("At least ten characters. A few words in a row are good: long and easy to remember.")


class AccountForm(forms.Form):
    """A form with the product's labels and error messages, and without placeholders."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A new password is typed once, and can be shown: typing it twice does not help if a wrong one is pasted twice.
        self.fields.pop("password2", None)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            field.help_text = PASSWORD_HELP if name == "password1" else ""
            if name in LABELS:
                field.label, field.error_messages["required"] = LABELS[name]
            if name in ("login", "email"):
                field.widget.input_type = "email"
                field.widget.attrs |= {"maxlength": 254, "inputmode": "email"}
            if name == "code":
                field.widget.attrs |= {"inputmode": "text", "autocapitalize": "characters", "spellcheck": "false"}


class SignInForm(AccountForm, account.LoginForm):
    """Mail address and password. Every failure has the same sentence, which does not reveal which addresses exist."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # `webauthn` lets a browser offer a passkey in the field of the address.
        self.fields["login"].widget.attrs |= {"autofocus": True, "autocomplete": "username webauthn"}

    def add_prefix(self, field_name: str) -> str:
        """Return the field name that password managers know."""
        return "username" if field_name == "login" else super().add_prefix(field_name)


class SignUpForm(AccountForm, account.SignupForm):  # type: ignore[misc]
    """Name, mail address and password. For an address with an account the form does the same work: it computes a hash
    and reserves the invitation for that account, so that the time does not reveal whether the account exists."""

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
        """Create the account. Raises InvitationGone if the invitation has just created another one."""
        if not self.account_already_exists:
            try:
                with transaction.atomic():
                    user, response = super().try_save(request)
                    _reserve_invitation(request, user)
                    return user, response
            except IntegrityError:
                # Another request has just created an account with this address.
                self.account_already_exists = True
        make_password(self.cleaned_data["password1"])
        for user in filter_users_by_email(self.cleaned_data["email"])[:1]:
            _reserve_invitation(request, user)
        return super().try_save(request)


def _reserve_invitation(request: HttpRequest, user: User) -> None:
    """Reserve the visited invitation on a server where signing up needs one."""
    invitation = visited_invitation(request)
    if invitation is not None and not settings.SIGNUP_OPEN:
        invitation_reserve(invitation=invitation, user=user)


class MailForm(AccountForm, account.AddEmailForm):
    """A new mail address."""


class PasswordChangeForm(AccountForm, account.ChangePasswordForm):
    """A new password, with the current one."""


class PasswordSetForm(AccountForm, account.SetPasswordForm):
    """The first password of a user who signed in without one."""


class ResetForm(AccountForm, account.ResetPasswordForm):
    """Requests the mail with the link to a new password."""


class ResetKeyForm(AccountForm, account.ResetPasswordKeyForm):
    """A new password, after the link in the mail."""


class AgainForm(AccountForm, account.ReauthenticateForm):
    """The password again, before an action that another person with the unlocked phone must not do."""


class CodeRequestForm(AccountForm, account.RequestLoginCodeForm):
    """Requests the mail with the code and the link to sign in."""


class CodeForm(AccountForm, account.ConfirmLoginCodeForm):
    """The code of that mail."""


class MailCodeForm(AccountForm, account.ConfirmEmailVerificationCodeForm):
    """The code that confirms a mail address."""


class FactorForm(AccountForm, factors.AuthenticateForm):
    """A code of the app, or a recovery code."""


class FactorAgainForm(AccountForm, factors.ReauthenticateForm):
    """A code of the app or a recovery code, while signed in."""


class AppForm(AccountForm, totp.ActivateTOTPForm):
    """The first code of the app, which proves that the app has the secret."""


class PasskeyForm(AccountForm, webauthn.AddWebAuthnForm):
    """A passkey and its name."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["passwordless"].label = _("Sign in with it alone, without the password")
        self.fields["passwordless"].initial = True


class PasskeyNameForm(AccountForm, webauthn.EditWebAuthnForm):
    """Another name for a passkey."""


class NameForm(PersonForm):
    """The user's name, which the people of the user's clubs see."""

    class Meta:
        model = User
        fields = ("first_name", "last_name")
        labels: ClassVar = {"first_name": _("First name"), "last_name": _("Last name")}
        widgets: ClassVar = {
            "first_name": forms.TextInput(attrs={"autocomplete": "given-name"}),
            "last_name": forms.TextInput(attrs={"autocomplete": "family-name"}),
        }
