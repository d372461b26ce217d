"""Member fees: booked as owed to the kitty, paid and undone as everything else, and every sum agrees."""

from __future__ import annotations

import io
import json
import random
import uuid
import zipfile
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.closing.bank_booking import bank_book
from games.closing.services import debts_mark, evening_close
from games.integrity.verify import differences
from league import ledger
from league.access import access_to
from league.errors import Refused
from league.ledger import balance
from league.ledger.club_accounts import account_of, held
from league.member_fees.selectors import shares_of
from league.member_fees.services import NewFee, fee_book, fee_undo
from league.models import (
    Account,
    AuditEntry,
    Balance,
    MemberFee,
    MemberFeeShare,
    Payment,
    Player,
    Posting,
    Standing,
)
from league.payments.on_day import outstanding_on, sums_on
from league.payments.outstanding import outstanding_with
from league.payments.services import lately_paid, outstanding_payments, outstanding_sum
from league.privacy.forgetting import player_forget
from league.privacy.personal_data_export import archive
from league.roster.merging import players_merge
from league.standings.counting import count_season
from league.treasury import balances, books, statements
from league.treasury.annual import annual_account
from league.treasury.bank_matching import match
from league.treasury.camt053 import read_statement
from league.treasury.iban import reference
from league.treasury.services import NewEntry, kitty_book, kitty_undo
from tests.cast import House
from tests.factories import FAILED, MADE, PlayerFactory, create_table, enter
from tests.league.test_bank_statements import IBAN, entry, file
from tests.races import at_once
from tests.sizes import sized

FEE = 5000


@pytest.fixture
def fees(home: House) -> House:
    """A club with four members, a guest and one who left."""
    for name in ("Anna", "Beat", "Cla", "Dora"):
        PlayerFactory(club=home.club, nickname=name)
    PlayerFactory(club=home.club, nickname="Gast", guest=True)
    PlayerFactory(club=home.club, nickname="Frueher", active=False)
    return home


def members(home: House) -> list[Player]:
    """The members of the club: those in the roster who are no guests."""
    return list(Player.objects.filter(club=home.club, active=True, guest=False, main=None).order_by("pk"))


def book(home: House, *who: Player, year: int | None = None, **more: Any) -> MemberFee:
    """Book a fee for these players, without any for all members."""
    today = timezone.localdate()
    players = [player.pk for player in who or members(home)]
    key = more.pop("key", None) or uuid.uuid4()
    values = {"name": "Jahresbeitrag", "amount_minor": FEE, "day": today, **more}
    fee = NewFee(year=year or today.year, players=players, **values)
    return fee_book(club=home.club, author=home.treasurer, key=key, fee=fee)


def undo(home: House, fee: MemberFee, *who: Player) -> MemberFee:
    players = [player.pk for player in who] or None
    return fee_undo(club=home.club, author=home.treasurer, key=uuid.uuid4(), fee_id=fee.pk, players=players)


def mark(home: House, *payments: Payment, paid: bool = True, **more: Any) -> int:
    numbers = [payment.pk for payment in payments]
    return debts_mark(club=home.club, author=home.recorder, key=uuid.uuid4(), numbers=numbers, paid=paid, **more).count


def of(player: Player) -> Payment:
    """The payment of the fee of a player that was not undone."""
    return Payment.objects.get(fee_share__player=player, fee_share__undone_at=None)


def refused(call: Any) -> tuple[int, str]:
    with pytest.raises(Refused) as caught:
        call()
    return caught.value.status, caught.value.code


