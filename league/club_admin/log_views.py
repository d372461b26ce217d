"""The page of the audit log, newest entry first, and its CSV file."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from .. import audit
from ..access import Right, club_for, roles
from ..audit import What, sentences, texts
from ..large_files.views import offer_if_large
from ..models import User
from ..web.club_navigation import club_admin_context
from ..web.csv_download import download
from ..web.requests import actor_of
from .log_entries import entries_of, log_list, rows_of, whole

PAGE_SIZE = 50


def _filters(request: HttpRequest) -> tuple[str, int | None]:
    kind = request.GET.get("kind", "")
    return kind if kind in texts.KINDS else "", whole(request.GET.get("person", ""))


@login_required
@never_cache
@require_safe
def log(request: HttpRequest, club: str) -> HttpResponse:
    """Show one page of the log; `?before=` continues before an entry."""
    access = club_for(request.user, club, Right.SEE_LOG)
    kind, person = _filters(request)
    before = whole(request.GET.get("before", ""))
    entries = entries_of(access, kind=kind, person=person)
    page = list((entries if before is None else entries.filter(pk__lt=before))[: PAGE_SIZE + 1])
    lines = sentences.lines_of(page[:PAGE_SIZE])
    people: list[User] = [member.user for member in roles.people_of(access.club)]
    if person is not None and person not in [user.pk for user in people]:
        people += list(User.objects.filter(pk=person, pk__in=[line.actor_id for line in lines]))
    filters = {"kind": kind, "person": person or ""}
    context = club_admin_context(access) | {
        "lines": lines,
        "kinds": list(texts.KINDS.items()),
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
    entries = entries_of(access, kind=kind, person=person)
    options = {"kind_of_entry": kind, "person": str(person or "")}
    if offer := offer_if_large(request, access, "log", access.club.pk, entries.count, options):
        return offer
    if request.method != "HEAD":
        club_ = access.club
        data: audit.Data = {"file": "log"}
        audit.write(What.EXPORTED, club=club_, actor=actor_of(request), about=f"club:{club_.pk}", data=data)
    return download(request, access, log_list(access), lambda: rows_of(entries))
