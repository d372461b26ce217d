"""The file of a tournament: download it, and import one after a preview."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from ...access import ClubAccess, Right, club_for
from ...errors import Refused
from ...web.csv_download import file_name, log_download
from ...web.requests import actor_of, see
from .. import tables
from ..gate import desk_for
from . import canonical, reading
from .export import content_of
from .importing import Preview, preview, tournament_import


class ImportForm(forms.Form):
    """A file; it is imported if the hash of the file that the person looked at is sent with it."""

    file = forms.FileField(label="", max_length=200)
    key = forms.UUIDField(required=False)
    sha256 = forms.CharField(max_length=64, required=False)
    do = forms.ChoiceField(choices=[("look", "look"), ("import", "import")], required=False)


@login_required
@never_cache
@require_safe
def tournament_file(request: HttpRequest, club: str, tournament: str) -> StreamingHttpResponse:
    """Send the whole tournament as one file, for its desk."""
    tournament_access = desk_for(request.user, club, tournament)
    access, about = tournament_access.access, f"tournament:{tournament_access.tournament.pk}"
    log_download(request, access, "tournament", about)
    content: Any = {} if request.method == "HEAD" else content_of(tournament_access.tournament)
    response = StreamingHttpResponse(canonical.written(content), content_type="application/json; charset=utf-8")
    name = file_name(access, tournament_access.tournament.slug)
    response["Content-Disposition"] = f'attachment; filename="{name}.json"'
    return response


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tournament_import_page(request: HttpRequest, club: str) -> HttpResponse:
    """Look at a file, then import it. Each time the file is sent; nothing of it is kept in between."""
    access = club_for(request.user, club, Right.MANAGE)
    if request.method != "POST":
        return _import_page(request, access)
    form = ImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return _import_page(request, access, problem=_("Choose the file of a tournament."), status=422)
    try:
        data, sha256 = canonical.read(form.cleaned_data["file"].read(canonical.MAX_BYTES), club=access.club.pk)
        content = reading.content_of(data)
        if form.cleaned_data["do"] != "import":
            return _import_page(request, access, looked=preview(access.club, content, sha256))
        if form.cleaned_data["sha256"] != sha256:
            problem = _("This is another file than the one you looked at.")
            return _import_page(
                request, access, looked=preview(access.club, content, sha256), problem=problem, status=409
            )
        stored = tournament_import(
            club=access.club,
            author=actor_of(request),
            content=content,
            sha256=sha256,
            key=form.cleaned_data["key"],
        )
    except Refused as refused:
        return _import_page(request, access, problem=refused.sentence, status=refused.status)
    messages.success(request, _("%(name)s is imported.") % {"name": stored.name})
    return see(reverse("tournament-desk", kwargs={"club": club, "tournament": stored.slug}))


def _import_page(
    request: HttpRequest, access: ClubAccess, *, looked: Preview | None = None, problem: str = "", status: int = 200
) -> HttpResponse:
    context = {
        "access": access,
        "club": access.club,
        "looked": looked,
        "game": tables.of_games().games()[looked.content.basics["game"]] if looked else "",
        "problem": problem,
        "key": uuid.uuid4(),
    }
    template = "_preview.html" if request.htmx else "import.html"  # type: ignore[attr-defined]
    # htmx shows the answer of a look in any case; it would drop one with an error status.
    return render(request, f"league/tournaments/file/{template}", context, status=200 if request.htmx else status)  # type: ignore[attr-defined]
