"""The pages of corrections. Each shows a preview of the edit first; saving it is a separate step."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from league.access import ClubAccess, Right, club_for
from league.models import Evening

from ..errors import Refused
from ..evening.gate import evening_for
from ..hands import selectors as tables
from ..hands.effect_lines import rules_url
from ..hands.gate import also_by_card, signed_in
from ..hands.rounds import check_shown
from . import forms, selectors
from .edits import Move, Reseat, TakeOut
from .hand_page import HandPage
from .page import CorrectionPage, Subject, blocking, correction_page, joins, plan_page, preview_or_save, repeated_answer


def correction_view(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
    """Decorate a view of a page that saves a correction: the gate, and the CorrectionPage as its argument. A save that
    is already stored gets its answer first, because the hands have changed since."""

    @signed_in
    @never_cache
    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(view)
    def page(request: HttpRequest, club: str, table: int, **names: int) -> HttpResponse:
        at = correction_page(request, club, table)
        return repeated_answer(at) or view(at, **names)

    return page


# --- Change and insert a hand ----------------------------------------------------------------------------


@correction_view
def hand_edit(at: CorrectionPage, number: int) -> HttpResponse:
    """A stored hand in the entry form, to be corrected."""
    at.check(number)
    return HandPage(at, number, at.entries[number - 1]).answer()


@correction_view
def hand_insert(at: CorrectionPage, number: int) -> HttpResponse:
    """A forgotten hand, to be inserted as hand `number`."""
    at.check(number, more=1)
    return HandPage(at, number, None).answer()


# --- Take out, move, reseat ------------------------------------------------------------------------------


@correction_view
def hand_out(at: CorrectionPage, number: int) -> HttpResponse:
    """Take out a hand that was never played."""
    at.check(number)
    subject = Subject(
        title=_("Remove hand %(number)d") % {"number": number},
        save=_("Remove hand %(number)d") % {"number": number},
        done=_("Hand %(number)d is removed.") % {"number": number},
        then=at.url("hand-history", number),
        back=at.url("hand-edit", number),
        number=number,
    )
    keep = forms.keeps_dealers(at.data, at.table.evening.game)

    def refused_page(refused: Refused) -> HttpResponse:
        return plan_page(at, subject, refused=refused)

    return preview_or_save(at, subject, lambda kept: TakeOut(number, kept), keep, refused_page)


@correction_view
def hand_move(at: CorrectionPage, number: int) -> HttpResponse:
    """Move a hand that was played earlier or later than recorded."""
    at.check(number)
    to = forms.whole_number(at.data, "to") or (number - 1 if number > 1 else number + 1)
    to = min(max(1, to), len(at.entries))
    subject = Subject(
        title=_("Move hand %(number)d") % {"number": number},
        save=_("Make it hand %(to)d") % {"to": to},
        done=_("Hand %(number)d is now hand %(to)d.") % {"number": number, "to": to},
        then=at.url("hand-history", to),
        back=at.url("hand-edit", number),
        number=number,
    )
    more = {"move": number, "to": to, "up": to - 1, "down": to + 1 if to < len(at.entries) else 0}

    def refused_page(refused: Refused) -> HttpResponse:
        return plan_page(at, subject, refused=refused, more=more)

    keep = forms.keeps_dealers(at.data, at.table.evening.game)
    return preview_or_save(at, subject, lambda kept: Move(number, to, kept), keep, refused_page, more)


@correction_view
def table_seats(at: CorrectionPage) -> HttpResponse:
    """Put other players into the seats of a range of hands."""
    if not at.entries:
        raise Http404("no hand at this table")
    first = min(max(1, forms.whole_number(at.data, "from") or 1), len(at.entries))
    last = min(max(first, forms.whole_number(at.data, "last") or len(at.entries)), len(at.entries))
    span = at.entries[first - 1 : last]
    written = sorted({player for entry in at.entries for player in entry.players})
    together = {player for entry in span for player in entry.players}
    who = forms.pairs_of(at.data, written, together)
    subject = Subject(
        title=_("Who sat there"),
        save=_("Correct the seats"),
        done=_("The seats of hands %(first)d to %(last)d are corrected.") % {"first": first, "last": last},
        then=at.url("hand-history", first),
        back=at.url("table-seats"),
        number=first,
    )

    def form(refused: Refused | None = None) -> HttpResponse:
        names = dict(selectors.roster(at.table, at.entries))
        chosen = dict(who)
        context = at.context() | {
            "subject": subject,
            "first": first,
            "last": last,
            "written": [(player, names.get(player, "?"), chosen.get(player, player)) for player in written],
            "roster": list(names.items()),
            "refused": refused,
            "blocking": blocking(at, refused, first),
            "joins": joins(at, refused),
        }
        status = refused.status if refused else 200
        return render(at.request, "games/corrections/seats.html", context, status=status)

    if at.step in ("", "back"):
        return form()
    return preview_or_save(at, subject, lambda _keep: Reseat(first, last, who), False, form)


# --- History ---------------------------------------------------------------------------------------------


@also_by_card
@never_cache
@require_safe
def hand_history(request: HttpRequest, club: str, table: int, number: int) -> HttpResponse:
    """The history of a hand: author, time, reason, and the hand before and after."""
    access = club_for(request.user, club, Right.READ)
    found = tables.table_of(club=access.club, table_id=table)
    if found is not None:
        check_shown(access, found.evening)
    events = selectors.history_of(found, number, access.names) if found else []
    if found is None or not events:
        raise Http404("no such hand")
    context = _reading(access.within(found.evening.season), found.evening) | {
        "table": found,
        "number": number,
        "events": events,
        "valid": bool(events[0].after),
        "mine": bool(events[0].after and access.player_ids.intersection(events[0].after.view.player_ids)),
        "hands": found.hands,
    }
    return render(request, "games/corrections/history.html", context)


@never_cache
@require_safe
def evening_corrections(request: HttpRequest, club: str, evening: int) -> HttpResponse:
    """The corrections of an evening, newest first."""
    access, found = evening_for(request, club, evening)
    context = _reading(access, found) | {"corrections": selectors.corrections_of(found, access.names)}
    return render(request, "games/corrections/list.html", context)


def _reading(access: ClubAccess, evening: Evening) -> dict[str, Any]:
    """Context about the reader: amounts are for readers who may see them."""
    return {
        "access": access,
        "club": access.club,
        "evening": evening,
        "sees_money": tables.sees_table_amounts(access, evening) and not access.points_only,
        "own": () if access.points_only else access.player_ids,
        "may_record": access.may(Right.RECORD),
        "rules_url": rules_url(evening) if access.may(Right.SEE_RULES) else "",
    }
