"""The paper of a tournament: the list of printable kinds, and each kind as PDF."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ...drawing_process import drawn
from ...errors import Refused
from ...web.csv_download import file_name
from ..gate import TournamentAccess, desk_for
from .kinds import GROUPS, KINDS
from .printed_tournament import MOST_TABLES, Content, content_of, no_draw


class TablesForm(forms.Form):
    """The number of tables to print cards or stickers for; empty for as many as are needed."""

    tables = forms.IntegerField(min_value=1, max_value=MOST_TABLES, required=False)


@login_required
@never_cache
@require_safe
def papers(request: HttpRequest, club: str, tournament: str) -> HttpResponse:
    """List the kinds of paper."""
    return _list(request, desk_for(request.user, club, tournament))


@login_required
@never_cache
@require_safe
def paper(request: HttpRequest, club: str, tournament: str, kind: str) -> HttpResponse:
    """Send one kind of paper as PDF; if it cannot be printed, the list with the reason."""
    access = desk_for(request.user, club, tournament)
    if kind not in KINDS:
        raise Http404("no such paper")
    form = TablesForm(request.GET)
    try:
        if not form.is_valid():
            sentence = _("Give the number of tables as a whole number from 1 to %(most)d.") % {"most": MOST_TABLES}
            raise Refused(status=422, code="tables", sentence=sentence, at="tables")
        content = content_of(access, root=_root(request), tables=form.cleaned_data["tables"] or 0)
        missing = KINDS[kind].missing(content)
        if missing is not None:
            raise missing
        body = b"" if request.method == "HEAD" else drawn(KINDS[kind].drawing(content), club=access.club.pk)
    except Refused as refused:
        return _list(request, access, kind=kind, problem=refused.sentence, status=refused.status)
    response = HttpResponse(body, content_type="application/pdf")
    name = file_name(access.access, access.tournament.slug, *_round_of(content, kind), kind)
    response["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    return response


def _round_of(content: Content, kind: str) -> list[str]:
    """Return the part of the file name that names the round, for paper of one round."""
    current = content.room.current
    return [f"round-{current.number}"] if current is not None and KINDS[kind].missing is no_draw else []


def _root(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")


def _list(
    request: HttpRequest, access: TournamentAccess, *, kind: str = "", problem: str = "", status: int = 200
) -> HttpResponse:
    content = content_of(access)
    groups: list[dict[str, Any]] = []
    for title, names in GROUPS:
        rows = []
        for name in names:
            missing = KINDS[name].missing(content)
            rows.append({"name": name, "kind": KINDS[name], "missing": missing.sentence if missing else ""})
        groups.append({"title": title, "rows": rows})
    context = {
        "access": access.access,
        "club": access.club,
        "tournament": access.tournament,
        "round_title": content.round_title,
        "groups": groups,
        "needed": len(content.table_numbers()),
        "most": MOST_TABLES,
        "problem": problem,
        "problem_title": KINDS[kind].title if kind else "",
    }
    return render(request, "league/tournaments/paper/papers.html", context, status=status)
