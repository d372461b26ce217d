"""The page of a table card as it is rendered. The gate of the games answers a refused write with it, too."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from ..access import ClubAccess, Right, access_to, table_cards
from ..models import Player, Round, TableCard, Tournament
from . import results, rounds
from .formats import Format
from .rounds import RoundTable


@dataclass(frozen=True)
class Seat:
    """An entrant at the table: start number and name, and the typed values of the sheet."""

    number: int
    name: str
    sign: str = "plus"
    amount: str = ""
    chips: int | None = None


def refused(request: HttpRequest, card: TableCard) -> HttpResponse:
    """Refuse a write that the card does not allow (409), with the reason."""
    current = table_cards.open_round(card)
    table = table_of(card, current) if current else None
    sentence = _("Nothing was stored: the card of table %(table)d does not open that page.")
    closed = _("Nothing was stored. %(why)s") % {"why": _closed_sentence(card)}
    problem = sentence % {"table": card.table_number} if table else closed
    return page_of(request, card, current, table, problem=problem, status=409)


def table_of(card: TableCard, current: Round) -> RoundTable | None:
    """Return the table of a card in a round, None if nobody sits there."""
    tables = rounds.tables_of(current, Format.read(card.tournament.format))
    return next((table for table in tables if table.number == card.table_number), None)


def seats_of(card: TableCard, current: Round, table: RoundTable) -> list[Seat]:
    """Return the people at the table, with the chips of its sheet."""
    entrants = card.tournament.entrants.filter(number__in=table.seats).prefetch_related("substitutions")
    players = {entrant.number: results.player_in(entrant, current.number) for entrant in entrants}
    names = dict(Player.objects.filter(pk__in=players.values()).values_list("pk", "nickname"))
    return [Seat(number, names.get(players[number], ""), chips=table.chips.get(number)) for number in table.seats]


def page_of(
    request: HttpRequest,
    card: TableCard,
    current: Round | None,
    table: RoundTable | None,
    *,
    seats: list[Seat] | None = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    """Render the page of a card: its table with the sheet, or why it opens none; `problem` says what was refused."""
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
        "seats": seats or (seats_of(card, current, table) if current and table else []),
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
    """The reason why the card opens no table now."""
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
