"""The outstanding amounts at the end of a day, by the ledger, with all corrections that were made since.

An evening and a member fee count from their day on, a payment from its own day on. Where coins moved after each hand,
and for an imported evening, nobody marked a payment: it counts from the evening's day on. A mark that was taken back
never counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from ..ledger.club_accounts import transfers_of
from ..models import (
    Account,
    Club,
    Evening,
    EveningScore,
    MemberFeeShare,
    Payment,
    Posting,
    ResultRow,
    Season,
    Transfer,
    UncountedPosting,
)
from . import services as payments

CLUB_KINDS = (Account.Kind.KITTY.value, Account.Kind.BOX.value, Account.Kind.OUTSIDE.value)


@dataclass(frozen=True)
class DaySums:
    """Sums at the end of a day, in Rappen. `persons`: each person's outstanding amount from closed evenings and member
    fees (below 0: to pay), by main player; `accounts`: the same of kitty, box and outside, by kind; `running` and
    `running_accounts`: the same of evenings that are still open; `pots`: the coins on the tables of these."""

    persons: Mapping[int, int]
    accounts: Mapping[str, int]
    running: Mapping[int, int]
    running_accounts: Mapping[str, int]
    pots: Mapping[Evening, int]

    @property
    def difference_minor(self) -> int:
        """The difference of the closed evenings: 0 if results and transfers agree."""
        return sum(self.persons.values()) + sum(self.accounts.values())


def marked_by(day: date, path: str) -> Q:
    """Match marks of payments that count on this day, and the reversals of these; `path` leads to the posting."""
    own = Q(**{f"{path}payment_day__isnull": True}) | Q(**{f"{path}payment_day__day__lte": day})
    return Q(**{f"{path}evening__held_on__lte": day}) & own


def sums_on(club: Club, day: date) -> DaySums:
    """Return the outstanding amounts at the end of a day. Fourteen queries, of a club with member fees eighteen."""
    closed, running = (winnings(club, day, state) for state in (Evening.State.CLOSED, Evening.State.OPEN))
    accounts: dict[str, int] = {}
    running_accounts: dict[str, int] = {}
    moved = transfers_of(club).exclude(kind=Transfer.Kind.PAID).filter(posting__evening__held_on__lte=day)
    _add_club(club, moved.filter(posting__evening__state=Evening.State.CLOSED), accounts)
    _add_club(club, moved.filter(posting__evening__state=Evening.State.OPEN), running_accounts)
    paid = _transfers(club, Transfer.Kind.PAID).filter(marked_by(day, "posting__"))
    _add(paid.filter(posting__evening__state=Evening.State.CLOSED), closed, accounts)
    _add(paid.filter(posting__evening__state=Evening.State.OPEN), running, running_accounts)
    _add_fees(club, day, closed, accounts)
    return DaySums(closed, accounts, running, running_accounts, _pots(club, day))


def _add_fees(club: Club, day: date, persons: dict[int, int], accounts: dict[str, int]) -> None:
    """Add the member fees up to a day: what persons owe by the shares, what the kitty gets by its transfers; and the
    marks of their payments."""
    person = Coalesce("player__main_id", "player_id")
    shares = MemberFeeShare.objects.filter(fee__club=club).order_by()
    owed = list(shares.values_list(person, "fee__day", "undone_at", "amount_minor"))
    if not owed:
        return
    for player, since, undone_at, amount in owed:
        if since <= day and undone_at is None:
            persons[player] = persons.get(player, 0) - amount
    booked = Q(posting__kitty_entry__day__lte=day) | Q(posting__reverses__kitty_entry__day__lte=day)
    _add_club(club, _transfers(club, Transfer.Kind.FEE).filter(booked), accounts)
    fees = Payment.objects.filter(fee_share__fee__club=club)
    marks = Posting.objects.filter(source__in=fees.values("pk"), payment_day__day__lte=day)
    _add(_transfers(club, Transfer.Kind.PAID).filter(posting__in=marks.values("pk")), persons, accounts)


def winnings(club: Club, day: date, state: str) -> dict[int, int]:
    """Return each person's winnings in the evenings of a state up to a day, in Rappen: by main player, without those
    whose sum is 0. One query, so that all its parts read the same state of the database.

    The winnings of a counted evening are its scores, a row for each player; only of others all result rows are read.
    """
    evenings = Evening.objects.filter(
        club=club, held_on__lte=day, state=state, season__points_only=False, season__in_chips=False
    )
    counted = _counted(club, evenings)
    scores = EveningScore.objects.filter(evening__in=counted.values("pk"))
    rows = ResultRow.objects.filter(evening__in=evenings.exclude(pk__in=counted.values("pk")).values("pk"))
    person = Coalesce("player__main_id", "player_id")
    parts = [part.order_by().values_list(person).annotate(won=Sum("change_minor")) for part in (scores, rows)]
    won: dict[int, int] = {}
    for player, amount in parts[0].union(parts[1], all=True):
        won[player] = won.get(player, 0) + amount
    return {player: amount for player, amount in won.items() if amount}


def outstanding_on(club: Club, day: date) -> list[Payment]:
    """Return the payments that were outstanding at the end of a day, oldest day first, with evening or fee loaded:
    those of the last closings and of member fees, and those of earlier closings that were marked as paid later. Two
    queries."""
    of_evenings = Payment.objects.filter(closing__evening__club=club, closing__evening__held_on__lte=day)
    of_fees = Payment.objects.filter(fee_share__fee__club=club, fee_share__fee__day__lte=day)
    unpaid = [*_not_paid(of_evenings, marked_by(day, "")), *_not_paid(of_fees, Q(payment_day__day__lte=day))]
    return sorted(unpaid, key=lambda payment: payment.owed_on)


def _not_paid(wanted: QuerySet[Payment], until: Q) -> QuerySet[Payment]:
    """Return those of the payments that were outstanding, by the marks that match `until`, in their order."""
    then = Posting.objects.filter(until, source=OuterRef("pk")).order_by().values("source")
    marks = Coalesce(Subquery(then.annotate(n=Count("pk")).values("n"), output_field=IntegerField()), 0)
    unpaid = payments.with_paid(wanted)
    unpaid = unpaid.annotate(paid_now=F("postings") % 2, paid_then=marks % 2)
    unpaid = unpaid.filter(Q(paid_now=1) | payments.is_valid(), paid_then=0)
    return payments.in_order(unpaid.select_related(*payments.RELATED))


def held_on(club: Club, kind: str, day: date) -> int:
    """Return the coins that kitty or box held at the end of a day, in Rappen: those of today, less what moved later.
    Payments do not count (`league.ledger.club_accounts`). Three queries.

    No line of a book is read for it: reversals and undone entries are in the sums.
    """
    account = Account.objects.filter(club=club, kind=kind).values_list("pk", flat=True).first()
    if account is None:
        return 0
    later = Q(posting__evening__held_on__gt=day) | Q(posting__kitty_entry__day__gt=day)
    later |= Q(posting__reverses__kitty_entry__day__gt=day)
    held = 0
    for side, sign in (("to_account", 1), ("from_account", -1)):
        moved = transfers_of(club).exclude(kind=Transfer.Kind.PAID).filter(**{side: account})
        sums = moved.aggregate(whole=Sum("amount_minor"), later=Sum("amount_minor", filter=later))
        held += sign * ((sums["whole"] or 0) - (sums["later"] or 0))
    return held


def _counted(club: Club, evenings: QuerySet[Evening]) -> QuerySet[Evening]:
    """Return those of the evenings whose scores are the sums of their result rows: of a season whose mark was raised by
    waiting postings alone since it was counted, without the evenings of these, and of a game that the season counts."""
    waiting = UncountedPosting.objects.filter(season__club=club)
    later = waiting.filter(season=OuterRef("pk"), ledger_mark__gt=OuterRef("count__counted_mark"))
    number = Coalesce(
        Subquery(later.order_by().values("season").annotate(n=Count("ledger_mark", distinct=True)).values("n")), 0
    )
    known = Season.objects.filter(club=club, count__counted_at__isnull=False)
    known = known.filter(ledger_mark=F("count__counted_mark") + number)
    changed = waiting.filter(posting__evening__isnull=False).values("posting__evening")
    own_game = Q(season__games="") | Q(season__games=F("game"))
    return evenings.filter(own_game, season__in=known.values("pk")).exclude(pk__in=changed)


def _transfers(club: Club, kind: str) -> QuerySet[Transfer]:
    """Return the transfers of a kind: marks of payments, or member fees. An index has those of each season."""
    return Transfer.objects.filter(kind=kind, season__club=club, season__points_only=False, season__in_chips=False)


def _add(rows: QuerySet[Transfer], persons: dict[int, int], accounts: dict[str, int]) -> None:
    """Add transfers to the sums of persons and of the club's accounts. Two queries."""
    for side, sign in (("to_account", 1), ("from_account", -1)):
        person = Coalesce(f"{side}__player__main_id", f"{side}__player_id")
        sums = rows.order_by().values_list(f"{side}__kind", person).annotate(amount=Sum("amount_minor"))
        for kind, player, amount in sums:
            if player is not None:
                persons[player] = persons.get(player, 0) + sign * amount
            elif kind in CLUB_KINDS:
                accounts[kind] = accounts.get(kind, 0) + sign * amount


