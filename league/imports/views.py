"""The pages of an import: the file, its columns, its names, the preview, and what was imported, with its undoing."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ..access import ClubAccess, Right, club_for
from ..errors import Refused
from ..models import Evening, Import, ImportKind, Upload
from ..standings.selectors import current_season
from ..web.club_navigation import club_admin_context, show_refusal
from ..web.requests import actor_of, see
from . import columns, matching, services
from .forms import ColumnsForm, NamesForm, StoreForm, UploadForm
from .preview import preview
from .reading import rows_of

EXAMPLES = 3
SHOWN_PROBLEMS = 200
SHOWN_EVENINGS = 60
SHOWN_IMPORTS = 50

both = require_http_methods(["GET", "HEAD", "POST"])


@login_required
@never_cache
@both
def imports(request: HttpRequest, club: str) -> HttpResponse:
    """List the imports of the club; take a file."""
    access = club_for(request.user, club, Right.MANAGE)
    posted = request.method == "POST"
    season = current_season(access.club)
    initial = {"season": season and season.slug, "game": season and season.games}
    form = UploadForm(access.club, *((request.POST, request.FILES) if posted else ()), initial=initial)
    status = 200
    if posted:
        status = 422
        if form.is_valid():
            try:
                return see(_step(_upload(request, access, form)))
            except Refused as refused:
                show_refusal(form, refused)
                status = refused.status
    context = _context(access) | {
        "form": form,
        "imports": Import.objects.filter(club=access.club).select_related("season", "author")[:SHOWN_IMPORTS],
        "uploads": Upload.objects.filter(club=access.club).select_related("season").defer("rows"),
        "has_seasons": form.fields["season"].queryset.exists(),  # type: ignore[attr-defined]
    }
    return render(request, "league/imports/imports.html", context, status=status)


def _upload(request: HttpRequest, access: ClubAccess, form: UploadForm) -> Upload:
    """Keep the file. Raises Refused."""
    author = actor_of(request)
    if author is None:
        raise PermissionDenied
    values = form.cleaned_data
    return services.upload_create(
        club=access.club,
        author=author,
        season=values["season"],
        kind=ImportKind.TOTALS,
        game=values["game"],
        rows=rows_of(values["file"].read()),
    )


@login_required
@never_cache
@both
def import_columns(request: HttpRequest, club: str, upload: uuid.UUID) -> HttpResponse:
    """Choose which column of the file has what."""
    access, found = _upload_for(request, club, upload)
    heading, *rows = found.rows
    if request.method == "POST" and "discard" in request.POST:
        found.delete()
        return see(reverse("imports", kwargs={"club": club}))
    begin = found.chosen or columns.proposed(access.club, found.kind, found.season, heading)
    form = ColumnsForm(found, request.POST if request.method == "POST" else None, initial=begin)
    if request.method == "POST" and form.is_valid():
        try:
            services.columns_choose(upload=found, chosen=form.chosen())
        except Refused as refused:
            show_refusal(form, refused)
        else:
            return see(_address("import-names", found))
    context = _context(access) | {
        "upload": found,
        "form": form,
        "heading": heading,
        "examples": [row for row in rows if row][:EXAMPLES],
        "count": sum(bool(row) for row in rows),
    }
    return render(request, "league/imports/columns.html", context, status=422 if form.errors else 200)


@login_required
@never_cache
@both
def import_names(request: HttpRequest, club: str, upload: uuid.UUID) -> HttpResponse:
    """Choose who is meant by each name of the file."""
    access, found = _upload_for(request, club, upload)
    if found.columns is None:
        return see(_step(found))
    counted = matching.names_of(services.name_cells(found))
    names = list(counted)
    people = matching.roster(access.club)
    proposals = matching.proposals(access.club, counted, found.meant)
    posted = request.method == "POST"
    initial = NamesForm.initial_of(names, proposals)
    form = NamesForm(names, people, request.POST if posted else None, initial=initial)
    if posted and form.is_valid():
        try:
            services.names_choose(upload=found, meant=form.meant())
        except Refused as refused:
            form.add_error(f"name-{names.index(refused.at)}" if refused.at in names else None, refused.sentence)
        else:
            return see(_address("import-preview", found))
    fields = {name: form[f"name-{place}"] for place, name in enumerate(names)}
    lines = [(one, fields[one.name]) for one in proposals]
    context = _context(access) | {
        "upload": found,
        "form": form,
        "unsure": [(one, bound) for one, bound in lines if not one.sure or bound.errors],
        "new": [(one, bound) for one, bound in lines if one.sure and one.player_id is None and not bound.errors],
        "known": [(one, bound) for one, bound in lines if one.sure and one.player_id is not None and not bound.errors],
    }
    return render(request, "league/imports/names.html", context, status=422 if form.errors else 200)


@login_required
@never_cache
@both
def import_preview(request: HttpRequest, club: str, upload: uuid.UUID) -> HttpResponse:
    """Show what the import would store, and each cell that is wrong; then import it."""
    if request.method == "POST":
        return _store(request, club, upload)
    access, found = _upload_for(request, club, upload)
    return _preview_page(request, access, found)


def _store(request: HttpRequest, club: str, upload: uuid.UUID) -> HttpResponse:
    access = club_for(request.user, club, Right.MANAGE)
    form = StoreForm(request.POST)
    found = Upload.objects.filter(club=access.club, pk=upload).select_related("season", "club").first()
    key = form.cleaned_data["key"] if form.is_valid() else None
    if found is None:
        # The same request again: the upload is gone, what it became is shown.
        first = Import.objects.filter(club=access.club, submission__key=key).first() if key else None
        if first is None:
            raise Http404("no such upload")
        return see(_done(first))
    if found.names is None or key is None:
        return see(_step(found))
    try:
        stored = services.import_store(upload=found, author=actor_of(request), key=key)
    except Refused as refused:
        return _preview_page(request, access, found, refused)
    count = stored.evenings.count()
    sentence = ngettext("%(n)d evening is imported.", "%(n)d evenings are imported.", count)
    messages.success(request, sentence % {"n": count})
    return see(_done(stored))


def _preview_page(
    request: HttpRequest, access: ClubAccess, found: Upload, refused: Refused | None = None
) -> HttpResponse:
    if found.names is None:
        return see(_step(found))
    planned = preview(found)
    context = _context(access) | {
        "upload": found,
        "preview": planned,
        "refused": refused,
        "problems": planned.problems[:SHOWN_PROBLEMS],
        "more_problems": max(0, len(planned.problems) - SHOWN_PROBLEMS),
        "evenings": planned.evenings[:SHOWN_EVENINGS],
        "more_evenings": max(0, len(planned.evenings) - SHOWN_EVENINGS),
        "known": sum(one.known for one in planned.evenings),
        "recorded": sum(one.recorded and not one.known for one in planned.evenings),
        "has_amounts": bool({"amount", "amount_minor"} & set(found.chosen)),
        "has_points": "points" in found.chosen,
        "key": uuid.uuid4(),
    }
    status = refused.status if refused else 200
    return render(request, "league/imports/preview.html", context, status=status)


@login_required
@never_cache
@both
def import_done(request: HttpRequest, club: str, stored: uuid.UUID) -> HttpResponse:
    """Show what was imported; undo it."""
    access = club_for(request.user, club, Right.MANAGE)
    found = Import.objects.filter(club=access.club, pk=stored).select_related("season", "author", "undone_by").first()
    if found is None:
        raise Http404("no such import")
    refused = None
    if request.method == "POST":
        try:
            services.import_undo(stored=found, actor=actor_of(request))
        except Refused as fault:
            refused = fault
        else:
            messages.success(request, _("The import is undone."))
            return see(_done(found))
    evenings = Evening.objects.filter(imported=found).order_by("held_on", "number")
    context = _context(access) | {
        "stored": found,
        "evenings": list(evenings[:SHOWN_EVENINGS]),
        "count": evenings.count(),
        "refused": refused,
    }
    return render(request, "league/imports/done.html", context, status=refused.status if refused else 200)


def _upload_for(request: HttpRequest, club: str, upload: uuid.UUID) -> tuple[ClubAccess, Upload]:
    access = club_for(request.user, club, Right.MANAGE)
    found = Upload.objects.filter(club=access.club, pk=upload).select_related("season", "club").first()
    if found is None:
        raise Http404("no such upload")
    return access, found


def _step(upload: Upload) -> str:
    """The address of the page on which the upload waits for a choice."""
    if upload.columns is None:
        return _address("import-columns", upload)
    return _address("import-names" if upload.names is None else "import-preview", upload)


def _address(name: str, upload: Upload) -> str:
    return reverse(name, kwargs={"club": upload.club.slug, "upload": upload.pk})


def _done(stored: Import) -> str:
    return reverse("import", kwargs={"club": stored.club.slug, "stored": stored.pk})


def _context(access: ClubAccess) -> dict[str, Any]:
    return club_admin_context(access, "imports")
