"""What is kept and why, one's own data to take along, and being forgotten."""

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

from .. import payments
from ..access import Right, club_for
from ..errors import Refused
from ..models import Club, Player, User
from ..roster.person import person_of, players_alone_of
from . import forgetting, taking
from .forms import ConfirmForm

ANSWERS = ["GET", "HEAD", "POST"]


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What the service keeps of people, why, how long, who sees it, and what one can do."""
    return render(request, "league/privacy.html", _kept(None))


@require_safe
def club_privacy(request: HttpRequest, club: str) -> HttpResponse:
    """The same for one club: with what it chose."""
    access = club_for(request.user, club)
    return render(request, "league/privacy.html", _kept(access.club) | {"access": access, "club": access.club})


def _kept(club: Club | None) -> dict[str, object]:
    """How long things are kept, for the page's words."""
    return {
        "invitation_days": settings.KEEP_INVITATIONS_DAYS,
        "delivery_days": settings.HOOKS_KEEP_DAYS,
        "key_days": settings.KEEP_KEYS_DAYS,
        "session_days": settings.SESSION_COOKIE_AGE // (24 * 3600),
        "forget_months": club.forget_after_months if club else None,
    }


@login_required
@never_cache
@require_safe
def account_data(request: HttpRequest) -> HttpResponse:
    """One's own data: the file to take along, where to put things right, and the way to delete the account."""
    user = _person(request)
    players = Player.objects.filter(user=user).select_related("club").order_by("club__name", "nickname")
    return render(request, "league/account_data.html", {"players": players})


@login_required
@never_cache
@require_safe
def account_data_file(request: HttpRequest) -> StreamingHttpResponse:
    """Everything as a zip, sent while it is read."""
    user = _person(request)
    pieces = iter(()) if request.method == "HEAD" else taking.take(user)
    response = StreamingHttpResponse(pieces, content_type="application/zip")
    response["Content-Disposition"] = 'attachment; filename="chratzete-my-data.zip"'
    return response


@login_required
@never_cache
@require_http_methods(ANSWERS)
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]
def account_forget(request: HttpRequest) -> HttpResponse:
    """Delete one's account and every name of one's players; asked with the mail address typed again."""
    user = _person(request)
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
    players = list(players_alone_of(user).select_related("club").order_by("club__name", "nickname"))
    owed = payments.open_by_club([player.pk for player in players])
    still_open = [(club, owed[club.pk]) for club in {player.club: None for player in players} if owed.get(club.pk)]
    context = {"players": players, "still_open": still_open, "problem": problem, "wanted": user.email}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK
    return render(request, "league/account_forget.html", context, status=status)


@login_required
@never_cache
@require_http_methods(ANSWERS)
def player_forget(request: HttpRequest, club: str, player: int) -> HttpResponse:
    """Forget a player of the club: the name goes, what was played stays under a number."""
    access = club_for(request.user, club, Right.PEOPLE)
    found = Player.objects.filter(club=access.club, pk=player).select_related("club", "main").first()
    if found is None:
        raise Http404("no such player")
    form, problem = ConfirmForm(request.POST or None), ""
    if request.method == "POST":
        problem = form.problem(found.nickname)
        if not problem:
            try:
                forgetting.player_forget(player=found, actor=_person(request))
            except Refused as refused:
                problem = refused.sentence
            else:
                messages.success(request, _("The player is forgotten."))
                return redirect("player", club=club, player=player)
    context = {
        "access": access,
        "club": access.club,
        "player": found,
        "others": Player.objects.filter(person_of(found)).exclude(pk=found.pk).order_by("nickname"),
        "open_minor": payments.open_of(access.club, [found.pk]),
        "problem": problem,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK
    return render(request, "league/player_forget.html", context, status=status)


def _person(request: HttpRequest) -> User:
    """Who is signed in; the gate before has let nobody else through."""
    if not isinstance(request.user, User):
        raise TypeError("nobody is signed in")
    return request.user
