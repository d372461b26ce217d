"""A season of points only: nobody sees an amount, there are no payments, and the pot ends with the evening."""

from __future__ import annotations

import re
import uuid

import pytest
from django.test import Client
from django.urls import reverse

from games.closing.receipts import token_for
from games.closing.services import evening_close, evening_reopen
from games.evening.services import evening_start
from games.integrity import closings
from games.integrity.verify import differences
from games.models import Table
from league.errors import Refused
from league.models import Account, Payment, Season, Transfer
from league.payments import services as payments
from league.standings import counting
from league.standings.seasons import season_change
from tests.cast import House, house
from tests.factories import FAILED, MADE, create_table, enter

pytestmark = pytest.mark.django_db
AMOUNT = re.compile(r"CHF\s?[+−]?\d|\d\s?Fr\.|[+−]\d+\.\d\d")
POINTS_A_HAND = re.compile(r"<dt>Per hand</dt>\s*<dd[^>]*>[^<]*")


@pytest.fixture
def home() -> House:
    made = house("roessli")
    Season.objects.filter(pk=made.season.pk).update(points_only=True, ranking="points")
    made.season.refresh_from_db()
    return made


@pytest.fixture
def table(home: House) -> Table:
    table = create_table(club=home.club, season=home.season, author=home.recorder)
    for record in (MADE, FAILED, FAILED):
        enter(table, record)
    counting.count_season(home.season.pk)
    return Table.objects.select_related("evening__season", "evening__club").get(pk=table.pk)


def close(table: Table):
    return evening_close(evening=table.evening, author=None, key=uuid.uuid4(), pot="carry")


def pages(home: House, table: Table, closing) -> dict[str, str]:
    of = {"club": home.club.slug}
    evening, season = of | {"evening": table.evening_id}, of | {"season": home.season.slug}
    return {
        "club": reverse("club", kwargs=of),
        "season": reverse("season", kwargs=season),
        "standings-csv": reverse("standings-csv", kwargs=season),
        "results-csv": reverse("results-csv", kwargs=season),
        "evenings-csv": reverse("evenings-csv", kwargs=of | {"player": table.dealer_id}),
        "ledger-csv": reverse("ledger-csv", kwargs=season),
        "player": reverse("player", kwargs=of | {"player": table.dealer_id}),
        "evening": reverse("evening", kwargs=evening),
        "hands-csv": reverse("hands-csv", kwargs=evening),
        "evening-close": reverse("evening-close", kwargs=evening),
        "evening-corrections": reverse("evening-corrections", kwargs=evening),
        "hand-dispute": reverse("hand-dispute", kwargs=of | {"table": table.pk, "number": 1}),
        "hand-history": reverse("hand-history", kwargs=of | {"table": table.pk, "number": 1}),
        "debts": reverse("debts", kwargs=of),
        "receipt": reverse("receipt", kwargs={"token": token_for(closing.pk, table.dealer_id)}),
    }


def test_nobody_sees_an_amount(home, table):
    closing = close(table)
    for person in (home.owner, home.treasurer, home.recorder, home.member):
        client = Client()
        client.force_login(person)
        client.cookies["django_language"] = "en"
        for name, url in pages(home, table, closing).items():
            answer = client.get(url)
            if answer.status_code == 403:
                continue
            assert answer.status_code == 200, name
            text = b"".join(answer.streaming_content) if answer.streaming else answer.content
            shown = POINTS_A_HAND.sub("", text.decode().replace("\xa0", " "))
            assert not AMOUNT.search(shown), (person, name)
            if name.endswith("-csv"):
                head, *lines = text.decode().splitlines()
                places = [place for place, column in enumerate(head.split(",")) if column.endswith("_minor")]
                assert places
                assert not [line for line in lines if any(line.split(",")[place] for place in places)], name


def test_a_season_with_amounts_shows_them_to_the_owner(home, table):
    closing = close(table)
    Season.objects.filter(pk=home.season.pk).update(points_only=False)
    client = Client()
    client.force_login(home.owner)
    client.cookies["django_language"] = "en"
    shown = [
        name
        for name, url in pages(home, table, closing).items()
        if not name.endswith("-csv") and AMOUNT.search(client.get(url).content.decode().replace("\xa0", " "))
    ]
    assert {"season", "evening", "player", "receipt", "hand-dispute"} <= set(shown)


