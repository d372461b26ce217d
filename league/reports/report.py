"""A report: a title, figures, and tables. Each form of it (page, PDF, XLSX, CSV) shows the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from ..access import ClubAccess
from ..standings.charts import CourseChart
from ..web.report_table import Table


@dataclass(frozen=True)
class Figure:
    """A figure of a report with its name, and a note beside it."""

    name: str
    value: str
    note: str = ""


@dataclass(frozen=True)
class ReportChart:
    """A chart of a report, in several widths: a page shows the one whose letters have about the size of its text.
    `unit` is that of its values, empty for points; `table` is the name of the table with the same numbers."""

    title: str
    unit: str
    courses: Mapping[str, CourseChart]
    """The chart by the name of its width: `narrow`, `middle` and `wide`."""
    table: str


@dataclass(frozen=True)
class Report:
    """A report as one reader sees it.

    `kind` names it (`Season report`), `title` is its subject, `about` a further line. `file` is the name of its files
    without ending, `back` the address of the page that it is about, `back_text` the text of that link, empty for the
    title. `signed`: who signs the printed report, in this order.
    """

    kind: str
    title: str
    about: str
    file: str
    back: str
    figures: Sequence[Figure]
    tables: Sequence[Table]
    back_text: str = ""
    signed: Sequence[str] = ()
    chart: ReportChart | None = None

    def rows(self) -> int:
        """Return the number of rows of all tables."""
        return sum(len(table.rows) for table in self.tables)

    def table(self, name: str) -> Table | None:
        """Return the table with this name, the first one for an empty name; None if there is none."""
        return next((table for table in self.tables if not name or table.name == name), None)


def money_note(access: ClubAccess, *, any_amount: bool) -> str:
    """Return a sentence for a table whose amounts the reader sees in part; empty where all or none are shown."""
    if not any_amount or access.sees_money():
        return ""
    return _("Amounts: only your own.")
