"""The kitty of the demo with this year's member fees, the account for its bills, and the evenings that are planned."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, time, timedelta
from itertools import cycle

from allauth.account.models import EmailAddress

from league.member_fees.services import NewFee, fee_book
from league.models import Club, Payment, PaymentDay, Player, Season, User
from league.standings.plan_services import evenings_plan, planned_cancel
from league.treasury.billing_account import billing_set
from league.treasury.services import NewEntry, kitty_book, kitty_undo

from ..closing.services import debts_mark

SEED = 1315
"""Not that of the evenings: two equal keys would be one request."""
WEEK = 7
ACCOUNT = {
    "street": "Dorfstrasse",
    "house_number": "3",
    "postcode": "3555",
    "town": "Trubschachen",
    "country": "CH",
    # The account of the examples of the standard.
    "iban": "CH93 0076 2011 6238 5295 7",
    "least_minor": 20,
}


@dataclass(frozen=True)
class Planned:
    """Evenings to come: one every `days_apart` days. The last one is cancelled; the one before is somewhere else."""

    evenings: int
    days_apart: int
    begins_at: time
    elsewhere: str


def load(club: Club, treasurer: User, *, today: date) -> None:
    """Book what the kitty got and spent, and enter the account for bills, which members get by mail."""
    billing_set(club=club, actor=treasurer, values={"name": club.name, **ACCOUNT})
    for user in User.objects.filter(memberships__club=club):
        EmailAddress.objects.get_or_create(user=user, email=user.email, defaults={"verified": True, "primary": True})
    rng = random.Random(SEED)  # noqa: S311  Repeatable, not secret.
    keys = (uuid.UUID(int=rng.getrandbits(128), version=4) for _each in range(99))
    booked = [kitty_book(club=club, author=treasurer, key=next(keys), entry=entry) for entry in _entries(club, today)]
    kitty_undo(club=club, author=treasurer, key=next(keys), entry_id=booked[-1].pk, reason="Es waren 18.90")
    _fees(club, treasurer, keys, today)


def _fees(club: Club, treasurer: User, keys: Iterator[uuid.UUID], today: date) -> None:
    """Book the member fee of this year six weeks ago (at the earliest on the first of January); half of the members
    have paid since."""
    day = max(date(today.year, 1, 1), today - timedelta(weeks=6))
    members = Player.objects.filter(club=club, active=True, guest=False, main=None).order_by("nickname")
    own = {members.last().pk: 2000}  # type: ignore[union-attr]
    fee = fee_book(
        club=club,
        author=treasurer,
        key=next(keys),
        fee=NewFee(today.year, f"Jahresbeitrag {today.year}", 4000, day, [member.pk for member in members], own),
    )
    paid = Payment.objects.filter(fee_share__fee=fee).order_by("fee_share")
    for payment, way in zip(paid[: len(members) // 2], cycle(PaymentDay.Way.values), strict=False):
        numbers = [payment.pk]
        debts_mark(club=club, author=treasurer, key=next(keys), numbers=numbers, day=today, way=way)


def _entries(club: Club, today: date) -> Sequence[NewEntry]:
    """The entries, the oldest one first. The last one has a wrong amount, and is undone."""
    anna, doris = (Player.objects.get(club=club, nickname=name).pk for name in ("Anna", "Doris"))

    def entry(weeks: int, kind: str, amount_minor: int, reason: str, player: int | None = None) -> NewEntry:
        return NewEntry(kind, amount_minor, reason, today - timedelta(days=WEEK * weeks), player)

    return (
        entry(47, "brought", 16_000, "Mitgliederbeiträge"),
        entry(46, "spent", 3960, "Sechs Kartenspiele", anna),
        entry(36, "brought", 5000, "Geschenk des Wirts"),
        entry(22, "spent", 9640, "Nachtessen zum Saisonende", doris),
        entry(11, "brought", 16_000, "Mitgliederbeiträge"),
        entry(10, "spent", 2680, "Vier Kartenspiele und eine Schiefertafel", anna),
        entry(5, "spent", 4500, "Blumen für eine Hochzeit", doris),
        entry(1, "spent", 1890, "Preise für das Turnier", anna),
        entry(1, "spent", 1980, "Preise für das Turnier", anna),
    )


def plan(season: Season, owner: User, planned: Planned, *, today: date) -> None:
    """Plan the next evenings of a season."""
    days = [today + timedelta(days=planned.days_apart * nth) for nth in range(1, planned.evenings + 1)]
    coming = evenings_plan(season=season, actor=owner, days=days[:-2], begins_at=planned.begins_at)
    note = "Bringt etwas für den Tisch mit."
    coming += evenings_plan(
        season=season, actor=owner, days=days[-2:-1], begins_at=planned.begins_at, place=planned.elsewhere, note=note
    )
    coming += evenings_plan(season=season, actor=owner, days=days[-1:], begins_at=planned.begins_at)
    planned_cancel(planned=coming[-1], actor=owner)
