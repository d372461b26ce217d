"""The page that takes over the writes of another phone: from a file, or from QR codes."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.access import Right, club_for
from league.web.kept_pages import keep_on_phone

from ..hands.gate import signed_in
from .story_texts import story_texts


@signed_in
@never_cache
@require_safe
def night_read(request: HttpRequest, club: str) -> HttpResponse:
    """The empty page. The script reads the file or the fragment of the address; the server gets neither."""
    access = club_for(request.user, club, Right.RECORD)
    context = {"access": access, "club": access.club, "texts": story_texts(access.club.currency)}
    page = render(request, "games/night/read.html", context)
    return keep_on_phone(page, _("Hands from another phone: %(club)s") % {"club": access.club.name})
