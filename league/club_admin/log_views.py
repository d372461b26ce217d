"""The page of the audit log, newest entry first, and its CSV file."""

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

from .. import audit
from ..access import ClubAccess, Right, club_for, roles
from ..audit import What, sentences
from ..large_files.views import offer_if_large
from ..models import AuditEntry, User
from ..web.club_navigation import club_admin_context
from ..web.csv_download import download, file_name
from ..web.requests import actor_of

PAGE_SIZE = 50
CHUNK = 500
COLUMNS = ("entry_id", "at", "who", "what", "said", "about")


def entries_of(access: ClubAccess, *, kind: str = "", person: int | None = None) -> QuerySet[AuditEntry]:
    """Return the club's entries, newest first; filtered by kind (`sentences.KINDS`) and by actor."""
    found = AuditEntry.objects.filter(club=access.club).select_related("actor").order_by("-pk")
    if kind in sentences.KINDS:
        found = found.filter(what__in=[what.value for what in sentences.KINDS[kind][1]])
    if person is not None:
        found = found.filter(actor=person)
    return found


def whole(text: str) -> int | None:
    """Return the key in an address; None for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None


def _filters(request: HttpRequest) -> tuple[str, int | None]:
    kind = request.GET.get("kind", "")
    return kind if kind in sentences.KINDS else "", whole(request.GET.get("person", ""))


@login_required
@never_cache
@require_safe
def log(request: HttpRequest, club: str) -> HttpResponse:
    """Show one page of the log; `?before=` continues before an entry."""
    access = club_for(request.user, club, Right.SEE_LOG)
    kind, person = _filters(request)
    before = whole(request.GET.get("before", ""))
    found = entries_of(access, kind=kind, person=person)
    page = list((found if before is None else found.filter(pk__lt=before))[: PAGE_SIZE + 1])
    lines = sentences.lines_of(page[:PAGE_SIZE])
    people: list[User] = [one.user for one in roles.people_of(access.club)]
    if person is not None and person not in [one.pk for one in people]:
        people += list(User.objects.filter(pk=person, pk__in=[line.actor_id for line in lines]))
    filters = {"kind": kind, "person": person or ""}
    context = club_admin_context(access, "club-log") | {
        "lines": lines,
        "kinds": [(name, label) for name, (label, _whats) in sentences.KINDS.items()],
        "kind": kind,
        "people": people,
        "person": person,
        "first": before is None,
        "older": urlencode(filters | {"before": lines[-1].pk}) if len(page) > PAGE_SIZE else "",
        "query": urlencode(filters),
    }
    return render(request, "league/club_admin/log.html", context)


@login_required
@never_cache
@require_safe
def log_csv(request: HttpRequest, club: str) -> HttpResponseBase:
    """Download the log as CSV, one row for each entry. The download itself is logged, too."""
    access = club_for(request.user, club, Right.SEE_LOG)
    kind, person = _filters(request)
    found = entries_of(access, kind=kind, person=person)
    options = {"kind_of_entry": kind, "person": str(person or "")}
    if offer := offer_if_large(request, access, "log", access.club.pk, found.count, options):
        return offer
    if request.method != "HEAD":
        club_ = access.club
        data: audit.Data = {"file": "log"}
        audit.write(What.EXPORTED, club=club_, actor=actor_of(request), about=f"club:{club_.pk}", data=data)
    return download(request, access, file_name(access, "log"), COLUMNS, lambda: rows_of(found))


def rows_of(found: QuerySet[AuditEntry]) -> Iterator[dict[str, Any]]:
    """Yield the rows of the file."""
    last: int | None = None
    while True:
        chunk = list((found if last is None else found.filter(pk__lt=last))[:CHUNK])
        for line in sentences.lines_of(chunk):
            actor = line.actor or _("Somebody")
            row = {"entry_id": line.pk, "at": line.at, "who": actor, "what": line.what, "said": line.sentence}
            yield row | {"about": line.about}
        if len(chunk) < CHUNK:
            return
        last = chunk[-1].pk
