"""The settings of a club: a page each for its name, for what it does at its tables, and for who reads it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ..access import ClubAccess, Right, club_for
from ..errors import Refused
from ..web.club_navigation import club_admin_context, show_refusal
from ..web.requests import actor_of, see
from .forms import ClubForm, ClubTableForm, ClubVisibilityForm
from .services import club_change

Form = ClubForm | ClubTableForm | ClubVisibilityForm

TITLES: dict[type[Form], Promise] = {
    ClubForm: gettext_lazy("Name and place"),
    ClubTableForm: gettext_lazy("At your tables"),
    ClubVisibilityForm: gettext_lazy("Who may read the club"),
}


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, club: str) -> HttpResponse:
    """Change name and place."""
    return _club_page(request, club_for(request.user, club, Right.MANAGE), ClubForm)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def at_table(request: HttpRequest, club: str) -> HttpResponse:
    """Change when the club settles up, and whether tricks are counted."""
    return _club_page(request, club_for(request.user, club, Right.MANAGE), ClubTableForm)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def visibility(request: HttpRequest, club: str) -> HttpResponse:
    """Change who reads the club and what of it; amounts become public only after a warning was read."""
    access = club_for(request.user, club, Right.MANAGE)
    return _club_page(request, access, ClubVisibilityForm, publishes=access.club.publishes_money)


def _club_page(request: HttpRequest, access: ClubAccess, form_class: type[Form], **more: bool) -> HttpResponse:
    """Show the form with the club's values; what is sent is stored, and Club shows it."""
    initial = {name: getattr(access.club, name, None) for name in form_class.base_fields}
    form = form_class(request.POST if request.method == "POST" else None, initial=initial, **more)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                club_change(club=access.club, actor=actor_of(request), changes=form.cleaned_data)
            except Refused as refused:
                show_refusal(form, refused)
            else:
                messages.success(request, _("Saved."))
                return see(reverse("club-pages", kwargs={"club": access.club.slug}))
    context = club_admin_context(access) | {"form": form, "title": TITLES[form_class]}
    return render(request, "league/club_admin/club.html", context, status=status)
