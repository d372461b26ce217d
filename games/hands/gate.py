"""The gate of the pages of a table: it asks for a sign-in and finds the table in the club."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponseBase
from django.urls import reverse

from league.access import ClubAccess
from league.web.requests import see as see

from ..models import Table
from . import selectors


def signed_in(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Send a visitor to the sign-in. After a POST to a table the next page is its screen, which has the draft."""

    @wraps(view)
    def gate(request: HttpRequest, club: str, **names: int) -> HttpResponseBase:
        if request.user.is_authenticated:
            return view(request, club, **names)
        posted = request.method == "POST" and "table" in names
        here = reverse("table", kwargs={"club": club, "table": names["table"]}) if posted else request.get_full_path()
        return redirect_to_login(here)

    # Tells Django's LoginRequiredMiddleware that this view checks the sign-in itself.
    gate.login_url = None  # type: ignore[attr-defined]
    return gate


def table_for(access: ClubAccess, pk: int) -> Table:
    """Return the table of this club. Raises Http404."""
    found = selectors.table_of(club_id=access.club.pk, table_id=pk)
    if found is None:
        raise Http404("no such table")
    access.drop_currency_if_points_only(found.evening.season)
    found.evening.club = access.club
    return found
