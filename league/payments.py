"""Who pays whom after an evening, and which of it was paid.

What is paid is in the ledger: coins go from payer to payee, so the payer's sum grows and the payee's shrinks. A payment
is marked by a posting whose source it is and unmarked by that posting's reversal; the number of its postings says
which it is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import Count, Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce

from . import ledger
from .ledger import Move
from .models import Account, Closing, Club, Evening, Payment, Posting, Transfer, User
from .roster.merging import mains
from .settling import Due, settle


@dataclass(frozen=True)
class Purse:
    """What an account won in an evening (below 0: lost) and what it still has to get (below 0: to pay), in Rappen."""

    account: Account
    won_minor: int
    open_minor: int

    @property
    def paid_minor(self) -> int:
        """What it paid so far (below 0: got)."""
        return self.open_minor - self.won_minor


def sums(evening: Evening) -> list[Purse]:
    """Every purse of an evening but its pots, the kitty and the box among them, players by name. Three queries.

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
    return [Purse(account, won[account.pk], still[account.pk]) for account in known]


def persons(purses: list[Purse], mains: Mapping[int, int]) -> list[Purse]:
    """The purses, one a person: who counts for somebody (`mains`: player → main) has what the two have together, under
    the main player's account where that one has a purse here."""
    joined: dict[int, Purse] = {}
    account_of: dict[int, int] = {}
    # The main player's own purse first, the others as they come.
    for purse in sorted(purses, key=lambda one: one.account.player_id in mains):
        player = purse.account.player_id
        person = None if player is None else mains.get(player, player)
        known = joined[account_of[person]] if person in account_of else None
        if person is not None:
            account_of.setdefault(person, purse.account.pk)
        if known is None:
            joined[purse.account.pk] = purse
        else:
            both = (known.won_minor + purse.won_minor, known.open_minor + purse.open_minor)
            joined[known.account.pk] = Purse(known.account, *both)
    return [joined[purse.account.pk] for purse in purses if purse.account.pk in joined]


def whose(account: Account) -> str:
    """Whose purse it is: the same for two players who are one person. The player comes with the account."""
    player = account.player
    return f"account {account.pk}" if player is None else f"player {player.main_id or player.pk}"


def due(purses: list[Purse], more: Mapping[int, int] | None = None) -> list[Due]:
    """The fewest payments that settle what is open; `more` is what an account would get beside it, in Rappen."""
    still = {purse.account.pk: purse.open_minor for purse in purses}
    for account, amount in (more or {}).items():
        still[account] = still.get(account, 0) + amount
    return settle(still)


def store(closing: Closing, evening: Evening) -> list[Payment]:
    """The fewest payments that settle what is still open of an evening, stored with its closing."""
    dues = due(persons(sums(evening), mains(evening.club_id)))
    return Payment.objects.bulk_create(
        Payment(closing=closing, number=number, payer_id=one.payer, payee_id=one.payee, amount_minor=one.amount_minor)
        for number, one in enumerate(dues, start=1)
    )


def with_paid(payments: QuerySet[Payment]) -> QuerySet[Payment]:
    """Payments, each with `postings` (odd: it is paid) and the accounts with their players."""
    made = Posting.objects.filter(source=OuterRef("pk")).order_by().values("source").annotate(n=Count("pk"))
    counted = Coalesce(Subquery(made.values("n"), output_field=IntegerField()), Value(0))
    return payments.annotate(postings=counted).select_related("payer__player", "payee__player")


def only_paid(payments: QuerySet[Payment]) -> QuerySet[Payment]:
    """Those that are marked as paid."""
    return with_paid(payments).annotate(odd=F("postings") % 2).filter(odd=1)


def still_open(payments: QuerySet[Payment]) -> QuerySet[Payment]:
    """Those that are not."""
    return with_paid(payments).annotate(odd=F("postings") % 2).filter(odd=0)


def debts(club: Club, player_ids: Collection[int] | None = None) -> QuerySet[Payment]:
    """What is still to be paid in a club, oldest evening first: of every evening that is closed. With `player_ids` only
    where one of these pays or gets. The evening comes with it."""
    standing = _standing().filter(closing__evening__club=club)
    return (
        still_open(standing if player_ids is None else standing.filter(_about(player_ids)))
        .select_related("payer__player", "payee__player", "closing__evening__season", "closing__evening__club")
        .order_by("closing__evening__held_on", "closing__evening_id", "number")
    )


def _standing() -> QuerySet[Payment]:
    """Those of each evening's last closing."""
    newer = Closing.objects.filter(evening=OuterRef("closing__evening"), number__gt=OuterRef("closing__number"))
    return Payment.objects.filter(~Exists(newer))


def _about(player_ids: Collection[int]) -> Q:
    """Where one of these players, or who counts for one of them, pays or gets."""
    pays = Q(payer__player__in=player_ids) | Q(payer__player__main__in=player_ids)
    return pays | Q(payee__player__in=player_ids) | Q(payee__player__main__in=player_ids)


def open_by_club(player_ids: Collection[int]) -> dict[int, int]:
    """What these players still pay or get together, in Rappen by club; clubs without it are left out. One query."""
    rows = still_open(_standing().filter(_about(player_ids))).order_by().values_list("closing__evening__club")
    return dict(rows.annotate(amount=Sum("amount_minor")))


def open_of(club: Club, player_ids: Collection[int] | None = None) -> int:
    """All of `debts` together, in Rappen. One query."""
    return int(debts(club, player_ids).order_by().aggregate(s=Sum("amount_minor"))["s"] or 0)


def mark(payment: Payment, *, evening: Evening, author: User | None, made: int) -> Posting:
    """Mark a payment as paid; `made` is how many postings it has (an even number). The evening's row is locked."""
    event = ledger.Event(evening=evening, source=payment.pk, revision=made + 1, author=author)
    # The payer's sum grows: the payer gave coins and owes less. So the ledger moves from payee to payer.
    move = Move(payment.payee_id, payment.payer_id, payment.amount_minor, Transfer.Kind.PAID)
    return ledger.post(event=event, moves=[move])


def unmark(payment: Payment, *, evening: Evening, author: User | None, made: int) -> Posting:
    """Take the mark back; `made` is how many postings it has (an odd number). The evening's row is locked."""
    event = ledger.Event(evening=evening, source=payment.pk, revision=made + 1, author=author)
    marked = Posting.objects.get(source=payment.pk, revision=made)
    return ledger.reverse(event=event, posting=marked)
