"""The pages and the API of member fees: preview, booking, marks, undoing, files, and clubs without the feature."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.features.table import ALL
from league.models import KittyEntry, MemberFee, MemberFeeShare, Player
from league.payments.services import outstanding_sum
from tests.api.api_client import ApiClient, done, is_problem, key_for
from tests.cast import Cast, House
from tests.clients import reader
from tests.factories import PlayerFactory
from tests.league.test_member_fees import FEE, book, fees, mark, members, of
from tests.page_forms import form_with

fees = fees
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("en")]


def at(house: House, name: str, **more: Any) -> str:
    return reverse(name, kwargs={"club": house.club.slug, **more})


@pytest.fixture
def treasurer(fees: House) -> Client:
    fees.club.features = list(ALL)
    fees.club.save(update_fields=["features"])
    return reader(fees.treasurer)


def sent(house: House, **more: Any) -> dict[str, Any]:
    today = timezone.localdate()
    who = [str(player.pk) for player in members(house)]
    values = {
        "key": str(uuid.uuid4()),
        "year": today.year,
        "name": "Fee",
        "amount_minor": "50",
        "day": today.isoformat(),
    }
    return values | {"player": who, "do": "preview"} | more


def test_a_year_is_previewed_booked_paid_and_undone(fees: House, treasurer: Client) -> None:
    anna, beat, *_others = members(fees)
    url = at(fees, "member-fee-new")
    page = treasurer.get(url)
    assert [(person.player.nickname, ticked) for person, ticked, *_rest in page.context["form"].people][-2:] == [
        ("Dora", True),
        ("Gast", False),
    ]
    book(fees, anna)
    preview = treasurer.post(url, sent(fees, **{f"amount-{beat.pk}": "12.50"}))
    assert MemberFee.objects.count() == 1
    assert [player.nickname for player in preview.context["preview"].left_out] == ["Anna"]
    assert preview.context["preview"].total_minor == 2 * FEE + 1250
    form = form_with(preview, "year")
    answer = form.submit(treasurer, "Book")
    assert answer.status_code == 303
    fee = MemberFee.objects.get(name="Fee")
    assert dict(fee.shares.values_list("player__nickname", "amount_minor")) == {"Beat": 1250, "Cla": FEE, "Dora": FEE}
    page = treasurer.get(answer["Location"])
    mark_form = form_with(page, "payment")
    mark_form.tick("payment", str(of(beat).pk))
    assert mark_form.submit(treasurer, "Mark the ticked ones as paid")["Location"].startswith(answer["Location"])
    page = treasurer.get(answer["Location"])
    assert [(line.name, line.share.amount_minor) for line in page.context["paid"]] == [("Beat", 1250)]
    undo = {"key": str(uuid.uuid4()), "player": beat.pk}
    assert treasurer.post(at(fees, "member-fee-undo", fee=fee.pk), undo).status_code == 409
    undo = {"key": str(uuid.uuid4()), "player": _others[0].pk}
    assert treasurer.post(at(fees, "member-fee-undo", fee=fee.pk), undo).status_code == 303
    listed = treasurer.get(at(fees, "member-fees"))
    assert (listed.context["booked_minor"], listed.context["open_minor"]) == (2 * FEE + 1250, 2 * FEE)
    rows = treasurer.get(at(fees, "member-fees-csv")).getvalue().decode().splitlines()
    assert sorted(row.split(",")[6] for row in rows[1:]) == ['"owed"', '"owed"', '"paid"', '"undone"']
    bill = reader(fees.treasurer).get(at(fees, "treasury-statements")).content.decode()
    assert "Jahresbeitrag" not in bill
    assert "50.00" in bill


def test_wrong_input_is_shown_at_its_place_and_loses_nothing(fees: House, treasurer: Client) -> None:
    anna, *_others = members(fees)
    url = at(fees, "member-fee-new")
    for more, text in (
        ({"player": []}, "Choose at least one person"),
        ({f"amount-{anna.pk}": "twelve"}, "Write an amount such as 12.50."),
        ({"amount_minor": "x"}, "Write an amount such as 12.50."),
        ({"year": "2020"}, "The year is that of the date"),
        ({"year": "x" * 50}, "whole number"),
        ({"name": " "}, "required"),
        ({"amount_minor": "0"}, "above 0"),
    ):
        page = treasurer.post(url, sent(fees, **more))
        assert page.status_code == 422, more
        assert text in page.content.decode(), more
    page = treasurer.post(url, sent(fees, year="2020", **{f"amount-{anna.pk}": "12"}))
    assert 'value="12"' in page.content.decode()
    assert not MemberFee.objects.exists()


def test_the_pages_belong_to_the_club_and_vanish_with_the_feature(fees: House, treasurer: Client) -> None:
    fee = book(fees)
    page = treasurer.get(at(fees, "treasury")).content.decode()
    assert at(fees, "member-fees") in page
    fees.club.features = [key for key in ALL if key != "member_fees"]
    fees.club.save(update_fields=["features"])
    page = treasurer.get(at(fees, "treasury"))
    assert at(fees, "member-fees") not in page.content.decode()
    assert fee.name in page.content.decode()
    assert treasurer.get(at(fees, "member-fee", fee=fee.pk)).status_code == 404
    assert mark(fees, of(members(fees)[0])) == 1


def test_a_foreign_fee_is_not_found(people: Cast) -> None:
    for house in (people.home, people.away):
        PlayerFactory(club=house.club)
        house.club.features = list(ALL)
        house.club.save(update_fields=["features"])
    theirs = book(people.away)
    client = reader(people.home.treasurer)
    assert client.get(at(people.home, "member-fee", fee=theirs.pk)).status_code == 404
    undo = {"key": str(uuid.uuid4())}
    assert client.post(at(people.home, "member-fee-undo", fee=theirs.pk), undo).status_code == 404
    number = str(theirs.shares.get().payment.pk)
    marks = {"key": str(uuid.uuid4()), "paid": "yes", "payment": number, "day": timezone.localdate().isoformat()}
    assert client.post(at(people.home, "debts-paid"), marks).status_code == 404
    assert outstanding_sum(people.away.club) == FEE
    asks = ApiClient(key=key_for(people.home.treasurer))
    assert done(asks.get(f"clubs/{people.home.club.slug}/member-fees"))["items"] == []
    assert asks.post(f"clubs/{people.home.club.slug}/member-fees/{theirs.pk}/undo").status_code == 404


def test_the_number_of_queries_does_not_grow_with_the_people(fees: House, treasurer: Client) -> None:
    def counts(fee: MemberFee) -> list[int]:
        numbers = []
        names = ("member-fees", "member-fee-new", "treasury-balances", "treasury-statements", "treasury-year", "debts")
        for url in (at(fees, "member-fee", fee=fee.pk), *(at(fees, name) for name in names)):
            treasurer.get(url)
            with CaptureQueriesContext(connection) as captured:
                treasurer.get(url)
            numbers.append(len(captured))
        return numbers

    anna, beat, *_others = members(fees)
    fee = book(fees, anna, beat)
    mark(fees, of(anna))
    before = counts(fee)
    for number in range(12):
        PlayerFactory(club=fees.club, nickname=f"New {number}")
    have = set(MemberFeeShare.objects.values_list("player", flat=True))
    with CaptureQueriesContext(connection) as few:
        book(fees, *(player for player in members(fees)[-4:]))
    with CaptureQueriesContext(connection) as many:
        more = book(fees, *(player for player in members(fees)[:-4] if player.pk not in have))
    assert len(many) <= len(few) + 4 * (10 - 4)
    mark(fees, *(of(player) for player in members(fees)[-3:]))
    # Once all members have a fee of this year, the form is for the next one.
    assert treasurer.get(at(fees, "member-fee-new")).context["form"]["year"].value() == fee.year + 1
    PlayerFactory(club=fees.club, nickname="Without a fee")
    assert counts(more) == before


def test_the_api_books_lists_marks_and_undoes(fees: House) -> None:
    today = timezone.localdate()
    asks = ApiClient(key=key_for(fees.treasurer))
    path, key = f"clubs/{fees.club.slug}/member-fees", str(uuid.uuid4())
    anna, beat, *_others = members(fees)
    body = {"year": today.year, "name": "Fee", "amount_minor": FEE, "day": today.isoformat()}
    own = {"amounts": [{"player": beat.pk, "amount_minor": 100}]}
    first = done(asks.post(path, body | own, key=key))
    PlayerFactory(club=fees.club, nickname="Later")
    assert done(asks.post(path, body | own, key=key)) == first
    assert (first["booked_minor"], first["open_minor"], len(first["shares"])) == (3 * FEE + 100, 3 * FEE + 100, 4)
    assert is_problem(asks.post(path, body | {"players": [anna.pk]}), 409, "fee")
    debts = done(asks.get(f"clubs/{fees.club.slug}/debts"))["debts"]
    assert {(debt["fee"], debt["evening"], debt["season"], debt["held_on"]) for debt in debts} == {
        (f"Fee {today.year}", None, None, today.isoformat())
    }
    paid = {"payments": [first["shares"][0]["payment"]], "paid": True, "way": "twint"}
    assert done(asks.post(f"clubs/{fees.club.slug}/debts", paid))["changed"] == 1
    [listed] = done(asks.get(f"{path}?year={today.year}"))["items"]
    share = listed["shares"][0]
    assert (share["state"], share["way"], share["paid_on"]) == ("paid", "twint", today.isoformat())
    assert is_problem(asks.post(f"{path}/{first['id']}/undo"), 409, "paid")
    undone = done(asks.post(f"{path}/{first['id']}/undo", {"players": [beat.pk]}))
    assert (undone["booked_minor"], undone["paid_minor"]) == (3 * FEE, FEE)
    entries = done(asks.get(f"clubs/{fees.club.slug}/kitty/entries?sums=true"))
    assert (entries["sums"]["fees_minor"], entries["sums"]["difference_minor"]) == (3 * FEE, 3 * FEE)
    assert {line["kind"] for line in entries["items"]} == {"fee"}
    entry = KittyEntry.objects.filter(player=anna).get()
    assert is_problem(asks.post(f"clubs/{fees.club.slug}/kitty/entries/{entry.pk}/undo"), 409, "fee")
    assert not Player.objects.get(nickname="Later").fee_shares.exists()
