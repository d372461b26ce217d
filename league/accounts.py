"""Signing in."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.utils.translation import gettext_lazy as _


class SignInForm(AuthenticationForm):
    """Mail address and password; one sentence for every failure, so that nobody learns which addresses exist."""

    error_messages = {
        "invalid_login": _(
            "This mail address and password do not belong together. Look at both again; the password minds capitals."
        ),
        "inactive": _("This account is switched off. Ask the owner of your club."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("Mail address")
        self.fields["username"].widget = forms.EmailInput(
            attrs={"autofocus": True, "autocomplete": "username", "maxlength": 254, "inputmode": "email"}
        )
        self.fields["username"].error_messages["required"] = _("Type your mail address.")
        self.fields["password"].error_messages["required"] = _("Type your password.")

    def clean_username(self) -> str:
        """Addresses are kept in small letters."""
        return str(self.cleaned_data["username"]).strip().lower()


class SignIn(LoginView):
    """The sign-in page; afterwards one goes on to `next`."""

    authentication_form = SignInForm
    redirect_authenticated_user = True
