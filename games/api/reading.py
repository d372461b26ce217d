"""What the addresses read beside what the pages read. Each call has a fixed number of queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Count
from django.utils import timezone

from league.models import Evening, ResultRow

from .. import recording, selectors
from ..chain import Chain
from ..models import Hand, Place, Revision, Seat, Table
from ..selectors import HandView, view_of


def counts_of(evenings: Iterable[Evening]) -> dict[int, tuple[int, int]]:
    """Hands and players of each evening; one query."""
    rows = ResultRow.objects.filter(evening__in=[evening.pk for evening in evenings]).exclude(role="share")
    counted = rows.order_by().values("evening_id")
    counted = counted.annotate(hands=Count("source", distinct=True), players=Count("player", distinct=True))
    return {row["evening_id"]: (row["hands"], row["players"]) for row in counted}


def seated(tables: Iterable[Table]) -> dict[int, list[tuple[int, str]]]:
    """Who sits at each of these tables, player and nickname by seat; one query."""
    found: dict[int, list[tuple[int, str]]] = {table.pk: [] for table in tables}
    places = Place.objects.filter(table__in=found).order_by("table_id", "seat")
    for table, player, name in places.values_list("table_id", "player_id", "player__nickname"):
        found[table].append((player, name))
    return found


def standing_hands(table: Table) -> Any:
    """The standing state of each hand of a table."""
    return selectors.standing_revisions().filter(hand__table=table).select_related("hand", "author")


def views_of(revisions: Sequence[Revision]) -> list[HandView]:
    """These states of hands, with who sat there; one query."""
    seated: dict[int, list[tuple[int, str]]] = {revision.pk: [] for revision in revisions}
    seats = Seat.objects.filter(revision__in=seated).order_by("revision_id", "number")
    for revision_id, player, name in seats.values_list("revision_id", "player_id", "player__nickname"):
        seated[revision_id].append((player, name))
    return [view_of(revision, seated[revision.pk]) for revision in revisions]


def revision_view(table: Table, number: int, revision: int) -> HandView | None:
    """One state of a hand; two queries."""
    found = (
        Revision.objects.filter(hand__table=table, hand__number=number, number=revision)
        .select_related("hand", "author")
        .first()
    )
    return None if found is None else views_of([found])[0]


def unstored(chain: Chain, names: Mapping[int, str], record: Mapping[str, Any], result: recording.Result) -> HandView:
    """A hand that nobody has stored, as the next one of its table."""
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
    """A hand of a table by its number."""
    return Hand.objects.filter(table=table, number=number).first()
