"""The timeline of a table, and the other data of its seating page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.db.models import Count, OuterRef, Subquery, Sum
from django.utils.translation import gettext as _

from league.access.names import Names
from league.access.persons import main_players
from league.models import Club, Evening, Player, ResultRow
from league.money import format_price
from league.payments import services as payments

from ..models import Happening, Place, Table
from .name_lists import in_order, listed
from .timeline_positions import positions

T = TypeVar("T")


@dataclass(frozen=True)
class TimelineEntry:
    """A happening for a page: the hand before it, its time, the sentence, and its author."""

    after: int
    at: datetime
    kind: str
    sentence: str
    author: str


@dataclass(frozen=True)
class Stretch(Generic[T]):
    """A hand with the happenings after it, newest first; `hand` is None for happenings before the first hand."""

    happenings: Sequence[TimelineEntry]
    hand: T | None


@dataclass(frozen=True)
class PlayingTable:
    """A table of the evening that plays, with its players."""

    pk: int
    number: int
    hands: int
    names: tuple[str, ...]


def timelines(
    tables: Iterable[Table], *, amounts: bool, currency: str, names: Names | None = None
) -> dict[int, list[TimelineEntry]]:
    """The happenings of each table, newest first. With `amounts` the sentences name coins, in `currency`. `names` are
    the names that the reader may see; without it nicknames.

    Four queries, for any number of happenings; one if there are none.
    """
    entries: dict[int, list[TimelineEntry]] = {table.pk: [] for table in tables}
    happened = Happening.objects.filter(table__in=entries).select_related("author")
    newest = list(happened.order_by("-created_at", "-pk"))
    now = positions(newest)
    newest.sort(key=lambda happening: -now[happening.pk])
    shown = timeline_entries(newest, amounts=amounts, currency=currency, readers=names)
    for happening, (table_id, entry) in zip(newest, shown, strict=True):
        entries[table_id].append(replace(entry, after=now[happening.pk]))
    return entries


def timeline_entries(
    happened: Sequence[Happening], *, amounts: bool, currency: str, readers: Names | None = None
) -> list[tuple[int, TimelineEntry]]:
    """Happenings as timeline entries, each with the id of its table. One query, none without happenings. Authors must
    be loaded."""
    people = {player for happening in happened for player in _people_in(happening.data)}
    names: Mapping[int, str] = {}
    if people and readers is not None:
        names = readers.of(people)
    elif people:
        names = dict(Player.objects.filter(pk__in=people).values_list("pk", "nickname"))
    return [
        (
            happening.table_id,
            TimelineEntry(
                after=happening.after,
                at=happening.created_at,
                kind=happening.kind,
                sentence=sentence(happening.kind, happening.data, names, currency if amounts else ""),
                author=str(happening.author) if happening.author else "",
            ),
        )
        for happening in happened
    ]


def interleave(hands: Sequence[T], happenings: Sequence[TimelineEntry], number: Callable[[T], int]) -> list[Stretch[T]]:
    """Hands (newest first), each with the happenings after it."""
    rest = list(happenings)
    stretches: list[Stretch[T]] = []
    for hand in hands:
        since = [entry for entry in rest if entry.after >= number(hand)]
        rest = [entry for entry in rest if entry.after < number(hand)]
        stretches.append(Stretch(since, hand))
    return [*stretches, Stretch(rest, None)] if rest else stretches


def tables_of(evening: Evening) -> list[PlayingTable]:
    """The tables of an evening that play, by number. Two queries."""
    seats: dict[int, list[str]] = {}
    places = Place.objects.filter(table__evening=evening).order_by("table_id", "seat")
    for table_id, name in places.values_list("table_id", "player__nickname"):
        seats.setdefault(table_id, []).append(name)
    tables = Table.objects.filter(evening=evening, dissolved=False).order_by("number")
    return [PlayingTable(table.pk, table.number, table.hands, tuple(seats.get(table.pk, ()))) for table in tables]


def other_tables(table: Table) -> list[tuple[int, int]]:
    """Id and number of the evening's other tables that play. One query."""
    others = Table.objects.filter(evening=table.evening_id, dissolved=False).exclude(pk=table.pk)
    return list(others.order_by("number").values_list("pk", "number"))


def happenings_count() -> Subquery:
    """For a query of evenings: the number of happenings at their tables, which is part of a page's ETag."""
    at_tables = Happening.objects.filter(table__evening=OuterRef("pk")).order_by().values("table__evening")
    return Subquery(at_tables.annotate(n=Count("pk")).values("n"))


def sums_of(evening: Evening) -> dict[int, int]:
    """The sum of the evening so far by player, in Rappen. One query."""
    rows = ResultRow.objects.filter(evening=evening).order_by().values_list("player_id")
    return dict(rows.annotate(change=Sum("change_minor")))


def unsettled_of(evening: Evening) -> dict[int, int]:
    """The amount that each person of the evening has yet to get (below 0: to pay), in Rappen, without those at 0. Empty
    where the
    coins move after each hand, and in a season of points alone."""
    if evening.settling == Club.Settling.HANDS or evening.season.points_only:
        return {}
    mains = main_players(evening.club_id)
    return {
        mains.get(player, player): account_sum.open_minor
        for account_sum in payments.sums_by_person(payments.sums(evening), mains)
        if (player := account_sum.account.player_id) and account_sum.open_minor
    }


def _people_in(data: Mapping[str, Any]) -> list[int]:
    single = [data[name] for name in ("player", "after", "instead", "deals") if isinstance(data.get(name), int)]
    return [*single, *data.get("players", []), *data.get("pair", [])]


def sentence(kind: str, data: Mapping[str, Any], names: Mapping[int, str], currency: str) -> str:
    """The sentence of a happening; `names` by player. Without a `currency` it names no coins."""
    text = _core(kind, data, names)
    if currency and data.get("coins"):
        coins = format_price(data["coins"], currency)
        text = _("%(sentence)s, with %(amount)s of the pot") % {"sentence": text, "amount": coins}
    if "deals" in data:
        text = _("%(sentence)s; %(name)s deals") % {"sentence": text, "name": names.get(data["deals"], "?")}
    return text


def _core(kind: str, data: Mapping[str, Any], names: Mapping[int, str]) -> str:
    values = {
        "name": names.get(data.get("player", 0), "?"),
        "names": listed([names.get(player, "?") for player in data.get("players", [])]),
        "number": data.get("to", data.get("from", 0)),
    }
    if kind == Happening.Kind.ARRIVED:
        return _("%(name)s comes and sits after %(after)s") % (values | {"after": names.get(data["after"], "?")})
    if kind == Happening.Kind.LEFT:
        return _("%(name)s leaves") % values
    if kind == Happening.Kind.SWAPPED:
        return in_order(data["players"], data.get("pair", ()), names)
    if kind == Happening.Kind.DEALER:
        return _("%(name)s deals instead of %(before)s") % (values | {"before": names.get(data["instead"], "?")})
    if kind in (Happening.Kind.SPLIT, Happening.Kind.MERGED):
        text = _("%(names)s go to table %(number)d") if "to" in data else _("%(names)s come from table %(number)d")
        return text % values
    if kind == Happening.Kind.LAST:
        return _("Not the last hand for all: it continues") if data.get("off") else _("Last hand for all")
    plain = {
        Happening.Kind.PAUSED: _("Pause"),
        Happening.Kind.RESUMED: _("Continue"),
        Happening.Kind.CARRIED: _("The pot of the last evening comes into the pot"),
    }
    return plain[Happening.Kind(kind)]
