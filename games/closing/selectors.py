"""What the pages of an evening's end read: the choices before it, and the settling up after it."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from league import payments
from league.models import Account, Closing, Evening, Payment, Player
from league.payments import Purse
from league.roster.merging import mains

from .. import recording
from ..models import Seat, Table
from . import carried, pots, words
from .pots import Part
from .services import standing


@dataclass(frozen=True)
class Person:
    """Somebody who may be ticked for a part of the pot; `seated`: still at a table."""

    player_id: int
    name: str
    seated: bool
    ticked: bool
    part_minor: int | None


@dataclass(frozen=True)
class Line:
    """A payment as a line of the page; None for `pk` where it is only thought of."""

    pk: uuid.UUID | None
    told: str
    why: str
    amount_minor: int
    paid: bool

    @property
    def key(self) -> uuid.UUID:
        """A key for its button."""
        return recording.new_key()


@dataclass(frozen=True)
class Choice:
    """An evening that is to be closed: what lies there, what each way does with it, and what would be paid then.

    `in_points`: its season is kept in points alone, so that nothing is settled. `stayed`: what of an
    earlier end did not come back.
    """

    in_points: bool
    pot_minor: int
    pot: str
    kitty_minor: int
    people: tuple[Person, ...]
    lines: tuple[Line, ...]
    hands: int
    last_of_all: bool
    table_id: int | None
    stayed: str = ""

    @property
    def antes_may_lie(self) -> bool:
        """Whether the antes of a hand that is not played any more may lie in the pot: after a last hand for all nobody
        puts one in."""
        return self.hands > 0 and self.table_id is not None and not self.last_of_all


@dataclass(frozen=True)
class SumLine:
    """A purse's evening as a row, with the totals of its columns below it."""

    name: str
    player: bool
    won_minor: int
    paid_minor: int
    open_minor: int


@dataclass(frozen=True)
class Settled:
    """A closed evening: what became of the pot, the sums, and who pays whom; `gone`: what would not come back if it
    were opened again."""

    closing: Closing
    way: str
    shares: tuple[tuple[str, int], ...]
    sums: tuple[SumLine, ...]
    lines: tuple[Line, ...]
    earlier: tuple[Line, ...]
    gone: str = ""

    @property
    def count(self) -> int:
        """How many payments there are, with those that were paid before."""
        return len(self.lines) + len(self.earlier)

    @property
    def due_minor(self) -> int:
        """All payments together, with those that were paid before."""
        return sum(line.amount_minor for line in (*self.lines, *self.earlier))

    @property
    def open_minor(self) -> int:
        """Those that are not paid."""
        return sum(line.amount_minor for line in self.lines if not line.paid)

    @property
    def paid_minor(self) -> int:
        """Those that are, before and now."""
        return self.due_minor - self.open_minor

    @property
    def total(self) -> SumLine:
        """The row below the sums: each column adds to 0."""
        return SumLine(
            "",
            False,
            sum(one.won_minor for one in self.sums),
            sum(one.paid_minor for one in self.sums),
            sum(one.open_minor for one in self.sums),
        )


def choice(evening: Evening, *, pot: str, ticked: Collection[int] | None) -> Choice:
    """What closing the evening would do; `ticked` are those who share the pot, None for all who still sit there."""
    tables = list(Table.objects.filter(evening=evening).prefetch_related("places__player").order_by("number"))
    known = _people(evening, tables)
    present = [pk for pk, (_name, seated) in known.items() if (seated if ticked is None else pk in ticked)]
    amount = pots.lie(tables)
    shared = pots.parts(amount, pots.order(tables, present), pots.coin_of(evening)) if present and amount else []
    accounts = _club_accounts(evening)
    going = [table for table in tables if not table.dissolved]
    if evening.season.points_only:
        amount, shared = 0, []
    return Choice(
        in_points=evening.season.points_only,
        pot_minor=amount,
        pot=pot,
        kitty_minor=pots.held(evening.club_id, Account.Kind.KITTY),
        people=_ticked(known, present, shared),
        lines=() if evening.season.points_only else tuple(_preview(evening, pot, amount, shared, accounts)),
        hands=sum(table.hands for table in tables),
        last_of_all=all(table.last_hand for table in going),
        table_id=going[0].pk if going else None,
        stayed=stayed.since() if (stayed := carried.stayed(evening)) else "",
    )


def _people(evening: Evening, tables: Sequence[Table]) -> dict[int, tuple[str, bool]]:
    """Who may be ticked, by name: those who sit there, and those who played tonight and left."""
    seated = {
        place.player_id: str(place.player) for table in tables if not table.dissolved for place in table.places.all()
    }
    played = dict(
        Seat.objects.filter(revision__hand__table__evening=evening)
        .order_by()
        .values_list("player_id", "player__nickname")
        .distinct()
    )
    names = played | seated
    return {pk: (names[pk], pk in seated) for pk in sorted(names, key=lambda pk: names[pk].casefold())}


def _ticked(
    known: Mapping[int, tuple[str, bool]], present: Sequence[int], shared: Sequence[Part]
) -> tuple[Person, ...]:
    parts = {part.player_id: part.amount_minor for part in shared}
    return tuple(Person(pk, name, seated, pk in present, parts.get(pk)) for pk, (name, seated) in known.items())


def _club_accounts(evening: Evening) -> dict[str, Account]:
    wanted = Account.objects.filter(club_id=evening.club_id, kind__in=[Account.Kind.KITTY, Account.Kind.BOX])
    return {account.kind: account for account in wanted}


