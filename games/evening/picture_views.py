"""The picture of an evening, the same for every requester: a visitor's view."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from league.access import ClubAccess
from league.features import uses
from league.imported_mark import imported_note
from league.logo.services import logo_file
from league.models import Evening
from league.money import format_count, format_price
from league.sharing.pictures import Heading
from league.sharing.views import as_visitor, png
from league.web.page_versions import versioned

from ..hands import selectors
from ..hands.rounds import round_at
from .gate import evening_for
from .highlights import highlights
from .picture import NoteOfNight, PodiumRow, evening_picture
from .played_hands import played_hands
from .podium import PlayerTotal, podium
from .versions import evening_state


@versioned(evening_state)
@require_safe
def evening_drawn(request: HttpRequest, club: str, evening: int) -> HttpResponse:
    """The picture of an evening: its podium and its highlights."""
    access, night = evening_for(request, club, evening)
    access = as_visitor(access)
    if night.tournament is not None and uses(access.club, "tournament"):  # type: ignore[attr-defined]
        slug = night.tournament  # type: ignore[attr-defined]
        return redirect("tournament-picture", club=club, tournament=slug)
    played = played_hands(night, selectors.evening_hands(night))
    totals = podium(access, night, {}, len(played))
    rows = [_podium_row(access, night, total) for total in totals if total.rank is not None][:3]
    notes = [
        NoteOfNight(highlight.label, highlight.text, gold=highlight.pot)
        for highlight in highlights(access, night, played)
    ]
    count = ngettext("%(n)s hand", "%(n)s hands", len(played)) % {"n": format_count(len(played))}
    note = imported_note(night) or (count if played else "")
    heading = Heading(_above(access, night), night.title, note, logo_file(access.club))
    return png(evening_picture(heading, rows, notes, _("The first one appears here as soon as it is written down.")))


def _above(access: ClubAccess, evening: Evening) -> str:
    current_round = round_at(evening)
    return f"{access.club.name} · {current_round.name if current_round else date_format(evening.held_on)}"


def _podium_row(access: ClubAccess, evening: Evening, total: PlayerTotal) -> PodiumRow:
    worth = ""
    if evening.season.by_points:
        worth = format_count(total.points, plus="+")
    elif total.change_minor is not None:
        worth = format_price(total.change_minor, access.club.currency, plus="+")
    return PodiumRow(f"{total.rank}.", total.name, worth)
