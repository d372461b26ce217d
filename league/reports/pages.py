"""Answer a request for a report with the page, or with the file that `?for=` names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from ..access import ClubAccess
from ..large_files.views import offer_if_large
from ..web.csv_download import log_download
from ..web.report_table import Kind, Table
from . import files
from .report import Report

FORMS = ("", "pdf", "xlsx", "csv", "excel")


@dataclass(frozen=True)
class Large:
    """The kind of large file that a report is, with the key of its subject, and options."""

    kind: str
    subject: int
    options: Mapping[str, str] = field(default_factory=dict)


def answer(
    request: HttpRequest,
    access: ClubAccess,
    report: Report,
    *,
    about: str,
    large: Large | None = None,
    more: Mapping[str, Any] | None = None,
) -> HttpResponseBase:
    """Return the report as page, or as a file: `?for=` pdf, xlsx, csv or excel. The last two have one table, that of
    `?table=` or the first. A file that a member takes is written into the audit log; `about` is its subject. A worker
    makes a large file of the kind `large`. `more` is for the page alone: `choose` is the template of a form above the
    report, which gets the rest.

    Raises:
        Http404: there is no such form, or no such table.
    """
    form = request.GET.get("for", "")
    table = report.table(request.GET.get("table", ""))
    if form not in FORMS or table is None:
        raise Http404("no such form")
    if not form:
        return render(request, "league/reports/report.html", {**_context(request, access, report), **(more or {})})
    offer = large and offer_if_large(request, access, large.kind, large.subject, report.rows, large.options)
    if offer:
        return offer
    log_download(request, access, "report", about)
    if request.method == "HEAD":
        return HttpResponse(content_type="application/octet-stream")
    if form == "pdf":
        return files.pdf(access, report)
    if form == "xlsx":
        return files.spreadsheet(access, report)
    return files.csv(access, report, table, excel=form == "excel")


def _context(request: HttpRequest, access: ClubAccess, report: Report) -> dict[str, Any]:
    kept = request.GET.copy()
    for name in ("for", "table"):
        kept.pop(name, None)
    return {
        # The address of this report, to which the form of a file is added.
        "here": f"?{kept.urlencode()}&" if kept else "?",
        "club": access.club,
        "report": report,
        "tables": [_shown(table, access.club.currency) for table in report.tables],
    }


def _shown(table: Table, currency: str) -> dict[str, Any]:
    """Return a table for the page: for each row its link, its cells with their columns, and whether it is a result."""
    links = list(table.links) or [""] * len(table.rows)
    rows = [
        (link, list(zip(table.columns, cells, strict=True)), number in table.results)
        for number, (link, cells) in enumerate(zip(links, table.shown_rows(), strict=True))
    ]
    named = next((column.name for column in table.columns if not column.is_number), "")
    return {
        "table": table,
        "heads": [(column, column.headed("")) for column in table.columns],
        "currency": currency,
        "rows": rows,
        "named": named,
        # On a phone no amount is beyond the edge: the cells of a row stand below each other.
        "in_money": any(column.kind is Kind.AMOUNT for column in table.columns),
        "sums": list(zip(table.columns, table.sum_cells(), strict=False)),
    }