def _preview(
    evening: Evening, pot: str, amount: int, shared: Sequence[Part], accounts: Mapping[str, Account]
) -> list[Line]:
    """Who would pay whom. A box or a kitty that is not there yet stands in as account 0."""
    one_person = mains(evening.club_id)
    purses = {purse.account.pk: purse for purse in payments.persons(payments.sums(evening), one_person)}
    more: dict[int, int] = {}
    if pot == Closing.Pot.SHARE:
        by_player = {one_person.get(p := purse.account.player_id or 0, p): pk for pk, purse in purses.items()}
        for part in shared:
            account = by_player.get(one_person.get(part.player_id, part.player_id))
            if account is None:
                # Who neither won nor lost tonight has no row among the sums yet.
                account = -part.player_id
                someone = Player.objects.get(pk=part.player_id)
                purses[account] = Purse(Account(pk=account, kind=Account.Kind.PLAYER, player=someone), 0, 0)
            more[account] = more.get(account, 0) + part.amount_minor
    elif amount:
        kind = Account.Kind.KITTY if pot == Closing.Pot.KITTY else Account.Kind.BOX
        account_of = accounts.get(kind) or Account(pk=0, kind=kind)
        purses.setdefault(account_of.pk, Purse(account_of, 0, 0))
        more[account_of.pk] = amount
    if amount and not more:
        return []
    then = {
        pk: Purse(purse.account, purse.won_minor + more.get(pk, 0), purse.open_minor + more.get(pk, 0))
        for pk, purse in purses.items()
    }
    currency = evening.club.currency
    return [
        Line(
            pk=None,
            told=words.told(then[due.payer].account, then[due.payee].account, due.amount_minor, currency),
            why=words.why(then[due.payer], then[due.payee], currency),
            amount_minor=due.amount_minor,
            paid=False,
        )
        for due in payments.due(list(then.values()))
    ]


def settled(evening: Evening) -> Settled | None:
    """A closed evening's settling up; None where it was closed without one, before there was any."""
    closing = standing(evening)
    if closing is None:
        return None
    if evening.season.points_only:
        way = _("The season is kept in points: the pot ended with the evening, and nobody owes anybody anything.")
        return Settled(closing=closing, way=way, shares=(), sums=(), lines=(), earlier=())
    purses = purses_of(evening, closing)
    of_evening = Payment.objects.filter(closing__evening=evening).select_related("closing")
    every = list(payments.with_paid(of_evening).order_by("closing__number", "number"))
    shares = [(words.purse_name(account), amount) for account, amount in shares_of(closing)]
    before = [one for one in every if one.closing_id != closing.pk and one.postings % 2]  # type: ignore[attr-defined]
    stood = _before(purses, before)
    currency = evening.club.currency
    return Settled(
        closing=closing,
        way=way_of(evening, closing, sum(amount for _name, amount in shares), len(shares)),
        shares=tuple(shares) if closing.pot == Closing.Pot.SHARE else (),
        sums=tuple(_sum_line(purse) for purse in purses),
        lines=tuple(_line(one, stood, currency) for one in every if one.closing_id == closing.pk),
        earlier=tuple(_line(one, {}, currency) for one in before),
        gone=gone.before_opening() if (gone := carried.would_stay(closing)) else "",
    )


def way_of(evening: Evening, closing: Closing, amount_minor: int, people: int) -> str:
    """What became of the pots of a closed evening, in a sentence or two."""
    said = words.pots_way(closing.pot, amount_minor, people, evening.club.currency)
    stayed = carried.stayed(evening)
    return f"{said} {stayed.since()}" if stayed else said


def purses_of(evening: Evening, closing: Closing) -> list[Purse]:
    """The sums of a closed evening in money, one a person as people were taken for one when it was closed."""
    return payments.persons(payments.sums(evening), mains(evening.club_id, closing.created_at))


def shares_of(closing: Closing) -> list[tuple[Account, int]]:
    """Who got what from the pots (Rappen); the accounts come with their players."""
    if closing.posting is None:
        return []
    got: dict[int, tuple[Account, int]] = {}
    for transfer in closing.posting.transfers.select_related("to_account__player").order_by("pk"):
        _account, before = got.get(transfer.to_account_id, (None, 0))
        got[transfer.to_account_id] = transfer.to_account, before + transfer.amount_minor
    return list(got.values())


def _sum_line(purse: Purse) -> SumLine:
    return SumLine(
        words.purse_name(purse.account),
        purse.account.player_id is not None,
        purse.won_minor,
        purse.paid_minor,
        purse.open_minor,
    )


def _line(payment: Any, purses: Mapping[int, Purse], currency: str) -> Line:
    return Line(
        pk=payment.pk,
        told=words.told(payment.payer, payment.payee, payment.amount_minor, currency),
        why=words.why(purses.get(payment.payer_id), purses.get(payment.payee_id), currency),
        amount_minor=payment.amount_minor,
        paid=payment.postings % 2 == 1,
    )


def _before(purses: Sequence[Purse], paid: Sequence[Payment]) -> dict[int, Purse]:
    """The purses as they stood when the payments were reckoned: won, and what was paid of earlier ones."""
    moved: dict[int, int] = {}
    for one in paid:
        moved[one.payer_id] = moved.get(one.payer_id, 0) + one.amount_minor
        moved[one.payee_id] = moved.get(one.payee_id, 0) - one.amount_minor
    return {
        purse.account.pk: Purse(purse.account, purse.won_minor, purse.won_minor + moved.get(purse.account.pk, 0))
        for purse in purses
    }


def story(evening: Evening) -> list[Closing]:
    """How often the evening was closed and opened again, oldest first, each with its author and its receipt."""
    return list(evening.closings.select_related("author", "receipt").order_by("number"))
