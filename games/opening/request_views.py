"""The pages of a club that must be confirmed: the person's own, and the operator's list."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.accounts.club_requests import own_requests, waiting_requests
from league.models import ClubRequest, User
from league.web.requests import see

from ..errors import Refused, form_outdated
from .requests import request_confirm, request_decline, request_withdraw

METHODS = ["GET", "HEAD", "POST"]


class DecisionForm(forms.Form):
    """What the operator decided about one request, with a sentence for the person."""

    request = forms.IntegerField(min_value=1, max_value=2**62)
    decision = forms.ChoiceField(choices=[("open", ""), ("decline", "")])
    reason = forms.CharField(required=False, max_length=ClubRequest._meta.get_field("reason").max_length)


@login_required
@never_cache
@require_http_methods(METHODS)
def asked(request: HttpRequest) -> HttpResponse:
    """Show the person what became of the clubs asked for; a POST withdraws the waiting one."""
    assert isinstance(request.user, User)
    if request.method == "POST":
        if request_withdraw(request.user):
            messages.success(request, _("Withdrawn."))
        return see(reverse("home"))
    return render(request, "games/opening/asked.html", {"requests": own_requests(request.user)})


@login_required
@never_cache
@require_http_methods(METHODS)
def requests(request: HttpRequest) -> HttpResponse:
    """List the clubs that wait for the operator, and carry out a decision. For everybody else there is no such page."""
    if not request.user.is_superuser:
        raise Http404
    problem = _decide(request) if request.method == "POST" else None
    if request.method == "POST" and problem is None:
        return see(reverse("club-requests"))
    context = {"requests": waiting_requests(), "problem": problem}
    return render(request, "games/opening/requests.html", context, status=problem.status if problem else 200)


def _decide(request: HttpRequest) -> Refused | None:
    """Carry out the decision, and say what is true now. Return a refusal."""
    form = DecisionForm(request.POST)
    if not form.is_valid():
        return form_outdated()
    number = form.cleaned_data["request"]
    try:
        if form.cleaned_data["decision"] == "open":
            decided = request_confirm(number)
        else:
            decided = request_decline(number, form.cleaned_data["reason"])
    except ClubRequest.DoesNotExist:
        messages.warning(request, _("This request was withdrawn."))
        return None
    except Refused as refused:
        return refused
    opened = decided.state == ClubRequest.State.OPENED
    said = _("“%(club)s” is open.") if opened else _("“%(club)s” is declined.")
    messages.success(request, said % {"club": decided.name})
    return None
