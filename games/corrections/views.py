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
        shown_page = correction_page(request, club, table)
        return repeated_answer(shown_page) or view(shown_page, **names)

    return page


# --- Change and insert a hand ----------------------------------------------------------------------------


@correction_view
def hand_edit(page: CorrectionPage, number: int) -> HttpResponse:
    """A stored hand in the entry form, to be corrected."""
    page.check(number)
    return HandPage(page, number, page.entries[number - 1]).answer()


@correction_view
def hand_insert(page: CorrectionPage, number: int) -> HttpResponse:
    """A forgotten hand, to be inserted as hand `number`."""
    page.check(number, more=1)
    return HandPage(page, number, None).answer()


# --- Take out, move, reseat ------------------------------------------------------------------------------


@correction_view
def hand_out(page: CorrectionPage, number: int) -> HttpResponse:
    """Take out a hand that was never played."""
    page.check(number)
    subject = Subject(
        title=_("Remove hand %(number)d") % {"number": number},
        save=_("Remove hand %(number)d") % {"number": number},
        done=_("Hand %(number)d is removed.") % {"number": number},
        then=page.url("hand-history", number),
        back=page.url("hand-edit", number),
        number=number,
    )
    keep = forms.keeps_dealers(page.data, page.table.evening.game)

    def refused_page(refused: Refused) -> HttpResponse:
        return plan_page(page, subject, refused=refused)

    return preview_or_save(page, subject, lambda kept: TakeOut(number, kept), keep, refused_page)


@correction_view
def hand_move(page: CorrectionPage, number: int) -> HttpResponse:
    """Move a hand that was played earlier or later than recorded."""
    page.check(number)
    to = forms.whole_number(page.data, "to") or (number - 1 if number > 1 else number + 1)
    to = min(max(1, to), len(page.entries))
    subject = Subject(
        title=_("Move hand %(number)d") % {"number": number},
        save=_("Make it hand %(to)d") % {"to": to},
        done=_("Hand %(number)d is now hand %(to)d.") % {"number": number, "to": to},
        then=page.url("hand-history", to),
        back=page.url("hand-edit", number),
        number=number,
    )
    more = {"move": number, "to": to, "up": to - 1, "down": to + 1 if to < len(page.entries) else 0}

    def refused_page(refused: Refused) -> HttpResponse:
        return plan_page(page, subject, refused=refused, more=more)

    keep = forms.keeps_dealers(page.data, page.table.evening.game)
    return preview_or_save(page, subject, lambda kept: Move(number, to, kept), keep, refused_page, more)


@correction_view
def table_seats(page: CorrectionPage) -> HttpResponse:
    """Put other players into the seats of a range of hands."""
    if not page.entries:
        raise Http404("no hand at this table")
    first = min(max(1, forms.whole_number(page.data, "from") or 1), len(page.entries))
    last = min(max(first, forms.whole_number(page.data, "last") or len(page.entries)), len(page.entries))
    span = page.entries[first - 1 : last]
    written = sorted({player for entry in page.entries for player in entry.players})
    together = {player for entry in span for player in entry.players}
    who = forms.pairs_of(page.data, written, together)
    subject = Subject(
        title=_("Who sat there"),
        save=_("Correct the seats"),
        done=_("The seats of hands %(first)d to %(last)d are corrected.") % {"first": first, "last": last},
        then=page.url("hand-history", first),
        back=page.url("table-seats"),
        number=first,
    )

    def form(refused: Refused | None = None) -> HttpResponse:
        names = dict(selectors.roster(page.table, page.entries))
        chosen = dict(who)
        context = page.context() | {
            "subject": subject,
            "first": first,
            "last": last,
            "written": [(player, names.get(player, "?"), chosen.get(player, player)) for player in written],
            "roster": list(names.items()),
            "refused": refused,
            "blocking": blocking(page, refused, first),
            "joins": joins(page, refused),
        }
        status = refused.status if refused else 200
        return render(page.request, "games/corrections/seats.html", context, status=status)

    if page.step in ("", "back"):
        return form()
    return preview_or_save(page, subject, lambda _keep: Reseat(first, last, who), False, form)


# --- History ---------------------------------------------------------------------------------------------


@also_by_card
@never_cache
@require_safe
def hand_history(request: HttpRequest, club: str, table: int, number: int) -> HttpResponse:
    """The history of a hand: author, time, reason, and the hand before and after."""
    access = club_for(request.user, club, Right.READ)
    card_table = tables.table_of(club=access.club, table_id=table)
    if card_table is not None:
        check_shown(access, card_table.evening)
    events = selectors.history_of(card_table, number, access.names) if card_table else []
    if card_table is None or not events:
        raise Http404("no such hand")
    context = _reading(access.within(card_table.evening.season), card_table.evening) | {
        "table": card_table,
        "number": number,
        "events": events,
        "valid": bool(events[0].after),
        "mine": bool(events[0].after and access.player_ids.intersection(events[0].after.view.player_ids)),
        "hands": card_table.hands,
    }
    return render(request, "games/corrections/history.html", context)


@never_cache
@require_safe
def evening_corrections(request: HttpRequest, club: str, evening: int) -> HttpResponse:
    """The corrections of an evening, newest first."""
    access, night = evening_for(request, club, evening)
    context = _reading(access, night) | {"corrections": selectors.corrections_of(night, access.names)}
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
