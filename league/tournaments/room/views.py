"""Public pages of a tournament: the tournament and its picture, where do I sit, the big screen, the clock."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from ...logo.services import logo_file
from ...sharing.pictures import ROWS, Heading, RankRow
from ...sharing.views import as_visitor, png
from ...web.page_versions import KEPT_SECONDS, state_of, versioned
from ...web.qr import qr
from .. import hall
from ..gate import TournamentAccess, tournament_for
from ..own_entries import takes_own_entries
from ..rounds import hands_limit
from . import wording
from .picture import tournament_picture
from .screen_pages import screen_pages
from .seats import exact_places, seats_data, similar_places
from .selectors import ClockFace, Room, clock_face
from .versions import tournament_state, version_of

SEARCH_SENTENCES = {
    hall.Answer.NOBODY: _("Nobody here is called that. The start number works too."),
    hall.Answer.SEVERAL: _("Several people here are called that. Type your start number, or ask the desk for it."),
    hall.Answer.TOO_MANY: _("Too many names were tried from here. The start number works, and the desk knows it."),
}


@versioned(tournament_state)
@require_safe
def tournament(request: HttpRequest, club: str, tournament: str) -> HttpResponse:
    """Show a tournament: its format, entrants, seating, ranking, and the published data of each draw."""
    access = tournament_for(request.user, club, tournament)
    room = Room(access.tournament, access.access, in_hall=True)
    ranking = wording.ranking_lines(room)
    cells = [cell for line in ranking for cell in line.cells]
    context = _context(request, access, room) | {
        "details": wording.details(room),
        "rules": wording.rules_in_words(room.format),
        "law": wording.law(),
        "draws": wording.draws(room),
        "lots": "lot" in room.format.tie_breaks or room.format.slips,
        "ranking": ranking,
        "has_means": any(cell.kind == "mean" for cell in cells),
        "has_dropped": any(cell.dropped for cell in cells),
        "has_ties": any(line.tie for line in ranking),
        "desk_address": _desk_address(access),
        "takes_own_entries": takes_own_entries(access.tournament),
        "columns": wording.columns(room),
        "counts": wording.what_counts(room),
    }
    return render(request, "league/tournaments/room/tournament.html", context)


@versioned(tournament_state)
@require_safe
def seat(request: HttpRequest, club: str, tournament: str) -> HttpResponse:
    """Show the place of an entrant, by name or start number. The page has everybody's place and picks one on the phone;
    with `who` it is picked here, for a browser without scripts."""
    access = tournament_for(request.user, club, tournament)
    room = Room(access.tournament, access.access, in_hall=True)
    who = _who(request)
    places = exact_places(room, who) if who else []
    answer = hall.Answer.NOBODY
    if who and not places and not who.isdecimal():
        answer, number = hall.search(request, access.tournament, who)
        places = exact_places(room, str(number)) if number else similar_places(room, who)
    context = _context(request, access, room) | {
        "who": who,
        "places": places,
        "no_place": "" if places and answer == hall.Answer.NOBODY else SEARCH_SENTENCES.get(answer, ""),
        "data": seats_data(room),
    }
    return render(request, "league/tournaments/room/seat.html", context)


@require_safe
def seat_find(request: HttpRequest, club: str, tournament: str) -> JsonResponse:
    """Return the start number of the one entrant with exactly the name `who`, for a page without that name; or the
    reason why there is none."""
    access = tournament_for(request.user, club, tournament)
    answer, number = hall.search(request, access.tournament, _who(request))
    headers = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex, nofollow"}
    # The page has its own sentence for nobody, as it first offers names that begin alike.
    says = "" if answer == hall.Answer.NOBODY else str(SEARCH_SENTENCES.get(answer, ""))
    status = HTTPStatus.TOO_MANY_REQUESTS if answer == hall.Answer.TOO_MANY else HTTPStatus.OK
    return JsonResponse({"number": number, "says": says}, headers=headers, status=status)


def _who(request: HttpRequest) -> str:
    """Return the name or start number that was typed."""
    return request.GET.get("who", "")[:80].strip()


@versioned(tournament_state)
@require_safe
def screen(request: HttpRequest, club: str, tournament: str) -> HttpResponse:
    """Show the big screen: pages that turn by themselves."""
    access = tournament_for(request.user, club, tournament)
    room = Room(access.tournament, access.access, in_hall=True)
    where = request.build_absolute_uri(_address("tournament-seat", club, tournament))
    scenes = screen_pages(room)
    context = _context(request, access, room) | {
        "scenes": scenes,
        "revealing": scenes[0].kind == "podium",
        "when": wording.when(access.tournament),
        "seat_address": where.partition("://")[2].rstrip("/"),
        "seat_code": qr(where),
    }
    return render(request, "league/tournaments/room/screen.html", context)


@versioned(tournament_state)
@require_safe
def picture(request: HttpRequest, club: str, tournament: str) -> HttpResponse:
    """The picture of a tournament, the same for every requester: a visitor's view."""
    access = tournament_for(request.user, club, tournament)
    room = Room(access.tournament, as_visitor(access.access))
    rows = [
        RankRow(line.ranked.line.rank, line.ranked.person.name, line.total, line.ranked.rank_before)
        for line in wording.ranking_lines(room)[:ROWS]
    ]
    where = " · ".join(part for part in (access.club.name, access.club.place) if part)
    note = wording.what_counts(room) if rows else ""
    heading = Heading(where, access.tournament.name, note, logo_file(access.club))
    return png(tournament_picture(heading, wording.picture_figures(room), rows, wording.state_text(room)))


@require_safe
def clock(request: HttpRequest, club: str, tournament: str) -> JsonResponse:
    """Return the clock as JSON: the seconds that remain, whether it runs, the round, and the version of the pages.

    The state is read before the clock, so that a page is never older than that version. In a public club all readers
    get the clock from one reading of it for each state: a poll costs one query.
    """
    state = tournament_state(club=club, tournament=tournament)
    version = version_of(state)
    key = f"clock-{version}"
    face: ClockFace | None = caches["pages"].get(key) if state is not None and state.public else None
    if face is None:
        face = clock_face(tournament_for(request.user, club, tournament).tournament)
        if state is not None and state.public:
            caches["pages"].set(key, face, KEPT_SECONDS)
    headers = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex, nofollow"}
    return JsonResponse(face.answer() | {"version": version}, headers=headers)


def _context(request: HttpRequest, access: TournamentAccess, room: Room) -> dict[str, Any]:
    state = state_of(request, tournament_state, club=access.club.slug, tournament=access.tournament.slug)
    return {
        "club": access.club,
        "tournament": access.tournament,
        "room": room,
        "runs": access.runs,
        "format": room.format,
        "round": room.current,
        "version": version_of(state),
        "clock_address": _address("tournament-clock", access.club.slug, access.tournament.slug),
        "round_title": wording.round_title(room),
        "state_text": wording.state_text(room),
        "hands": hands_limit(room.current, room.format) if room.current else room.format.hands,
    }


def _desk_address(access: TournamentAccess) -> str:
    """Return the address of the desk for those who run it."""
    return _address("tournament-desk", access.club.slug, access.tournament.slug) if access.runs else ""


def _address(name: str, club: str, tournament: str) -> str:
    return reverse(name, kwargs={"club": club, "tournament": tournament})
