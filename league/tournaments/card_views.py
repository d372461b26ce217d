"""The page that the code on a table card opens: the table in the round that is played, to record hands or to hand in
its sheet, without an account."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ..access import ClubAccess, Right, access_to, shown_club, table_cards
from ..errors import Refused, form_outdated
from ..models import Player, Round, TableCard, Tournament
from ..web import error_pages
from ..web.requests import actor_of, see
from . import results, rounds
from .cards import TooManyCodes, card_with
from .formats import Format
from .rounds import RoundTable
from .sheets import MAX_CHIPS, hand_in

SIGNS = {"plus": 1, "minus": -1}


@dataclass(frozen=True)
class Seat:
    """Somebody at the table: start number and name, and what was typed for them on the sheet."""

    number: int
    name: str
    sign: str = "plus"
    amount: str = ""
    chips: int | None = None


class SheetForm(forms.Form):
    """The round and key that the page was made for; the amounts are read by start number."""

    round = forms.IntegerField(min_value=1)
    key = forms.UUIDField()


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def table_card(request: HttpRequest, code: str) -> HttpResponse:
    """Show the table of a card in its open round, or why there is none; take its sheet."""
    try:
        card = card_with(request, code)
    except TooManyCodes:
        return error_pages.too_many(request)
    if card is None:
        raise Http404("no such card")
    shown_club.set(card.tournament.club)
    current = table_cards.open_round(card)
    table = _table(card, current) if current else None
    if request.method == "POST":
        answer = _hand_in(request, card, current, table)
    else:
        answer = _page(request, card, current, table)
    if current is not None and table_cards.needs_card(request, card):
        table_cards.remember(answer, card)
    return answer


def refused(request: HttpRequest, card: TableCard) -> HttpResponse:
    """Answer a write that the card does not open (409): nothing was stored, and why."""
    current = table_cards.open_round(card)
    table = _table(card, current) if current else None
    sentence = _("Nothing was stored: the card of table %(table)d does not open that page.")
    closed = _("Nothing was stored. %(why)s") % {"why": _closed_sentence(card)}
    problem = sentence % {"table": card.table_number} if table else closed
    return _page(request, card, current, table, problem=problem, status=409)


def _table(card: TableCard, current: Round) -> RoundTable | None:
    tables = rounds.tables_of(current, Format.read(card.tournament.format))
    return next((one for one in tables if one.number == card.table_number), None)


def _hand_in(request: HttpRequest, card: TableCard, current: Round | None, table: RoundTable | None) -> HttpResponse:
    form = SheetForm(request.POST)
    if not form.is_valid() or current is None or table is None or form.cleaned_data["round"] != current.number:
        sentence = _("This round is finished: its sheets are closed.") if form.is_valid() else form_outdated().sentence
        return _page(request, card, current, table, problem=sentence, status=409 if form.is_valid() else 422)
    seats = _typed(request, card, current, table)
    pot = _amount(request.POST.get("pot", "") or "0")
    amounts = {seat.number: _amount(seat.amount) for seat in seats}
    if pot is None or any(amount is None for amount in amounts.values()):
        sentence = _("Give each person's chips as a whole number; 0 where nothing was won or lost.")
        return _page(request, card, current, table, seats=seats, problem=sentence, status=422)
    chips = {seat.number: SIGNS[seat.sign] * (amounts[seat.number] or 0) for seat in seats}
    author = card.user if table_cards.needs_card(request, card) else actor_of(request)
    try:
        hand_in(
            tournament=card.tournament,
            author=author,
            number=current.number,
            table=card.table_number,
            chips=chips,
            pot=pot,
            at_table=True,
            key=form.cleaned_data["key"],
        )
    except Refused as refused:
        return _page(request, card, current, table, seats=seats, problem=refused.sentence, status=refused.status)
    messages.success(request, _("The sheet of table %(table)d is handed in.") % {"table": card.table_number})
    return see(reverse("table-card", kwargs={"code": card.code}))


def _amount(text: str) -> int | None:
    """Return the whole number of a text without a sign, None if it is none."""
    plain = text.strip().replace("'", "").replace("’", "")
    if not plain.isascii() or not plain.isdecimal() or len(plain) > len(str(MAX_CHIPS)):
        return None
    return int(plain)


def _typed(request: HttpRequest, card: TableCard, current: Round, table: RoundTable) -> list[Seat]:
    """The seats with what was typed for them. A minus before the number does as well as the choice of the sign."""
    seats = []
    for seat in _seats(card, current, table):
        typed = request.POST.get(f"chips-{seat.number}", "")[:20].strip().replace("−", "-").replace("–", "-")
        sign = "minus" if request.POST.get(f"sign-{seat.number}") == "minus" or typed.startswith("-") else "plus"
        seats.append(replace(seat, sign=sign, amount=typed.lstrip("+-")))
    return seats


def _seats(card: TableCard, current: Round, table: RoundTable) -> list[Seat]:
    entrants = card.tournament.entrants.filter(number__in=table.seats).prefetch_related("substitutions")
    players = {one.number: results.player_in(one, current.number) for one in entrants}
    names = dict(Player.objects.filter(pk__in=players.values()).values_list("pk", "nickname"))
    return [Seat(number, names.get(players[number], ""), chips=table.chips.get(number)) for number in table.seats]


def _page(
    request: HttpRequest,
    card: TableCard,
    current: Round | None,
    table: RoundTable | None,
    *,
    seats: list[Seat] | None = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    tournament, club = card.tournament, card.tournament.club
    access: ClubAccess = access_to(request.user, club)
    reads = access.may(Right.READ) and tournament.state != Tournament.State.DRAFT
    where = {"club": club.slug, "tournament": tournament.slug}
    context: dict[str, Any] = {
        "club": club,
        "tournament": tournament,
        "card": card,
        "number": card.table_number,
        "round": current,
        "table": table,
        "format": Format.read(tournament.format),
        "seats": seats or (_seats(card, current, table) if current and table else []),
        "pot": request.POST.get("pot", "")[:20],
        "own_account": not table_cards.needs_card(request, card),
        "seat_address": reverse("tournament-seat", kwargs=where) if reads else "",
        "tournament_address": reverse("tournament", kwargs=where) if reads else "",
        "says": "" if table or problem else _closed_sentence(card),
        "problem": problem,
        "key": uuid.uuid4(),
    }
    return render(request, "league/tournaments/card/card.html", context, status=status)


def _closed_sentence(card: TableCard) -> str:
    """Why the card opens no table now."""
    if card.tournament.state in (Tournament.State.FINISHED, Tournament.State.ARCHIVED):
        return _("This tournament is finished.")
    newest = card.tournament.rounds.order_by("number").last()
    if newest is None:
        return _("The first round is not drawn yet. The card opens table %(table)d then.") % {
            "table": card.table_number
        }
    values = {"table": card.table_number, "round": newest.number}
    if newest.state == Round.State.FINISHED:
        return _("Round %(round)d is finished. The card opens table %(table)d again with the next draw.") % values
    return _("Nobody sits at table %(table)d in round %(round)d.") % values
