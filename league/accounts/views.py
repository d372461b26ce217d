"""The pages of signing in and of the user's own account."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from allauth.account import views as account
from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import record_authentication
from allauth.account.utils import perform_login
from allauth.mfa.webauthn import views as webauthn
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required, login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.access import Right, club_for
from league.access.roles import is_last_owner, role_take
from league.errors import Refused
from league.features import uses
from league.models import User

from . import passkey_challenge, selectors, sign_in_limits, sign_in_link
from .club_requests import request_notes
from .forms import NameForm
from .invitations import InvitationGone, no_sign_up_because
from .services import session_end, sessions_end_others
from .visited_invitation import visited_invitation

METHODS = ["GET", "HEAD", "POST"]


class SignIn(account.LoginView):
    """The sign-in page; it redirects to `next`."""

    def form_invalid(self, form: Any) -> HttpResponse:
        """Answer too many tries with 429 and the time until the next one."""
        response: HttpResponse = super().form_invalid(form)
        if form.has_error("__all__", "too_many_login_attempts"):
            response.status_code = HTTPStatus.TOO_MANY_REQUESTS
            response["Retry-After"] = str(sign_in_limits.PAIR.seconds)
        return response


class SignUp(account.SignupView):
    """The sign-up page. It keeps the typed values if the invitation has already created an account."""

    def closed(self) -> Any:
        view: Any = super()
        invitation = visited_invitation(self.request)
        if invitation is None or self.request.method != "POST":
            return view.closed()
        form = view.get_form()
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
    """Signing in with a passkey only.

    What allauth's view keeps in the session, the challenge, is in a signed cookie: every request of a visitor would
    store a session.
    """

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        before = set(request.session.keys())
        response: HttpResponse = super().get(request, *args, **kwargs)
        state = {key: request.session.pop(key) for key in set(request.session.keys()) - before}
        if state:
            passkey_challenge.give(request, response, state)
        return response

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        state = passkey_challenge.take(request)
        request.session.update(state)
        response: HttpResponse = super().post(request, *args, **kwargs)
        for key in state:
            request.session.pop(key, None)
        return response


class PasswordChange(account.PasswordChangeView):
    """Changing the password. API keys stay valid, so the page shows their number."""

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**more)
        return context | {"keys": selectors.key_count(_signed_in_user(self.request))}


@login_not_required
@never_cache
@require_http_methods(METHODS)
def sign_in_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """The page of the link in the sign-in mail, with one button that signs in."""
    link = sign_in_link.read(token)
    if link is None or (request.method == "POST" and not sign_in_link.use(token)):
        return render(request, "account/link_over.html", status=HTTPStatus.GONE)
    user, onward = link
    if request.method != "POST":
        return render(request, "account/link.html", {"person": user})
    if request.user.is_authenticated:
        get_adapter().logout(request)
    # No public function of allauth notes for whom, and tells the receivers of its signal.
    record_authentication(request, user, method="code", email=user.email)
    answer: HttpResponse = perform_login(request, user, email=user.email, redirect_url=onward or None)
    return answer


@login_required
@never_cache
@require_http_methods(METHODS)
def own_account(request: HttpRequest) -> HttpResponse:
    """Change the user's name, with links to the other pages of the account."""
    user = _signed_in_user(request)
    form = NameForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("account")
    memberships = list(selectors.memberships(user))
    offered = not memberships or any(uses(membership.club, "webhooks") for membership in memberships)
    context = {
        "form": form,
        "memberships": memberships,
        "keys": offered or selectors.key_count(user),
        "cups": any(uses(membership.club, "cups") for membership in memberships),
        "players": selectors.players(user),
        "factors": selectors.factors(user),
        "sessions": selectors.session_count(user),
        "club_requests": request_notes(user),
    }
    return render(request, "account/account.html", context)


@login_required
@never_cache
@require_http_methods(METHODS)
def sessions(request: HttpRequest) -> HttpResponse:
    """List the user's sessions, and end one of them or all others."""
    user = _signed_in_user(request)
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
@require_http_methods(METHODS)
def leave(request: HttpRequest, club: str) -> HttpResponse:
    """Leave a club, after a confirmation. The last owner cannot leave."""
    user = _signed_in_user(request)
    access = club_for(user, club, Right.SEE_RULES)
    refused = ""
    if request.method == "POST":
        try:
            role_take(club=access.club, user=user, actor=user)
        except Refused as reason:
            refused = reason.sentence
        else:
            messages.success(request, _("You are no longer in %(club)s.") % {"club": access.club})
            return redirect("account")
    context = {"club": access.club, "refused": refused, "last_owner": is_last_owner(access.club, user)}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
    return render(request, "account/leave.html", context, status=status)


def needs_mail(view: Any) -> Any:
    """Wrap a view that sends mails: on a server without mails it shows a page that says so."""

    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.MAIL_ON:
            return render(request, "account/no_mail.html")
        response: HttpResponse = view(request, *args, **kwargs)
        return response

    return answer


def _signed_in_user(request: HttpRequest) -> User:
    """Return the signed-in user; `login_required` admits no visitor."""
    user = request.user
    assert isinstance(user, User)
    return user
