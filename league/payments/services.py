"""Payments after an evening, and member fees: compute, store, mark as paid, and find the outstanding ones.

The ledger has the payments: coins go from payer to payee, so the payer's sum grows and the payee's shrinks. A posting
with the payment as its source marks it as paid, the reversal of that posting unmarks it: a payment with an odd number
of postings is paid.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Count, DateField, Exists, F, IntegerField, Max, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce

from .. import ledger
from ..access.persons import main_players
from ..ledger import Move
from ..models import Account, Closing, Club, Evening, Payment, PaymentDay, Posting, Transfer, User
from .days import with_paid_on
from .solver import Due, settle

RELATED = (
    *("payer__player", "payee__player", "closing__evening__season", "closing__evening__club"),
    "fee_share__fee",
)
"""What a list of payments shows: both ends, and the evening or the member fee."""


@dataclass(frozen=True)
class AccountSum:
    """An account's gain in an evening (below 0: loss), and its outstanding amount (below 0: to pay), in Rappen."""

    account: Account
    won_minor: int
    open_minor: int

    @property
    def paid_minor(self) -> int:
        """The amount paid so far (below 0: got)."""
        return self.open_minor - self.won_minor


def sums(evening: Evening) -> list[AccountSum]:
    """Return the sums of an evening's accounts without its pots: players by name, then kitty and box. Three queries.

    Once the pots are empty, both columns add to 0.
    """
    won: dict[int, int] = {}
    still: dict[int, int] = {}
    for side, sign in (("to_account_id", 1), ("from_account_id", -1)):
        rows = Transfer.objects.filter(posting__evening=evening).order_by().values_list(side)
        paid = Q(kind=Transfer.Kind.PAID)
        moved = rows.annotate(all=Sum("amount_minor"), played=Coalesce(Sum("amount_minor", filter=~paid), 0))
        for account, amount, played in moved:
            still[account] = still.get(account, 0) + sign * amount
            won[account] = won.get(account, 0) + sign * played
    accounts = Account.objects.filter(pk__in=still).exclude(kind=Account.Kind.POT).select_related("player")
    known = sorted(accounts, key=lambda a: (a.player is None, a.player.nickname.casefold() if a.player else a.kind))
    return [AccountSum(account, won[account.pk], still[account.pk]) for account in known]


def sums_by_person(sums: list[AccountSum], mains: Mapping[int, int]) -> list[AccountSum]:
    """Add up the sums of players who are one person (`mains`: player → main player).

    The result is under the main player's account if that one has a sum here.
    """
    joined: dict[int, AccountSum] = {}
    account_of: dict[int, int] = {}
    # The main player's own sum comes first.
    for each in sorted(sums, key=lambda entry: entry.account.player_id in mains):
        player = each.account.player_id
        person = None if player is None else mains.get(player, player)
        known = joined[account_of[person]] if person in account_of else None
        if person is not None:
            account_of.setdefault(person, each.account.pk)
        if known is None:
            joined[each.account.pk] = each
        else:
            both = (known.won_minor + each.won_minor, known.open_minor + each.open_minor)
            joined[known.account.pk] = AccountSum(known.account, *both)
    return [joined[each.account.pk] for each in sums if each.account.pk in joined]


def holder_key(account: Account) -> str:
    """Return a key for the holder of an account, the same for players who are one person. The player is loaded."""
    player = account.player
    return f"account {account.pk}" if player is None else f"player {player.main_id or player.pk}"


def due(sums: list[AccountSum], more: Mapping[int, int] | None = None) -> list[Due]:
    """Return the fewest payments that settle the sums; `more` adds an amount in Rappen to an account."""
    still = {each.account.pk: each.open_minor for each in sums}
    for account, amount in (more or {}).items():
        still[account] = still.get(account, 0) + amount
    return settle(still)


def store(closing: Closing, evening: Evening) -> list[Payment]:
    """Store the fewest payments that settle an evening, with its closing."""
    dues = due(sums_by_person(sums(evening), main_players(evening.club_id)))
    return Payment.objects.bulk_create(
        Payment(
            closing=closing, number=number, payer_id=debt.payer, payee_id=debt.payee, amount_minor=debt.amount_minor
        )
        for number, debt in enumerate(dues, start=1)
    )


def with_paid(payments: QuerySet[Payment]) -> QuerySet[Payment]:
    """Add `postings` (odd: it is paid) to each payment, and load the accounts with their players."""
    made = Posting.objects.filter(source=OuterRef("pk")).order_by().values("source").annotate(n=Count("pk"))
    counted = Coalesce(Subquery(made.values("n"), output_field=IntegerField()), Value(0))
    return payments.annotate(postings=counted).select_related("payer__player", "payee__player")


def with_marked_at(payments: QuerySet[Payment]) -> QuerySet[Payment]:
    """Add `marked_at` to each payment: when it was marked or unmarked last, None if it never was."""
    made = Posting.objects.filter(source=OuterRef("pk")).order_by().values("source").annotate(last=Max("created_at"))
    return payments.annotate(marked_at=Subquery(made.values("last")))


def only_paid(payments: QuerySet[Payment]) -> QuerySet[Payment]:
    """Return the payments that are marked as paid."""
    return with_paid(payments).annotate(odd=F("postings") % 2).filter(odd=1)


def outstanding(payments: QuerySet[Payment]) -> QuerySet[Payment]:
    """Return the payments that are not marked as paid."""
    return with_paid(payments).annotate(odd=F("postings") % 2).filter(odd=0)


