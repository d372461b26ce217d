"""Reads that only the API needs. Each function takes a fixed number of queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import connection
from django.db.models import Count, Exists, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from league.models import Evening, Player, ResultRow, User

from .. import engine_bridge
from ..evening.stored_hands import stored_hands
from ..hands import selectors
from ..hands.chain import Chain
from ..hands.selectors import HandView, view_of
from ..models import Hand, Place, Revision, Seat, Table


def counts_of(evenings: Iterable[Evening]) -> dict[int, tuple[int, int]]:
    """Return the numbers of hands and players of each evening; one query, which reads no hand."""
    # One index entry for each player of the club, where the rows of an evening are many.
    played = ResultRow.objects.filter(evening=OuterRef(OuterRef("pk")), player=OuterRef("pk")).exclude(role="share")
    players = Player.objects.filter(Exists(played), club=OuterRef("club")).order_by().values("club")
    counted = Evening.objects.filter(pk__in=[evening.pk for evening in evenings]).annotate(
        hands=stored_hands(), players=Coalesce(Subquery(players.annotate(count=Count("*")).values("count")), 0)
    )
    return {pk: (hands, players) for pk, hands, players in counted.values_list("pk", "hands", "players")}


def seated(tables: Iterable[Table]) -> dict[int, list[tuple[int, str]]]:
    """Return (player id, nickname) by seat for each table; one query."""
    seats: dict[int, list[tuple[int, str]]] = {table.pk: [] for table in tables}
    places = Place.objects.filter(table__in=seats).order_by("table_id", "seat")
    for table, player, name in places.values_list("table_id", "player_id", "player__nickname"):
        seats[table].append((player, name))
    return seats


def newest_hands(table: Table) -> Any:
    """Return the newest revision of each hand of a table; it may be a voided one."""
    return selectors.newest_revisions().filter(hand__table=table).select_related("hand", "author")


def views_of(revisions: Sequence[Revision]) -> list[HandView]:
    """Return these revisions with their players; one query."""
    seated: dict[int, list[tuple[int, str]]] = {revision.pk: [] for revision in revisions}
    seats = Seat.objects.filter(revision__in=seated).order_by("revision_id", "number")
    for revision_id, player, name in seats.values_list("revision_id", "player_id", "player__nickname"):
        seated[revision_id].append((player, name))
    return [view_of(revision, seated[revision.pk]) for revision in revisions]


def revision_view(table: Table, number: int, revision: int, reader: User | None) -> HandView | None:
    """Return one revision of a hand, None if it does not exist; two queries, one more if it is not the reader's."""
    stored = Revision.objects.filter(hand__table=table, hand__number=number, number=revision).first()
    if stored is None:
        return None
    stored.hand = Hand(pk=stored.hand_id, table=table, number=number)
    if reader is not None and stored.author_id == reader.pk:
        stored.author = reader
    with connection.cursor() as cursor:
        cursor.execute(_SEATED, [stored.pk])
        return view_of(stored, cursor.fetchall())


# As text, because the answer to every stored hand reads it.
_SEATED = """SELECT seat.player_id, player.nickname
FROM games_seat AS seat JOIN league_player AS player ON player.id = seat.player_id
WHERE seat.revision_id = %s ORDER BY seat.number"""


def preview_view(
    chain: Chain, names: Mapping[int, str], record: Mapping[str, Any], result: engine_bridge.Result
) -> HandView:
    """Return a hand that is not stored, as the next one of its table."""
    return HandView(
        number=chain.start.number,
        revision=0,
        voided=False,
        at=timezone.now(),
        author="",
        reason="",
        names=tuple(names[player] for player in chain.players),
        player_ids=chain.players,
        record=record,
        result=result,
    )


def hand_of(table: Table, number: int) -> Hand | None:
    """Return a hand of a table by its number, or None."""
    return Hand.objects.filter(table=table, number=number).first()