def check_sums(home: House, owed: dict[int, int], paid: dict[int, int], other: int = 0) -> None:
    """Check that all lists have the fees of this simple account: what each player owes, and has paid. `other`: what
    else the kitty got."""
    club, today = home.club, timezone.localdate()
    booked, still = sum(owed.values()) + sum(paid.values()), sum(owed.values())
    assert held(club.pk, Account.Kind.KITTY) == booked + other
    rows = list(outstanding_payments(club).filter(closing=None))
    assert {payment.payer.player_id: payment.amount_minor for payment in rows} == owed
    assert {payment.pk for payment in outstanding_on(club, today) if payment.closing is None} == {
        payment.pk for payment in rows
    }
    totals = {statement.player_id: statement.total_minor for statement in statements.statements(club, today, today, {})}
    assert totals == owed
    everybody = balances.balances(club, rows, {})
    assert {line.player_id: line.total_minor for line in everybody if line.player_id} == {
        k: -v for k, v in owed.items()
    }
    holdings = balances.holdings(held(club.pk, Account.Kind.KITTY), "kitty", rows)
    assert holdings.there_minor == sum(paid.values()) + other
    year = annual_account(club, date(today.year, 1, 1), today)
    assert year.agrees
    assert {person.player_id: -person.amount_minor for person in year.persons} == owed
    assert sum(group.amount_minor for group in year.income if group.kind == "fee") == booked
    assert year.kitty.there_minor == sum(paid.values()) + other
    assert sums_on(club, today).difference_minor == 0
    page = books.read(club, books.Filters())
    assert page.sums.difference_minor == booked + other
    marks = books.read(club, books.Filters(book=books.PAYMENTS)).sums
    assert marks.in_minor == sum(paid.values())
    for player in {*owed, *paid}:
        account = Account.objects.get(player=player)
        assert balance(account.pk) == -owed.get(player, 0)
    kitty = account_of(club.pk, Account.Kind.KITTY)
    assert balance(kitty.pk) == still + other


@pytest.mark.django_db
@pytest.mark.both_databases
@pytest.mark.services
def test_a_fee_is_booked_once_paid_and_undone_and_every_sum_agrees(fees: House) -> None:
    home = fees
    anna, beat, *rest = members(home)
    key = uuid.uuid4()
    fee = book(home, key=key, amounts={beat.pk: 2500})
    assert book(home, key=key, amounts={beat.pk: 2500}).pk == fee.pk
    owed = {anna.pk: FEE, beat.pk: 2500} | {member.pk: FEE for member in rest}
    check_sums(home, owed, {})
    assert mark(home, of(anna), of(beat), way="twint") == 2
    assert mark(home, of(anna)) == 0
    paid = {player: owed.pop(player) for player in (anna.pk, beat.pk)}
    check_sums(home, owed, paid)
    assert {payment.paid_way for payment in lately_paid(home.club, timezone.now() - timedelta(days=30))} == {"twint"}
    assert refused(lambda: undo(home, fee)) == (409, "paid")
    assert mark(home, of(beat), paid=False) == 1
    undo(home, fee, beat)
    assert refused(lambda: undo(home, fee, beat)) == (409, "undone")
    paid.pop(beat.pk)
    check_sums(home, owed, paid)
    again = book(home, beat)
    assert again.pk != fee.pk
    check_sums(home, owed | {beat.pk: FEE}, paid)
    count_season(home.season.pk)
    assert Balance.objects.get(account__player=beat).balance_minor == -FEE
    assert list(differences()) == []
    did = AuditEntry.objects.filter(what__in=["kitty_booked", "payments_marked"]).order_by("pk")
    assert [entry.data["did"] for entry in did] == ["fee", "fees_paid", "fees_unpaid", "fee_undone", "fee"]
    assert Posting.objects.filter(evening=None, transfers__kind="fee").count() == len(members(home)) + 2


