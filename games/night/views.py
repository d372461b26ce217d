"""The addresses to which a phone sends its writes. A view is gate, body, service, answer."""

from __future__ import annotations

from django.http import Http404, HttpRequest, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from league.access import ClubAccess, Right, club_for
from league.web.requests import actor_of

from ..errors import Refused
from ..hands.gate import signed_in, table_for
from ..models import Table
from . import services
from .answers import hidden_answer, refused_answer, state_of, stored_answer
from .body import sent_object
from .references import table_named
from .services import Stored
from .writes import BeginWrite, Write, read_write


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def table_night(request: HttpRequest, club: str, table: int) -> JsonResponse:
    """The snapshot of a table, or one write of it."""
    access = club_for(request.user, club, Right.RECORD)
    at = table_for(access, table)
    if request.method == "POST":
        return _answer(request, access, at)
    state = state_of(access, at)
    return JsonResponse(hidden_answer(access, at), status=409) if state is None else JsonResponse(state)


@signed_in
@never_cache
@require_POST
def night(request: HttpRequest, club: str) -> JsonResponse:
    """One write that begins an evening, or one whose table is named by the key of such a write."""
    return _answer(request, club_for(request.user, club, Right.RECORD), None)


def _answer(request: HttpRequest, access: ClubAccess, at: Table | None) -> JsonResponse:
    """Store the write of the request at the table `at`, or at the one that it names."""
    write: Write | None = None
    try:
        write = read_write(sent_object(request))
        if write.club != access.club.slug:
            raise _elsewhere("club")
        if isinstance(write.body, BeginWrite) and at is None:
            return JsonResponse(stored_answer(access, _begun(request, access, write, write.body)))
        at = _table_of(access, write, at)
        stored = services.store(write=write, table=at, author=actor_of(request))
    except Refused as refused:
        return JsonResponse(refused_answer(access, refused, at, write), status=refused.status)
    return JsonResponse(stored_answer(access, stored))


def _begun(request: HttpRequest, access: ClubAccess, write: Write, body: BeginWrite) -> Stored:
    stored = services.begin(write=write, body=body, club=access.club, author=actor_of(request))
    table_for(access, stored.table.pk)
    return stored


def _table_of(access: ClubAccess, write: Write, at: Table | None) -> Table:
    """The table of the write. Raises Refused if it is another one than `at`, or none."""
    if isinstance(write.table, str):
        pk = table_named(access.club, write.table)
    elif write.table is None:
        raise _elsewhere("kind")
    else:
        pk = write.table
    if at is not None and at.pk != pk:
        raise _elsewhere("table")
    if at is not None:
        return at
    try:
        return table_for(access, pk)
    except Http404 as fault:
        raise Refused(status=404, code="table", sentence=_("This club has no such table."), at="table") from fault


def _elsewhere(at: str) -> Refused:
    """422: a write was sent to the address of another table or club than its own."""
    sentence = _("This entry belongs to another table or club. Load the page again.")
    return Refused(status=422, code="write", sentence=sentence, at=at)
