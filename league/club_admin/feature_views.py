"""The page on which an owner switches the features of a club on and off."""

from __future__ import annotations

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ..access import Right, club_for
from ..features.table import BY_KEY, GROUPS
from ..web.club_navigation import club_admin_context
from ..web.requests import actor_of, see
from .services import feature_switch


class SwitchForm(forms.Form):
    """One switch: its feature, and whether it becomes on or off."""

    feature = forms.ChoiceField(choices=[(key, key) for key in BY_KEY])
    to = forms.ChoiceField(choices=[("on", "on"), ("off", "off")])


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def features(request: HttpRequest, club: str) -> HttpResponse:
    """Show every feature with its switch; a tap on one stores it at once."""
    access = club_for(request.user, club, Right.MANAGE)
    form = SwitchForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        key = form.cleaned_data["feature"]
        feature_switch(club=access.club, actor=actor_of(request), key=key, on=form.cleaned_data["to"] == "on")
        return see(f"{reverse('club-features', kwargs={'club': club})}#{key}")
    groups = [(title, [feature for feature in features if feature.offered]) for title, features in GROUPS]
    context = club_admin_context(access) | {"groups": groups}
    return render(request, "league/club_admin/features.html", context, status=422 if form.is_bound else 200)
