"""The privacy pages: which data is stored and why, the personal data export, and forgetting."""

from __future__ import annotations

from http import HTTPStatus

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from ..access import Right, club_for
from ..access.persons import person_of, players_of_account
from ..errors import Refused
from ..models import Club, Player, User
from ..payments import services as payments
from . import forgetting, personal_data_export
from .forms import ConfirmForm

METHODS = ["GET", "HEAD", "POST"]


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Show which personal data the service stores, why, how long, who sees it, and which rights a person has."""
    return render(request, "league/privacy/privacy.html", _storage_times(None))


@require_safe
def club_privacy(request: HttpRequest, club: str) -> HttpResponse:
    """Show the same for one club, with the club's settings."""
    access = club_for(request.user, club)
    context = _storage_times(access.club) | {"access": access, "club": access.club}
    return render(request, "league/privacy/privacy.html", context)


def _storage_times(club: Club | None) -> dict[str, object]:
    """Return how long data is stored, for the texts of the page."""
    return {
        "invitation_days": settings.KEEP_INVITATIONS_DAYS,
        "delivery_days": settings.WEBHOOKS_KEEP_DAYS,
        "key_days": settings.KEEP_KEYS_DAYS,
        "session_days": settings.SESSION_COOKIE_AGE // (24 * 3600),
        "forget_months": club.forget_after_months if club else None,
    }


@login_required
@never_cache
@require_safe
def account_data(request: HttpRequest) -> HttpResponse:
    """Show links to the export of the person's own data, to the pages that correct it, and to deleting the account."""
    user = _signed_in_user(request)
    players = Player.objects.filter(user=user).select_related("club").order_by("club__name", "nickname")
    return render(request, "league/privacy/account_data.html", {"players": players})


@login_required
@never_cache
@require_safe
def account_data_file(request: HttpRequest) -> StreamingHttpResponse:
    """Send the personal data export as a zip, streamed while it is read."""
    user = _signed_in_user(request)
    pieces = iter(()) if request.method == "HEAD" else personal_data_export.logged_archive(user)
    response = StreamingHttpResponse(pieces, content_type="application/zip")
    response["Content-Disposition"] = 'attachment; filename="chratzete-my-data.zip"'
    return response


@login_required
@never_cache
@require_http_methods(METHODS)
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]
def account_forget(request: HttpRequest) -> HttpResponse:
    """Delete the person's account and every name of their players; the person types the mail address to confirm."""
    user = _signed_in_user(request)
    form, problem = ConfirmForm(request.POST or None), ""
    if request.method == "POST":
        problem = form.problem(user.email)
        if not problem:
            try:
                forgetting.person_forget(user=user, actor=user)
            except Refused as refused:
                problem = refused.sentence
            else:
                logout(request)
                messages.success(request, _("Your account is deleted, and your names with it."))
                return redirect("home")
    players = list(players_of_account(user).select_related("club").order_by("club__name", "nickname"))
    owed = payments.outstanding_by_club([player.pk for player in players])
    outstanding = [(club, owed[club.pk]) for club in {player.club: None for player in players} if owed.get(club.pk)]
    context = {"players": players, "outstanding": outstanding, "problem": problem, "wanted": user.email}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK
    return render(request, "league/privacy/account_forget.html", context, status=status)


@login_required
@never_cache
@require_http_methods(METHODS)
def player_forget(request: HttpRequest, club: str, player: int) -> HttpResponse:
    """Forget a player of the club: a number replaces the name, all hands and sums stay."""
    access = club_for(request.user, club, Right.PEOPLE)
    chosen_player = Player.objects.filter(club=access.club, pk=player).select_related("club", "main").first()
    if chosen_player is None:
        raise Http404("no such player")
    form, problem = ConfirmForm(request.POST or None), ""
    if request.method == "POST":
        problem = form.problem(chosen_player.nickname)
        if not problem:
            try:
                forgetting.player_forget(player=chosen_player, actor=_signed_in_user(request))
            except Refused as refused:
                problem = refused.sentence
            else:
                messages.success(request, _("The player is forgotten."))
                return redirect("player", club=club, player=player)
    context = {
        "access": access,
        "club": access.club,
        "player": chosen_player,
        "others": Player.objects.filter(person_of(chosen_player)).exclude(pk=chosen_player.pk).order_by("nickname"),
        "open_minor": payments.outstanding_sum(access.club, [chosen_player.pk]),
        "problem": problem,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK
    return render(request, "league/privacy/player_forget.html", context, status=status)


def _signed_in_user(request: HttpRequest) -> User:
    """Return the signed-in user; `login_required` admits no visitor."""
    if not isinstance(request.user, User):
        raise TypeError("nobody is signed in")
    return request.user
