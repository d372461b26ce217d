"""Signing in, and one's own account."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from allauth.account import views as account
from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import Login
from allauth.account.utils import get_next_redirect_url, perform_login
from allauth.mfa.webauthn import views as webauthn
from allauth.mfa.webauthn.internal.flows import perform_passwordless_login
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required, login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.access import Right, club_for
from league.errors import Refused
from league.models import User
from league.roles import is_last_owner, role_take

from . import limits, links, selectors
from .forms import NameForm
from .invitations import InvitationGone, no_sign_up_because
from .joining import opened
from .services import session_end, sessions_end_others

ANSWERS = ["GET", "HEAD", "POST"]


class SignIn(account.LoginView):
    """The sign-in page; afterwards one goes on to `next`."""

    def form_invalid(self, form: Any) -> HttpResponse:
        """Refused tries say so with their status too: 429, and when to come again."""
        response: HttpResponse = super().form_invalid(form)
        if form.has_error("__all__", "too_many_login_attempts"):
            response.status_code = HTTPStatus.TOO_MANY_REQUESTS
            response["Retry-After"] = str(limits.PAIR.seconds)
        return response


class SignUp(account.SignupView):
    """The sign-up page. Whose invitation has made an account already is told so beside what was typed."""

    def closed(self) -> Any:
        machinery: Any = super()
        invitation = opened(self.request)
        if invitation is None or self.request.method != "POST":
            return machinery.closed()
        form = machinery.get_form()
        form.full_clean()
        return self._refused(form, no_sign_up_because(invitation))

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            response: HttpResponse = super().form_valid(form)
        except InvitationGone as gone:
            return self._refused(form, str(gone))
        return response

    def _refused(self, form: Any, sentence: str) -> HttpResponse:
        form.add_error(None, sentence)
        response: HttpResponse = self.form_invalid(form)
        response.status_code = HTTPStatus.GONE
        return response


class PasskeySignIn(webauthn.LoginWebAuthnView):
    """Signing in by a passkey alone; the machinery forgets where one wanted to go."""

    def form_valid(self, form: Any) -> HttpResponse:
        login = Login(user=form.cleaned_data["credential"].user, redirect_url=get_next_redirect_url(self.request))
        answer: HttpResponse = perform_passwordless_login(self.request, form.cleaned_data["credential"], login)
        return answer


class PasswordChange(account.PasswordChangeView):
    """Another password; it ends no program's key, so the page says how many there are."""

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        told: dict[str, Any] = super().get_context_data(**more)
        return told | {"keys": selectors.key_count(_person(self.request))}


@login_not_required
@never_cache
@require_http_methods(ANSWERS)
def sign_in_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """What the link in the mail opens: a page with one button, which signs in."""
    found = links.read(token)
    if found is None or (request.method == "POST" and not links.use(token)):
        return render(request, "account/link_over.html", status=HTTPStatus.GONE)
    user, onward = found
    if request.method != "POST":
        return render(request, "account/link.html", {"who": user})
    if request.user.is_authenticated:
        get_adapter().logout(request)
    record_authentication(request, user, method="code", email=user.email)
    answer: HttpResponse = perform_login(request, user, email=user.email, redirect_url=onward or None)
    return answer


@login_required
@never_cache
@require_http_methods(ANSWERS)
def own_account(request: HttpRequest) -> HttpResponse:
    """One's name, and the way to all else about the account."""
    user = _person(request)
    form = NameForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("account")
    context = {
        "form": form,
        "memberships": selectors.memberships(user),
        "players": selectors.players(user),
        "factors": selectors.factors(user),
        "sessions": selectors.session_count(user),
    }
    return render(request, "account/account.html", context)


@login_required
@never_cache
@require_http_methods(ANSWERS)
def sessions(request: HttpRequest) -> HttpResponse:
    """Where one is signed in. Any of them can be ended from here, at once."""
    user = _person(request)
    current = request.session.session_key or ""
    if request.method == "POST":
        sent = request.POST.get("session", "")
        if sent:
            known = sent.isascii() and sent.isdecimal() and len(sent) < 19
            ended = session_end(user=user, session=int(sent)) if known else 0
        else:
            ended = sessions_end_others(user=user, current=current)
        if ended:
            messages.success(request, _("Signed out there."))
        return redirect("usersessions_list")
    return render(request, "account/sessions.html", {"sessions": selectors.sessions(user, current)})


@login_required
@never_cache
@require_http_methods(ANSWERS)
def leave(request: HttpRequest, club: str) -> HttpResponse:
    """Leave a club. Asked first; the last owner is told who has to come before."""
    user = _person(request)
    access = club_for(user, club, Right.SEE_RULES)
    refused = ""
    if request.method == "POST":
        try:
            role_take(club=access.club, user=user, actor=user)
        except Refused as reason:
            refused = reason.sentence
        else:
            messages.success(request, _("You are no longer of %(club)s.") % {"club": access.club})
            return redirect("account")
    context = {"club": access.club, "refused": refused, "last_owner": is_last_owner(access.club, user)}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
    return render(request, "account/leave.html", context, status=status)


def needs_mail(view: Any) -> Any:
    """The same view on a server that sends mails; elsewhere a page that says that this one does not."""

    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.MAIL_ON:
            return render(request, "account/no_mail.html")
        response: HttpResponse = view(request, *args, **kwargs)
        return response

    return answer


def _person(request: HttpRequest) -> User:
    """Who is signed in; the gate before has let nobody else through."""
    user = request.user
    assert isinstance(user, User)
    return user
