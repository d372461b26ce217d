"""The logo as a picture, and the page on which owners change it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from ..access import ClubAccess, Right, club_for
from ..errors import Refused
from ..web.club_navigation import club_admin_context
from ..web.requests import actor_of, see
from .images import MAX_BYTES
from .services import logo_of, logo_remove, logo_set


@require_safe
def picture(request: HttpRequest, club: str) -> HttpResponseBase:
    """Send the logo to readers of the club; 304 if the browser has it."""
    access = club_for(request.user, club)
    etag = f'"logo-{access.club.logo_mark}"'
    known = get_conditional_response(request, etag=etag) if access.club.logo_mark else None
    if known is not None:
        return known
    logo = logo_of(access.club)
    if logo is None:
        raise Http404("no logo")
    return HttpResponse(bytes(logo.content), content_type="image/png", headers={"ETag": etag})


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def change(request: HttpRequest, club: str) -> HttpResponse:
    """Change or remove the logo."""
    access = club_for(request.user, club, Right.MANAGE)
    if request.method != "POST":
        return _logo_page(request, access)
    here = see(reverse("club-logo", kwargs={"club": club}))
    if request.POST.get("do") == "remove":
        if logo_remove(club=access.club, actor=actor_of(request)):
            messages.success(request, _("Removed."))
        return here
    sent = request.FILES.get("file")
    if sent is None:
        return _logo_page(request, access, _("Choose a picture first."))
    try:
        # One byte more than allowed tells a file that is too large.
        logo_set(club=access.club, actor=actor_of(request), content=sent.read(MAX_BYTES + 1))
    except Refused as refused:
        return _logo_page(request, access, refused.sentence, refused.status)
    messages.success(request, _("Saved."))
    return here


def _logo_page(request: HttpRequest, access: ClubAccess, problem: str = "", status: int = 422) -> HttpResponse:
    context = club_admin_context(access) | {
        "logo": logo_of(access.club),
        "problem": problem,
        "most": MAX_BYTES // 1024,
    }
    return render(request, "league/logo/change.html", context, status=status if problem else 200)
