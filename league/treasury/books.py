"""The books of a treasurer: kitty, box, payments, and the result of each evening; with filters and sums.

Sums are of all lines that the filters match, not of one page. Entries that were undone, and their reversals, are left
out unless the filter asks for them. A season of points only has no lines in a book.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlencode

from django.db.models import BigIntegerField, Case, Count, Exists, F, OuterRef, Q, QuerySet, Sum, Value, When
from django.db.models.functions import Abs, Cast, Coalesce

from ..imported_mark import evening_with_season
from ..ledger.club_accounts import transfers_of
from ..models import Account, Club, Evening, EveningScore, KittyEntry, Player, Posting, ResultRow, Season, Transfer
from ..payments.days import COUNTED_DAY
from . import transfer_texts

KITTY, BOX, PAYMENTS, EVENINGS = "kitty", "box", "payments", "evenings"
BOOKS = (KITTY, BOX, PAYMENTS, EVENINGS)
PAGE_SIZE = 50

Cursor = tuple[date, int]
"""The day and the key of the last line of a page."""


@dataclass(frozen=True)
class Filters:
    """The filters of a book. `players` are the merged players of one person, empty for everybody. `undone`: undone
    entries are shown, too."""

    book: str = KITTY
    first: date | None = None
    last: date | None = None
    player: int | None = None
    players: frozenset[int] = frozenset()
    undone: bool = False

    def query(self, **more: Any) -> str:
        """Return the query string of the same filters."""
        sent: dict[str, Any] = {"book": self.book}
        sent |= {"from": self.first and self.first.isoformat(), "to": self.last and self.last.isoformat()}
        sent |= {"player": self.player, "undone": "1" if self.undone else "", **more}
        return urlencode({name: value for name, value in sent.items() if value})

    @property
    def has_balance(self) -> bool:
        """Return True if the book is that of one account: kitty or box, of everybody."""
        return self.book in (KITTY, BOX) and not self.players

    @property
    def with_undone(self) -> str:
        """The query string of the same filters, with undone entries, or without."""
        return replace(self, undone=not self.undone).query()


@dataclass(frozen=True)
class BookLine:
    """One line of a book. Amounts are Rappen, None in the other column; `entry` is an entry that can be undone, `state`
    is `undone` or `undoes` for entries that no longer count. `is_imported`: the evening came from a file."""

    pk: int
    day: date
    text: str
    url: str
    place: str
    person: str
    in_minor: int | None
    out_minor: int | None
    entry: KittyEntry | None = None
    state: str = ""
    is_imported: bool = False


@dataclass(frozen=True)
class Sums:
    """The sums of all lines that the filters match, in Rappen."""

    count: int
    in_minor: int
    out_minor: int

    @property
    def difference_minor(self) -> int:
        """Income less expenses."""
        return self.in_minor - self.out_minor


@dataclass(frozen=True)
class Ends:
    """The balances of the account of a book at the beginning of the first day and at the end of the last one, in
    Rappen."""

    opening_minor: int
    closing_minor: int


@dataclass(frozen=True)
class Page:
    """One page of a book, the newest day first. `older`: the cursor of the next page, None on the last one; `ends`: the
    balances of kitty or box, None for another book."""

    lines: Sequence[BookLine]
    sums: Sums
    older: Cursor | None
    ends: Ends | None


def read(club: Club, filters: Filters, after: Cursor | None = None, size: int = PAGE_SIZE) -> Page:
    """Return one page of a book with the sums of the whole. Three queries, of kitty or box from a day on five."""
    rows = _rows(club, filters)
    sums = _sums(rows)
    if after is not None:
        rows = rows.filter(Q(on_day__lt=after[0]) | Q(on_day=after[0], pk__lt=after[1]))
    page_rows = list(rows.order_by("-on_day", "-pk")[: size + 1])
    lines = _lines(page_rows[:size], club, filters)
    older = (lines[-1].day, lines[-1].pk) if len(page_rows) > size else None
    return Page(lines, sums, older, ends_of(club, filters, sums))


def ends_of(club: Club, filters: Filters, sums: Sums) -> Ends | None:
    """Return the balances at both ends of a book whose lines have these sums; None if it is not that of one account.
    Two queries if the book has a first day."""
    if not filters.has_balance:
        return None
    opening = held_before(club, filters.book, filters.first) if filters.first else 0
    return Ends(opening, opening + sums.difference_minor)


def held_before(club: Club, book: str, day: date) -> int:
    """Return the coins that kitty or box had before this day, in Rappen. Two queries."""
    if day == date.min:
        return 0
    return sums_of(club, Filters(book=book, last=day - timedelta(days=1))).difference_minor


def every_line(club: Club, filters: Filters) -> list[BookLine]:
    """Return all lines of a book, the oldest day first. One query."""
    return _lines(list(_rows(club, filters).order_by("on_day", "pk")), club, filters)


def sums_of(club: Club, filters: Filters) -> Sums:
    """Return the sums of a book. One query."""
    return _sums(_rows(club, filters))


def _rows(club: Club, filters: Filters) -> QuerySet[Any]:
    return evening_rows(club, filters) if filters.book == EVENINGS else transfer_rows(club, filters)


def _lines(rows: Sequence[Any], club: Club, filters: Filters) -> list[BookLine]:
    line = _evening_line if filters.book == EVENINGS else _transfer_line
    return [line(row, club, filters) for row in rows]


def transfer_rows(club: Club, filters: Filters) -> QuerySet[Any]:
    """Return the transfers of a book, each with `on_day`, and with its amount as `came_in` or `went_out`."""
    if filters.book == PAYMENTS:
        rows = Transfer.objects.filter(kind=Transfer.Kind.PAID, season__club=club, season__points_only=False)
        # The payments after an imported evening are unknown.
        rows = rows.filter(posting__evening__imported__isnull=True)
        # The payer's account grows by a payment, see `league.payments`.
        coming = Q(from_account__player__in=filters.players) if filters.players else Q(pk__isnull=False)
        going = Q(to_account__player__in=filters.players)
        rows = rows.filter(coming | going)
    else:
        account = Account.objects.filter(club=club, kind=filters.book).values_list("pk", flat=True).first() or 0
        coming, going = Q(to_account=account), Q(from_account=account)
        rows = transfers_of(club).filter(coming | going).exclude(kind=Transfer.Kind.PAID)
    entry = ("posting__kitty_entry", "posting__reverses__kitty_entry")
    own = (
        COUNTED_DAY if filters.book == PAYMENTS else ("posting__evening__held_on", *(f"{path}__day" for path in entry))
    )
    rows = rows.annotate(on_day=Coalesce(*own))
    if filters.players and filters.book != PAYMENTS:
        rows = rows.annotate(of_player=Coalesce(*(f"{path}__player" for path in entry)))
        rows = rows.filter(of_player__in=filters.players)
    if not filters.undone:
        # Not `IS NULL`, for which SQLite takes an index with nearly all postings.
        rows = rows.exclude(posting__reverses__isnull=False)
        # Not a join and `IS NULL`: PostgreSQL expects one row of it, and then reads all postings first.
        rows = rows.exclude(Exists(Posting.objects.filter(reverses=OuterRef("posting"))))
    related = ("posting__evening__season", "posting__evening__club", "from_account__player", "to_account__player")
    more = ("posting__reversed_by", *(f"{path}__player" for path in entry))
    transfers: QuerySet[Any] = _within(_in_columns(rows, F("amount_minor"), coming, going), filters)
    return transfers.select_related(*related, *more)


def evening_rows(club: Club, filters: Filters) -> QuerySet[Any]:
    """Return the result of each evening for each player, as last counted, with the same annotations."""
    rows: Any = EveningScore.objects.filter(season__club=club, season__points_only=False, season__in_chips=False)
    rows = rows.exclude(change_minor=0).annotate(on_day=F("evening__held_on"))
    if filters.players:
        rows = rows.filter(player__in=filters.players)
    rows = _in_columns(rows, Abs("change_minor"), Q(change_minor__gt=0), Q(change_minor__lt=0))
    scores: QuerySet[Any] = _within(rows, filters)
    return scores.select_related("evening__season", "evening__club", "player")


def evenings_left_out(club: Club, filters: Filters) -> int:
    """Return the number of evenings of this time and these persons that the book of evenings does not have: their
    seasons count the other game alone. 0 for another book. One query."""
    if filters.book != EVENINGS:
        return 0
    seasons = Season.objects.filter(club=club, points_only=False).exclude(games="")
    evenings: Any = Evening.nights.filter(club=club, season__in=seasons, undone_at=None).annotate(on_day=F("held_on"))
    evenings = _within(evenings.exclude(game=F("season__games")), filters)
    played = ResultRow.objects.filter(evening=OuterRef("pk"), season=OuterRef("season")).exclude(change_minor=0)
    if filters.players:
        played = played.filter(player__in=filters.players)
    return int(evenings.filter(Exists(played)).count())


def _in_columns(rows: Any, amount: Any, coming: Q, going: Q) -> Any:
    # Where nothing can match, only this is left of a case: PostgreSQL adds up no NULL without a type.
    none = Cast(Value(None), BigIntegerField())
    return rows.annotate(came_in=_case(coming, amount, none), went_out=_case(going, amount, none))


def _case(condition: Q, amount: Any, none: Cast) -> Any:
    return Case(When(condition, then=amount), default=none, output_field=BigIntegerField())


def _within(rows: Any, filters: Filters) -> Any:
    if filters.first is not None:
        rows = rows.filter(on_day__gte=filters.first)
    return rows if filters.last is None else rows.filter(on_day__lte=filters.last)


def _sums(rows: QuerySet[Any]) -> Sums:
    """Add up all rows in one query; `came_in` and `went_out` are annotated."""
    totals = rows.order_by().aggregate(n=Count("pk"), came=Sum("came_in"), went=Sum("went_out"))
    return Sums(totals["n"], totals["came"] or 0, totals["went"] or 0)


def _transfer_line(transfer: Any, club: Club, filters: Filters) -> BookLine:
    posting = transfer.posting
    entry = getattr(posting, "kitty_entry", None)
    of = entry or (posting.reverses and getattr(posting.reverses, "kitty_entry", None))
    undone = getattr(posting, "reversed_by", None) is not None
    text = (
        transfer_texts.paid_sentence(transfer) if filters.book == PAYMENTS else transfer_texts.moved_sentence(transfer)
    )
    return BookLine(
        pk=transfer.pk,
        day=transfer.on_day,
        text=_reason(posting) or text if of else text,
        url=posting.evening.get_absolute_url() if posting.evening else "",
        place=_place(posting.evening),
        person=of.player.nickname if of and of.player else "",
        in_minor=transfer.came_in,
        out_minor=transfer.went_out,
        # A member fee is undone on its own page.
        entry=entry if entry and not undone and transfer.kind != Transfer.Kind.FEE else None,
        state="undone" if undone else "undoes" if posting.reverses_id else "",
        is_imported=posting.evening is not None and posting.evening.is_imported,
    )


def _reason(posting: Any) -> str:
    """Return the reason of an entry, also for its reversal without a reason of its own."""
    return posting.reason or (posting.reverses.reason if posting.reverses else "")


def _evening_line(score: Any, club: Club, filters: Filters) -> BookLine:
    return BookLine(
        pk=score.pk,
        day=score.on_day,
        text=score.player.nickname,
        url=score.evening.get_absolute_url(),
        place=_place(score.evening),
        person="",
        in_minor=score.came_in,
        out_minor=score.went_out,
        is_imported=score.evening.is_imported,
    )


def _place(evening: Any) -> str:
    if not evening:
        return ""
    return evening_with_season(evening)


def person(club: Club, player: int | None) -> frozenset[int]:
    """Return the merged players of the person who has this player of the club; none for an unknown one."""
    if player is None:
        return frozenset()
    chosen_player = Player.objects.filter(club=club, pk=player).first()
    if chosen_player is None:
        return frozenset()
    root = chosen_player.main_id or chosen_player.pk
    return frozenset(Player.objects.filter(Q(pk=root) | Q(main=root)).values_list("pk", flat=True))


def people(club: Club) -> list[Player]:
    """Return the persons of a club, by name: players who are not merged into another one."""
    return sorted(Player.objects.filter(club=club, main__isnull=True), key=lambda player: player.nickname.casefold())