def _add_club(club: Club, rows: QuerySet[Transfer], accounts: dict[str, int]) -> None:
    """Add transfers to the sums of the club's accounts. Two queries, which read the rows of these accounts alone."""
    own = Account.objects.filter(club=club, kind__in=CLUB_KINDS).values("pk")
    for side, sign in (("to_account", 1), ("from_account", -1)):
        sums = rows.filter(**{f"{side}__in": own}).order_by().values_list(f"{side}__kind")
        for kind, amount in sums.annotate(amount=Sum("amount_minor")):
            accounts[kind] = accounts.get(kind, 0) + sign * amount


def _pots(club: Club, day: date) -> dict[Evening, int]:
    """Return the coins on the tables of the evenings that are open, by evening. Three queries."""
    sums: dict[int, int] = {}
    # Found from the postings of these few evenings, not among the transfers of all.
    running = Evening.objects.filter(club=club, state=Evening.State.OPEN, held_on__lte=day).values("pk")
    postings = Posting.objects.filter(evening__in=running).values("pk")
    for side, sign in (("to_account", 1), ("from_account", -1)):
        rows = transfers_of(club).filter(posting__in=postings, **{f"{side}__kind": Account.Kind.POT})
        for evening, amount in rows.order_by().values_list("posting__evening").annotate(amount=Sum("amount_minor")):
            sums[evening] = sums.get(evening, 0) + sign * amount
    evenings = Evening.objects.filter(pk__in=[evening for evening, amount in sums.items() if amount])
    return {night: sums[night.pk] for night in evenings.select_related("season", "club").order_by("held_on", "pk")}
