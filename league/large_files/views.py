"""The pages of large files: the offer to make one, a person's files with their progress, and the files themselves."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from ..access import ClubAccess, Right, club_for
from ..errors import Refused, form_outdated
from ..models import LargeFile, User
from ..web.csv_download import log_download
from ..web.requests import see
from . import store
from .kinds import LARGE, TYPES, kind_of
from .link import is_valid, link_to
from .services import NOT_ALLOWED, file_ask, file_remove, files_of, open_file

State = LargeFile.State
OPTIONS = ("kind_of_entry", "person", "season", "book", "from", "to", "day", "player", "undone")
"""Options that a kind of file may have."""


class AskForm(forms.Form):
    """The requested file."""

    kind = forms.CharField(max_length=30)
    subject = forms.IntegerField(min_value=1, max_value=2**53)
    form = forms.ChoiceField(choices=[(form, form) for form in TYPES])


for _name in OPTIONS:
    AskForm.base_fields[_name] = forms.CharField(max_length=50, required=False)


class RemoveForm(forms.Form):
    """The file to remove."""

    file = forms.UUIDField()


def offer_if_large(
    request: HttpRequest,
    access: ClubAccess,
    kind: str,
    subject: int,
    count: Callable[[], int],
    options: Mapping[str, str] | None = None,
    form: str = "",
) -> HttpResponse | None:
    """Return a page that offers to make the file in `form`, or the one that `?for=` names, if it is large; None if it
    is made at once.

    CSV is never large: its rows are sent while they are read. `count` returns the number of rows.
    """
    form = form or request.GET.get("for", "")
    if form not in LARGE or (rows := count()) <= LARGE[form]:
        return None
    kept = request.GET.copy()
    kept.pop("for", None)
    context = {
        "club": access.club,
        "label": kind_of(kind).label,
        "kind": kind,
        "subject": subject,
        "form": form,
        "options": {name: value for name, value in (options or {}).items() if value},
        "rows": rows,
        "pages": pages(kind, rows),
        "csv": request.path.endswith(".csv") and f"?{kept.urlencode()}",
        "may_ask": access.may(Right.SEE_RULES) and access.scopes is None,
    }
    response = render(request, "league/large_files/offer.html", context)
    response["Cache-Control"] = "private, no-store"
    return response


def pages(kind: str, rows: int) -> int:
    """Return the number of pages of so many rows; 0 for a kind that is counted by rows."""
    each = kind_of(kind).page_rows
    return rows // each if each else 0


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def files(request: HttpRequest, club: str) -> HttpResponseBase:
    """Show the reader's large files in this club; POST requests one or removes one."""
    access = club_for(request.user, club, Right.SEE_RULES)
    if request.method != "POST":
        return _files_page(request, access)
    removes = request.POST.get("do") == "remove"
    form = RemoveForm(request.POST) if removes else AskForm(request.POST)
    if not form.is_valid():
        refused = form_outdated()
        return _files_page(request, access, refused.sentence, status=refused.status)
    if not removes:
        try:
            _ask(request, access, form.cleaned_data)
        except Refused as refused:
            return _files_page(request, access, refused.sentence, status=refused.status)
    elif file_remove(club=access.club, asker=_person(request), file=form.cleaned_data["file"]):
        messages.success(request, _("Removed."))
    return see(reverse("club-files", kwargs={"club": club}))


def _ask(request: HttpRequest, access: ClubAccess, sent: Mapping[str, Any]) -> None:
    if access.scopes is not None:
        # A table card has no account that a worker could ask for its rights.
        raise PermissionDenied
    file_ask(
        club=access.club,
        asker=_person(request),
        kind=sent["kind"],
        subject=sent["subject"],
        form=sent["form"],
        options={name: sent[name] for name in OPTIONS if sent[name]},
        language=get_language() or settings.LANGUAGE_CODE,
    )


def _files_page(request: HttpRequest, access: ClubAccess, problem: str = "", *, status: int = 200) -> HttpResponse:
    person = _person(request)
    large_files = list(files_of(access.club, person))
    lines = [_line(access, person, file) for file in large_files]
    context = {
        "club": access.club,
        "lines": lines,
        "unfinished": any(file.state in (State.WAITING, State.MAKING) for file in large_files),
        "problem": problem,
    }
    part = request.headers.get("HX-Request") == "true"
    return render(request, f"league/large_files/{'_list' if part else 'files'}.html", context, status=status)


def _person(request: HttpRequest) -> User:
    """Return the signed-in user; each view here requires one."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def _line(access: ClubAccess, person: User, file: LargeFile) -> dict[str, Any]:
    """Return the data that the page shows of a file."""
    file.club, file.asker = access.club, person
    try:
        opened = open_file(file)
    except (Http404, PermissionDenied):
        return {"file": file, "label": kind_of(file.kind).label, "title": "", "lost": True}
    return {
        "file": file,
        "label": kind_of(file.kind).label,
        "title": opened.title,
        "pages": pages(file.kind, file.rows),
        "pages_done": pages(file.kind, file.rows_done),
        "lost": file.fault == NOT_ALLOWED,
        "link": link_to(file) if file.state == State.READY else "",
    }


@login_required
@never_cache
@require_safe
def file(request: HttpRequest, club: str, file: uuid.UUID) -> HttpResponseBase:
    """Send a file to the person who asked for it, by its link, as long as the right to it lasts."""
    access = club_for(request.user, club)
    person = _person(request)
    large_file = files_of(access.club, person).filter(pk=file, state=State.READY).first()
    if large_file is None or not is_valid(large_file, person, request.GET.get("key", "")):
        raise Http404("no such file")
    large_file.club, large_file.asker = access.club, person
    opened = open_file(large_file)
    log_download(request, opened.access, kind_of(large_file.kind).logged, opened.about)
    content = () if request.method == "HEAD" else store.read(large_file)
    response = StreamingHttpResponse(content, content_type=TYPES[large_file.form])
    response["Content-Disposition"] = f'attachment; filename="{opened.name()}.{large_file.form}"'
    response["Content-Length"] = str(large_file.size)
    return response