@pytest.mark.django_db
@pytest.mark.services
@pytest.mark.sized
def test_random_steps_agree_with_a_plain_account(fees: House) -> None:
    rng, owed, paid, other = random.Random(20261129), {}, {}, 0
    people = members(fees)
    for _step in range(sized(15, 40)):
        who, step = rng.choice(people), rng.choice(["book", "pay", "unpay", "undo", "bring", "spend"])
        known = owed | paid
        if step == "book" and who.pk not in known:
            amount = rng.choice([1, 99, 2500, 5005])
            book(fees, who, amounts={who.pk: amount})
            owed[who.pk] = amount
        elif step == "book":
            assert refused(lambda who=who: book(fees, who)) == (409, "fee")
        elif step == "pay" and who.pk in owed:
            mark(fees, of(who), way=rng.choice(["cash", "twint", "transfer"]))
            paid[who.pk] = owed.pop(who.pk)
        elif step == "unpay" and who.pk in paid:
            mark(fees, of(who), paid=False)
            owed[who.pk] = paid.pop(who.pk)
        elif step == "undo" and who.pk in known:
            fee = of(who).fee_share.fee  # type: ignore[union-attr]
            if who.pk in paid:
                assert refused(lambda fee=fee, who=who: undo(fees, fee, who)) == (409, "paid")
            elif sum(known.values()) + other < owed[who.pk]:
                assert refused(lambda fee=fee, who=who: undo(fees, fee, who)) == (409, "kitty")
            else:
                undo(fees, fee, who)
                owed.pop(who.pk)
        elif step in ("bring", "spend"):
            kind, amount = {"bring": ("brought", 700), "spend": ("spent", 300)}[step]
            if step == "bring" or sum(known.values()) + other >= amount:
                entry = NewEntry(kind, amount, "x", timezone.localdate())
                kitty_book(club=fees.club, author=None, key=uuid.uuid4(), entry=entry)
                other += amount if step == "bring" else -amount
        check_sums(fees, owed, paid, other)
    assert list(differences()) == []


@pytest.mark.django_db
def test_an_impossible_fee_is_refused(fees: House) -> None:
    anna, *_others = members(fees)
    guest, left = (Player.objects.get(nickname=name) for name in ("Gast", "Frueher"))
    tomorrow = timezone.localdate() + timedelta(days=1)
    wrong: list[Any] = [
        lambda: book(fees, anna, name=" "),
        lambda: book(fees, anna, name="x" * 61),
        lambda: book(fees, anna, amount_minor=0),
        lambda: book(fees, anna, amounts={anna.pk: -1}),
        lambda: book(fees, anna, amounts={guest.pk: 100}),
        lambda: book(fees, anna, day=tomorrow),
        lambda: book(fees, anna, year=timezone.localdate().year + 2),
        lambda: book(fees, left),
    ]
    assert [refused(call) for call in wrong] == [(422, "fee")] * len(wrong)
    stranger = PlayerFactory()
    assert refused(lambda: book(fees, stranger))[0] == 422
    assert book(fees, guest).shares.count() == 1
    key = uuid.uuid4()
    fee = book(fees, anna, key=key)
    assert refused(lambda: book(fees, anna, key=key, amount_minor=1)) == (422, "key_reused")
    assert refused(lambda: undo(fees, fee, guest))[0] == 404
    entry = fee.shares.get().entry
    assert refused(lambda: kitty_undo(club=fees.club, author=None, key=uuid.uuid4(), entry_id=entry.pk)) == (409, "fee")
    # The fee was spent: without it the kitty would be below 0.
    spent = NewEntry("spent", 2 * FEE, "all of it", timezone.localdate())
    kitty_book(club=fees.club, author=None, key=uuid.uuid4(), entry=spent)
    assert refused(lambda: undo(fees, fee)) == (409, "kitty")


