"""The night's page of a table: choose what happened, read what it does, do it."""

from __future__ import annotations

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
from league.models import Evening
from league.posted import actor_of, see

from .. import recording, selectors
from ..errors import Refused
from ..models import Table
from ..views import signed_in, table_for
from . import services
from .acts import Arrive, At, Merge, Night, Order
from .forms import NightForm, fields_of
from .outlook import next_hand, outlook
from .reading import names_of, night_of
from .selectors import stories, sums_of, tell
from .services import Guest, Plan
from .words import listed

CHIPS = 8
"""So many of the roster stand ready to be tapped, those who played last first; the others are found by typing."""


LONG_NAME = 9


@dataclass(frozen=True)
class Row:
    """A seat of the page; `up` and `down` are queries that move it by one place, empty where it cannot be moved."""

    player_id: int
    nickname: str
    deals: bool
    fresh: bool
    up: str = ""
    down: str = ""

    @property
    def long(self) -> bool:
        """Whether the name needs smaller type beside its arrows."""
        return len(self.nickname) > LONG_NAME


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def night(request: HttpRequest, club: str, table: int) -> HttpResponse:
    """Who sits at a table, and whatever happens there between two hands."""
    access = club_for(request.user, club, Right.RECORD)
    at = table_for(access, table)
    if request.method != "POST":
        return _page(request, access, at, request.GET if "do" in request.GET else None)
    form = NightForm(request.POST)
    try:
        act = form.act(_read(at)[0])
        key, guest = form.key_sent(), form.guest()
        happening = services.carry_out(table=at, act=act, author=actor_of(request), key=key, guest=guest)
    except Refused as refused:
        return _page(request, access, table_for(access, table), request.POST, refused=refused)
    [(_table, told)] = tell([happening], amounts=True, currency=access.club.currency)
    messages.success(request, f"{told.sentence}.")
    where = act.into if isinstance(act, Merge) else table
    return see(reverse("table", kwargs={"club": club, "table": where}))


def _read(table: Table) -> tuple[Night, dict[int, str]]:
    rows = list(Table.objects.filter(evening=table.evening_id).order_by("pk"))
    tonight = night_of(table.evening, rows, table.pk)
    return tonight, names_of(tonight)


def _page(
    request: HttpRequest,
    access: ClubAccess,
    at: Table,
    chosen: QueryDict | None,
    *,
    refused: Refused | None = None,
) -> HttpResponse:
    """The page with what was chosen, if anything: what it would do, or why it cannot be."""
    tonight, names = _read(at)
    plan, guest = None, None
    if chosen is not None and refused is None:
        form = NightForm(chosen)
        try:
            act = form.act(tonight)
            if act != Order(tonight.here.players):
                guest = form.guest()
                plan = services.plan(table=at, act=act, guest=guest)
        except Refused as why:
            refused = why
    context = _context(access, at, tonight, names) | {"problem": refused, "rows": rows(tonight, names, plan, guest)}
    if plan is not None:
        context |= {
            "outlook": outlook(plan, sums_of(at.evening), access.club.currency),
            "fields": fields_of(plan.act, guest),
            "key": recording.new_key(),
            "moves": isinstance(plan.act, (Arrive, Order)),
            "comes": isinstance(plan.act, Arrive),
        }
    status = refused.status if refused and request.method == "POST" else 200
    return render(request, "games/night.html", context, status=status)


def _context(access: ClubAccess, at: Table, tonight: Night, names: dict[int, str]) -> dict[str, Any]:
    """What the page says of the table as it is, and what can be chosen."""
    here = tonight.here
    tables = [here, *tonight.others]
    seated = {player for one in tables for player in one.players}
    least, most = recording.SEATS[tonight.game]
    absent = [player for player in selectors.roster(access.club.pk) if player.pk not in seated]
    return {
        "access": access,
        "club": access.club,
        "table": at,
        "evening": at.evening,
        "open": at.evening.state == Evening.State.OPEN and not here.dissolved,
        "closed": at.evening.state != Evening.State.OPEN,
        "dealer": names[here.dealer_id],
        "next_number": here.hands + 1,
        "next_hand": next_hand(tonight, here, names, access.club.currency),
        "tables": sorted(tables, key=lambda one: one.number) if tonight.others else [],
        "chips": absent[:CHIPS],
        "absent": absent[CHIPS:],
        "full": len(here.players) >= most,
        "most": most,
        "people": [(player, names[player]) for player in here.players],
        "may_divide": len(here.players) >= 2 * least,
        "to_join": [_joining(one, names, here, most) for one in tonight.others],
        "story": stories([at], amounts=True, currency=access.club.currency)[at.pk],
    }


def _joining(there: At, names: dict[int, str], here: At, most: int) -> dict[str, Any]:
    """Another table as one to join: who sits there, and whether all have room."""
    count = len(there.players) + len(here.players)
    return {
        "pk": there.pk,
        "number": there.number,
        "names": listed([names[player] for player in there.players]),
        "people": [(player, names[player]) for player in there.players],
        "count": count,
        "room": count <= most,
    }


def rows(tonight: Night, names: dict[int, str], plan: Plan | None, guest: Guest | None) -> list[Row]:
    """The seats in the order of play, as they are or as they would be; who comes is moved, else everybody."""
    known = dict(plan.names) if plan else names
    at = plan.after[0] if plan else tonight.here
    was = tonight.here.players
    comes = plan.act if plan and isinstance(plan.act, Arrive) else None
    movable = plan is None or isinstance(plan.act, Order)
    shown = []
    for seat, player in enumerate(at.players):
        if comes:
            up, down = _places(at, comes, guest) if player == comes.player_id else ("", "")
        else:
            up, down = (_order(at.players, seat, other) if movable else "" for other in (seat - 1, seat + 1))
        fresh = player not in was or (len(was) == len(at.players) and was.index(player) != seat)
        shown.append(Row(player, known[player], player == at.dealer_id, fresh, up, down))
    return shown


def _order(players: tuple[int, ...], seat: int, other: int) -> str:
    """The query for the order with two neighbours exchanged; empty past the ends."""
    if not 0 <= other < len(players):
        return ""
    order = list(players)
    order[seat], order[other] = order[other], order[seat]
    return urlencode({"do": "order", "order": ",".join(map(str, order))})


def _places(at: At, comes: Arrive, guest: Guest | None) -> tuple[str, str]:
    """The queries for who comes to sit down one place earlier or later; the last place is before the first."""
    others = [player for player in at.players if player != comes.player_id]
    place = others.index(comes.after_id)
    queries = []
    for other in (place - 1, place + 1):
        after = others[other % len(others)]
        fields = fields_of(Arrive(comes.player_id, after), guest)
        queries.append(urlencode(fields))
    return queries[0], queries[1]
