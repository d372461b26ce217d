"""The treasurer's books: entries of the kitty, lines with sums, balances, several payments at once."""

from __future__ import annotations

import re
import uuid
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.closing.services import evening_close
from games.integrity.verify import differences
from games.models import Table
from league.errors import Refused
from league.ledger import balance
from league.ledger.club_accounts import account_of, held
from league.models import Account, AuditEntry, Balance, Club, KittyEntry, Payment, Player, Posting, Transfer
from league.money import parse_money
from league.payments.services import outstanding_sum
from league.standings.counting import count_season
from league.standings.seasons import season_change
from league.treasury import books, services
from league.treasury.books import Filters
from league.treasury.services import NewEntry, kitty_book, kitty_undo
from tests.cast import House
from tests.factories import FAILED, MADE, WALKOVER, PlayerFactory, SeasonFactory, create_table, enter

DAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("text", "amount_minor"),
    [
        *(("12", 1200), ("12.5", 1250), ("12.50", 1250), ("0,05", 5), ("1’234.50", 123450), ("1'000", 100_000)),
        *((" 7 ", 700), ("", None), ("-1", None), ("1.234", None), ("1e3", None), (".5", None), ("٣", None)),
    ],
)
def test_a_typed_amount_is_whole_rappen_or_nothing(text: str, amount_minor: int | None) -> None:
    assert parse_money(text) == amount_minor


def book(home: House, kind: str = "brought", amount_minor: int = 5000, **more: Any) -> KittyEntry:
    key = more.pop("key", None) or uuid.uuid4()
    entry = NewEntry(kind, amount_minor, more.pop("reason", "Contributions"), more.pop("day", DAY), **more)
    return kitty_book(club=home.club, author=home.treasurer, key=key, entry=entry)


def kitty(club: Club) -> int:
    return held(club.pk, Account.Kind.KITTY)


def closed(home: House, *records: dict[str, Any], pot: str = "kitty", **wants: Any) -> Table:
    table = create_table(club=home.club, season=home.season, author=home.recorder, **wants)
    for record in records:
        enter(table, record)
    evening_close(evening=table.evening, author=None, key=uuid.uuid4(), pot=pot)
    return table


def undone(home: House, entry: KittyEntry) -> None:
    kitty_undo(club=home.club, author=home.treasurer, key=uuid.uuid4(), entry_id=entry.pk)


@pytest.mark.django_db
@pytest.mark.both_databases
@pytest.mark.services
def test_an_entry_is_booked_once_and_undone_by_a_reversal(home: House) -> None:
    key = uuid.uuid4()
    first = book(home, key=key)
    assert book(home, key=key).pk == first.pk
    spent = book(home, "spent", 1250, reason="Two decks")
    outside = account_of(home.club.pk, Account.Kind.OUTSIDE)
    assert (kitty(home.club), balance(outside.pk)) == (3750, -3750)
    undone(home, spent)
    assert kitty(home.club) == 5000
    assert list(Posting.objects.filter(source=spent.pk).values_list("revision", "evening")) == [(1, None), (2, None)]
    count_season(home.season.pk)
    assert Balance.objects.get(account=outside).balance_minor == -5000
    assert list(differences()) == []
    assert [entry.data["did"] for entry in AuditEntry.objects.filter(what="kitty_booked").order_by("pk")] == [
        *("brought", "spent", "undone")
    ]


def refused(call: Any) -> tuple[int, str, str]:
    with pytest.raises(Refused) as caught:
        call()
    return caught.value.status, caught.value.code, caught.value.at


@pytest.mark.django_db
def test_a_season_with_entries_keeps_its_amounts(home: House) -> None:
    entry = book(home)
    undone(home, entry)
    only_points = {"points_only": True}
    assert refused(lambda: season_change(season=home.season, actor=None, changes=only_points)) == (
        409, "points_only", "points_only",
    )  # fmt: skip
    assert season_change(season=SeasonFactory(club=home.club), actor=None, changes=only_points).points_only


@pytest.mark.django_db
def test_an_impossible_entry_is_refused(home: House) -> None:
    tomorrow = timezone.localdate() + timedelta(days=1)
    stranger = PlayerFactory()
    key = uuid.uuid4()
    book(home, key=key)
    wrong: dict[str, dict[str, Any]] = {
        "kind": {"kind": "paid"},
        "amount_minor": {"amount_minor": 0},
        "reason": {"reason": " "},
        "day": {"day": tomorrow},
        "player": {"player_id": stranger.pk},
    }
    for path, more in wrong.items():
        assert refused(lambda more=more: book(home, **more))[::2] == (422, path)
    assert refused(lambda: book(home, reason="x" * 201))[::2] == (422, "reason")
    assert refused(lambda: book(home, amount_minor=1, key=key))[:2] == (422, "key_reused")
    assert refused(lambda: book(home, "spent", 5001))[:2] == (409, "kitty")
    entry = KittyEntry.objects.get()
    book(home, "spent", 1)
    assert refused(lambda: undone(home, entry))[:2] == (409, "kitty")
    assert refused(lambda: kitty_undo(club=home.club, author=None, key=uuid.uuid4(), entry_id=uuid.uuid4()))[0] == 404
    assert kitty(home.club) == 4999


