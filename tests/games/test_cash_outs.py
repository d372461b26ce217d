"""A player goes home early: the payment is offered and marked, and the closing asks only for later amounts."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

import pytest
from django.urls import reverse
from django.utils import timezone

from games.closing.cash_outs import cash_out, participants
from games.closing.receipts import check
from games.closing.services import evening_close, evening_reopen, payments_mark
from games.errors import Refused
from games.integrity import verify
from games.models import Table
from games.seating.changes import Leave
from games.seating.services import carry_out
from league.models import Closing, Club, Evening, Payment, Player, Receipt
from league.payments import services as payments
from tests.cast import House
from tests.clients import reader
from tests.factories import FAILED, MADE, create_table, enter
from tests.page_forms import form_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(home: House) -> Table:
    table = create_table(season=home.season, club=home.club, held_on=timezone.localdate())
    for record in (MADE, FAILED, MADE, FAILED):
        enter(table, record)
    return table


def open_sums(table: Table) -> dict[str, int]:
    return {participant.name: participant.open_minor for participant in participants(fresh(table)).values()}


def fresh(table: Table) -> Evening:
    return Evening.objects.select_related("season", "club").get(pk=table.evening_id)


def player(name: str) -> int:
    return Player.objects.get(nickname=name).pk


def pay(table: Table, name: str, other: str, open_minor: int | None = None, key: uuid.UUID | None = None) -> Closing:
    shown = open_sums(table)[name] if open_minor is None else open_minor
    return cash_out(
        evening=fresh(table), author=None, key=key or uuid.uuid4(), player_id=player(name), other_id=player(other),
        open_minor=shown,
    )  # fmt: skip


def url(home: House, table: Table, name: str) -> str:
    whose = {"club": home.club.slug, "evening": table.evening_id, "player": player(name)}
    return reverse("evening-cash-out", kwargs=whose)


def losers(sums: dict[str, int]) -> Iterable[str]:
    return (name for name, amount in sums.items() if amount < 0)


def winners(sums: dict[str, int]) -> Iterable[str]:
    return (name for name, amount in sums.items() if amount > 0)


def test_a_leaving_player_gets_to_the_page_and_pays_there(home, table):
    client = reader(home.recorder)
    sums = open_sums(table)
    name = next(iter(losers(sums)))
    seating = reverse("table-seating", kwargs={"club": home.club.slug, "table": table.pk})
    shown = client.get(seating, {"do": "leave", "player": player(name)}).content.decode()
    assert "to whom is asked next" in shown
    left = client.post(seating, {"do": "leave", "player": player(name), "key": str(uuid.uuid4())}, follow=True)
    assert left.redirect_chain[-1][0] == f"{url(home, table, name)}?table={table.pk}"
    assert f'href="/c/roessli/t/{table.pk}/"' in left.content.decode()
    assert f"{name} pays" in left.content.decode()
    assert name in client.get(seating).content.decode().split("Left without settling up")[1]
    other = left.context["others"][0]
    assert other.open_minor == max(sums.values())
    form = {"key": str(uuid.uuid4()), "other": other.player_id, "open_minor": sums[name], "table": table.pk}
    answer = client.post(url(home, table, name), form, follow=True)
    paid = answer.content.decode()
    assert answer.redirect_chain[-1][0].endswith(f"?table={table.pk}")
    assert f"{name} is square." in paid
    assert f"{name} gave {other.name}" in paid
    assert "Left without settling up" not in client.get(seating).content.decode()


def test_those_at_a_table_are_offered_first_and_the_best_one_is_chosen(home, table):
    sums = open_sums(table)
    loser = next(iter(losers(sums)))
    first, second, *_ = sorted(sums, key=lambda name: -sums[name])
    carry_out(table=table, change=Leave(player(first)), author=None, key=uuid.uuid4())
    page = reader(home.recorder).get(url(home, table, loser))
    assert [person.name for person in page.context["others"]][:: len(sums) - 2] == [second, first]
    chosen = [
        control.value for control in form_with(page, "other").controls if control.name == "other" and control.sent
    ]
    assert chosen == [str(player(second))]


@pytest.mark.parametrize("sent", ["x", "0", "9" * 40, "another"])
def test_the_page_leads_back_to_no_other_table(home, table, sent):
    where = url(home, table, next(iter(losers(open_sums(table)))))
    other = create_table()
    shown = reader(home.recorder).get(where, {"table": other.pk if sent == "another" else sent}).content.decode()
    assert f'href="/c/roessli/e/{table.evening_id}/record/"' in shown


def test_a_winner_gets_the_coins_from_somebody(table):
    sums = open_sums(table)
    name, other = next(iter(winners(sums))), next(iter(losers(sums)))
    payment = pay(table, name, other).payments.get()
    assert (str(payment.payer), str(payment.payee), payment.amount_minor) == (other, name, sums[name])
    after = open_sums(table)
    assert after[name] == 0
    assert after[other] == sums[other] + sums[name]


@pytest.mark.both_databases
def test_the_closing_asks_only_for_the_rest(home, table):
    sums = open_sums(table)
    name, other = next(iter(losers(sums))), next(iter(winners(sums)))
    cashed = pay(table, name, other).payments.get()
    everybody = list(table.places.values_list("player_id", flat=True))
    stay = [pk for pk in everybody if pk != player(name)]
    page = reader(home.recorder).get(
        reverse("evening-close", kwargs={"club": home.club.slug, "evening": table.evening_id})
    )
    assert "Already paid" in page.content.decode()
    closing = evening_close(evening=fresh(table), author=None, key=uuid.uuid4(), pot="share", present=stay)
    ends = closing.payments.values_list("payer__player", "payee__player")
    assert player(name) not in {pk for both in ends for pk in both}
    receipt = Receipt.objects.get(closing=closing)
    assert receipt.content["paid"] == [[f"p{player(name)}", f"p{player(other)}", cashed.amount_minor]]
    assert not list(verify.differences())
    won = {line.account.player_id: line for line in payments.sums(fresh(table))}
    assert sum(line.open_minor for line in won.values()) == 0


@pytest.mark.both_databases
def test_a_cash_out_can_be_taken_back_while_the_evening_is_open(home, table):
    sums = open_sums(table)
    name, other = next(iter(losers(sums))), next(iter(winners(sums)))
    payment = pay(table, name, other).payments.get()
    client, where = reader(home.recorder), url(home, table, name)
    answer = form_with(client.get(where), "player").submit(client, "Undo")
    assert (answer.status_code, answer.url) == (303, where)
    assert open_sums(table) == sums
    assert not payments.outstanding_payments(home.club).exists()
    with pytest.raises(Refused, match="The evening is open"):
        payments_mark(evening=fresh(table), author=None, key=uuid.uuid4(), paid=True, numbers=[payment.pk])


@pytest.mark.both_databases
def test_a_cash_out_taken_back_after_the_closing_settles_the_evening_again(home, table):
    sums = open_sums(table)
    name, other = next(iter(losers(sums))), next(iter(winners(sums)))
    payment = pay(table, name, other).payments.get()
    evening_close(evening=fresh(table), author=None, key=uuid.uuid4())
    payments_mark(evening=fresh(table), author=None, key=uuid.uuid4(), paid=False, numbers=[payment.pk])
    newest = Closing.objects.latest("number")
    assert newest.kind == Closing.Kind.MENDED
    assert player(name) in newest.payments.values_list("payer__player", flat=True)


def test_the_receipt_before_a_reopening_still_opens_after_a_cash_out(home, table):
    closing = evening_close(evening=fresh(table), author=None, key=uuid.uuid4())
    evening_reopen(evening=fresh(table), author=None, key=uuid.uuid4(), owner=True)
    sums = open_sums(table)
    pay(table, next(iter(losers(sums))), next(iter(winners(sums))))
    links = reverse("receipts", kwargs={"club": home.club.slug, "evening": table.evening_id})
    assert "No receipt yet" in reader(home.recorder).get(links).content.decode()
    assert check(Receipt.objects.get(closing=closing), fresh(table)).opened


def test_impossible_cash_outs_are_refused(home, table):
    sums = open_sums(table)
    name, other = next(iter(losers(sums))), next(iter(winners(sums)))
    with pytest.raises(Refused, match="has changed meanwhile"):
        pay(table, name, other, open_minor=sums[name] - 10)
    with pytest.raises(Refused, match="somebody else"):
        pay(table, name, name)
    stranger = Player.objects.create(club=home.club, nickname="Zoé")
    with pytest.raises(Refused, match="somebody else"):
        pay(table, name, stranger.nickname)
    with pytest.raises(Refused, match="did not play"):
        pay(table, stranger.nickname, name, open_minor=5)
    key = uuid.uuid4()
    first = pay(table, name, other, open_minor=sums[name], key=key)
    assert pay(table, name, other, open_minor=sums[name], key=key) == first
    with pytest.raises(Refused, match="is square"):
        pay(table, name, other)
    Evening.objects.update(settling=Club.Settling.HANDS)
    with pytest.raises(Refused, match="after each hand"):
        pay(table, other, name)
    evening_close(evening=fresh(table), author=None, key=uuid.uuid4())
    with pytest.raises(Refused, match="closed"):
        pay(table, other, name)
    assert Payment.objects.filter(closing__kind=Closing.Kind.CASHED).count() == 1


def test_where_the_coins_move_after_each_hand_nobody_is_asked(home, table):
    Evening.objects.update(settling=Club.Settling.HANDS)
    client = reader(home.recorder)
    name = next(iter(losers(open_sums(table))))
    seating = reverse("table-seating", kwargs={"club": home.club.slug, "table": table.pk})
    form = {"do": "leave", "player": player(name), "key": str(uuid.uuid4())}
    left = client.post(seating, form, follow=True)
    assert left.redirect_chain[-1][0] == reverse("table", kwargs={"club": home.club.slug, "table": table.pk})
    assert "Left without settling up" not in client.get(seating).content.decode()
    assert "there is nothing to pay" in client.get(url(home, table, name)).content.decode()
