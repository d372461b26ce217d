"""The pages of an import: the file, its columns, its names, the preview, the finished import, and its undoing."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from ..access import ClubAccess, Right, club_for
from ..errors import Refused
from ..models import Evening, Import, ImportKind, Upload
from ..standings.selectors import current_season
from ..web.club_navigation import club_admin_context, show_refusal
from ..web.requests import actor_of, see
from . import columns, matching, samples, services, sheets
from .forms import ACCEPTED, KINDS, AgainForm, ColumnsForm, LayoutForm, NamesForm, SheetForm, StoreForm, UploadForm
from .plan import cell_address, shown_cell
from .preview import preview
from .reading import MAX_HAND_ROWS, tables_of

EXAMPLES = 4
SAMPLE_ROWS = 4
SHOWN_PROBLEMS = 200
SHOWN_WARNINGS = 30
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
    if posted and request.POST.get("replaces"):
        return _again(request, access)
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
        "uploads": Upload.objects.filter(club=access.club).select_related("season").defer("rows", "sheets"),
        "samples": [(kind, label, samples.rows(kind, season)[:SAMPLE_ROWS]) for kind, label in KINDS],
        "has_seasons": form.fields["season"].queryset.exists(),  # type: ignore[attr-defined]
    }
    return render(request, "league/imports/imports.html", context, status=status)


@login_required
@never_cache
@require_safe
def import_sample(request: HttpRequest, club: str, kind: str, form: str) -> HttpResponse:
    """Send a small file of this layout, as CSV or XLSX, to begin with."""
    access = club_for(request.user, club, Right.MANAGE)
    if kind not in ImportKind.values or form not in samples.FORMS:
        raise Http404("no such sample")
    season = current_season(access.club)
    rows = samples.rows(kind, season, request.GET.get("game", ""))
    response = HttpResponse(samples.FORMS[form](rows), content_type=samples.TYPES[form])
    response["Content-Disposition"] = f'attachment; filename="{kind}.{form}"'
    return response


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
        kind="",
        game=values["game"],
        tables=tables_of(values["file"].read(), MAX_HAND_ROWS, club=access.club.pk),
    )


def _again(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    """Take a corrected file in place of an upload; fitting choices stay."""
    form = AgainForm(request.POST, request.FILES)
    is_complete = form.is_valid()
    upload = None if "replaces" in form.errors else _uploads(access).filter(pk=form.cleaned_data["replaces"]).first()
    if upload is None:
        raise Http404("no such upload")
    try:
        if not is_complete:
            raise Refused(status=422, code="import", sentence=_("Choose a file."), at="file")
        tables = tables_of(form.cleaned_data["file"].read(), MAX_HAND_ROWS, club=access.club.pk)
        services.upload_replace(upload=upload, tables=tables)
    except Refused as refused:
        return _preview_page(request, access, upload, refused)
    return see(_step(upload))


@login_required
@never_cache
@both
def import_columns(request: HttpRequest, club: str, upload: uuid.UUID) -> HttpResponse:
    """Choose the sheet of a file, its layout, and the meaning of its columns."""
    access, chosen_upload = _upload_for(request, club, upload, with_sheets=True)
    posted = request.method == "POST"
    if posted and "discard" in request.POST:
        chosen_upload.delete()
        return see(reverse("imports", kwargs={"club": club}))
    if posted and "kind" in request.POST:
        return _change_layout(request, access, chosen_upload)
    form = _columns_form(chosen_upload, request.POST if posted else None)
    if posted and form.is_valid():
        try:
            services.columns_choose(upload=chosen_upload, chosen=form.chosen())
        except Refused as refused:
            show_refusal(form, refused)
        else:
            return see(_address("import-names", chosen_upload))
    return _columns_page(request, access, chosen_upload, form, LayoutForm(chosen_upload))


def _columns_form(upload: Upload, data: Any = None) -> ColumnsForm | SheetForm:
    if upload.kind in sheets.KINDS:
        chosen = sheets.SheetColumns.of(upload) or sheets.proposed(upload)
        return SheetForm(upload, chosen, sheets.lines(upload, chosen.first), data)
    begin = upload.chosen or columns.proposed(upload.club, upload.kind, upload.season, upload.rows[0], upload.game)
    return ColumnsForm(upload, data, initial=begin)


def _change_layout(request: HttpRequest, access: ClubAccess, upload: Upload) -> HttpResponse:
    layout = LayoutForm(upload, request.POST)
    if layout.is_valid():
        sheet = layout.cleaned_data.get("sheet", "")
        # Another sheet may have another layout, unless the person chose that, too.
        kind = layout.cleaned_data["kind"]
        likely = "" if sheet and sheet != upload.sheet and kind == upload.kind else kind
        try:
            services.upload_change(upload=upload, kind=likely, sheet=sheet)
        except Refused as refused:
            show_refusal(layout, refused)
        else:
            return see(_address("import-columns", upload))
    return _columns_page(request, access, upload, _columns_form(upload), layout)


def _columns_page(
    request: HttpRequest, access: ClubAccess, upload: Upload, form: ColumnsForm | SheetForm, layout: LayoutForm
) -> HttpResponse:
    heading, *rows = upload.rows
    numbered = [(number, row) for number, row in enumerate(rows, upload.first_row + 1) if row]
    context = _context(access) | {
        "upload": upload,
        "form": form,
        "layout": layout,
        "is_sheet": upload.kind in sheets.KINDS,
        "is_turned": upload.kind == ImportKind.TURNED,
        "heading": list(map(shown_cell, heading)),
        "letters": [cell_address(0, place)[:-1] for place in range(len(heading))],
        "examples": [(number, list(map(shown_cell, row))) for number, row in numbered[:EXAMPLES]],
        "count": len(numbered),
    }
    status = 422 if form.errors or layout.errors else 200
    return render(request, "league/imports/columns.html", context, status=status)


@login_required
@never_cache
@both
def import_names(request: HttpRequest, club: str, upload: uuid.UUID) -> HttpResponse:
    """Choose the player of each name of the file."""
    access, chosen_upload = _upload_for(request, club, upload)
    if chosen_upload.columns is None:
        return see(_step(chosen_upload))
    counted = matching.names_of(services.name_cells(chosen_upload))
    names = list(counted)
    people = matching.roster(access.club)
    proposals = matching.proposals(access.club, counted, chosen_upload.meant)
    posted = request.method == "POST"
    initial = NamesForm.initial_of(names, proposals)
    form = NamesForm(names, people, request.POST if posted else None, initial=initial)
    if posted and form.is_valid():
        try:
            services.names_choose(upload=chosen_upload, meant=form.meant())
        except Refused as refused:
            form.add_error(f"name-{names.index(refused.at)}" if refused.at in names else None, refused.sentence)
        else:
            return see(_address("import-preview", chosen_upload))
    fields = {name: form[f"name-{place}"] for place, name in enumerate(names)}
    lines = [(proposal, fields[proposal.name]) for proposal in proposals]
    context = _context(access) | {
        "upload": chosen_upload,
        "form": form,
        "is_sheet": chosen_upload.kind in sheets.KINDS,
        "unsure": [(proposal, bound) for proposal, bound in lines if not proposal.sure or bound.errors],
        "new": [
            (proposal, bound)
            for proposal, bound in lines
            if proposal.sure and proposal.player_id is None and not bound.errors
        ],
        "known": [
            (proposal, bound)
            for proposal, bound in lines
            if proposal.sure and proposal.player_id is not None and not bound.errors
        ],
    }
    return render(request, "league/imports/names.html", context, status=422 if form.errors else 200)


@login_required
@never_cache
@both
def import_preview(request: HttpRequest, club: str, upload: uuid.UUID) -> HttpResponse:
    """Show the plan of the import, and each cell that is wrong; then import it."""
    if request.method == "POST":
        return _store(request, club, upload)
    access, chosen_upload = _upload_for(request, club, upload)
    return _preview_page(request, access, chosen_upload)


def _store(request: HttpRequest, club: str, upload: uuid.UUID) -> HttpResponse:
    access = club_for(request.user, club, Right.MANAGE)
    form = StoreForm(request.POST)
    chosen_upload = _uploads(access).filter(pk=upload).first()
    key = form.cleaned_data["key"] if form.is_valid() else None
    if chosen_upload is None:
        # The same request again: the upload is gone, the import is shown.
        first = Import.objects.filter(club=access.club, submission__key=key).first() if key else None
        if first is None:
            raise Http404("no such upload")
        return see(_done(first))
    if key is None or not services.names_fit(chosen_upload):
        return see(_step(chosen_upload))
    try:
        stored = services.import_store(upload=chosen_upload, author=actor_of(request), key=key)
    except Refused as refused:
        if not _uploads(access).filter(pk=upload).exists():
            messages.error(request, refused.sentence)
            return see(reverse("imports", kwargs={"club": club}))
        return _preview_page(request, access, chosen_upload, refused)
    count = stored.evenings.count()
    sentence = ngettext("%(n)d evening is imported.", "%(n)d evenings are imported.", count)
    messages.success(request, sentence % {"n": count})
    return see(_done(stored))


def _preview_page(
    request: HttpRequest, access: ClubAccess, upload: Upload, refused: Refused | None = None
) -> HttpResponse:
    if not services.names_fit(upload):
        return see(_step(upload))
    planned = preview(upload)
    context = _context(access) | {
        "upload": upload,
        "preview": planned,
        "refused": refused,
        "problems": planned.problems[:SHOWN_PROBLEMS],
        "more_problems": max(0, len(planned.problems) - SHOWN_PROBLEMS),
        "evenings": planned.evenings[:SHOWN_EVENINGS],
        "more_evenings": max(0, len(planned.evenings) - SHOWN_EVENINGS),
        "known": sum(evening.known for evening in planned.evenings),
        "recorded": sum(evening.recorded and not evening.known for evening in planned.evenings),
        "warnings": planned.warnings[:SHOWN_WARNINGS],
        "more_warnings": max(0, len(planned.warnings) - SHOWN_WARNINGS),
        "has_amounts": upload.kind == ImportKind.HANDS or bool({"amount", "amount_minor"} & _meanings(upload)),
        "has_points": "points" in _meanings(upload),
        "has_hands": upload.kind == ImportKind.HANDS or "hands" in upload.chosen,
        "key": uuid.uuid4(),
        "accepted": ACCEPTED,
    }
    status = refused.status if refused else 200
    return render(request, "league/imports/preview.html", context, status=status)


def _meanings(upload: Upload) -> set[str]:
    """Return the meanings of the columns, or of the cells of a sheet."""
    chosen = sheets.SheetColumns.of(upload) if upload.kind in sheets.KINDS else None
    return {chosen.values} if chosen else set(upload.chosen)


@login_required
@never_cache
@both
def import_done(request: HttpRequest, club: str, stored: uuid.UUID) -> HttpResponse:
    """Show an import; undo it."""
    access = club_for(request.user, club, Right.MANAGE)
    stored_import = (
        Import.objects.filter(club=access.club, pk=stored).select_related("season", "author", "undone_by").first()
    )
    if stored_import is None:
        raise Http404("no such import")
    refused = None
    if request.method == "POST":
        try:
            services.import_undo(stored=stored_import, actor=actor_of(request))
        except Refused as fault:
            refused = fault
        else:
            messages.success(request, _("The import is undone."))
            return see(_done(stored_import))
    evenings = Evening.objects.filter(imported=stored_import).select_related("club").order_by("held_on", "number")
    context = _context(access) | {
        "stored": stored_import,
        "evenings": list(evenings[:SHOWN_EVENINGS]),
        "count": evenings.count(),
        "refused": refused,
    }
    return render(request, "league/imports/done.html", context, status=refused.status if refused else 200)


def _upload_for(
    request: HttpRequest, club: str, upload: uuid.UUID, *, with_sheets: bool = False
) -> tuple[ClubAccess, Upload]:
    access = club_for(request.user, club, Right.MANAGE)
    chosen_upload = _uploads(access, with_sheets=with_sheets).filter(pk=upload).first()
    if chosen_upload is None:
        raise Http404("no such upload")
    return access, chosen_upload


def _uploads(access: ClubAccess, *, with_sheets: bool = False) -> QuerySet[Upload]:
    """Return the uploads of the club; the sheets that were not chosen are read only where they are needed."""
    uploads = Upload.objects.filter(club=access.club).select_related("season", "club")
    return uploads if with_sheets else uploads.defer("sheets")


def _step(upload: Upload) -> str:
    """The address of the page on which the upload waits for a choice."""
    if upload.columns is None:
        return _address("import-columns", upload)
    return _address("import-preview" if services.names_fit(upload) else "import-names", upload)


def _address(name: str, upload: Upload) -> str:
    return reverse(name, kwargs={"club": upload.club.slug, "upload": upload.pk})


def _done(stored: Import) -> str:
    return reverse("import", kwargs={"club": stored.club.slug, "stored": stored.pk})


def _context(access: ClubAccess) -> dict[str, Any]:
    return club_admin_context(access)
