"""The state of a table as data for the phone, which continues from it without a network (docs/night.md)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import OuterRef, Sum
from django.urls import reverse
from django.utils import timezone

from league.access import ClubAccess
from league.models import Evening, ResultRow

from ..hands import selectors
from ..hands.selectors import TableView
from ..hands.tally import tally_of
from ..models import FirstSeat, Happening, Place, Revision, Table
from ..seating.selectors import other_tables

FORMAT = 1
MAX_ROSTER = 200
MAX_KEYS = 100
MAX_STORED = 60

Data = dict[str, Any]


def snapshot(access: ClubAccess, view: TableView, *, others: int | None = None) -> Data:
    """Return the state of a table before its next hand, as plain data: amounts in Rappen, times in ms since 1970.

    `others` is the number of the evening's other tables that play, if it is known. `position` rises with each revision
    and happening of the table. `keys` are those of its newest seating changes, `refs` the players whom they made,
    `stored` its newest hands. Four queries, five if `others` is not given.

    It has only data that the table screen shows to the same reader. The caller has checked `sees_table_amounts`.
    """
    table, evening = view.table, view.evening
    happened = list(Happening.objects.filter(table=table).order_by("-created_at").select_related("submission"))
    keys, refs = _made(table, happened)
    return {
        "format": FORMAT,
        "made_at": int(timezone.now().timestamp() * 1000),
        "club": {
            "slug": access.club.slug,
            "name": access.club.name,
            "currency": access.club.currency,
            "counts_tricks": access.club.counts_tricks,
        },
        "in_chips": evening.season.in_chips,
        "points_only": evening.season.points_only,
        "evening": {
            "id": evening.pk,
            "number": evening.number,
            "game": view.game,
            "rules": dict(view.rules),
            "rules_version": evening.house_rules.version,
            "open": evening.state == Evening.State.OPEN,
            "held_on": evening.held_on.isoformat(),
            "final_on": final_on(evening),
        },
        "table": _table(view, len(happened), len(other_tables(table)) if others is None else others),
        "seats": [{"player": seat.player_id, "name": seat.nickname, "sum": seat.balance_minor} for seat in view.seats],
        "roster": _roster(access, evening),
        "keys": keys,
        "refs": refs,
        "stored": _stored(view),
        "urls": _urls(access.club.slug, table),
    }


def final_on(evening: Evening) -> str | None:
    """The day from which a closed evening is final; None while it is open."""
    if evening.state == Evening.State.OPEN:
        return None
    return timezone.localdate(evening.final_at).isoformat() if evening.final_at else evening.held_on.isoformat()


def _made(table: Table, happened: Iterable[Happening]) -> tuple[list[str], dict[str, int]]:
    """The keys of the table's newest seating changes and of the beginning of its evening; and the players whom these
    brought to the table, by reference: later writes of a phone may still name them so. One query."""
    newest = [(str(happening.submission.key), happening) for happening in happened if happening.submission is not None][
        :MAX_KEYS
    ]
    refs = {key: int(happening.data["player"]) for key, happening in newest if happening.kind == Happening.Kind.ARRIVED}
    seats = FirstSeat.objects.filter(table=table).values_list("seat", "player", "table__evening__submission__key")
    begun = {str(key) for _seat, _player, key in seats}
    return [*(key for key, _one in newest), *begun], refs | {f"{key}:{seat}": player for seat, player, key in seats}


def _stored(view: TableView) -> list[Data]:
    """The newest hands, with the keys of all their revisions: a phone finds its own hands there, and those of another
    phone that were stored under the same number. One query."""
    hands = view.hands[:MAX_STORED]
    keys: dict[int, list[str]] = {}
    revisions = Revision.objects.filter(hand__table=view.table, hand__number__gte=hands[-1].number if hands else 0)
    for number, key in revisions.order_by("number").values_list("hand__number", "submission__key"):
        if key is not None:
            keys.setdefault(number, []).append(str(key))
    return [
        {
            "number": hand.number,
            "keys": keys.get(hand.number, []),
            "voided": hand.voided,
            "players": list(hand.player_ids),
            "record": tally_of(hand),
            "muss": hand.muss,
            "deltas": list(hand.deltas),
            "pot_after": hand.pot_after,
        }
        for hand in hands
    ]


def _table(view: TableView, happenings: int, others: int) -> Data:
    table, limit = view.table, view.round.limit if view.round else 0
    return {
        "id": table.pk,
        "number": table.number,
        "hands": table.hands,
        # The revisions of a hand are numbered from 1 without a gap.
        "position": sum(hand.revision for hand in view.hands) + happenings,
        "pot_before": view.pot_before_minor,
        "dealer": view.dealer_seat,
        "deal_number": view.deal_number,
        "paused": table.paused_at is not None,
        "dissolved": table.dissolved,
        "last_hand": table.last_hand,
        "ended": view.last_played or bool(view.round_over),
        "hands_left": max(limit - table.hands, 0) if limit else None,
        "others": others,
    }


def _roster(access: ClubAccess, evening: Evening) -> list[Data]:
    """The players of the roster who do not sit at a table of the evening. Empty for a round, which has the seats of its
    draw: the holder of a table card records there, and must not read the names of the club. Players of tonight have
    their `sum`."""
    if evening.season.in_chips or evening.state != Evening.State.OPEN:
        return []
    seated = Place.objects.filter(table__evening=evening, table__dissolved=False).values("player")
    won = ResultRow.objects.filter(evening=evening, player=OuterRef("pk")).order_by().values("player")
    absent = (
        selectors.roster(access.club.pk)
        .exclude(pk__in=seated)
        .annotate(sum=won.annotate(n=Sum("change_minor")).values("n"))
    )
    rows = absent.values_list("pk", "nickname", "sum")[:MAX_ROSTER]
    return [{"player": player, "name": nickname} | ({"sum": sum_} if sum_ else {}) for player, nickname, sum_ in rows]


def _urls(club: str, table: Table) -> Data:
    kwargs = {"club": club, "table": table.pk}
    screen = reverse("table", kwargs=kwargs)
    return {
        "table": screen,
        "night": reverse("table-night", kwargs=kwargs),
        "paid": reverse("hand-paid", kwargs=kwargs | {"number": 0}),
        "seating": reverse("table-seating", kwargs=kwargs),
        "evening": reverse("evening", kwargs={"club": club, "evening": table.evening_id}),
        "stories": reverse("table-stories", kwargs=kwargs),
    }
