"""An entry that was begun before the seats changed: it is read with the seats it was sent for, then moved to the new
seats of its players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict

from league.models import Club, Player

from .. import engine_bridge
from ..engine_bridge import Start
from ..models import Table
from .forms import HandForm, SeatEntry, hand_form


def entry_basis(table: Table, players: Sequence[int]) -> str:
    """The state of the table for which an entry is begun: hand number, seats, dealer and pot. The page is loaded again
    when it changes."""
    seats = ",".join(map(str, players))
    return f"{table.hands + 1} {seats} {table.dealer_id} {table.deal_number} {table.pot_minor}"


def form_sent(data: Mapping[str, Any], start: Start) -> HandForm:
    """The form of the next hand, with as many seats as the page had: the table may have more or fewer now."""
    seats = str(data.get("players", "")).count(",") + 1
    least, most = engine_bridge.SEATS[start.game]
    if seats != start.seats and least <= seats <= most:
        start = replace(start, seats=seats, dealer=min(start.dealer, seats - 1))
    return hand_form(data, start)


def players_sent(form: HandForm) -> list[int]:
    """Player ids by seat of the page; empty where they cannot be read."""
    return list(getattr(form, "cleaned_data", {}).get("players") or [])


def entries_now(form: HandForm, players: Sequence[int]) -> list[SeatEntry]:
    """The entry by today's seats. A player who came since is out; the entry of a player who left is dropped."""
    by_player = dict(zip(players_sent(form), form.entries(), strict=False))
    return [by_player.get(player, SeatEntry()) for player in players]


def seats_now(seats: Sequence[int], form: HandForm, players: Sequence[int]) -> list[int]:
    """The new numbers of these seats of the entry; seats of players who left are dropped."""
    sent = players_sent(form)
    wanted = [sent[seat] for seat in seats if seat < len(sent)]
    return [seat for seat, player in enumerate(players) if player in wanted]


def names_sent(club: Club, form: HandForm) -> dict[int, str]:
    """Nicknames by seat of the entry; a question mark for a player who is not in the club."""
    sent = players_sent(form)
    known = dict(Player.objects.filter(club=club, pk__in=sent).values_list("pk", "nickname"))
    return {seat: known.get(sent[seat], "?") if seat < len(sent) else "?" for seat in range(form.seats)}


def as_forgotten(data: QueryDict) -> str:
    """The entry as a query string, for the page that inserts a forgotten hand."""
    own = ("csrfmiddlewaretoken", "key", "number", "pack", "muss", "mode")
    fields = [(name, value) for name, value in data.items() if name not in own and value]
    return urlencode([*fields, ("mode", data.get("mode") or "made")])
