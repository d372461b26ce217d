"""The page of two stories of a table: the stored writes of another phone, beside those that wait on this one."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from league.access import Right, club_for

from ..hands import selectors
from ..hands.gate import signed_in, table_for
from ..models import MAX_NUMBER, Table
from .stories import story
from .story_texts import story_texts


@signed_in
@never_cache
@require_safe
@vary_on_headers("Accept")
def table_stories(request: HttpRequest, club: str, table: int) -> HttpResponse:
    """The page, or its data alone where JSON is asked for. `from`: the first hand that differs, by default the last."""
    access = club_for(request.user, club, Right.RECORD)
    card_table = table_for(access, table)
    if request.headers.get("Accept") == "application/json":
        if not selectors.sees_table_amounts(access, card_table.evening):
            raise PermissionDenied
        return JsonResponse(story(access, card_table, _first(request, card_table)))
    context = {
        "access": access,
        "club": access.club,
        "table": card_table,
        "evening": card_table.evening,
        "story": story(access, card_table, _first(request, card_table)),
        "texts": story_texts(access.club.currency),
    }
    return render(request, "games/night/stories.html", context)


def _first(request: HttpRequest, table: Table) -> int:
    sent = request.GET.get("from", "")
    number = int(sent) if sent.isascii() and sent.isdecimal() and len(sent) < 8 else table.hands
    return min(max(number, 1), MAX_NUMBER)
