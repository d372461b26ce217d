"""The club's log: who did what, newest first, to be read and taken along."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from .. import audit, audit_words, roles
from ..access import ClubAccess, Right, club_for
from ..audit import What
from ..exports import download, file_name
from ..models import AuditEntry, User
from ..posted import actor_of
from .nav import desk_context

A_PAGE = 50
CHUNK = 500
COLUMNS = ("entry_id", "at", "who", "what", "said", "about")


def entries_of(access: ClubAccess, *, kind: str = "", person: int | None = None) -> QuerySet[AuditEntry]:
    """The club's log, newest first; of one kind (`audit_words.KINDS`), of what one person did."""
    found = AuditEntry.objects.filter(club=access.club).select_related("actor").order_by("-pk")
    if kind in audit_words.KINDS:
        found = found.filter(what__in=[what.value for what in audit_words.KINDS[kind][1]])
    if person is not None:
        found = found.filter(actor=person)
    return found


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None


def _asked(request: HttpRequest) -> tuple[str, int | None]:
    kind = request.GET.get("kind", "")
    return kind if kind in audit_words.KINDS else "", _whole(request.GET.get("person", ""))


@login_required
@never_cache
@require_safe
def log(request: HttpRequest, club: str) -> HttpResponse:
    """A page of the log; `?before=` goes on from an entry."""
    access = club_for(request.user, club, Right.SEE_LOG)
    kind, person = _asked(request)
    before = _whole(request.GET.get("before", ""))
    found = entries_of(access, kind=kind, person=person)
    page = list((found if before is None else found.filter(pk__lt=before))[: A_PAGE + 1])
    lines = audit_words.told(page[:A_PAGE])
    people: list[User] = [one.user for one in roles.people_of(access.club)]
    if person is not None and person not in [one.pk for one in people]:
        people += list(User.objects.filter(pk=person, pk__in=[line.actor_id for line in lines]))
    filters = {"kind": kind, "person": person or ""}
    context = desk_context(access, "club-log") | {
        "lines": lines,
        "kinds": [(name, label) for name, (label, _whats) in audit_words.KINDS.items()],
        "kind": kind,
        "people": people,
        "person": person,
        "first": before is None,
        "older": urlencode(filters | {"before": lines[-1].pk}) if len(page) > A_PAGE else "",
        "query": urlencode(filters),
    }
    return render(request, "league/desk/log.html", context)


@login_required
@never_cache
@require_safe
def log_csv(request: HttpRequest, club: str) -> HttpResponseBase:
    """The log as a file, a row an entry; that it was taken along is an entry as well."""
    access = club_for(request.user, club, Right.SEE_LOG)
    kind, person = _asked(request)
    found = entries_of(access, kind=kind, person=person)
    if request.method != "HEAD":
        club_ = access.club
        data: audit.Data = {"file": "log"}
        audit.write(What.EXPORTED, club=club_, actor=actor_of(request), about=f"club:{club_.pk}", data=data)
    return download(request, file_name(access, "log"), COLUMNS, lambda: _rows(found))


def _rows(found: QuerySet[AuditEntry]) -> Iterator[dict[str, Any]]:
    last: int | None = None
    while True:
        chunk = list((found if last is None else found.filter(pk__lt=last))[:CHUNK])
        for line in audit_words.told(chunk):
            who = line.who or _("Somebody")
            row = {"entry_id": line.pk, "at": line.at, "who": who, "what": line.what, "said": line.said}
            yield row | {"about": line.about}
        if len(chunk) < CHUNK:
            return
        last = chunk[-1].pk
