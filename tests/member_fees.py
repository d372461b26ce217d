"""A member fee of a club, for tests that need one of each kind of object."""

from __future__ import annotations

import uuid
from datetime import date

from league.member_fees.services import NewFee, fee_book
from league.models import MemberFee
from tests.cast import House


def member_fee(house: House) -> MemberFee:
    """Return a member fee of one player of the club."""
    known = MemberFee.objects.filter(club=house.club).first()
    if known is not None:
        return known
    player = house.club.players.filter(active=True, main=None).earliest("pk")
    fee = NewFee(2026, "Member fee 2026", 4000, date(2026, 11, 20), [player.pk])
    return fee_book(club=house.club, author=house.treasurer, key=uuid.uuid4(), fee=fee)
