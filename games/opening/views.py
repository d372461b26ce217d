"""The pages on which a person opens a club: three steps, then the table, or the operator's confirmation."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.accounts.club_requests import waiting_requests
from league.models import User
from league.web.client_networks import counted_address
from league.web.requests import see

from ..engine_bridge import GAME
from ..errors import FormProblem, Refused
from .forms import STEPS
from .requests import club_ask, needs_confirmation
from .services import Opening, club_open, usual_stake

ANSWERS = "opening"
"""The key of the session under which the answers of the earlier steps are kept."""
ORDER = tuple(STEPS)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def opening(request: HttpRequest, step: str = ORDER[0]) -> HttpResponse:
    """Ask one step; after the last one open the club and go to its table, or ask the operator for it."""
    assert isinstance(request.user, User)
    if step not in ORDER or not (settings.CLUBS_OPEN != "no" or request.user.is_superuser):
        raise Http404
    if is_unconfirmed(request.user):
        return render(request, "games/opening/unconfirmed.html", status=409 if request.method == "POST" else 200)
    if waiting_requests().filter(user=request.user).exists():
        return see(reverse("club-asked"))
    answers = request.session.get(ANSWERS, {})
    place = ORDER.index(step)
    if any(earlier not in answers for earlier in ORDER[:place]):
        return see(_address(ORDER[0]))
    if request.method != "POST":
        return _step_page(request, step, STEPS[step](initial=_initial(step, answers)))
    form = STEPS[step](request.POST)
    if not form.is_valid():
        return _step_page(request, step, form, status=422)
    answers[step] = form.cleaned_data
    request.session[ANSWERS] = answers
    if place + 1 < len(ORDER):
        return see(_address(ORDER[place + 1]))
    return _open(request, form, answers)


def _open(request: HttpRequest, form: Any, answers: dict[str, dict[str, Any]]) -> HttpResponse:
    assert isinstance(request.user, User)
    address = counted_address(request.META.get("REMOTE_ADDR", ""))
    try:
        said = {name: value for step in ORDER for name, value in answers[step].items()}
        if needs_confirmation(request.user):
            club_ask(opening=Opening(**said), owner=request.user, address=address)
            del request.session[ANSWERS]
            return see(reverse("club-asked"))
        club, table = club_open(opening=Opening(**said), owner=request.user, address=address)
    except Refused as refused:
        return _step_page(request, ORDER[-1], form, FormProblem.of(refused), status=refused.status)
    del request.session[ANSWERS]
    if table is None:
        return see(reverse("evening-new", kwargs={"club": club.slug}))
    return see(reverse("table", kwargs={"club": club.slug, "table": table.pk}))


def is_unconfirmed(user: User) -> bool:
    """Return True if mails are sent, and the person has not confirmed the address of the account. An address without
    a row was given by the operator, and counts as confirmed."""
    return bool(settings.MAIL_ON) and EmailAddress.objects.filter(user=user, email=user.email, verified=False).exists()


def _initial(step: str, answers: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return what the person answered before, as the form shows it."""
    known = dict(answers.get(step, {}))
    if step == "players":
        known["names"] = "\n".join(known.get("names", ()))
        known.setdefault("stake", usual_stake(answers["name"].get("game", GAME)))
    return known


def _step_page(
    request: HttpRequest, step: str, form: Any, problem: FormProblem | None = None, status: int = 200
) -> HttpResponse:
    assert isinstance(request.user, User)
    place = ORDER.index(step)
    context = {
        "asks": needs_confirmation(request.user),
        "form": form,
        "step": step,
        "number": place + 1,
        "steps": len(ORDER),
        "problem": problem,
        "back": _address(ORDER[place - 1]) if place else reverse("home"),
    }
    return render(request, "games/opening/step.html", context, status=status)


def _address(step: str) -> str:
    return reverse("club-open", kwargs={} if step == ORDER[0] else {"step": step})
