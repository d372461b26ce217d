"""Verify everything against the hand records: `differences` lists the differences, `rebuild` writes derived rows
again.

Hand records and seats are the source. Transfers are checked against them and never changed; result rows, tables,
standings and balances can be rebuilt. The transfers of a closing show the distribution of the pots of its evening.

The work has parts: each evening, the counts of each season, the receipts, accounts and member fees of each club, the
merged players.
A part is checked on its own, so that several processes can share the work, and a part that agreed can be left out until
something is stored in it again (`verified`).
"""

from __future__ import annotations

import contextlib
import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

from django.db import connection, connections, transaction
from django.db.models import Count, Model, Q, QuerySet, Sum

from league.imports import integrity as imported
from league.member_fees import integrity as member_fees
from league.models import (
    Balance,
    Closing,
    Club,
    Evening,
    EveningScore,
    MemberFee,
    Posting,
    Receipt,
    ResultRow,
    Season,
    Standing,
    TeamShare,
    TeamStanding,
    Transfer,
)
from league.roster import merging
from league.standings import counting
from league.standings.facts import counting as facts

from ..models import Happening, Table
from . import closings, processes, tables

EVENING, SEASON, CLUB, PLAYERS = "evening", "season", "club", "players"


@dataclass(frozen=True)
class Part:
    """A part of the work. `state` changes with each stored row of the part; `hands` is the amount of work."""

    kind: str
    pk: int
    state: str = ""
    hands: int = 0

    @property
    def subject(self) -> str:
        """The name of the part, as `evening:12`."""
        return f"{self.kind}:{self.pk}"


def differences(seasons: Sequence[Season] | None = None) -> Iterator[str]:
    """Yield a sentence for each stored value that differs from the records."""
    for part in parts(seasons):
        yield from check(part)


def parts(seasons: Sequence[Season] | None = None) -> list[Part]:
    """Return all parts, with evenings and counts of these seasons only. Nine queries."""
    chosen = Season.every.order_by("pk")
    if seasons is not None:
        chosen = chosen.filter(pk__in=[season.pk for season in seasons])
    return [*_evenings(chosen), *_seasons(chosen), *_clubs(), Part(PLAYERS, 0)]


def _evenings(seasons: QuerySet[Season]) -> Iterator[Part]:
    # Rows of these tables are only ever added, so that a number of rows that is the same means the same rows.
    grown = [_numbers(Posting, "evening"), _numbers(Happening, "table__evening"), _numbers(Closing, "evening")]
    hands = dict(Table.objects.order_by().values_list("evening").annotate(hands=Sum("hands")))
    for evening in Evening.objects.filter(season__in=seasons).order_by("season_id", "pk").values_list("pk", flat=True):
        state = "/".join(str(numbers.get(evening, 0)) for numbers in grown)
        yield Part(EVENING, evening, state, hands.get(evening, 0))


def _seasons(seasons: QuerySet[Season]) -> Iterator[Part]:
    # A change of the season's points or of merged players raises the ledger mark, too.
    for season, ledger_mark, counted_mark in seasons.values_list("pk", "ledger_mark", "count__counted_mark"):
        yield Part(SEASON, season, f"{ledger_mark}/{counted_mark or 0}")


def _clubs() -> Iterator[Part]:
    postings, receipts = _numbers(Posting, "club"), _numbers(Receipt, "club")
    for club in sorted(receipts.keys() | _numbers(MemberFee, "club").keys()):
        yield Part(CLUB, club, f"{receipts.get(club, 0)}/{postings.get(club, 0)}")


def _numbers(model: type[Model], owner: str) -> Mapping[int, int]:
    return dict(model._default_manager.order_by().values_list(owner).annotate(rows=Count("pk")))


def check(part: Part) -> list[str]:
    """Return a sentence for each difference in a part."""
    with _snapshot(part):
        return list(CHECKS[part.kind](part.pk))


@contextlib.contextmanager
def _snapshot(part: Part) -> Iterator[None]:
    """Let all queries of a part read the same state, so that a hand stored meanwhile is no difference."""
    outermost = not connection.in_atomic_block
    with transaction.atomic():
        # A season is counted again inside, which writes: it locks its rows as a worker does.
        if connection.vendor == "postgresql" and outermost and part.kind != SEASON:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield


