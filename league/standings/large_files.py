"""The lists of a season that a worker makes as XLSX if they are large: results and ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import IO, Any

from django.http import Http404
from django.utils.translation import gettext_lazy as _

from ..access import ClubAccess, Right, admit
from ..large_files.kinds import SPREADSHEET, Counted, Kind, Opened, Wanted, register, write_list
from ..models import ResultRow, Season, Transfer
from ..web.csv_download import LongList
from .exports import ledger_list, ledger_rows, result_rows, results_list

Rows = Callable[[ClubAccess, Season], Iterator[dict[str, Any]]]
Listed = Callable[[ClubAccess, Season], LongList]


def season_of(wanted: Wanted, right: Right = Right.READ) -> tuple[ClubAccess, Season]:
    """The gate of a season's files: return the asker's access within the season. Raises as `access.admit` does."""
    season = Season.objects.select_related("club").filter(club=wanted.club, pk=wanted.subject).first()
    if season is None:
        raise Http404("no such season")
    return admit(wanted.user, season.club, right).within(season), season


def _opened(wanted: Wanted, right: Right, listed: Listed, stored: Any, rows: Rows) -> Opened:
    access, season = season_of(wanted, right)

    def named() -> str:
        return listed(access, season).file

    def write(file: IO[bytes], form: str, counted: Counted) -> None:
        records: Iterable[dict[str, Any]] = rows(access, season)
        write_list(file, access, listed(access, season), records, counted)

    stored_rows = stored.objects.filter(season=season)
    return Opened(access, f"season:{season.pk}", season.name, named, stored_rows.count, write)


def register_lists() -> None:
    """Register results and ledger."""
    results = partial(_opened, right=Right.READ, listed=results_list, stored=ResultRow, rows=result_rows)
    ledger = partial(_opened, right=Right.SEE_LEDGER, listed=ledger_list, stored=Transfer, rows=ledger_rows)
    register("results", Kind(_("Results of every hand"), "results", results, forms=(SPREADSHEET,)))
    register("ledger", Kind(_("Ledger"), "ledger", ledger, forms=(SPREADSHEET,)))
