"""The report on an evening, made by a worker if it is large."""

from __future__ import annotations

from functools import partial

from django.http import Http404
from django.utils.translation import gettext_lazy as _

from league.access import admit
from league.large_files.kinds import Kind, Opened, Wanted, register
from league.models import Evening
from league.reports.large_files import opened

from .report import evening_report


def _evening(wanted: Wanted) -> Opened:
    night = Evening.nights.select_related("season", "house_rules").filter(club=wanted.club, pk=wanted.subject).first()
    if night is None:
        raise Http404("no such evening")
    access = admit(wanted.user, wanted.club).within(night.season)
    night.club = night.season.club = access.club
    return opened(access, f"evening:{night.pk}", night.title, partial(evening_report, access, night))


def register_report() -> None:
    """Register the report."""
    register("evening-report", Kind(_("Evening report"), "report", _evening))