def run(chosen: Sequence[Part], jobs: int = 1) -> Iterator[tuple[Part, list[str]]]:
    """Check these parts in `jobs` processes, and yield each part with its differences, in order."""
    if jobs == 1:
        for part in chosen:
            yield part, check(part)
        return
    # A new process opens a connection of its own.
    connections.close_all()
    new_process = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=new_process, initializer=processes.begin) as pool:
        at_once = max(1, len(chosen) // (jobs * 16))
        yield from zip(chosen, pool.map(check, chosen, chunksize=at_once), strict=True)


# --- The checks of each kind of part ---------------------------------------------------------------------


def _evening_differences(pk: int) -> Iterator[str]:
    evening = Evening.objects.select_related("club", "season", "house_rules").get(pk=pk)
    yield from tables.differences(evening)
    yield from closings.evening_differences(evening)
    yield from imported.differences(evening)
    yield from _foreign_rows(evening)


def _foreign_rows(evening: Evening) -> Iterator[str]:
    """Find transfers and result rows of an evening that belong to no hand, happening or closing."""
    where = f"evening {evening.pk}"
    of_a_cause = Q(hand_revision__isnull=False) | Q(happening__isnull=False)
    of_a_closing = Q(closing__isnull=False) | Q(reverses__closing__isnull=False)
    of_an_import = Q(imported_evening__isnull=False) | Q(reverses__imported_evening__isnull=False)
    without = Posting.objects.filter(evening=evening).exclude(of_a_cause | of_a_closing | of_an_import)
    stray = Transfer.objects.filter(posting__in=without).exclude(kind=Transfer.Kind.PAID).count()
    if stray:
        yield f"{where}: {stray} transfers belong to no revision of a hand, no move of a pot and no end of an evening"
    known = Q(posting__hand_revision__isnull=False) | Q(posting__closing__isnull=False)
    known |= Q(posting__imported_evening__isnull=False)
    rows = ResultRow.objects.filter(evening=evening).exclude(known).count()
    if rows:
        yield f"{where}: {rows} result rows belong to no revision of a hand and no end of an evening"


COUNTED: tuple[Any, ...] = (Standing, EveningScore, Balance, TeamStanding, TeamShare)


def _count_differences(pk: int) -> Iterator[str]:
    """Standings, nights and balances against a count from scratch, which is thrown away. A season that still
    waits to be counted is behind, not wrong. Chips are never counted."""
    with transaction.atomic():
        season = Season.every.select_related("count").get(pk=pk)
        if season.in_chips:
            if any(_counted(season)):
                yield f"season {season}: its chips were counted as money"
            return
        counted = getattr(season, "count", None)
        if season.ledger_mark > (counted.counted_mark if counted else 0):
            return
        stored = _counted(season)
        counting.recount(season)
        scratch = _counted(season)
        transaction.set_rollback(True)
    for model, kept, due in zip(COUNTED, stored, scratch, strict=True):
        if kept != due:
            yield f"season {season}: {len(kept ^ due)} rows of {model.__name__} are not what its results give"
    yield from facts.differences(season)


def _counted(season: Season) -> list[set[tuple[Any, ...]]]:
    """The season's counted rows, without their ids."""
    row_sets = []
    for model in COUNTED:
        columns = [column.attname for column in model._meta.concrete_fields if not column.primary_key]
        row_sets.append(set(model.objects.filter(season=season).order_by().values_list(*columns)))
    return row_sets


def _club_differences(pk: int) -> Iterator[str]:
    club = Club.objects.get(pk=pk)
    yield from closings.chain_differences(club)
    yield from closings.club_account_differences(club)
    yield from member_fees.differences(club)


CHECKS: Mapping[str, Callable[[int], Iterator[str]]] = {
    EVENING: _evening_differences,
    SEASON: _count_differences,
    CLUB: _club_differences,
    PLAYERS: lambda pk: iter(merging.differences()),
}


def rebuild(season: Season) -> int:
    """Rebuild result rows, tables and counts of one season from its records, in one transaction. Returns the number
    of hands.

    Raises:
        LookupError: a stored record no longer replays; nothing is changed then.
    """
    hands = 0
    with transaction.atomic():
        locked = Season.every.select_for_update().get(pk=season.pk)
        merging.rebuild(locked.club_id)
        ResultRow.objects.filter(season=locked).delete()
        for table in Table.objects.filter(evening__season=locked).select_related("evening").order_by("pk"):
            hands += tables.rebuild(table)
        closings.rebuild(locked)
        imported.rebuild(locked)
        # A new mark, so that pages with the old count see that there is a newer one.
        locked.ledger_mark += 1
        locked.save(update_fields=["ledger_mark"])
    counting.count_season(season.pk)
    return hands
