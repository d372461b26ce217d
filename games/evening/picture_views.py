"""The pictures of an evening and of a hand. Each shows what a visitor sees, whoever requests it."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from league.access import ClubAccess, club_for
from league.logo.services import logo_file
from league.models import Evening
from league.money import format_count, format_price
from league.sharing.pictures import Heading
from league.sharing.views import as_visitor, png
from league.web.page_versions import versioned

from .. import engine_bridge
from ..hands import clause_sentences, selectors
from ..hands.gate import table_for
from ..hands.hand_lines import SeatCell, hand_line
from ..hands.rounds import round_at
from ..hands.selectors import HandView
from .gate import evening_for
from .highlights import highlights, in_antes
from .picture import NoteOfNight, PodiumRow, SeatOfHand, evening_picture, hand_picture
from .played_hands import played_hands, points_of
from .podium import PlayerTotal, podium
from .versions import evening_state, hand_state


@versioned(evening_state)
@require_safe
def evening_drawn(request: HttpRequest, club: str, evening: int) -> HttpResponse:
    """The picture of an evening: its podium and its highlights."""
    access, found = evening_for(request, club, evening)
    access = as_visitor(access)
    if found.tournament is not None:  # type: ignore[attr-defined]
        return redirect("club-picture", club=club)
    played = played_hands(found, selectors.evening_hands(found))
    totals = podium(access, found, {}, len(played))
    rows = [_podium_row(access, found, one) for one in totals if one.rank is not None][:3]
    notes = [NoteOfNight(one.label, one.text, gold=one.pot) for one in highlights(access, found, played)]
    count = ngettext("%(n)s hand", "%(n)s hands", len(played)) % {"n": format_count(len(played))}
    heading = Heading(_above(access, found), found.title, count if played else "", logo_file(access.club))
    return png(evening_picture(heading, rows, notes, _("The first one appears here as soon as it is written down.")))


def _above(access: ClubAccess, evening: Evening) -> str:
    at = round_at(evening)
    return f"{access.club.name} · {at.name if at else date_format(evening.held_on)}"


def _podium_row(access: ClubAccess, evening: Evening, total: PlayerTotal) -> PodiumRow:
    worth = ""
    if evening.season.by_points:
        worth = format_count(total.points, plus="+")
    elif total.change_minor is not None:
        worth = format_price(total.change_minor, access.club.currency, plus="+")
    return PodiumRow(f"{total.rank}.", total.name, worth)


@versioned(hand_state)
@require_safe
def hand_drawn(request: HttpRequest, club: str, table: int, number: int) -> HttpResponse:
    """The picture of a hand whose cards were written down: its pot, and who played with the result."""
    access = club_for(request.user, club)
    at = table_for(access, table)
    access = as_visitor(access.within(at.evening.season))
    hand = selectors.hand_view(at, number)
    if hand is None or not engine_bridge.has_cards(hand.record):
        raise Http404("no such hand, or its cards were not written down")
    points = tuple(points_of(at.evening.season, hand, seat) for seat in range(len(hand.names)))
    line = hand_line(access, hand, points=points if at.evening.season.by_points else ())
    shown = selectors.as_reader_sees(hand, access.names)
    sentence = clause_sentences.summary(dict(hand.result), dict(enumerate(shown.names)))
    title = _("Hand %(number)s") % {"number": number}
    heading = Heading(f"{access.club.name} · {at.evening.title}", title, logo=logo_file(access.club))
    seats = [_seat(access, cell) for cell in line.active]
    return png(hand_picture(heading, _pot(access, at.evening, hand), seats, sentence))


def _pot(access: ClubAccess, evening: Evening, hand: HandView) -> str:
    pot = format_price(hand.pot, access.club.currency) if access.sees_money() else in_antes(hand.pot, evening)
    return _("Pot: %(pot)s") % {"pot": pot}


def _seat(access: ClubAccess, cell: SeatCell) -> SeatOfHand:
    if cell.change_minor is not None:
        worth = format_price(cell.change_minor, access.club.currency, plus="+")
    else:
        worth = "" if cell.points is None else format_count(cell.points, plus="+")
    return SeatOfHand(cell.name, cell.term, cell.mark, worth)
