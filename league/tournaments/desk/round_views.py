"""A round at the desk: its clock, its end, and the sheets of its tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from ...errors import Refused, form_outdated
from ...models import Round
from ...web.requests import actor_of
from .. import rounds, sheets
from ..formats import Format
from ..gate import TournamentAccess, desk_for
from ..rounds import RoundTable
from .page_parts import DeskRefusal, back, desk_page, dispatch, key_of, number_of, url_of, whole
from .selectors import sheet_columns


@login_required
@never_cache
@require_POST
def round_change(request: HttpRequest, club: str, tournament: str) -> HttpResponse:
    """Start a round, pause its clock, add minutes, finish it, or open the last one again."""
    access = desk_for(request.user, club, tournament)
    # The buttons of the clock send minutes alone.
    do = request.POST.get("do", "minutes")
    try:
        sentence = dispatch(ACTIONS, do, request, access, number_of(request, "round"))
    except Refused as refused:
        return desk_page(request, access, problem=_problem(request, access, refused), status=refused.status)
    if sentence:
        messages.success(request, sentence)
    return back(access)


def _problem(request: HttpRequest, access: TournamentAccess, refused: Refused) -> DeskRefusal:
    if refused.code != "playing" or request.POST.get("do") != "finish":
        return DeskRefusal.of(refused)
    return DeskRefusal(
        refused.sentence,
        confirm_url=url_of(access, "tournament-round"),
        confirm_label=_("Finish all the same"),
        confirm_fields={"do": "finish", "round": request.POST["round"], "confirmed": "yes"},
    )


def _start(request: HttpRequest, access: TournamentAccess, number: int) -> str:
    rounds.round_start(**_which(request, access, number), key=key_of(request))
    return ""


def _unstart(request: HttpRequest, access: TournamentAccess, number: int) -> str:
    rounds.start_take_back(**_which(request, access, number), key=key_of(request))
    return _("Round %(n)d has not begun.") % {"n": number}


def _pause(request: HttpRequest, access: TournamentAccess, number: int) -> str:
    rounds.clock_pause(**_which(request, access, number))
    return ""


def _resume(request: HttpRequest, access: TournamentAccess, number: int) -> str:
    rounds.clock_resume(**_which(request, access, number))
    return ""


def _minutes(request: HttpRequest, access: TournamentAccess, number: int) -> str:
    rounds.minutes_add(**_which(request, access, number), minutes=number_of(request, "minutes"), key=key_of(request))
    return ""


def _finish(request: HttpRequest, access: TournamentAccess, number: int) -> str:
    confirmed = request.POST.get("confirmed") == "yes"
    rounds.round_finish(**_which(request, access, number), despite_open=confirmed, key=key_of(request))
    return _("Round %(n)d is finished.") % {"n": number}


def _reopen(request: HttpRequest, access: TournamentAccess, number: int) -> str:
    rounds.round_reopen(**_which(request, access, number), reason=request.POST.get("reason", ""), key=key_of(request))
    return _("Round %(n)d is open again.") % {"n": number}


def _which(request: HttpRequest, access: TournamentAccess, number: int) -> dict[str, Any]:
    return {"tournament": access.tournament, "author": actor_of(request), "number": number}


ACTIONS: dict[str, Callable[[HttpRequest, TournamentAccess, int], str]] = {
    "start": _start,
    "unstart": _unstart,
    "pause": _pause,
    "resume": _resume,
    "minutes": _minutes,
    "finish": _finish,
    "reopen": _reopen,
}


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sheet(request: HttpRequest, club: str, tournament: str, number: int, table: int) -> HttpResponse:
    """The desk with the sheet of one table: hand it in, compare two that differ, correct one of a finished round."""
    access = desk_for(request.user, club, tournament)
    current, opened = _table(access, number, table)
    if request.method != "POST":
        return _sheet_page(request, access, current, opened)
    try:
        _hand_in(request, access, current, opened)
    except Refused as refused:
        return _sheet_page(request, access, current, opened, DeskRefusal.of(refused), refused.status)
    messages.success(request, _("Table %(table)d: the sheet is stored.") % {"table": table})
    newest = access.tournament.rounds.order_by("number").last()
    return back(access, tail="" if newest is None or newest.number == number else f"?round={number}")


def _table(access: TournamentAccess, number: int, table: int) -> tuple[Round, RoundTable]:
    current = access.tournament.rounds.filter(number=number).select_related("draw", "evening__club").first()
    if current is None:
        raise Http404("no such round")
    current.tournament = access.tournament
    known = rounds.tables_of(current, Format.read(access.tournament.format))
    opened = next((candidate for candidate in known if candidate.number == table), None)
    if opened is None:
        raise Http404("no such table")
    return current, opened


def _hand_in(request: HttpRequest, access: TournamentAccess, current: Round, opened: RoundTable) -> None:
    chosen = whole(request.POST.get("sheet"))
    reason = request.POST.get("reason", "")
    if chosen is not None:
        chosen_sheet = next((sheet for sheet in opened.sheets if sheet.number == chosen), None)
        if chosen_sheet is None:
            raise form_outdated()
        chips, pot, decides = {int(seat): amount for seat, amount in chosen_sheet.chips.items()}, chosen_sheet.pot, True
    else:
        chips, pot = _typed(request, opened)
        # At the desk a second sheet of a table decides, unless the format wants two.
        decides = current.state == Round.State.FINISHED or "decides" in request.POST
    sheets.hand_in(
        tournament=access.tournament,
        author=actor_of(request),
        number=current.number,
        table=opened.number,
        chips=chips,
        pot=pot,
        decides=decides,
        reason=reason,
        key=key_of(request),
    )


def _typed(request: HttpRequest, opened: RoundTable) -> tuple[dict[int, int], int]:
    chips: dict[int, int] = {}
    for seat in opened.seats:
        amount = whole(request.POST.get(f"chips-{seat}"))
        if amount is None:
            sentence = _("Give a whole number for each person: what was won or lost, in chips.")
            raise Refused(status=422, code="chips", sentence=sentence, at=f"chips-{seat}")
        chips[seat] = amount
    typed = request.POST.get("pot", "").strip()
    pot = whole(typed) if typed else 0
    if pot is None:
        sentence = _("Chips are whole numbers, and a pot is not below 0.")
        raise Refused(status=422, code="chips", sentence=sentence, at="pot")
    return chips, pot


def _sheet_page(
    request: HttpRequest,
    access: TournamentAccess,
    current: Round,
    opened: RoundTable,
    problem: DeskRefusal | None = None,
    status: int = 200,
) -> HttpResponse:
    names = access.access.names
    people = {entrant.number: entrant for entrant in access.tournament.entrants.select_related("player")}
    sent = request.POST if problem else {}
    rows = [
        {
            "number": seat,
            "name": names.show(people[seat].player_id, people[seat].player.nickname),
            "typed": sent.get(f"chips-{seat}", ""),
            "wrong": problem is not None and problem.at == f"chips-{seat}",
            "chips": opened.chips.get(seat),
        }
        for seat in opened.seats
    ]
    context: dict[str, Any] = {
        "opened": opened,
        "opened_round": current,
        "rows": rows,
        "columns": sheet_columns(opened),
        "pot_typed": sent.get("pot", ""),
        "reason_typed": sent.get("reason", ""),
        "correcting": current.state == Round.State.FINISHED,
        "sheet_problem": problem,
    }
    return desk_page(request, access, status=status, shown=current.number, **context)