def outstanding_payments(club: Club, player_ids: Collection[int] | None = None) -> QuerySet[Payment]:
    """Return the outstanding payments of a club's closed evenings, and its outstanding member fees, the oldest day
    first, with evening or fee loaded.

    With `player_ids` only those in which one of these players pays or gets.
    """
    valid = _valid().filter(payer__club=club)
    payments = outstanding(valid if player_ids is None else valid.filter(_about(player_ids)))
    return in_order(payments.select_related(*RELATED))


def in_order(payments: QuerySet[Payment]) -> QuerySet[Payment]:
    """Order payments by the day from which they are owed; on one day evenings come first, by their numbers."""
    owed = Coalesce("closing__evening__held_on", "fee_share__fee__day", output_field=DateField())
    evening = F("closing__evening_id").asc(nulls_last=True)
    return payments.annotate(since=owed).order_by("since", evening, "number", "fee_share")


def lately_paid(club: Club, since: datetime, player_ids: Collection[int] | None = None) -> list[Payment]:
    """Return the payments that were marked as paid since then, newest mark first, with evening or fee loaded. Evenings
    whose coins moved after each hand are left out: nobody marked those payments.

    With `player_ids` only those in which one of these players pays or gets.
    """
    marks = Posting.objects.filter(club=club, created_at__gte=since, reverses__isnull=True).values("source")
    # With the club, which the marks imply: else PostgreSQL begins with the payments of all clubs.
    of_club = _valid().filter(payer__club=club)
    by_hand = Q(closing__evening__settling=Club.Settling.END) | Q(closing__isnull=True)
    at_the_end = of_club.filter(by_hand, pk__in=marks)
    wanted = at_the_end if player_ids is None else at_the_end.filter(_about(player_ids))
    payments = only_paid(with_paid_on(with_marked_at(wanted))).select_related(*RELATED)
    return sorted(payments, key=lambda payment: payment.marked_at, reverse=True)  # type: ignore[attr-defined]


def _valid() -> QuerySet[Payment]:
    """Return the payments of each evening's last closing, and those of member fees. A cash-out that was taken back is
    no debt: its amount is a part of the player's sum again."""
    return Payment.objects.filter(is_valid())


def is_valid() -> Q:
    """Match the payments of each evening's last closing, without cash-outs, and member fees that were not undone."""
    newer = Closing.objects.filter(evening=OuterRef("closing__evening"), number__gt=OuterRef("closing__number"))
    return Q(~Exists(newer)) & ~Q(closing__kind=Closing.Kind.CASHED) & Q(fee_share__undone_at__isnull=True)


def about(player_ids: Collection[int]) -> QuerySet[Payment]:
    """Return the payments in which one of these persons pays or gets."""
    return Payment.objects.filter(_about(player_ids))


def _about(player_ids: Collection[int]) -> Q:
    """Match payments in which one of these players, or a player merged into one, pays or gets."""
    pays = Q(payer__player__in=player_ids) | Q(payer__player__main__in=player_ids)
    return pays | Q(payee__player__in=player_ids) | Q(payee__player__main__in=player_ids)


def outstanding_by_club(player_ids: Collection[int]) -> dict[int, int]:
    """Return the sum of these players' outstanding payments, in Rappen by club. One query."""
    rows = outstanding(_valid().filter(_about(player_ids))).order_by().values_list("payer__club")
    return dict(rows.annotate(amount=Sum("amount_minor")))


def outstanding_sum(club: Club, player_ids: Collection[int] | None = None) -> int:
    """Return the sum of the outstanding payments, in Rappen. One query."""
    return int(outstanding_payments(club, player_ids).order_by().aggregate(s=Sum("amount_minor"))["s"] or 0)


def mark(
    payment: Payment,
    *,
    evening: Evening | None,
    author: User | None,
    made: int,
    day: date | None = None,
    way: str = PaymentDay.Way.CASH,
) -> Posting:
    """Mark a payment as paid on a day, None for that of its evening; `made` is the number of its postings, which is
    even; `way` is noted with the day. The row of the evening is locked; for a member fee (`evening` is None) that of
    the club."""
    event = _event(payment, evening, author, made + 1)
    # The payer gave coins and owes less: the payer's sum grows. So the transfer goes from payee to payer.
    move = Move(payment.payee_id, payment.payer_id, payment.amount_minor, Transfer.Kind.PAID)
    posting = ledger.post(event=event, moves=[move])
    if day is not None:
        PaymentDay.objects.create(club_id=posting.club_id, posting=posting, day=day, way=way)
    return posting


def unmark(payment: Payment, *, evening: Evening | None, author: User | None, made: int) -> Posting:
    """Unmark a payment; `made` is the number of its postings, which is odd; rows are locked as for `mark`. The reversal
    has day and way of the mark, so that the payment was never paid on any day."""
    event = _event(payment, evening, author, made + 1)
    marked = Posting.objects.select_related("payment_day").get(source=payment.pk, revision=made)
    posting = ledger.reverse(event=event, posting=marked)
    day = getattr(marked, "payment_day", None)
    if day is not None:
        PaymentDay.objects.create(club_id=posting.club_id, posting=posting, day=day.day, way=day.way)
    return posting


def _event(
    payment: Payment, evening: Evening | None, author: User | None, revision: int
) -> ledger.Event | ledger.ClubEvent:
    """Return the cause of a mark. That of a member fee is in the season of the fee."""
    if evening is not None:
        return ledger.Event(evening=evening, source=payment.pk, revision=revision, author=author)
    # The database has exactly one of both.
    assert payment.fee_share is not None
    season = payment.fee_share.entry.posting.season
    return ledger.ClubEvent(season=season, source=payment.pk, revision=revision, author=author)
