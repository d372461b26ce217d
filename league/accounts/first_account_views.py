"""The set-up page of a new server."""

from __future__ import annotations

from allauth.account.utils import perform_login
from django import forms
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.password_validation import validate_password
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from .first_account import first_account, is_set_up_code, is_without_accounts
from .forms import AccountForm


class SetUpForm(AccountForm):
    """The code of the server, and the first account."""

    code = forms.CharField(max_length=40)
    email = forms.EmailField()
    password1 = forms.CharField(
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}), validators=[validate_password]
    )

    def clean_code(self) -> str:
        """Raise ValidationError for another code."""
        if not is_set_up_code(self.cleaned_data["code"]):
            raise forms.ValidationError(_("This is not the code that the start of the server printed."))
        return str(self.cleaned_data["code"])


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def set_up(request: HttpRequest) -> HttpResponse:
    """Create the first account, and go on to opening a club. Nobody finds the page once there is an account."""
    if not is_without_accounts():
        raise Http404
    form = SetUpForm(request.POST or None, initial={"code": request.GET.get("code", "")})
    if request.method == "POST" and form.is_valid():
        user = first_account(form.cleaned_data["email"], form.cleaned_data["password1"])
        if user is None:
            raise Http404
        answer: HttpResponse = perform_login(request, user, email=user.email, redirect_url=reverse("club-open"))
        return answer
    return render(request, "account/set_up.html", {"form": form}, status=422 if request.method == "POST" else 200)
