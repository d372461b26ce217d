"""The reports that a worker makes if they are large: season report, statement of a player, treasurer's list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import cache, partial
from typing import IO

from django.http import Http404
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from ..access import ClubAccess, Right, admit
from ..large_files.kinds import PDF, Counted, Kind, Opened, Wanted, each, register
from ..logo.services import logo_file
from ..models import Player, Season
from ..standings.large_files import season_of
from ..web import xlsx
from .files import sheets_of
from .player import player_statement
from .report import Report
from .season import season_report
from .treasurer import treasurer_list


def opened(access: ClubAccess, about: str, title: str, make: Callable[[], Report]) -> Opened:
    """Return a report as a large file; `about` is its subject in the audit log. `make` is called when it is needed."""
    once = cache(make)
    return Opened(access, about, title, lambda: once().file, lambda: once().rows(), partial(_write, access, once))


def _write(access: ClubAccess, make: Callable[[], Report], file: IO[bytes], form: str, counted: Counted) -> None:
    report = make()
    if form == PDF:
        from .pdf_pages import pdf_of

        file.write(pdf_of(access.club, report, counted, logo=logo_file(access.club)))
        return
    sheets = [replace(sheet, rows=each(sheet.rows, counted)) for sheet in sheets_of(report)]
    club = access.club
    title = f"{report.kind}: {report.title}"
    xlsx.write(file, sheets, title=title, author=club.name, currency=club.currency)


def _season(wanted: Wanted) -> Opened:
    access, season = season_of(wanted)
    return opened(access, f"season:{season.pk}", season.name, partial(season_report, access, season))


def _player(wanted: Wanted) -> Opened:
    access = admit(wanted.user, wanted.club)
    player = Player.objects.filter(club=wanted.club, pk=wanted.subject, main__isnull=True).first()
    slug = wanted.options.get("season", "")
    season = Season.objects.filter(club=wanted.club, slug=slug).first() if slug else None
    if player is None or (slug and season is None):
        raise Http404("no such player or season")
    player.club = access.club
    name = access.names.show(player.pk, player.nickname)
    return opened(access, f"player:{player.pk}", name, partial(player_statement, access, player, season))


def _treasurer(wanted: Wanted) -> Opened:
    access = admit(wanted.user, wanted.club, Right.SEE_LEDGER)
    try:
        day = date.fromisoformat(wanted.options["day"]) if wanted.options.get("day") else timezone.localdate()
    except ValueError:
        raise Http404("no such day") from None
    shown = date_format(day, "DATE_FORMAT")
    return opened(access, f"club:{access.club.pk}", shown, partial(treasurer_list, access, day))


def register_reports() -> None:
    """Register the reports of the league."""
    register("season-report", Kind(_("Season report"), "report", _season))
    register("player-statement", Kind(_("Statement"), "report", _player))
    register("treasurer-list", Kind(_("Treasurer’s list"), "report", _treasurer))