@pytest.mark.django_db
def test_without_the_check_the_kitty_would_become_negative(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "check_enough", lambda *_given: None)
    book(home, "spent", 1)
    assert kitty(home.club) == -1


@pytest.mark.django_db
def test_an_entry_is_undone_once_and_only_in_its_club(people: Any) -> None:
    entry = book(people.home)
    assert refused(lambda: undone(people.away, entry))[0] == 404
    undone(people.home, entry)
    assert refused(lambda: undone(people.home, entry))[:2] == (409, "undone")


@pytest.mark.django_db
def test_an_entry_needs_a_season_with_amounts(home: House) -> None:
    home.season.points_only = True
    home.season.save()
    assert refused(lambda: book(home))[:2] == (409, "season")
    later = SeasonFactory(club=home.club, starts_on=date(2027, 1, 1))
    assert book(home).posting.season == later


def amounts(page: books.Page) -> list[int]:
    return [(line.in_minor or 0) - (line.out_minor or 0) for line in page.lines]


@pytest.mark.django_db
def test_sums_are_of_all_lines_and_pages_have_each_line_once(home: House) -> None:
    table = closed(home, FAILED)
    for days, amount in enumerate((100, 200, 300)):
        book(home, amount_minor=amount, day=DAY - timedelta(days=days))
    undone(home, book(home, amount_minor=7))
    pot = Transfer.objects.get(kind="moved", from_account=table.pot_account).amount_minor
    filters, after, seen = Filters(), None, []
    while True:
        page = books.read(home.club, filters, after, size=2)
        seen += amounts(page)
        assert (page.sums.count, page.sums.in_minor, page.sums.out_minor) == (4, pot + 600, 0)
        if page.older is None:
            break
        after = page.older
    assert sorted(seen) == sorted([100, 200, 300, pot])
    assert page.sums.difference_minor == kitty(home.club)
    everything = books.read(home.club, Filters(undone=True))
    assert (everything.sums.count, everything.sums.difference_minor) == (6, kitty(home.club))
    assert sorted(line.state for line in everything.lines)[-2:] == ["undoes", "undone"]


@pytest.mark.django_db
def test_books_are_filtered_by_date_and_person(home: House) -> None:
    closed(home, FAILED, held_on=DAY)
    anna, beni = (Player.objects.get(nickname=name) for name in ("Anna", "Beni"))
    book(home, "spent", 5, player_id=anna.pk, day=DAY - timedelta(days=3))
    day = books.read(home.club, Filters(first=DAY - timedelta(days=3), last=DAY - timedelta(days=1)))
    assert (amounts(day), day.lines[0].person) == ([-5], "Anna")
    beni.main = anna
    beni.save()
    assert books.person(home.club, beni.pk) == {anna.pk, beni.pk} == books.person(home.club, anna.pk)
    assert books.person(home.club, 10**9) == frozenset()
    of_anna = books.read(home.club, Filters(players=books.person(home.club, beni.pk)))
    assert amounts(of_anna) == [-5]
    count_season(home.season.pk)
    evenings = books.read(home.club, Filters(book="evenings", players=frozenset({anna.pk, beni.pk})))
    assert [line.text for line in evenings.lines] == ["Anna"]


@pytest.mark.django_db
@pytest.mark.both_databases
def test_the_books_of_one_club_show_nothing_of_another(people: Any) -> None:
    closed(people.away, FAILED)
    book(people.away)
    count_season(people.away.season.pk)
    for name in books.BOOKS:
        assert books.read(people.home.club, Filters(book=name)).sums.count == 0


def reader(person: Any) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(person)
    return client


ADDRESS = "/c/roessli/treasury/"


@pytest.mark.django_db
def test_the_page_books_and_undoes(home: House) -> None:
    client = reader(home.treasurer)
    form = {"key": str(uuid.uuid4()), "kind": "brought", "amount_minor": "12,50", "reason": "Dues", "day": "2026-11-20"}
    assert client.post(ADDRESS, form | {"amount_minor": "a lot"}).status_code == 422
    assert client.post(ADDRESS, form | {"kind": "spent"}).status_code == 409
    assert client.post(ADDRESS, form).status_code == 303
    page = client.get(ADDRESS)
    assert page.context["page"].sums.in_minor == 1250
    assert "Dues" in page.content.decode()
    entry = {"key": str(uuid.uuid4()), "entry": str(KittyEntry.objects.get().pk)}
    assert client.post(f"{ADDRESS}undo/", {"key": "no key"}).status_code == 422
    assert client.post(f"{ADDRESS}undo/", entry).status_code == 303
    assert client.post(f"{ADDRESS}undo/", entry | {"key": str(uuid.uuid4())}).status_code == 409
    assert client.get(f"{ADDRESS}?book=nothing&player=x&from=yesterday&before=2026-01-01").status_code == 200
    assert "Dues" in client.get(f"{ADDRESS}?undone=1").content.decode()