def test_the_ledger_file_is_offered_only_for_a_season_with_amounts(home, table):
    client = Client()
    client.force_login(home.owner)
    there = {"club": home.club.slug, "season": home.season.slug}
    for points_only in (True, False):
        Season.objects.filter(pk=home.season.pk).update(points_only=points_only)
        page = client.get(reverse("season", kwargs=there)).content.decode()
        assert (reverse("ledger-csv", kwargs=there) in page) is not points_only


def test_the_table_shows_the_pot_without_a_currency(home, table):
    client = Client()
    client.force_login(home.recorder)
    client.cookies["django_language"] = "en"
    page = client.get(reverse("table", kwargs={"club": home.club.slug, "table": table.pk})).content.decode()
    assert re.search(r"\d\.\d\d", page)
    assert not re.search(r"CHF|Fr\.", page)


def test_no_payment_is_outstanding_and_the_pot_ends(home, table):
    moved = Transfer.objects.count()
    closing = close(table)
    assert closing.posting is None
    assert Transfer.objects.count() == moved
    assert not Payment.objects.filter(closing__evening=table.evening).exists()
    assert payments.outstanding_sum(home.club) == 0
    assert not Account.objects.filter(club=home.club, kind__in=["box", "kitty"]).exists()
    assert list(differences([home.season])) == []
    assert list(closings.differences(home.season)) == []
    pot = Table.objects.get(pk=table.pk).pot_minor
    table.evening.refresh_from_db()
    evening_reopen(evening=table.evening, author=None, key=uuid.uuid4(), owner=True, reason="x")
    assert Table.objects.get(pk=table.pk).pot_minor == pot > 0


def test_an_evening_in_points_begins_with_an_empty_pot(home):
    in_money = Season.objects.create(club=home.club, slug="money", name="Money", starts_on="2026-08-01")
    first = create_table(club=home.club, season=in_money)
    for record in (FAILED, FAILED):
        enter(first, record)
    evening_close(
        evening=Table.objects.select_related("evening").get(pk=first.pk).evening,
        author=None,
        key=uuid.uuid4(),
        pot="carry",
    )
    seating = [f"p{pk}" for pk in first.places.order_by("seat").values_list("player_id", flat=True)]
    second = evening_start(
        club=home.club,
        season=home.season,
        author=None,
        seating=seating,
        first_dealer=seating[0],
        held_on=first.evening.held_on,
        carry=True,
    )
    assert second.pot_minor == 0
    third = evening_start(
        club=home.club,
        season=in_money,
        author=None,
        seating=seating,
        first_dealer=seating[0],
        held_on=first.evening.held_on,
        carry=True,
    )
    assert third.pot_minor > 0


def test_a_season_with_evenings_stays_as_it_is(home, table):
    with pytest.raises(Refused) as refused:
        season_change(season=home.season, actor=home.owner, changes={"points_only": False})
    assert refused.value.status == 409
    fresh = Season.objects.create(club=home.club, slug="new", name="New", starts_on="2027-01-01")
    assert season_change(season=fresh, actor=home.owner, changes={"points_only": True}).points_only


def test_a_season_in_points_is_not_counted_in_coins_under_other_rules(home, table):
    owner, rules = Client(), {"game": "chratze", "values": {"stake": 50}}
    owner.force_login(home.owner)
    where = reverse("rules-replay", kwargs={"club": home.club.slug}) + "?season=" + home.season.slug
    assert home.season.name not in owner.get(where).content.decode()
    asked = reverse("api-season-replay", kwargs={"club": home.club.slug, "season": home.season.slug})
    assert owner.post(asked, rules, content_type="application/json").status_code == 403
    Season.objects.filter(pk=home.season.pk).update(points_only=False)
    assert home.season.name in owner.get(where).content.decode()
    assert owner.post(asked, rules, content_type="application/json").status_code == 200
