"""The guards of the treasurer's pages, of statements and of the account for bills that no other test looks for."""

from __future__ import annotations

import uuid
from datetime import date, timedelta
from functools import partial
from typing import Any

import pytest
from django.urls import reverse

from games.closing.services import debts_mark
from league.errors import Refused
from league.models import AuditEntry, BillingDetails, KittyEntry, Payment, Player, Posting, Season
from league.payments.services import outstanding_sum
from league.standings.counting import count_season
from league.treasury import books, services
from league.treasury.balances import balances, main_names
from league.treasury.billing_account import billing_set
from league.treasury.books import Filters
from league.treasury.statements import Statement, outcome, statements
from tests.api.api_client import ApiClient, key_for
from tests.cast import Cast, House
from tests.factories import FAILED, MUSS, PlayerFactory, create_table, enter
from tests.league.test_treasury import DAY, book, closed, kitty, reader
from tests.league.test_treasury_bills import VALUES

pytestmark = [pytest.mark.rest, pytest.mark.django_db]


def refused(call: Any, **values: Any) -> tuple[int, str]:
    with pytest.raises(Refused) as caught:
        call(**values)
    return caught.value.status, caught.value.at


def at(house: House, name: str = "treasury") -> str:
    return reverse(name, kwargs={"club": house.club.slug})


# --- Entries -------------------------------------------------------------------------------------------------------


def test_an_entry_has_bounds_and_a_player_who_exists(home: House) -> None:
    PlayerFactory(club=home.club)
    assert refused(partial(book, home), amount_minor=services.MAX_ENTRY_MINOR + 1) == (422, "amount_minor")
    assert refused(partial(book, home), player_id=10**9) == (422, "player")
    book(home, amount_minor=services.MAX_ENTRY_MINOR, reason="x" * services.MAX_REASON)
    assert kitty(home.club) == services.MAX_ENTRY_MINOR


