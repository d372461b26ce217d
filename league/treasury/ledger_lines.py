"""The ledger of a club as lines: all transfers that the filters find, newest first, with their sum; and as a file.

The day of a line is that of its evening, its entry or its payment. A season of points only has no amounts, and no
lines.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, F, Q, QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from ..access import ClubAccess
from ..imported_mark import evening_with_season, imported_note
from ..models import Account, Club, Evening, KittyEntry, PaymentDay, Posting, Season, Transfer
from ..standings.exports import LEDGER, transfer_row
from ..standings.recorded_hands import recorded
from ..standings.selectors import transfer_values
from ..web.csv_download import LongList, file_name
from . import transfer_texts

PAGE_SIZE = 50
# A new column comes last.
COLUMNS = (*LEDGER[:-1], "season", LEDGER[-1])
ENTRY_DAYS = ("posting__kitty_entry__day", "posting__reverses__kitty_entry__day")


@dataclass(frozen=True)
class LedgerFilters:
    """The filters of the ledger. `players` are the merged players of one person, empty for everybody; `kind` is a
    transfer's, empty for all."""

    first: date | None = None
    last: date | None = None
    player: int | None = None
    players: frozenset[int] = frozenset()
    kind: str = ""

    @property
    def dated(self) -> bool:
        """True if there is a first or a last day."""
        return self.first is not None or self.last is not None

    def query(self, **more: Any) -> str:
        """Return the query string of the same filters. Days that are not given are in it, empty: without them the page
        begins with the current season."""
        days = {name: day.isoformat() if day else "" for name, day in (("from", self.first), ("to", self.last))}
        sent = {"player": self.player, "kind_of_entry": self.kind, **more}
        return urlencode(days | {name: value for name, value in sent.items() if value})


@dataclass(frozen=True)
class LedgerLine:
    """One transfer: `moved` with `reverses` is a reversal; `url` is the page of its hand or evening."""

    pk: int
    day: date
    source: str
    target: str
    kind: str
    amount_minor: int
    place: str
    url: str
    reason: str
    reverses: bool


@dataclass(frozen=True)
class LedgerPage:
    """One page of the ledger, with number and sum of all transfers that the filters find. `older`: the last key of the
    page, None on the last one."""

    lines: Sequence[LedgerLine]
    count: int
    amount_minor: int
    older: int | None


def transfers(club: Club, filters: LedgerFilters) -> QuerySet[Transfer]:
    """Return the transfers that the filters find. At most three queries for the bounds.

    Each combination of filters is read from an index: by period that of the postings (from the evenings and entries of
    these days), by person those of the accounts, else that of the season with the kind.
    """
    seasons = list(Season.objects.filter(club=club, points_only=False).values_list("pk", flat=True))
    rows = Transfer.objects.filter(kind=filters.kind) if filters.kind else Transfer.objects.all()
    if filters.dated:
        # A posting and its transfers have one season.
        rows = rows.filter(posting__in=_postings(club, filters).filter(season__in=seasons).values("pk"))
    if filters.players:
        accounts = list(Account.objects.filter(club=club, player__in=filters.players).values_list("pk", flat=True))
        rows = rows.filter(Q(from_account__in=accounts) | Q(to_account__in=accounts))
    if filters.dated:
        return rows
    if filters.players:
        # No column alone, so that SQLite takes the other index and not that of the season.
        return rows.annotate(of_season=F("season_id") + 0).filter(of_season__in=seasons)
    return rows.filter(season__in=seasons)


def _postings(club: Club, filters: LedgerFilters) -> QuerySet[Posting]:
    """Return the postings of the period: of its evenings, its entries and its payments. Two queries for the keys of the
    first two."""
    days: dict[str, date] = {}
    if filters.first is not None:
        days["gte"] = filters.first
    if filters.last is not None:
        days["lte"] = filters.last
    held = {f"held_on__{name}": day for name, day in days.items()}
    booked = {f"day__{name}": day for name, day in days.items()}
    evenings = list(Evening.objects.filter(club=club, **held).values_list("pk", flat=True))
    entries: Any = KittyEntry.objects.filter(club=club, **booked).values_list("posting", "posting__reversed_by")
    of_entries = [key for pair in entries for key in pair if key is not None]
    paid = PaymentDay.objects.filter(club=club, **{f"day__{name}": day for name, day in days.items()})
    of_evenings = Q(evening__in=evenings, payment_day__isnull=True)
    return Posting.objects.filter(of_evenings | Q(pk__in=of_entries) | Q(pk__in=paid.values("posting")))


