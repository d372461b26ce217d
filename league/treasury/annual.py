"""The annual account of a treasurer: balance, income and expenses of the kitty in a period, the outstanding amounts at
its end,
and a control that compares the books with the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Sum
from django.utils.translation import gettext as _

from ..models import Club, Evening, Player, Transfer
from ..payments.days import season_days
from ..payments.on_day import DaySums, held_on, sums_on
from .books import BOX, KITTY, Ends, Filters, ends_of, sums_of, transfer_rows

MOST_CHOICES = 4


@dataclass(frozen=True)
class Group:
    """Income or expenses of one kind: pots of evenings, member fees, or the entries with one reason. `kind` is a
    transfer's."""

    kind: str
    text: str
    count: int
    amount_minor: int


@dataclass(frozen=True)
class Person:
    """A person's outstanding amount (below 0: to pay) from closed evenings and member fees at the last day, in
    Rappen."""

    player_id: int
    name: str
    amount_minor: int


@dataclass(frozen=True)
class AccountYear:
    """Kitty or box in the period: its balances, income and expenses, and the unpaid part of the balance at the end
    (below 0: not paid out), in Rappen."""

    ends: Ends
    in_minor: int
    out_minor: int
    open_minor: int

    @property
    def there_minor(self) -> int:
        """The coins that were really there at the end."""
        return self.ends.closing_minor - self.open_minor

    @property
    def used(self) -> bool:
        """Return True if anything was there or moved."""
        return any((self.ends.opening_minor, self.in_minor, self.out_minor, self.ends.closing_minor, self.open_minor))


@dataclass(frozen=True)
class Control:
    """A sum that was computed in two ways: from the books, and from the ledger or the results."""

    code: str
    text: str
    books_minor: int
    ledger_minor: int

    @property
    def difference_minor(self) -> int:
        """0 if both agree."""
        return self.books_minor - self.ledger_minor


@dataclass(frozen=True)
class Annual:
    """The annual account from `first` to `last`, both included."""

    first: date
    last: date
    kitty: AccountYear
    box: AccountYear
    income: Sequence[Group]
    expenses: Sequence[Group]
    persons: Sequence[Person]
    pots: Sequence[tuple[Evening, int]]
    controls: Sequence[Control]

    @property
    def agrees(self) -> bool:
        """Return True if all controls agree."""
        return not any(control.difference_minor for control in self.controls)


@dataclass(frozen=True)
class Choice:
    """A period to choose: a season or a calendar year."""

    name: str
    first: date
    last: date


def annual_account(club: Club, first: date, last: date) -> Annual:
    """Return the annual account of a period. Its number of queries is fixed."""
    sums = sums_on(club, last)
    kitty, box = (_account(club, book, first, last, sums) for book in (KITTY, BOX))
    income, expenses = _groups(club, first, last)
    return Annual(
        first=first,
        last=last,
        kitty=kitty,
        box=box,
        income=income,
        expenses=expenses,
        persons=_persons(club, sums),
        pots=list(sums.pots.items()),
        controls=_controls(club, last, kitty, box, (income, expenses), sums),
    )


def _account(club: Club, book: str, first: date, last: date, sums: DaySums) -> AccountYear:
    filters = Filters(book=book, first=first, last=last)
    moved = sums_of(club, filters)
    ends = ends_of(club, filters, moved) or Ends(0, 0)
    return AccountYear(ends, moved.in_minor, moved.out_minor, sums.accounts.get(book, 0))


def _groups(club: Club, first: date, last: date) -> tuple[list[Group], list[Group]]:
    """Return income and expenses of the kitty by kind, the largest first. Two queries."""
    rows = transfer_rows(club, Filters(first=first, last=last)).select_related(None).order_by()
    counted = rows.values_list("kind", "posting__reason").annotate(
        n=Count("pk"), came=Sum("came_in"), went=Sum("went_out")
    )
    groups: dict[tuple[bool, str, str], Group] = {}
    for kind, reason, count, came, went in counted:
        entered = kind in (Transfer.Kind.SPENT, Transfer.Kind.BROUGHT)
        fee = kind == Transfer.Kind.FEE
        text = reason if entered else _("Member fees") if fee else _("Pots of evenings")
        for came_in, amount in ((True, came or 0), (False, went or 0)):
            if not amount:
                continue
            key = (came_in, kind if entered or fee else Transfer.Kind.MOVED.value, text.casefold())
            known = groups.get(key, Group(key[1], text, 0, 0))
            groups[key] = Group(known.kind, known.text, known.count + count, known.amount_minor + amount)
    largest_first = sorted(groups.items(), key=lambda item: (-item[1].amount_minor, item[1].text))
    income, expenses = ([group for key, group in largest_first if key[0] is half] for half in (True, False))
    return income, expenses


def _persons(club: Club, sums: DaySums) -> list[Person]:
    names = dict(Player.objects.filter(club=club, pk__in=sums.persons).values_list("pk", "nickname"))
    people = [Person(player, names.get(player, ""), amount) for player, amount in sums.persons.items() if amount]
    return sorted(people, key=lambda person: (person.name.casefold(), person.player_id))


def _controls(
    club: Club,
    last: date,
    kitty: AccountYear,
    box: AccountYear,
    groups: tuple[Sequence[Group], Sequence[Group]],
    sums: DaySums,
) -> list[Control]:
    income, expenses = (sum(group.amount_minor for group in half) for half in groups)
    persons = sum(sums.persons.values())
    return [
        Control(KITTY, _("Kitty"), kitty.ends.opening_minor + income - expenses, held_on(club, KITTY, last)),
        Control(BOX, _("Box"), box.ends.closing_minor, held_on(club, BOX, last)),
        # The club pays the amounts that persons get: results and shares of fees on one side, transfers on the other.
        Control("persons", _("Outstanding"), persons, -sum(sums.accounts.values())),
    ]


def choices(club: Club, today: date) -> list[Choice]:
    """Return the periods to choose: the newest seasons with amounts, then the newest calendar years. One query."""
    seasons = season_days(club, today)
    choices = [Choice(days.season.name, days.first, days.last) for days in seasons]
    oldest = seasons[-1].first.year if seasons else today.year
    years = [
        Choice(str(year), date(year, 1, 1), min(date(year, 12, 31), today))
        for year in range(today.year, oldest - 1, -1)
    ]
    return choices[:MOST_CHOICES] + years[:MOST_CHOICES]


def default_choice(choices: Sequence[Choice], today: date) -> Choice:
    """Return the period to begin with: the season or calendar year that ended last, the season of two that ended on one
    day; the newest one if none has ended."""
    ended = [choice for choice in choices if choice.last < today]
    return max(ended, key=lambda choice: choice.last) if ended else choices[0]


def period(club: Club, first: date | None, last: date | None, today: date) -> tuple[date, date]:
    """Return the days of an account of which both, one or none was chosen."""
    if first is None and last is None:
        preset = default_choice(choices(club, today), today)
        return preset.first, preset.last
    last = last or max(today, first or today)
    return min(first or date(last.year, 1, 1), last), last
