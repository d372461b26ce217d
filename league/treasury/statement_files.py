"""Statements for pages and programs: their period, their persons, and the bills as PDF."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from ..access import ClubAccess
from ..drawing_process import drawn
from ..logo.services import logo_file
from ..models import BillingDetails, Club
from ..standings.selectors import current_season
from ..web.csv_download import file_name, log_download
from .balances import main_names
from .statements import Period, Statement, billed, statements

LOGGED = "statements"
"""The name of the file in the audit log."""


@dataclass(frozen=True)
class Statements:
    """The statements of a club for a period. `details`: the account for bills, None as long as there is none."""

    club: Club
    period: Period
    details: BillingDetails | None
    found: list[Statement]

    @property
    def least_minor(self) -> int:
        """The least amount of a bill, in Rappen."""
        return self.details.least_minor if self.details else 0

    def bills(self) -> list[Statement]:
        """Return the statements with a sum that is billed."""
        return billed(self.found, self.least_minor)

    def chosen(self, player: int | None) -> list[Statement]:
        """Return the statement of one person, or all that are billed."""
        return [statement for statement in self.found if statement.player_id == player] if player else self.bills()


def period_of(club: Club, first: date | None, last: date | None) -> Period:
    """Return the period from `first` to `last`; by default the current season up to today. At most one query."""
    last = last or timezone.localdate()
    season = None if first else current_season(club, last)
    first = first or (season.starts_on if season else date(last.year, 1, 1))
    return Period(min(first, last), last)


def statements_of(club: Club, first: date | None, last: date | None) -> Statements:
    """Return the statements from `first` to `last`; by default of the current season up to today. Four queries."""
    period = period_of(club, first, last)
    details = BillingDetails.objects.filter(club=club).first()
    return Statements(club, period, details, statements(club, period.first, period.last, main_names(club)))


def bills_pdf(request: HttpRequest, access: ClubAccess, of: Statements, player: int | None) -> HttpResponse | None:
    """Return the bills as PDF: of everybody who is billed, or the statement of one person; None if there is none. The
    club has an account for bills."""
    from .bill_pdf import pdf_of

    chosen = of.chosen(player)
    if not chosen or of.details is None:
        return None
    log_download(request, access, LOGGED, f"club:{access.club.pk}")
    club = access.club
    draw = partial(pdf_of, club, of.details, chosen, of.period, logo=logo_file(club))
    made = b"" if request.method == "HEAD" else drawn(draw, club=club.pk)
    response = HttpResponse(made, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{bills_name(access, of.period, player)}.pdf"'
    return response


def bills_name(access: ClubAccess, period: Period, player: int | None = None) -> str:
    """Return the name of the file of bills, without ending."""
    return file_name(access, "kitty", period.last.isoformat(), *([player] if player else []))
