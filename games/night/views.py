"""The addresses to which a phone sends its writes. A view is gate, body, service, answer."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

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
from .answers import hidden_answer, part_answer, refused_answer, state_of, stored_answer
from .body import sent_object, writes_of
from .references import table_named
from .services import Stored
from .writes import BeginWrite, Write, read_write

MOST_SECONDS = 5.0
"""A request that sends several writes begins none after this time: others wait for its thread, and its phone for the
answer."""


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def table_night(request: HttpRequest, club: str, table: int) -> JsonResponse:
    """The snapshot of a table, or writes of it."""
    access = club_for(request.user, club, Right.RECORD)
    card_table = table_for(access, table)
    if request.method == "POST":
        return _answer(request, access, card_table)
    state = state_of(access, card_table)
    return JsonResponse(hidden_answer(access, card_table), status=409) if state is None else JsonResponse(state)


@signed_in
@never_cache
@require_POST
def night(request: HttpRequest, club: str) -> JsonResponse:
    """Writes that begin an evening, or whose table is named by the key of such a write."""
    return _answer(request, club_for(request.user, club, Right.RECORD), None)


@dataclass
class _Tried:
    """A write that is being stored, as far as it could be read, and its table, as far as it is known."""

    table: Table | None
    write: Write | None = None


def _answer(request: HttpRequest, access: ClubAccess, table: Table | None) -> JsonResponse:
    """Store the write of the request at `table`, or at the one that it names; or its writes, one by one."""
    tried = _Tried(table)
    try:
        sent = sent_object(request)
        writes = writes_of(sent)
        if writes is not None:
            return JsonResponse(_answers(request, access, table, writes))
        stored = _stored(request, access, sent, tried)
    except Refused as refused:
        return JsonResponse(refused_answer(access, refused, tried.table, tried.write), status=refused.status)
    return JsonResponse(stored_answer(access, stored))


def _answers(request: HttpRequest, access: ClubAccess, table: Table | None, writes: list[Any]) -> dict[str, Any]:
    """Store the writes of one table in their order, each in its own transaction, up to the first one that is refused.
    The snapshot is that of the last one that was tried."""
    answers: list[dict[str, Any]] = []
    state, began = None, time.monotonic()
    for sent in writes:
        # The write before this one changed the table.
        tried = _Tried(table_for(access, table.pk) if table is not None and answers else table)
        try:
            stored = _stored(request, access, sent, tried)
        except Refused as refused:
            answer = refused_answer(access, refused, tried.table, tried.write)
            state = answer.pop("snapshot")
            answers.append(answer)
            break
        table = stored.table
        answers.append(part_answer(access, stored))
        if time.monotonic() - began > MOST_SECONDS:
            break
    if "stored" in answers[-1]:
        state = state_of(access, table)
    left = len(writes) - len(answers)
    return {"answers": answers + [{"not_tried": True}] * left, "snapshot": state}


def _stored(request: HttpRequest, access: ClubAccess, sent: Any, tried: _Tried) -> Stored:
    tried.write = write = read_write(sent)
    if write.club != access.club.slug:
        raise _elsewhere("club")
    if isinstance(write.body, BeginWrite) and tried.table is None:
        return _begun(request, access, write, write.body)
    tried.table = _table_of(access, write, tried.table)
    return services.store(write=write, table=tried.table, author=actor_of(request))


def _begun(request: HttpRequest, access: ClubAccess, write: Write, body: BeginWrite) -> Stored:
    stored = services.begin(write=write, body=body, club=access.club, author=actor_of(request))
    table_for(access, stored.table.pk)
    return stored


def _table_of(access: ClubAccess, write: Write, table: Table | None) -> Table:
    """The table of the write. Raises Refused if it is another one than `table`, or none."""
    if isinstance(write.table, str):
        pk = table_named(access.club, write.table)
    elif write.table is None:
        raise _elsewhere("kind")
    else:
        pk = write.table
    if table is not None and table.pk != pk:
        raise _elsewhere("table")
    if table is not None:
        return table
    try:
        return table_for(access, pk)
    except Http404 as fault:
        raise Refused(status=404, code="table", sentence=_("This club has no such table."), at="table") from fault


def _elsewhere(path: str) -> Refused:
    """422: a write was sent to the address of another table or club than its own."""
    sentence = _("This entry belongs to another table or club. Load the page again.")
    return Refused(status=422, code="write", sentence=sentence, at=path)
