"""Reads for the pages that close an evening: the choices before it is closed, and the settling up after that."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.translation import gettext as _

from league.access import ClubAccess
from league.access.persons import main_players
from league.ledger import club_accounts
from league.models import Account, Closing, Evening, Payment, Player
from league.payments import days
from league.payments import services as payments
from league.payments.services import AccountSum

from .. import engine_bridge
from ..evening.share_text import evening_line
from ..hands import carried_pots
from ..models import Seat, Table
from . import pots, sentences
from .pots import Part
from .services import paid_in_coins, valid_closing


@dataclass(frozen=True)
class Person:
    """A player who can get a part of the pot; `seated`: still at a table."""

    player_id: int
    name: str
    seated: bool
    ticked: bool
    part_minor: int | None


@dataclass(frozen=True)
class PaymentLine:
    """A payment as a line of the page; `pk` is None in a preview. `parties` is the sentence without the amount.
    Only a preview gives reasons: a closed evening has its sums. `paid_on` and `way`: the day of a payment that is paid,
    and how it was paid."""

    pk: uuid.UUID | None
    payer: Account
    payee: Account
    sentence: str
    parties: str
    reason: str
    amount_minor: int
    paid: bool
    paid_on: date | None = None
    way: str | None = None

    @property
    def paid_as(self) -> str:
        """The way of paying in words, "" for cash and for what is outstanding."""
        return days.way_in_words(self.way) if self.way else ""

    @property
    def key(self) -> uuid.UUID:
        """An idempotency key for the button of this line."""
        return engine_bridge.new_key()


@dataclass(frozen=True)
class SumLine:
    """A row of the sums of an evening: one account, or the totals below the rows."""

    name: str
    player: bool
    won_minor: int
    paid_minor: int
    open_minor: int


@dataclass(frozen=True)
class ClosingPreview:
    """An open evening: the coins in its pots, the chosen way to distribute them, and the payments that follow.

    `in_points`: its season is kept in points alone, so that nothing is settled. `paid`: closing marks the payments as
    paid, as the coins moved after each hand. `sums` are those after the closing; `earlier` are payments of cash-outs
    and of earlier closings. `stayed`: a sentence on the coins that did not return when the evening was opened again.
    """

    in_points: bool
    pot_minor: int
    pot: str
    kitty_minor: int
    people: tuple[Person, ...]
    lines: tuple[PaymentLine, ...]
    sums: tuple[SumLine, ...]
    earlier: tuple[PaymentLine, ...]
    settling: str
    paid: bool
    hands: int
    last_of_all: bool
    table_id: int | None
    stayed: str = ""

    @property
    def may_hold_antes(self) -> bool:
        """Return True if the pot may hold antes for a hand that is not played any more. After a last hand for all
        nobody pays an ante."""
        return self.hands > 0 and self.table_id is not None and not self.last_of_all


@dataclass(frozen=True)
class Settled:
    """A closed evening: how the pot was distributed, the sums, and the payments; `gone`: a sentence on the coins that
    would not return if it were opened again."""

    closing: Closing
    pots_sentence: str
    shares: tuple[tuple[str, int], ...]
    sums: tuple[SumLine, ...]
    lines: tuple[PaymentLine, ...]
    earlier: tuple[PaymentLine, ...]
    gone: str = ""

    @property
    def count(self) -> int:
        """The number of payments, with those paid before an earlier closing was replaced."""
        return len(self.lines) + len(self.earlier)

    @property
    def due_minor(self) -> int:
        """The sum of all payments, with those paid before an earlier closing was replaced."""
        return sum(line.amount_minor for line in (*self.lines, *self.earlier))

    @property
    def open_minor(self) -> int:
        """The sum of the outstanding payments."""
        return sum(line.amount_minor for line in self.lines if not line.paid)

    @property
    def paid_minor(self) -> int:
        """The sum of the paid payments."""
        return self.due_minor - self.open_minor

    @property
    def total(self) -> SumLine:
        """The totals below the sums: each column adds up to 0."""
        return SumLine(
            "",
            False,
            sum(line.won_minor for line in self.sums),
            sum(line.paid_minor for line in self.sums),
            sum(line.open_minor for line in self.sums),
        )


def closing_preview(
    evening: Evening, *, pot: str, ticked: Collection[int] | None, settling: str | None = None
) -> ClosingPreview:
    """Preview the closing of the evening; the players of `ticked` share the pot, None for all who are still seated.
    `settling` as in `evening_close`."""
    tables = list(Table.objects.filter(evening=evening).prefetch_related("places__player").order_by("number"))
    known = _people(evening, tables)
    present = [pk for pk, (_name, seated) in known.items() if (seated if ticked is None else pk in ticked)]
    in_points = evening.season.points_only
    amount = 0 if in_points else pots.pots_total(tables)
    shared = (
        pots.parts(amount, pots.sharing_order(tables, present), pots.coin_of(evening)) if present and amount else []
    )
    playing = [table for table in tables if not table.dissolved]
    sums = [] if in_points else _sums_then(evening, pot, amount, shared)
    return ClosingPreview(
        in_points=in_points,
        pot_minor=amount,
        pot=pot,
        kitty_minor=club_accounts.held(evening.club_id, Account.Kind.KITTY),
        people=_ticked(known, present, shared),
        lines=_preview_payments(sums, evening.club.currency),
        sums=tuple(_sum_line(account_sum) for account_sum in sums),
        earlier=() if in_points else _paid_earlier(evening),
        settling=settling or evening.settling,
        paid=paid_in_coins(evening, settling),
        hands=sum(table.hands for table in tables),
        last_of_all=all(table.last_hand for table in playing),
        table_id=playing[0].pk if playing else None,
        stayed=stayed.since() if (stayed := carried_pots.missing_since_reopening(evening)) else "",
    )


def _paid_earlier(evening: Evening) -> tuple[PaymentLine, ...]:
    """The payments of an open evening that are paid: of cash-outs, and of closings before it was reopened."""
    paid = payments.only_paid(days.with_paid_on(Payment.objects.filter(closing__evening=evening))).order_by(
        "closing__number", "number"
    )
    return tuple(payment_lines(paid, evening.club.currency))


def payment_lines(rows: Iterable[Any], currency: str) -> list[PaymentLine]:
    """The lines of stored payments that have `payments.with_paid` and `days.with_paid_on`, without reasons."""
    return [
        PaymentLine(
            pk=payment.pk,
            payer=payment.payer,
            payee=payment.payee,
            sentence=sentences.payment_sentence(payment.payer, payment.payee, payment.amount_minor, currency),
            parties=sentences.payment_parties(payment.payer, payment.payee, paid=payment.postings % 2 == 1),
            reason="",
            amount_minor=payment.amount_minor,
            paid=payment.postings % 2 == 1,
            paid_on=payment.paid_on if payment.postings % 2 == 1 else None,
            way=payment.paid_way if payment.postings % 2 == 1 else None,
        )
        for payment in rows
    ]


def _people(evening: Evening, tables: Sequence[Table]) -> dict[int, tuple[str, bool]]:
    """The players who can get a part of the pot, by name: those at a table, and those who played and left."""
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


def _sums_then(evening: Evening, pot: str, amount: int, shared: Sequence[Part]) -> list[AccountSum]:
    """The sums of the evening once its pots are empty, players by name; none where nobody gets the pot. A box or a
    kitty without an account yet has account id 0."""
    one_person = main_players(evening.club_id)
    sums = {
        account_sum.account.pk: account_sum
        for account_sum in payments.sums_by_person(payments.sums(evening), one_person)
    }
    more: dict[int, int] = {}
    if pot == Closing.Pot.SHARE:
        by_player = {one_person.get(p := account_sum.account.player_id or 0, p): pk for pk, account_sum in sums.items()}
        for part in shared:
            account = by_player.get(one_person.get(part.player_id, part.player_id))
            if account is None:
                # A player who neither won nor lost has no row among the sums yet.
                account = -part.player_id
                someone = Player.objects.get(pk=part.player_id)
                sums[account] = AccountSum(Account(pk=account, kind=Account.Kind.PLAYER, player=someone), 0, 0)
            more[account] = more.get(account, 0) + part.amount_minor
    elif amount:
        kind = Account.Kind.KITTY if pot == Closing.Pot.KITTY else Account.Kind.BOX
        account_of = _club_accounts(evening).get(kind) or Account(pk=0, kind=kind)
        sums.setdefault(account_of.pk, AccountSum(account_of, 0, 0))
        more[account_of.pk] = amount
    if amount and not more:
        return []
    return [
        AccountSum(
            account_sum.account, account_sum.won_minor + more.get(pk, 0), account_sum.open_minor + more.get(pk, 0)
        )
        for pk, account_sum in sums.items()
    ]


def _preview_payments(sums: Sequence[AccountSum], currency: str) -> tuple[PaymentLine, ...]:
    """The payments that settle these sums."""
    then = {account_sum.account.pk: account_sum for account_sum in sums}
    return tuple(
        PaymentLine(
            pk=None,
            payer=(payer := then[due.payer].account),
            payee=(payee := then[due.payee].account),
            sentence=sentences.payment_sentence(payer, payee, due.amount_minor, currency),
            parties=sentences.payment_parties(payer, payee, paid=False),
            reason=sentences.payment_reason(then[due.payer], then[due.payee], currency),
            amount_minor=due.amount_minor,
            paid=False,
        )
        for due in payments.due(list(sums))
    )


def settled(evening: Evening) -> Settled | None:
    """The settling up of a closed evening; None where it was closed before settling up existed."""
    closing = valid_closing(evening)
    if closing is None:
        return None
    if evening.season.points_only:
        sentence = _("The season counts points only: the pot ended with the evening, and nobody owes anything.")
        return Settled(closing=closing, pots_sentence=sentence, shares=(), sums=(), lines=(), earlier=())
    sums = account_sums_of(evening, closing)
    of_evening = days.with_paid_on(Payment.objects.filter(closing__evening=evening)).select_related("closing")
    every = list(payments.with_paid(of_evening).order_by("closing__number", "number"))
    shares = [(sentences.account_name(account), amount) for account, amount in shares_of(closing)]
    before = [row for row in every if row.closing_id != closing.pk and row.postings % 2]  # type: ignore[attr-defined]
    currency = evening.club.currency
    return Settled(
        closing=closing,
        pots_sentence=pots_sentence_of(evening, closing, sum(amount for _name, amount in shares), len(shares)),
        shares=tuple(shares) if closing.pot == Closing.Pot.SHARE else (),
        sums=tuple(_sum_line(account_sum) for account_sum in sums),
        lines=tuple(payment_lines([row for row in every if row.closing_id == closing.pk], currency)),
        earlier=tuple(payment_lines(before, currency)),
        gone=gone.before_reopening() if (gone := carried_pots.missing_after_reopening(closing)) else "",
    )


def payments_text(access: ClubAccess, evening: Evening, settled: Settled, link: str) -> str:
    """Return the payments of a closed evening for a chat: "Anna → Beni CHF 12.40", a line each, and the link."""
    lines = [
        sentences.payment_line(line.payer, line.payee, line.amount_minor, evening.club.currency) + " ✓" * line.paid
        for line in settled.lines
    ]
    return "\n".join((evening_line(access, evening), *lines, link))


def pots_sentence_of(evening: Evening, closing: Closing, amount_minor: int, people: int) -> str:
    """One or two sentences on how the pots of a closed evening were distributed."""
    sentence = sentences.pots_sentence(closing.pot, amount_minor, people, evening.club.currency)
    stayed = carried_pots.missing_since_reopening(evening)
    return f"{sentence} {stayed.since()}" if stayed else sentence


def account_sums_of(evening: Evening, closing: Closing) -> list[AccountSum]:
    """The sums of a closed evening in money, one a person, by the players who were merged when it was closed."""
    return payments.sums_by_person(payments.sums(evening), main_players(evening.club_id, closing.created_at))


def shares_of(closing: Closing) -> list[tuple[Account, int]]:
    """The amount that each account got from the pots (Rappen); the accounts come with their players."""
    if closing.posting is None:
        return []
    got: dict[int, tuple[Account, int]] = {}
    for transfer in closing.posting.transfers.select_related("to_account__player").order_by("pk"):
        _account, before = got.get(transfer.to_account_id, (None, 0))
        got[transfer.to_account_id] = transfer.to_account, before + transfer.amount_minor
    return list(got.values())


def _sum_line(account_sum: AccountSum) -> SumLine:
    return SumLine(
        sentences.account_name(account_sum.account),
        account_sum.account.player_id is not None,
        account_sum.won_minor,
        account_sum.paid_minor,
        account_sum.open_minor,
    )


def closings_of(evening: Evening) -> list[Closing]:
    """All closings and reopenings of the evening, oldest first, each with its author and its receipt."""
    return list(evening.closings.select_related("author", "receipt").order_by("number"))
