"""The page behind the code on a table card: the table in the round that is played, to record hands or to hand in its
sheet, without an account."""

from __future__ import annotations

from dataclasses import replace

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ..access import shown_club, table_cards
from ..errors import Refused, form_outdated
from ..features.gate import check_on
from ..models import Round, TableCard
from ..web import error_pages
from ..web.requests import actor_of, see
from .card_page import Seat, page_of, seats_of, table_of
from .rounds import RoundTable
from .sheets import MAX_CHIPS, hand_in
from .table_cards import TooManyCodes, card_with

SIGNS = {"plus": 1, "minus": -1}


class SheetForm(forms.Form):
    """The round and key that the page was made for; the amounts are read by start number."""

    round = forms.IntegerField(min_value=1)
    key = forms.UUIDField()


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def table_card(request: HttpRequest, code: str) -> HttpResponse:
    """Show the table of a card in its open round, or the reason why there is none; take its sheet."""
    try:
        card = card_with(request, code)
    except TooManyCodes:
        return error_pages.too_many(request)
    if card is None:
        raise Http404("no such card")
    shown_club.set(card.tournament.club)
    check_on(card.tournament.club)
    current = table_cards.open_round(card)
    table = table_of(card, current) if current else None
    if request.method == "POST":
        answer = _hand_in(request, card, current, table)
    else:
        answer = page_of(request, card, current, table)
    if current is not None and table_cards.needs_card(request, card):
        table_cards.remember(answer, card)
    return answer


def _hand_in(request: HttpRequest, card: TableCard, current: Round | None, table: RoundTable | None) -> HttpResponse:
    form = SheetForm(request.POST)
    if not form.is_valid() or current is None or table is None or form.cleaned_data["round"] != current.number:
        sentence = _("This round is finished: its sheets are closed.") if form.is_valid() else form_outdated().sentence
        return page_of(request, card, current, table, problem=sentence, status=409 if form.is_valid() else 422)
    seats = _typed(request, card, current, table)
    pot = _amount(request.POST.get("pot", "") or "0")
    amounts = {seat.number: _amount(seat.amount) for seat in seats}
    if pot is None or any(amount is None for amount in amounts.values()):
        sentence = _("Give each person's chips as a whole number; 0 where nothing was won or lost.")
        return page_of(request, card, current, table, seats=seats, problem=sentence, status=422)
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
        return page_of(request, card, current, table, seats=seats, problem=refused.sentence, status=refused.status)
    messages.success(request, _("The sheet of table %(table)d is handed in.") % {"table": card.table_number})
    return see(reverse("table-card", kwargs={"code": card.code}))


def _amount(text: str) -> int | None:
    """Return the whole number of a text without a sign, None if it is none."""
    plain = text.strip().replace("'", "").replace("’", "")
    if not plain.isascii() or not plain.isdecimal() or len(plain) > len(str(MAX_CHIPS)):
        return None
    return int(plain)


def _typed(request: HttpRequest, card: TableCard, current: Round, table: RoundTable) -> list[Seat]:
    """The seats with their typed values. A minus before the number is equivalent to the choice of the sign."""
    seats = []
    for seat in seats_of(card, current, table):
        typed = request.POST.get(f"chips-{seat.number}", "")[:20].strip().replace("−", "-").replace("–", "-")
        sign = "minus" if request.POST.get(f"sign-{seat.number}") == "minus" or typed.startswith("-") else "plus"
        seats.append(replace(seat, sign=sign, amount=typed.lstrip("+-")))
    return seats
