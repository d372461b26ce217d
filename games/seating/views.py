"""The seating page of a table: choose a change, read its preview, store it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.access import ClubAccess, Right, club_for
from league.models import Evening, Player
from league.web.requests import actor_of, see

from .. import engine_bridge
from ..errors import Refused
from ..hands import selectors
from ..hands.gate import signed_in, table_for
from ..models import Table
from . import services
from .changes import Arrive, EveningTables, Leave, Merge, Order, TableState
from .forms import SeatingForm, fields_of
from .loading import evening_tables, names_of
from .name_lists import listed
from .preview import next_hand, seating_preview, start_of
from .selectors import sums_of, timeline_entries, timelines, unsettled_of
from .services import Guest, Plan

CHIPS = 8
"""The number of players of the roster with a button each; the others are found by typing."""


LONG_NAME = 9


@dataclass(frozen=True)
class Row:
    """A seat of the page; `up` and `down` are queries that move it by one place, empty if it cannot move."""

    player_id: int
    nickname: str
    deals: bool
    fresh: bool
    up: str = ""
    down: str = ""

    @property
    def long(self) -> bool:
        """True if the name needs smaller type next to its arrows."""
        return len(self.nickname) > LONG_NAME


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def table_seating(request: HttpRequest, club: str, table: int) -> HttpResponse:
    """The players of a table, and the seating changes between two hands."""
    access = club_for(request.user, club, Right.RECORD)
    card_table = table_for(access, table)
    if request.method != "POST":
        return _seating_page(request, access, card_table, request.GET if "do" in request.GET else None)
    form = SeatingForm(request.POST)
    try:
        change = form.change(_read(card_table)[0])
        key, guest = form.key_sent(), form.guest()
        happening = services.carry_out(table=card_table, change=change, author=actor_of(request), key=key, guest=guest)
    except Refused as refused:
        return _seating_page(request, access, table_for(access, table), request.POST, refused=refused)
    [(_table, entry)] = timeline_entries([happening], amounts=True, currency=access.club.currency)
    messages.success(request, f"{entry.sentence}.")
    if isinstance(change, Leave) and change.player_id in unsettled_of(card_table.evening):
        whose = {"club": club, "evening": card_table.evening_id, "player": change.player_id}
        return see(f"{reverse('evening-cash-out', kwargs=whose)}?table={table}")
    where = change.into if isinstance(change, Merge) else table
    return see(reverse("table", kwargs={"club": club, "table": where}))


def _read(table: Table) -> tuple[EveningTables, dict[int, str]]:
    rows = list(Table.objects.filter(evening=table.evening_id).order_by("pk"))
    tables = evening_tables(table.evening, rows, table.pk)
    return tables, names_of(tables)


def _seating_page(
    request: HttpRequest,
    access: ClubAccess,
    table: Table,
    chosen: QueryDict | None,
    *,
    refused: Refused | None = None,
) -> HttpResponse:
    """The page; with a chosen change its preview, or the refusal."""
    tables, names = _read(table)
    plan, guest = None, None
    if chosen is not None and refused is None:
        form = SeatingForm(chosen)
        try:
            change = form.change(tables)
            if change != Order(tables.here.players):
                guest = form.guest()
                plan = services.plan(table=table, change=change, guest=guest)
        except Refused as why:
            refused = why
    unsettled = unsettled_of(table.evening)
    context = _context(access, table, tables, names) | {"problem": refused, "rows": rows(tables, names, plan, guest)}
    context["gone"] = _gone(tables, unsettled)
    if plan is not None:
        context |= {
            "preview": seating_preview(plan, sums_of(table.evening), access.club.currency, unsettled=unsettled),
            "fields": fields_of(plan.change, guest),
            "key": engine_bridge.new_key(),
            "moves": isinstance(plan.change, (Arrive, Order)),
            "comes": isinstance(plan.change, Arrive),
        }
    status = refused.status if refused and request.method == "POST" else 200
    return render(request, "games/seating/seating.html", context, status=status)


def _context(access: ClubAccess, table: Table, tables: EveningTables, names: dict[int, str]) -> dict[str, Any]:
    """The context with the table as it is, and the changes that can be chosen."""
    here = tables.here
    playing = [here, *tables.others]
    seated = {player for state in playing for player in state.players}
    least, most = engine_bridge.SEATS[tables.game]
    absent = [player for player in selectors.roster(access.club.pk) if player.pk not in seated]
    return {
        "access": access,
        "club": access.club,
        "table": table,
        "evening": table.evening,
        "open": table.evening.state == Evening.State.OPEN and not here.dissolved,
        "closed": table.evening.state != Evening.State.OPEN,
        "dealer": names[here.dealer_id],
        "next_number": here.hands + 1,
        "next_hand": next_hand(tables, here, names, access.club.currency),
        "in_pot_minor": here.pot_minor + _antes_in_pot(table, tables),
        "tables": sorted(playing, key=lambda state: state.number) if tables.others else [],
        "chips": absent[:CHIPS],
        "absent": absent[CHIPS:],
        "full": len(here.players) >= most,
        "most": most,
        "people": [(player, names[player]) for player in here.players],
        "may_divide": len(here.players) >= 2 * least,
        "to_join": [_joining(state, names, here, most) for state in tables.others],
        "timeline": timelines([table], amounts=True, currency=access.club.currency)[table.pk],
    }


def _gone(tables: EveningTables, unsettled: Mapping[int, int]) -> list[tuple[int, str, int]]:
    """Players who left with an outstanding sum: player, nickname, sum."""
    seated = {player for state in (tables.here, *tables.others) for player in state.players}
    gone = unsettled.keys() - seated
    people = Player.objects.filter(pk__in=gone).order_by("nickname") if gone else ()
    return [(player.pk, player.nickname, unsettled[player.pk]) for player in people]


def _antes_in_pot(table: Table, tables: EveningTables) -> int:
    """The antes that are in the pot for the next hand, in Rappen."""
    if table.last_hand and selectors.last_played(table):
        return 0
    return sum(engine_bridge.due(start_of(tables, tables.here)).antes)


def _joining(there: TableState, names: dict[int, str], here: TableState, most: int) -> dict[str, Any]:
    """Another table to merge into: its players, and True if there is room for all."""
    count = len(there.players) + len(here.players)
    return {
        "pk": there.pk,
        "number": there.number,
        "names": listed([names[player] for player in there.players]),
        "people": [(player, names[player]) for player in there.players],
        "count": count,
        "room": count <= most,
    }


def rows(tables: EveningTables, names: dict[int, str], plan: Plan | None, guest: Guest | None) -> list[Row]:
    """The seats in the order of play, as they are or after the plan. Arrows move the player who comes, or all."""
    known = dict(plan.names) if plan else names
    state = plan.after[0] if plan else tables.here
    was = tables.here.players
    comes = plan.change if plan and isinstance(plan.change, Arrive) else None
    movable = plan is None or isinstance(plan.change, Order)
    shown = []
    for seat, player in enumerate(state.players):
        if comes:
            up, down = _places(state, comes, guest) if player == comes.player_id else ("", "")
        else:
            up, down = (_order(state.players, seat, other) if movable else "" for other in (seat - 1, seat + 1))
        fresh = player not in was or (len(was) == len(state.players) and was.index(player) != seat)
        shown.append(Row(player, known[player], player == state.dealer_id, fresh, up, down))
    return shown


def _order(players: tuple[int, ...], seat: int, other: int) -> str:
    """The query for the order with two neighbours exchanged; empty past the ends."""
    if not 0 <= other < len(players):
        return ""
    order = list(players)
    order[seat], order[other] = order[other], order[seat]
    return urlencode({"do": "order", "order": ",".join(map(str, order))})


def _places(state: TableState, comes: Arrive, guest: Guest | None) -> tuple[str, str]:
    """The queries that move the player who comes one place earlier or later; the places are a circle."""
    others = [player for player in state.players if player != comes.player_id]
    place = others.index(comes.after_id)
    queries = []
    for other in (place - 1, place + 1):
        after = others[other % len(others)]
        fields = fields_of(Arrive(comes.player_id, after), guest)
        queries.append(urlencode(fields))
    return queries[0], queries[1]