@pytest.mark.django_db
@pytest.mark.both_databases
def test_the_database_refuses_a_second_share_and_a_payment_without_a_cause(fees: House) -> None:
    share = book(fees, members(fees)[0]).shares.get()
    row = {"fee": share.fee, "player": share.player, "year": share.year, "amount_minor": 1, "entry": share.entry}
    payment = share.payment
    ends = {"payer": payment.payer, "payee": payment.payee, "amount_minor": 1, "number": 1}
    for wrong in (
        lambda: MemberFeeShare.objects.create(**row),
        lambda: Payment.objects.create(**ends),
        lambda: MemberFeeShare.objects.filter(pk=share.pk).update(amount_minor=0),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            wrong()


@pytest.mark.django_db
def test_a_fee_is_no_result(fees: House) -> None:
    table = create_table(club=fees.club, season=fees.season, author=fees.recorder, held_on=timezone.localdate())
    for record in (MADE, FAILED):
        enter(table, record)
    evening_close(evening=table.evening, author=None, key=uuid.uuid4(), pot="kitty")
    count_season(fees.season.pk)

    def counted() -> list[Any]:
        count_season(fees.season.pk)
        columns = [field.attname for field in Standing._meta.concrete_fields if not field.primary_key]
        return list(Standing.objects.order_by("player").values_list(*columns))

    before = counted()
    player = Player.objects.get(pk=table.dealer_id)
    due = outstanding_sum(fees.club)
    fee = book(fees, player)
    assert outstanding_sum(fees.club) == due + FEE
    mark(fees, of(player))
    assert counted() == before
    assert outstanding_sum(fees.club) == due
    # All payments at once, of the evening and of the fee: one act, in one list.
    mark(fees, of(player), paid=False)
    every = list(outstanding_payments(fees.club))
    assert {payment.fee_title for payment in every} == {"", fee.title}
    assert mark(fees, *every) == len(every)
    assert annual_account(fees.club, date(2020, 1, 1), timezone.localdate()).agrees
    assert list(differences()) == []


@pytest.mark.django_db
def test_a_payment_of_a_fee_has_a_day_and_a_closed_season_keeps_both(fees: House) -> None:
    today = timezone.localdate()
    day, later = today - timedelta(days=20), today - timedelta(days=10)
    anna, beat, *_others = members(fees)
    fee = book(fees, anna, beat, day=day)
    assert refused(lambda: mark(fees, of(anna), day=day - timedelta(days=1))) == (422, "day")
    assert refused(lambda: mark(fees, of(anna), day=today + timedelta(days=1))) == (422, "day")
    mark(fees, of(anna), day=later)
    for when, who in ((day - timedelta(days=1), set()), (day, {anna.pk, beat.pk}), (later, {beat.pk})):
        assert {payment.payer.player_id for payment in outstanding_on(fees.club, when)} == who
        sums = sums_on(fees.club, when)
        assert {player for player, amount in sums.persons.items() if amount} == who
        assert sums.difference_minor == 0
        assert annual_account(fees.club, date(2020, 1, 1), when).agrees
    fees.season.starts_on, fees.season.ends_on = day - timedelta(days=30), later
    fees.season.closed_at = timezone.now()
    fees.season.save()
    closed = (409, "season_closed")
    assert refused(lambda: book(fees, _others[0], day=day)) == closed
    assert refused(lambda: undo(fees, fee, beat)) == closed
    assert refused(lambda: mark(fees, of(anna), paid=False)) == closed
    assert refused(lambda: mark(fees, of(beat), day=later)) == closed
    assert mark(fees, of(beat), day=today) == 1


@pytest.mark.django_db
def test_merged_players_keep_both_shares_and_no_third_one_is_booked(fees: House) -> None:
    anna, beat, cla, *_others = members(fees)
    fee = book(fees, anna, beat, cla)
    players_merge(club=fees.club, player=anna, main=beat, reason="the same", actor=fees.owner)
    lines = shares_of(fees.club, fee)
    assert [(line.name, line.twice) for line in lines] == [("Beat", True), ("Beat", True), ("Cla", False)]
    assert refused(lambda: book(fees, beat)) == (409, "fee")
    names = access_to(fees.owner, fees.club).names
    [owing] = outstanding_with(fees.club, beat.pk, names)
    assert (owing.amount_minor, owing.evenings, owing.fees) == (-2 * FEE, (), (fee.title, fee.title))
    assert {
        statement.player_id: statement.total_minor
        for statement in statements.statements(fees.club, fee.day, fee.day, {})
    } == {
        beat.pk: 2 * FEE,
        cla.pk: FEE,
    }
    undo(fees, fee, anna)
    assert [share.state for share in shares_of(fees.club, fee)] == ["owed", "owed", "undone"]
    assert annual_account(fees.club, date(2020, 1, 1), timezone.localdate()).agrees
    assert list(differences()) == []


@pytest.mark.django_db
def test_a_forgotten_person_still_owes_and_the_export_has_the_fees(fees: House) -> None:
    anna, beat, *_others = members(fees)
    fee = book(fees, anna, beat, name="Jahresbeitrag, von Anna eingezogen")
    anna.user = fees.member
    anna.save()
    text = b"".join(archive(fees.member))
    data = json.loads(zipfile.ZipFile(io.BytesIO(text)).read("data.json"))
    assert [(member_fee["year"], member_fee["amount_minor"]) for member_fee in data["member_fees"]] == [(fee.year, FEE)]
    assert [(payment["fee_year"], payment["evening_id"]) for payment in data["payments"]] == [(fee.year, None)]
    player_forget(player=anna, actor=fees.owner)
    fee.refresh_from_db()
    assert (fee.name, str(fee.year) in fee.title) == ("", True)
    assert outstanding_sum(fees.club, [anna.pk]) == FEE
    mark(fees, of(anna))
    assert list(differences()) == []


@pytest.mark.django_db
def test_verify_finds_what_does_not_agree(fees: House) -> None:
    anna, beat, *_others = members(fees)
    book(fees, anna, beat)
    mark(fees, of(anna))
    assert list(differences()) == []
    share = MemberFeeShare.objects.get(player=beat)
    for change, back in (
        ({"amount_minor": 1}, {"amount_minor": FEE}),
        ({"undone_at": timezone.now()}, {"undone_at": None}),
        ({"year": 1999}, {"year": share.year}),
    ):
        MemberFeeShare.objects.filter(pk=share.pk).update(**change)
        assert list(differences()), change
        MemberFeeShare.objects.filter(pk=share.pk).update(**back)
    kitty = account_of(fees.club.pk, Account.Kind.KITTY)
    account = Account.objects.get(player=beat)
    event = ledger.ClubEvent(season=fees.season, source=uuid.uuid4(), revision=1, author=None)
    ledger.post(event=event, moves=[ledger.Move(account.pk, kitty.pk, 5, "fee")])
    assert [difference for difference in differences() if "belong to no share" in difference]


@pytest.mark.django_db
def test_a_bank_statement_pays_a_bill_with_a_fee(fees: House) -> None:
    today = timezone.localdate()
    anna, *_others = members(fees)
    book(fees, anna, day=today - timedelta(days=5))
    bill = reference(IBAN, club_id=fees.club.pk, player_id=anna.pk, last=today)
    early = entry({bill: FEE}, day=(today - timedelta(days=6)).isoformat())
    [line] = match(fees.club, read_statement(file(early)))
    assert line.state == "day"
    bank_payments = read_statement(file(entry({bill: FEE}, day=today.isoformat())))
    assert [bank_line.state for bank_line in match(fees.club, bank_payments)] == ["matched"]
    assert bank_book(club=fees.club, author=None, key=uuid.uuid4(), payments=bank_payments).amount_minor == FEE
    check_sums(fees, {}, {anna.pk: FEE})
    [paid] = lately_paid(fees.club, timezone.now() - timedelta(days=1))
    assert (paid.paid_on, paid.paid_way) == (today, "transfer")  # type: ignore[attr-defined]


@pytest.mark.rest
@pytest.mark.needs_postgres
@pytest.mark.django_db(transaction=True)
def test_two_treasurers_book_one_year_at_once(fees: House) -> None:
    def booked() -> None:
        book(fees)

    assert at_once([booked] * 4) == ["", "fee", "fee", "fee"]
    check_one_share_each(fees)


@pytest.mark.rest
@pytest.mark.needs_postgres
@pytest.mark.django_db(transaction=True)
def test_without_the_lock_the_database_lets_one_booking_through(fees: House, monkeypatch: pytest.MonkeyPatch) -> None:
    book(fees, PlayerFactory(club=fees.club, nickname="First"))
    monkeypatch.setattr("league.member_fees.services.lock_club", lambda _club: None)
    monkeypatch.setattr("league.member_fees.services.names_with_fee", lambda *_given: [])
    people = members(fees)[:4]
    answers = at_once([lambda: book(fees, *people)] * 3)
    assert answers.count("") == 1, answers
    assert set(answers) == {"", "IntegrityError"}


def check_one_share_each(fees: House) -> None:
    """Check that each member has one share, and that all sums agree."""
    assert MemberFeeShare.objects.filter(undone_at=None).count() == len(members(fees))
    check_sums(fees, {player.pk: FEE for player in members(fees)}, {})
    assert list(differences()) == []
