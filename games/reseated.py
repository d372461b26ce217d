"""An entry that was begun for other seats than those of now: it is read as it was sent, and goes along with its
players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict

from league.models import Club, Player

from . import recording
from .forms import HandForm, SeatEntry
from .kratzen_form import hand_form
from .models import Table
from .recording import Start


def stand_of(table: Table, players: Sequence[int]) -> str:
    """What an entry is begun for: the hand, who sits where, who deals, and the pot. After another one comes another
    page."""
    seats = ",".join(map(str, players))
    return f"{table.hands + 1} {seats} {table.dealer_id} {table.deal_number} {table.pot_minor}"


def form_sent(data: Mapping[str, Any], start: Start) -> HandForm:
    """The form of the next hand, with as many seats as the page had: more or fewer may sit there now."""
    seats = str(data.get("players", "")).count(",") + 1
    least, most = recording.SEATS[start.game]
    if seats != start.seats and least <= seats <= most:
        start = replace(start, seats=seats, dealer=min(start.dealer, seats - 1))
    return hand_form(data, start)


def players_sent(form: HandForm) -> list[int]:
    """Player ids by seat, as the page had them; empty where they cannot be read."""
    return list(getattr(form, "cleaned_data", {}).get("players") or [])


def entries_now(form: HandForm, players: Sequence[int]) -> list[SeatEntry]:
    """The entry by the seats of now. Who came since is out; who is gone takes their part along."""
    by_player = dict(zip(players_sent(form), form.entries(), strict=False))
    return [by_player.get(player, SeatEntry()) for player in players]


def seats_now(seats: Sequence[int], form: HandForm, players: Sequence[int]) -> list[int]:
    """Seats of the entry as they are now."""
    sent = players_sent(form)
    concerned = [sent[seat] for seat in seats if seat < len(sent)]
    return [seat for seat, player in enumerate(players) if player in concerned]


def names_sent(club: Club, form: HandForm) -> dict[int, str]:
    """Nicknames by seat of the entry; of somebody whom the club does not know a question mark."""
    sent = players_sent(form)
    known = dict(Player.objects.filter(club=club, pk__in=sent).values_list("pk", "nickname"))
    return {seat: known.get(sent[seat], "?") if seat < len(sent) else "?" for seat in range(form.seats)}


def as_forgotten(data: QueryDict) -> str:
    """The entry as fields of an address, for the page that puts in a forgotten hand."""
    own = ("csrfmiddlewaretoken", "key", "number", "pack", "muss", "mode")
    fields = [(name, value) for name, value in data.items() if name not in own and value]
    return urlencode([*fields, ("mode", data.get("mode") or "made")])
