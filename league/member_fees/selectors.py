"""Member fees as lists: the bookings with their sums, who pays of one, and who would pay of a new one."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import (
    Case,
    Count,
    IntegerField,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce
from django.utils.translation import pgettext_lazy

from ..models import Club, MemberFee, MemberFeeShare, Payment, PaymentDay, Player, Posting
from ..payments.days import way_in_words, with_paid_on
from ..payments.services import outstanding, with_paid
from .services import NewFee

OWED, PAID, UNDONE = "owed", "paid", "undone"
STATES = [
    (OWED, pgettext_lazy("fee", "outstanding")),
    (PAID, pgettext_lazy("fee", "paid")),
    (UNDONE, pgettext_lazy("fee", "undone")),
]
"""The states of a share, with their names."""


@dataclass(frozen=True)
class FeeSums:
    """A booked fee: the number of shares that were not undone, their sum, and the outstanding part of it, in Rappen."""

    fee: MemberFee
    count: int
    booked_minor: int
    open_count: int
    open_minor: int

    @property
    def paid_minor(self) -> int:
        """The sum that was paid, in Rappen."""
        return self.booked_minor - self.open_minor


@dataclass(frozen=True)
class ShareLine:
    """One person of a fee. `name` is that of the main player; `state` is owed, paid or undone; `paid_on` and `way` (a
    value of `PaymentDay.Way`) are of a paid one. `twice`: the person has another share of the year, because two players
    who each had one were merged."""

    share: MemberFeeShare
    payment_id: uuid.UUID
    person_id: int
    name: str
    state: str
    paid_on: date | None
    way: str
    twice: bool = False

    @property
    def paid_as(self) -> str:
        """The way of paying in words, empty for cash."""
        return way_in_words(self.way) if self.way else ""


@dataclass(frozen=True)
class Candidate:
    """A person who can pay a new fee. `has_fee`: the person has one of the year already."""

    player: Player
    has_fee: bool


@dataclass(frozen=True)
class Preview:
    """A new fee as it would be booked: who owes what, in Rappen, and who is left out, as they have one of the year."""

    lines: Sequence[tuple[Player, int]]
    left_out: Sequence[Player]

    @property
    def total_minor(self) -> int:
        """The sum of all shares."""
        return sum(amount for _player, amount in self.lines)


def fees_of(club: Club) -> list[FeeSums]:
    """Return the booked fees of a club, the newest year first. Three queries."""
    of_club = Payment.objects.filter(fee_share__fee__club=club, fee_share__undone_at__isnull=True)
    booked, still = (_sums(rows) for rows in (of_club, outstanding(of_club)))
    return [
        FeeSums(fee, *booked.get(fee.pk, (0, 0)), *still.get(fee.pk, (0, 0)))
        for fee in MemberFee.objects.filter(club=club)
    ]


def fee_sums(fee: MemberFee) -> FeeSums:
    """Return the sums of one fee. Two queries."""
    of_fee = Payment.objects.filter(fee_share__fee=fee, fee_share__undone_at__isnull=True)
    booked, still = (_sums(rows).get(fee.pk, (0, 0)) for rows in (of_fee, outstanding(of_fee)))
    return FeeSums(fee, *booked, *still)


def _sums(rows: Any) -> dict[uuid.UUID, tuple[int, int]]:
    sums = rows.order_by().values_list("fee_share__fee").annotate(n=Count("pk"), amount=Sum("amount_minor"))
    return {fee: (count, amount) for fee, count, amount in sums}


def shares_of(club: Club, fee: MemberFee | None = None) -> list[ShareLine]:
    """Return the shares of one fee, of all fees of a club without it: by year and name, undone ones last. Two
    queries."""
    rows = Payment.objects.filter(fee_share__fee__club=club)
    if fee is not None:
        rows = rows.filter(fee_share__fee=fee)
    payments: list[Any] = list(
        with_paid_on(with_paid(rows)).select_related("fee_share__fee", "fee_share__player__main")
    )
    several = _several(club, {payment.fee_share.year for payment in payments})
    lines = [_line(payment, several) for payment in payments]
    return sorted(lines, key=lambda line: (-line.share.year, line.state == UNDONE, line.name.casefold(), line.share.pk))


def _line(payment: Any, several: Collection[tuple[int, int]]) -> ShareLine:
    share = payment.fee_share
    person = share.player.main or share.player
    paid = payment.postings % 2 == 1
    state = UNDONE if share.undone_at else PAID if paid else OWED
    return ShareLine(
        share=share,
        payment_id=payment.pk,
        person_id=person.pk,
        name=person.nickname,
        state=state,
        paid_on=payment.paid_on if paid else None,
        way=payment.paid_way if paid else "",
        twice=state != UNDONE and (person.pk, share.year) in several,
    )


def _several(club: Club, years: Collection[int]) -> set[tuple[int, int]]:
    """Return the persons, by main player and year, who have more than one share."""
    shares = MemberFeeShare.objects.filter(fee__club=club, year__in=years, undone_at__isnull=True)
    seen: set[tuple[int, int]] = set()
    twice: set[tuple[int, int]] = set()
    for player, main, year in shares.order_by().values_list("player_id", "player__main_id", "year"):
        key = (main or player, year)
        (twice if key in seen else seen).add(key)
    return twice


def candidates(club: Club, year: int) -> list[Candidate]:
    """Return the people of the roster, members before guests, by name. Two queries."""
    shares = MemberFeeShare.objects.filter(fee__club=club, year=year, undone_at__isnull=True)
    have = {main or player for player, main in shares.values_list("player_id", "player__main_id")}
    people = Player.objects.filter(Q(main__isnull=True), club=club, active=True)
    ordered = sorted(people, key=lambda person: (person.guest, person.nickname.casefold(), person.pk))
    return [Candidate(person, person.pk in have) for person in ordered]


def preview(club: Club, fee: NewFee) -> Preview:
    """Return what booking a fee would do: who has one of the year already is left out. Two queries."""
    chosen = set(fee.players)
    known = [candidate for candidate in candidates(club, fee.year) if candidate.player.pk in chosen]
    return Preview(
        [(candidate.player, fee.amount_of(candidate.player.pk)) for candidate in known if not candidate.has_fee],
        [candidate.player for candidate in known if candidate.has_fee],
    )


def with_shares(fees: QuerySet[MemberFee]) -> QuerySet[MemberFee]:
    """Load the shares of these fees, each with its payment and with `state`, `paid_on` and `way` (None if it is not
    paid). Two queries."""
    marks = Posting.objects.filter(source=OuterRef("payment__pk")).order_by()
    made = marks.values("source").annotate(n=Count("pk")).values("n")
    newest = PaymentDay.objects.filter(posting__source=OuterRef("payment__pk")).order_by("-posting__revision")
    paid = Q(odd=1)
    shares = MemberFeeShare.objects.annotate(
        odd=Coalesce(Subquery(made, output_field=IntegerField()), 0) % 2,
        state=Case(
            When(undone_at__isnull=False, then=Value(UNDONE)), When(paid, then=Value(PAID)), default=Value(OWED)
        ),
        paid_on=Case(When(paid, then=Subquery(newest.values("day")[:1]))),
        way=Case(When(paid, then=Subquery(newest.values("way")[:1]))),
    )
    return fees.prefetch_related(Prefetch("shares", shares.select_related("payment")))


def file_rows(club: Club) -> Iterator[dict[str, Any]]:
    """Yield the rows of the file: each share of each fee."""
    for line in shares_of(club):
        yield {
            "year": line.share.year,
            "fee": line.share.fee.title,
            "day": line.share.fee.day,
            "player_id": line.person_id,
            "player": line.name,
            "amount_minor": line.share.amount_minor,
            "fee_state": line.state,
            "paid_on": line.paid_on,
            "way": line.way,
            "payment_id": line.payment_id,
        }