def test_money_is_brought_into_a_kitty_with_a_negative_balance(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as without:
        without.setattr(services, "check_enough", lambda *_given: None)
        spent = book(home, "spent", 100)
    book(home, amount_minor=40)
    services.kitty_undo(club=home.club, author=None, key=uuid.uuid4(), entry_id=spent.pk)
    assert kitty(home.club) == 40


def test_the_form_offers_the_people_of_the_club_once(people: Cast) -> None:
    anna = PlayerFactory(club=people.home.club)
    merged, stranger = PlayerFactory(club=people.home.club, main=anna), PlayerFactory(club=people.away.club)
    client = reader(people.home.treasurer)
    form = client.get(at(people.home)).context["form"]
    assert list(form.fields["player"].queryset) == [anna]
    sent = {"kind": "brought", "amount_minor": "5", "reason": "Dues", "day": "2026-11-20"}
    for player in (merged, stranger):
        answer = client.post(at(people.home), sent | {"key": str(uuid.uuid4()), "player": player.pk})
        assert answer.status_code == 422
    assert not KittyEntry.objects.exists()


@pytest.mark.both_databases
def test_a_form_that_is_sent_twice_books_once(home: House) -> None:
    client = reader(home.treasurer)
    sent = {"key": str(uuid.uuid4()), "kind": "brought", "amount_minor": "5", "reason": "Dues", "day": "2026-11-20"}
    for _time in range(2):
        assert client.post(at(home), sent).status_code == 303
    assert kitty(home.club) == 500
    undo = {"key": str(uuid.uuid4()), "entry": str(KittyEntry.objects.get().pk)}
    for _time in range(2):
        assert client.post(at(home, "treasury-undo"), undo).status_code == 303
    assert (kitty(home.club), Posting.objects.filter(reverses__isnull=False).count()) == (0, 1)


def test_the_balance_and_the_form_of_the_kitty_are_on_its_own_page(home: House) -> None:
    client = reader(home.treasurer)
    shown = {name: client.get(f"{at(home)}?book={name}").context for name in books.BOOKS}
    assert [name for name, context in shown.items() if "form" in context] == ["kitty"]
    assert [name for name, context in shown.items() if "holdings" in context] == ["kitty", "box"]
    # An owner who only looks gets no form.
    assert client.get(at(home)).context["may_keep"]


# --- Several payments at once ---------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_payments_are_marked_all_or_none_and_once(people: Cast) -> None:
    closed(people.home, FAILED)
    closed(people.away, FAILED)
    own = list(Payment.objects.filter(closing__evening__club=people.home.club))
    other = Payment.objects.filter(closing__evening__club=people.away.club).first()
    assert other is not None
    url = at(people.home, "debts-paid")
    client = reader(people.home.treasurer)
    sent = {
        "key": str(uuid.uuid4()),
        "payment": [str(payment.pk) for payment in own],
        "paid": "yes",
        "back": "balances",
    }
    mixed = sent | {"payment": [*sent["payment"], str(other.pk)]}
    assert client.post(url, mixed).status_code == 404
    before = outstanding_sum(people.home.club)
    assert before == sum(payment.amount_minor for payment in own)
    for _time in range(2):
        assert client.post(url, sent)["Location"] == at(people.home, "treasury-balances")
    assert outstanding_sum(people.home.club) == 0
    assert Posting.objects.filter(source__in=[payment.pk for payment in own]).count() == len(own)
    # The same key for the opposite is a mistake of the page, and changes nothing.
    assert client.post(url, sent | {"paid": "no"}).status_code == 422
    assert outstanding_sum(people.home.club) == 0
    take_back = partial(
        debts_mark, club=people.home.club, author=None, numbers=[payment.pk for payment in own], paid=False
    )
    assert [take_back(key=uuid.uuid4()).count for _time in range(2)] == [len(own), 0]
    assert outstanding_sum(people.home.club) == before


def test_balances_and_recent_marks_are_of_the_own_club(people: Cast) -> None:
    closed(people.away, FAILED)
    away = Payment.objects.filter(closing__evening__club=people.away.club)
    debts_mark(club=people.away.club, author=None, key=uuid.uuid4(), numbers=[away[0].pk])
    page = reader(people.home.treasurer).get(at(people.home, "treasury-balances")).context
    assert (page["balances"], page["outstanding"], page["lately"], page["total_minor"]) == ([], [], [], 0)
    assert balances(people.home.club, [], {}) == []
    merged = PlayerFactory(club=people.away.club, main=Player.objects.filter(club=people.away.club).first())
    assert merged.pk not in main_names(people.home.club)


# --- Statements and the account for bills ----------------------------------------------------------------------------


def test_the_account_for_bills_is_that_of_the_club(people: Cast) -> None:
    billing_set(club=people.away.club, actor=None, values=VALUES)
    client = reader(people.home.treasurer)
    assert client.get(at(people.home, "treasury-billing")).context["form"].initial["country"] == "CH"
    assert "iban" not in client.get(at(people.home, "treasury-billing")).context["form"].initial
    assert client.get(at(people.home, "treasury-statements")).context["details"] is None
    assert client.get(at(people.home, "statements-pdf")).status_code == 422


def test_an_account_needs_a_country_of_two_letters_and_a_least_amount_in_bounds(home: House) -> None:
    store = partial(billing_set, club=home.club, actor=None)
    for country in ("C", "C1", "CHE"):
        assert refused(store, values=VALUES | {"country": country}) == (422, "country")
    assert refused(store, values=VALUES | {"least_minor": services.MAX_ENTRY_MINOR + 1}) == (422, "least_minor")
    store(values=VALUES | {"street": "", "house_number": "", "least_minor": services.MAX_ENTRY_MINOR})
    store(values=VALUES | {"iban": " ".join(str(VALUES["iban"]))})
    sent = VALUES | {"least_minor": ""}
    assert reader(home.treasurer).post(at(home, "treasury-billing"), sent).status_code == 303
    assert BillingDetails.objects.get().least_minor == 0


def test_a_statement_has_no_debt_of_another_club_between_people_or_of_later_days(people: Cast) -> None:
    closed(people.away, FAILED, held_on=DAY)
    closed(people.home, FAILED, held_on=DAY, pot="carry")
    closed(people.home, FAILED, held_on=DAY + timedelta(days=1))
    assert statements(people.home.club, DAY, DAY, {}) == []
    (first, *_others) = statements(people.home.club, DAY, DAY + timedelta(days=1), {})
    assert [line.day for line in first.lines] == [DAY + timedelta(days=1)]
    assert first.carried_minor == 0


def test_the_statement_explains_a_sum(en: None) -> None:
    sentences = [outcome(Statement(1, "Anna", amount), 500, "CHF") for amount in (500, 499, -1, 0)]
    for sentence, words in zip(
        sentences, ("with the slip", "is carried on", "kitty owes you", "Nothing is"), strict=True
    ):
        assert words in sentence


def test_bills_that_somebody_takes_are_in_the_log(home: House) -> None:
    closed(home, FAILED, held_on=DAY)
    billing_set(club=home.club, actor=None, values=VALUES | {"least_minor": 1})
    url = f"{at(home, 'statements-pdf')}?to=2026-11-30"
    assert reader(home.treasurer).get(url).status_code == 200
    assert AuditEntry.objects.get(what="exported").data == {"file": "statements"}


def test_a_book_has_nothing_of_points_of_chips_or_of_another_club(people: Cast) -> None:
    home = people.home
    closed(home, FAILED)
    closed(people.away, FAILED)
    count_season(home.season.pk)
    anna = Player.objects.get(club=home.club, nickname="Anna")
    assert anna in books.people(home.club)
    assert all(person.club_id == home.club.pk and person.main_id is None for person in books.people(home.club))
    stranger = Player.objects.filter(club=people.away.club).first()
    assert stranger is not None
    assert books.person(home.club, stranger.pk) == frozenset()
    merged = PlayerFactory(club=home.club, main=anna)
    assert merged not in books.people(home.club)
    evenings = books.read(home.club, Filters(book="evenings"))
    assert all(line.in_minor or line.out_minor for line in evenings.lines)
    # The kitty's own account is read, not that of the other club, and no payment to it is a line of the kitty.
    payment = Payment.objects.filter(closing__evening__club=home.club, payee__player=None).first()
    assert payment is not None
    lines = books.read(home.club, Filters()).sums.count
    debts_mark(club=home.club, author=None, key=uuid.uuid4(), numbers=[payment.pk])
    assert books.read(home.club, Filters()).sums.count == lines == 1
    assert books.read(people.away.club, Filters()).sums.count == 1
    Season.objects.filter(pk=home.season.pk).update(points_only=True)
    assert {name: books.read(home.club, Filters(book=name)).sums.count for name in books.BOOKS} == dict.fromkeys(
        books.BOOKS, 0
    )


@pytest.mark.both_databases
def test_the_lines_of_a_book_and_its_carried_sums_have_the_same_days(home: House) -> None:
    for days in (2, 1, 0):
        book(home, amount_minor=10**days, day=DAY - timedelta(days=days))
    whole = books.read(home.club, Filters())
    page = books.read(home.club, Filters(first=DAY - timedelta(days=1), last=DAY - timedelta(days=1)))
    assert (whole.sums.in_minor, page.sums.in_minor, page.sums.count) == (111, 10, 1)
    assert [line.day for line in page.lines] == [DAY - timedelta(days=1)]
    assert books.read(home.club, Filters(first=date(2027, 1, 1))).sums.difference_minor == 0


# --- The book of evenings --------------------------------------------------------------------------------------------


def test_the_book_of_evenings_says_how_many_evenings_it_leaves_out(people: Cast) -> None:
    home = people.home
    Season.objects.update(games="chratze")
    table = create_table(club=home.club, season=home.season, seats=4, game="kratzen", held_on=DAY)
    enter(table, MUSS)
    enter(create_table(club=people.away.club, season=people.away.season, seats=4, game="kratzen", held_on=DAY), MUSS)
    count_season(home.season.pk)
    closed(home, FAILED)
    client, api = reader(home.treasurer), ApiClient(key=key_for(home.owner))
    played, absent = table.places.first().player_id, PlayerFactory(club=home.club).pk
    for query, number in {
        "": 1,
        f"&from={DAY}&to={DAY}&player={played}": 1,
        f"&to={DAY - timedelta(days=1)}": 0,
        f"&player={absent}": 0,
        "&book=kitty": 0,
    }.items():
        book = "" if "book" in query else "&book=evenings"
        for name in ("treasury", "treasury-report"):
            page = client.get(f"{at(home, name)}?x{book}{query}").content.decode()
            assert ("1 evening is not in this book" in page) == bool(number), (name, query)
        query = query.replace("from=", "since=").replace("to=", "until=")
        answer = api.get(f"clubs/{home.club.slug}/books?x=1{book}{query}".replace("x=1&", ""))
        assert answer.json()["evenings_left_out"] == number
