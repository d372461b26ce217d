"""The page of outstanding payments: a mark is taken back there."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from games.closing.services import evening_close
from league.models import Club, Player
from tests.cast import House, cast
from tests.clients import reader
from tests.factories import FAILED, create_table, enter
from tests.page_forms import form_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def home() -> House:
    return cast().home


@pytest.mark.both_databases
def test_the_page_takes_a_mark_back(home: House) -> None:
    table = create_table(club=home.club, season=home.season)
    enter(table, FAILED)
    closing = evening_close(evening=table.evening, author=None, key=uuid.uuid4())
    client, url = reader(home.treasurer), reverse("debts", kwargs={"club": home.club.slug})
    before = client.get(url).context["total_minor"]
    assert "Marked as paid lately" not in client.get(url).content.decode()
    payment = closing.payments.order_by("number")[0]

    def mark(button: str) -> Any:
        form = form_with(client.get(url), "payment", str(payment.pk))
        assert form.submit(client, button).status_code == 303
        return client.get(url)

    marked = mark("Paid")
    assert marked.context["total_minor"] == before - payment.amount_minor
    assert [paid.pk for paid, _line in marked.context["lately"]] == [payment.pk]
    back = mark("Undo")
    assert "Outstanding again." in back.content.decode()
    assert back.context["total_minor"] == before
    assert not back.context["lately"]
    mark("Paid")
    with time_machine.travel(timezone.now() + timedelta(days=31)):
        client.force_login(home.treasurer)
        assert not client.get(url).context["lately"]


@pytest.mark.both_databases
def test_a_person_takes_back_only_their_own_marks(home: House) -> None:
    table = create_table(club=home.club, season=home.season)
    enter(table, FAILED)
    closing = evening_close(evening=table.evening, author=None, key=uuid.uuid4())
    payment = closing.payments.filter(payer__player__isnull=False).order_by("number")[0]
    Player.objects.filter(pk=payment.payer.player_id).update(user=home.recorder)
    client = reader(home.recorder)
    form = {"key": str(uuid.uuid4()), "payment": [str(due.pk) for due in closing.payments.all()], "paid": "yes"}
    answer = client.post(reverse("debts-paid", kwargs={"club": home.club.slug}), form, follow=True)
    own = {paid.pk for paid, _line in answer.context["lately"]}
    assert payment.pk in own
    assert len(own) < closing.payments.count()


def test_payments_that_closing_marked_are_not_offered(home: House) -> None:
    home.club.settling = Club.Settling.HANDS
    home.club.save()
    table = create_table(club=home.club, season=home.season)
    enter(table, FAILED)
    evening_close(evening=table.evening, author=None, key=uuid.uuid4())
    url = reverse("debts", kwargs={"club": home.club.slug})
    assert not reader(home.treasurer).get(url).context["lately"]


def test_the_way_of_a_payment_is_noted_and_offered_again(home: House) -> None:
    table = create_table(club=home.club, season=home.season)
    enter(table, FAILED)
    closing = evening_close(evening=table.evening, author=None, key=uuid.uuid4())
    client, url = reader(home.treasurer), reverse("debts", kwargs={"club": home.club.slug})
    payments = [str(due.pk) for due in closing.payments.order_by("number")]
    for payment, way in zip(payments[:2], ("twint", "cash"), strict=True):
        form = {"key": str(uuid.uuid4()), "payment": payment, "paid": "yes", "way": way}
        answer = client.post(reverse("debts-paid", kwargs={"club": home.club.slug}), form)
        assert answer.url == url + ("?way=twint" if way == "twint" else "")
    noted = {str(line.pk): line.paid_as for _one, line in client.get(url).context["lately"]}
    assert noted == dict(zip(payments[:2], ("with TWINT", ""), strict=True))
    again = client.get(url + "?way=twint").content.decode()
    assert '<option value="twint" selected>' in again
    assert 'name="way" value="twint"' in again
    wrong = client.post(
        reverse("debts-paid", kwargs={"club": home.club.slug}),
        {"key": str(uuid.uuid4()), "payment": payments[2:] or payments, "paid": "yes", "way": "shells"},
    )
    assert wrong.status_code == 422