@pytest.mark.django_db
def test_payments_are_marked_at_once_and_taken_back(home: House) -> None:
    closed(home, FAILED, MADE)
    closed(home, FAILED, WALKOVER, pot="carry")
    client = reader(home.treasurer)
    page = client.get(f"{ADDRESS}balances/")
    every = list(Payment.objects.all())
    assert (
        page.context["outstanding_minor"]
        == sum(payment.amount_minor for payment in every)
        == outstanding_sum(home.club)
    )
    assert page.context["gets_minor"] == page.context["pays_minor"]
    assert page.context["total_minor"] == 0
    ticked = [str(payment.pk) for payment in every[:3]]
    sent = {"key": str(uuid.uuid4()), "back": "balances", "payment": ticked}
    answer = client.post("/c/roessli/debts/paid/", sent | {"paid": "yes"})
    assert (answer.status_code, answer["Location"]) == (303, f"{ADDRESS}balances/")
    left = sum(payment.amount_minor for payment in every[3:])
    page = client.get(f"{ADDRESS}balances/")
    assert (page.context["outstanding_minor"], len(page.context["lately"])) == (left, 3)
    paid = books.read(home.club, Filters(book="payments"))
    assert (paid.sums.count, paid.sums.in_minor) == (3, sum(payment.amount_minor for payment in every[:3]))
    client.post("/c/roessli/debts/paid/", sent | {"key": str(uuid.uuid4()), "paid": "no"})
    assert outstanding_sum(home.club) == sum(payment.amount_minor for payment in every)
    assert books.read(home.club, Filters(book="payments")).sums.count == 0


@pytest.mark.django_db
def test_a_person_got_and_gave(home: House) -> None:
    closed(home, FAILED)
    payment = Payment.objects.filter(payer__player__isnull=False, payee__player__isnull=False).first()
    payment = payment or Payment.objects.filter(payer__player__isnull=False).first()
    assert payment is not None
    sent = {"key": str(uuid.uuid4()), "payment": str(payment.pk), "paid": "yes"}
    reader(home.owner).post("/c/roessli/debts/paid/", sent)
    payer = payment.payer.player
    mine = books.read(home.club, Filters(book="payments", players=frozenset({payer.pk})))
    assert (mine.sums.in_minor, mine.sums.out_minor) == (0, payment.amount_minor)
    assert re.match(rf"{payer.nickname} gave ", mine.lines[0].text)


@pytest.mark.django_db
def test_money_that_is_not_paid_in_yet_is_not_in_the_kitty(home: House) -> None:
    table = closed(home, FAILED)
    page = reader(home.owner).get(ADDRESS).context["holdings"]
    assert (page.stored_minor, page.there_minor) == (kitty(home.club), 0)
    payments = [str(payment.pk) for payment in Payment.objects.filter(closing__evening=table.evening)]
    sent = {"key": str(uuid.uuid4()), "payment": payments, "paid": "yes"}
    reader(home.owner).post("/c/roessli/debts/paid/", sent)
    page = reader(home.owner).get(ADDRESS).context["holdings"]
    assert (page.open_minor, page.there_minor) == (0, kitty(home.club))


@pytest.mark.django_db
def test_an_evening_that_runs_is_in_the_balances(home: House) -> None:
    table = create_table(club=home.club, season=home.season)
    enter(table, FAILED)
    page = reader(home.owner).get(f"{ADDRESS}balances/").context
    pot = balance(table.pot_account_id)
    assert pot > 0
    assert (page["running_minor"], page["outstanding_minor"]) == (-pot, 0)


@pytest.mark.django_db
@pytest.mark.servers_only
@pytest.mark.parametrize("kind", [books.KITTY, books.BOX, books.PAYMENTS])
def test_reversed_entries_are_left_out_by_an_anti_join(home: House, kind: str) -> None:
    """Of a join and `IS NULL` PostgreSQL expects one row, and then reads all postings of all clubs first."""
    plan = books.transfer_rows(home.club, Filters(book=kind)).select_related(None).order_by().explain()
    assert "Anti Join" in plan


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address",
    [
        ADDRESS,
        *(f"{ADDRESS}{rest}" for rest in ("?book=payments", "?book=evenings", "balances/", "year/", "statements/")),
        *(f"{ADDRESS}{rest}" for rest in ("statements/send/", "report/", "ledger/")),
        "/c/roessli/treasurer/",
        "/c/roessli/evenings.ics",
        "/c/roessli/results.atom",
    ],
)
def test_no_more_queries_with_more_lines(home: House, address: str) -> None:
    client = reader(home.treasurer)
    counts = []
    for _round in range(2):
        table = closed(home, FAILED, MADE)
        client.post(
            "/c/roessli/debts/paid/",
            {
                "key": str(uuid.uuid4()),
                "paid": "yes",
                "payment": str(Payment.objects.filter(closing__evening=table.evening).first().pk),  # type: ignore[union-attr]
            },
        )
        book(home, player_id=table.dealer_id)
        count_season(home.season.pk)
        client.get(address)
        with CaptureQueriesContext(connection) as made:
            client.get(address)
        counts.append(len(made))
    assert counts[0] == counts[1]