def read(club: Club, filters: LedgerFilters, before: int | None = None, size: int = PAGE_SIZE) -> LedgerPage:
    """Return one page of the ledger, newest first, with the sum of the whole. At most eight queries."""
    rows = transfers(club, filters)
    sums = rows.order_by().aggregate(n=Count("pk"), amount=Sum("amount_minor"))
    if before is not None:
        rows = rows.filter(pk__lt=before)
    related = ("posting__evening__season", "posting__evening__club", "from_account__player", "to_account__player")
    more = ("posting__kitty_entry", "posting__reverses__kitty_entry", "posting__payment_day")
    # First the keys of the page: else PostgreSQL joins all this to each transfer before it filters them.
    keys = list(newest_first(rows, filters).values_list("pk", flat=True)[: size + 1])
    page_transfers = list(Transfer.objects.filter(pk__in=keys).select_related(*related, *more).order_by("-pk"))
    places = recorded().places({transfer.posting.source for transfer in page_transfers})
    lines = [_line(transfer, places) for transfer in page_transfers[:size]]
    return LedgerPage(lines, sums["n"], sums["amount"] or 0, lines[-1].pk if len(page_transfers) > size else None)


def newest_first(rows: QuerySet[Transfer], filters: LedgerFilters) -> QuerySet[Transfer]:
    """Order transfers by storage, the newest first.

    A few of a period or a person are sorted: by the key alone PostgreSQL would walk back through all transfers to find
    them, and the sum of two is no key.
    """
    return rows.order_by((F("pk") + 0).desc() if filters.dated or filters.players else "-pk")


def count_of(club: Club, filters: LedgerFilters) -> int:
    """Return the number of transfers that the filters find."""
    return transfers(club, filters).count()


def _line(transfer: Transfer, places: Mapping[uuid.UUID, tuple[int, int]]) -> LedgerLine:
    posting = transfer.posting
    evening, hand = posting.evening, places.get(posting.source)
    url = evening.get_absolute_url() if evening else ""
    place = evening_with_season(evening) if evening else ""
    if evening and hand:
        url += f"#hand-{hand[0]}-{hand[1]}"
        named = _("%(evening)s, hand %(number)d") % {"evening": evening.title, "number": hand[1]}
        place = ", ".join(filter(None, [named, imported_note(evening)]))
    return LedgerLine(
        pk=transfer.pk,
        day=_day(posting),
        source=transfer_texts.account_name(transfer.from_account),
        target=transfer_texts.account_name(transfer.to_account),
        kind=str(Transfer.Kind(transfer.kind).label),
        amount_minor=transfer.amount_minor,
        place=place,
        url=url,
        reason=posting.reason or (posting.reverses.reason if posting.reverses else ""),
        reverses=posting.reverses_id is not None,
    )


def _day(posting: Any) -> date:
    paid = getattr(posting, "payment_day", None)
    if paid or posting.evening:
        day: date = paid.day if paid else posting.evening.held_on
        return day
    entry = getattr(posting, "kitty_entry", None) or getattr(posting.reverses, "kitty_entry", None)
    return entry.day if entry else timezone.localdate(posting.created_at)


def ledger_list(access: ClubAccess, filters: LedgerFilters) -> LongList:
    """Return the list of the transfers that the filters find."""
    days = [day.isoformat() for day in (filters.first, filters.last) if day]
    return LongList(file_name(access, "ledger", *days), _("Ledger"), COLUMNS, ("amount_minor",))


def file_rows(access: ClubAccess, filters: LedgerFilters) -> Iterator[dict[str, Any]]:
    """Yield the rows of the file, in the order of storage: those of a season's ledger, with the day of an entry."""
    for row in transfer_values(transfers(access.club, filters), *ENTRY_DAYS, "season__slug"):
        entered = next((row[name] for name in ENTRY_DAYS if row[name]), None)
        values = transfer_row(row, access)
        yield {**values, "held_on": values["held_on"] or entered, "season": row["season__slug"]}
