"""The screen of the desk, and the part of it that is polled."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ...web.polling import answer_unless_known
from ..gate import desk_for
from .page_parts import desk_context, desk_etag, desk_page, whole


@login_required
@never_cache
@require_safe
def desk(request: HttpRequest, club: str, tournament: str) -> HttpResponse:
    """Show the desk; `?round=` shows the tables of an earlier round."""
    access = desk_for(request.user, club, tournament)
    return desk_page(request, access, shown=whole(request.GET.get("round")))


@login_required
@require_safe
def desk_live(request: HttpRequest, club: str, tournament: str) -> HttpResponseBase:
    """Answer a poll of the desk: the whole screen, or 304 while nothing changed."""
    access = desk_for(request.user, club, tournament)
    shown = whole(request.GET.get("round"))
    return answer_unless_known(
        request,
        desk_etag(access, shown),
        lambda: render(request, "league/tournaments/desk/_desk.html", desk_context(access, shown=shown)),
    )
