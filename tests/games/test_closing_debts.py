"""The outstanding payments on the page of a player."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.closing.services import evening_close, payments_mark
from games.models import Table
from league.access import club_for
from league.models import Payment, Player
from league.payments.outstanding import outstanding_with
from tests.cast import House
from tests.factories import FAILED, MADE, WALKOVER, create_table, enter

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def evening(home: House, *records: dict[str, Any]) -> Table:
    table = create_table(club=home.club, season=home.season, author=home.recorder)
    for record in records:
        enter(table, record)
    evening_close(evening=table.evening, author=None, key=uuid.uuid4(), pot="carry")
    return table


def page(player: Player, person: Any = None) -> str:
    client = Client(headers={"accept-language": "en"})
    if person is not None:
        client.force_login(person)
    body = client.get(f"/c/roessli/p/{player.pk}/").content.decode()
    card = re.search(r'(?s)<section class="card owing".*?</section>', body)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", card.group(0))).replace("\xa0", " ").strip() if card else ""


def owes(home: House, player: Player) -> list[tuple[str, int]]:
    access = club_for(home.owner, "roessli")
    return [
        (outstanding.name, outstanding.amount_minor)
        for outstanding in outstanding_with(home.club, player.pk, access.names)
    ]


@pytest.mark.both_databases
def test_outstanding_sums_add_up_to_the_payments_and_name_the_payer(home: House) -> None:
    evening(home, FAILED, WALKOVER)
    evening(home, FAILED)
    for player in Player.objects.all():
        both = Payment.objects.all()
        gets = sum(debt.amount_minor for debt in both if debt.payee.player_id == player.pk)
        pays = sum(debt.amount_minor for debt in both if debt.payer.player_id == player.pk)
        assert sum(amount for _name, amount in owes(home, player)) == gets - pays
    payment = Payment.objects.filter(payer__player__isnull=False, payee__player__isnull=False).first()
    payer, payee = payment.payer.player, payment.payee.player
    assert f"pays {payee.nickname}" in page(payer, home.owner)
    assert f"gets from {payer.nickname}" in page(payee, home.treasurer)


def test_the_player_and_the_treasurer_see_the_debts(home: House) -> None:
    evening(home, FAILED, WALKOVER)
    payment = Payment.objects.filter(payer__player__isnull=False, payee__player__isnull=False).first()
    payer, payee = payment.payer.player, payment.payee.player
    payer.user = home.member
    payer.save()
    assert page(payer, home.member).startswith("Outstanding")
    assert page(payer, home.treasurer) == page(payer, home.owner) != ""
    assert page(payee, home.member) == ""
    assert page(payer, home.recorder) == ""
    assert page(payer) == ""


def test_a_club_that_publishes_amounts_does_not_publish_debts(home: House) -> None:
    home.club.public_amounts = True
    home.club.save()
    evening(home, FAILED, WALKOVER)
    assert page(Payment.objects.first().payer.player) == ""


def test_paid_payments_are_not_outstanding(home: House) -> None:
    table = evening(home, FAILED, WALKOVER)
    payer = Payment.objects.first().payer.player
    assert page(payer, home.owner)
    payments_mark(evening=table.evening, author=None, key=uuid.uuid4(), paid=True)
    assert page(payer, home.owner) == ""


def test_no_more_queries_with_more_debts(home: House) -> None:
    def queries(player: Player) -> int:
        client = Client()
        client.force_login(home.owner)
        with CaptureQueriesContext(
            connection,
        ) as seen:
            client.get(f"/c/roessli/p/{player.pk}/")
        return len(seen)

    evening(home, FAILED, WALKOVER)
    anna = Player.objects.get(nickname="Anna")
    few = queries(anna)
    for _evening in range(3):
        evening(home, MADE, FAILED)
    assert queries(anna) == few
