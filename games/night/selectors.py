"""What pages read of the night between the hands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.db.models import Count, OuterRef, Subquery, Sum
from django.utils.translation import gettext as _

from league.models import Evening, Player, ResultRow
from league.names import Names
from league.templatetags.league_tags import format_price

from ..models import Happening, Place, Table
from .places import places
from .words import in_order, listed

T = TypeVar("T")


@dataclass(frozen=True)
class Told:
    """Something that happened at a table: after which hand, when, in words, and who wrote it down."""

    after: int
    at: datetime
    kind: str
    sentence: str
    author: str


@dataclass(frozen=True)
class Stretch(Generic[T]):
    """A hand with what happened since, newest first; `hand` is None for what happened before the first one."""

    told: Sequence[Told]
    hand: T | None


@dataclass(frozen=True)
class Beside:
    """A table of the evening that plays, with those who sit there."""

    pk: int
    number: int
    hands: int
    names: tuple[str, ...]


def stories(
    tables: Iterable[Table], *, amounts: bool, currency: str, names: Names | None = None
) -> dict[int, list[Told]]:
    """What happened at each of these tables, newest first; coins are named, in `currency`, where `amounts` may be seen,
    people as the reader knows them (`names`; without it by nickname).

    Four queries, however much happened; one where nothing did.
    """
    told: dict[int, list[Told]] = {table.pk: [] for table in tables}
    happened = Happening.objects.filter(table__in=told).select_related("author")
    newest = list(happened.order_by("-created_at", "-pk"))
    now = places(newest)
    newest.sort(key=lambda one: -now[one.pk])
    shown = tell(newest, amounts=amounts, currency=currency, readers=names)
    for one, (table_id, said) in zip(newest, shown, strict=True):
        told[table_id].append(replace(said, after=now[one.pk]))
    return told


def tell(
    happened: Sequence[Happening], *, amounts: bool, currency: str, readers: Names | None = None
) -> list[tuple[int, Told]]:
    """Happenings in words, each with its table's key; one query, none where nothing happened. Authors are loaded."""
    people = {player for one in happened for player in _people_in(one.data)}
    names: Mapping[int, str] = {}
    if people and readers is not None:
        names = readers.of(people)
    elif people:
        names = dict(Player.objects.filter(pk__in=people).values_list("pk", "nickname"))
    return [
        (
            one.table_id,
            Told(
                after=one.after,
                at=one.created_at,
                kind=one.kind,
                sentence=sentence(one.kind, one.data, names, currency if amounts else ""),
                author=str(one.author) if one.author else "",
            ),
        )
        for one in happened
    ]


def woven(hands: Sequence[T], told: Sequence[Told], number: Callable[[T], int]) -> list[Stretch[T]]:
    """Hands (newest first) with what happened after each."""
    rest = list(told)
    stretches: list[Stretch[T]] = []
    for hand in hands:
        since = [one for one in rest if one.after >= number(hand)]
        rest = [one for one in rest if one.after < number(hand)]
        stretches.append(Stretch(since, hand))
    return [*stretches, Stretch(rest, None)] if rest else stretches


def tables_of(evening: Evening) -> list[Beside]:
    """The tables of an evening that play, by number; two queries."""
    seats: dict[int, list[str]] = {}
    places = Place.objects.filter(table__evening=evening).order_by("table_id", "seat")
    for table_id, name in places.values_list("table_id", "player__nickname"):
        seats.setdefault(table_id, []).append(name)
    tables = Table.objects.filter(evening=evening, dissolved=False).order_by("number")
    return [Beside(table.pk, table.number, table.hands, tuple(seats.get(table.pk, ()))) for table in tables]


def beside(table: Table) -> list[tuple[int, int]]:
    """The evening's other tables that play, key and number; one query."""
    others = Table.objects.filter(evening=table.evening_id, dissolved=False).exclude(pk=table.pk)
    return list(others.order_by("number").values_list("pk", "number"))


def happened() -> Subquery:
    """For a query of evenings: how much happened at the tables of each, so that a page can tell what is new."""
    at_tables = Happening.objects.filter(table__evening=OuterRef("pk")).order_by().values("table__evening")
    return Subquery(at_tables.annotate(n=Count("pk")).values("n"))


def sums_of(evening: Evening) -> dict[int, int]:
    """Each player's sum of the evening so far, in Rappen, by player; one query."""
    rows = ResultRow.objects.filter(evening=evening).order_by().values_list("player_id")
    return dict(rows.annotate(change=Sum("change_minor")))


def _people_in(data: Mapping[str, Any]) -> list[int]:
    single = [data[name] for name in ("player", "after", "instead", "deals") if isinstance(data.get(name), int)]
    return [*single, *data.get("players", []), *data.get("pair", [])]


def sentence(kind: str, data: Mapping[str, Any], names: Mapping[int, str], currency: str) -> str:
    """A happening in words; `names` by player, coins in Rappen of `currency`, not named where that is empty."""
    said = _core(kind, data, names)
    if currency and data.get("coins"):
        coins = format_price(data["coins"], currency)
        said = _("%(told)s, with %(amount)s of the pot") % {"told": said, "amount": coins}
    if "deals" in data:
        said = _("%(told)s; %(name)s deals") % {"told": said, "name": names.get(data["deals"], "?")}
    return said


def _core(kind: str, data: Mapping[str, Any], names: Mapping[int, str]) -> str:
    words = {
        "name": names.get(data.get("player", 0), "?"),
        "names": listed([names.get(player, "?") for player in data.get("players", [])]),
        "number": data.get("to", data.get("from", 0)),
    }
    if kind == Happening.Kind.ARRIVED:
        return _("%(name)s comes and sits after %(after)s") % (words | {"after": names.get(data["after"], "?")})
    if kind == Happening.Kind.LEFT:
        return _("%(name)s leaves") % words
    if kind == Happening.Kind.SWAPPED:
        return in_order(data["players"], data.get("pair", ()), names)
    if kind == Happening.Kind.DEALER:
        return _("%(name)s deals instead of %(before)s") % (words | {"before": names.get(data["instead"], "?")})
    if kind in (Happening.Kind.SPLIT, Happening.Kind.MERGED):
        said = _("%(names)s go to table %(number)d") if "to" in data else _("%(names)s come from table %(number)d")
        return said % words
    if kind == Happening.Kind.LAST:
        return _("No last hand for all: it goes on") if data.get("off") else _("Last hand for all")
    plain = {
        Happening.Kind.PAUSED: _("Pause"),
        Happening.Kind.RESUMED: _("On again"),
        Happening.Kind.CARRIED: _("The pot of the last evening comes into the pot"),
    }
    return plain[Happening.Kind(kind)]
