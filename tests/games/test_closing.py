"""Closing an evening: pots, payments, reopening, corrections after the closing, and receipts."""

from __future__ import annotations

import uuid
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.signing import BadSignature
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.closing import pots, receipts
from games.closing.last_hands import last_hand
from games.closing.services import debts_mark, evening_close, evening_reopen, payments_mark, valid_closing
from games.corrections.edits import TakeOut
from games.corrections.services import correct
from games.errors import Refused
from games.hands.tables import table_create
from games.integrity import verify
from games.models import Happening, Table
from league import ledger
from league.ledger import club_accounts
from league.models import Account, Closing, Evening, EveningScore, Payment, Player, ResultRow, Season, Standing
from league.payments import services as payments
from league.standings.counting import count_season
from league.standings.selectors import evening_totals, evenings_with_counts
from league.triggers import LEAGUE_APPEND_ONLY, LEAGUE_CHECKS, drop
from tests.factories import FAILED, MADE, PASSED_OUT, PlayerFactory, create_table, enter

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def table_with_a_pot() -> Table:
    """Return a table of five with four hands; the last one was passed out."""
    table = create_table()
    for record in (MADE, FAILED, FAILED, PASSED_OUT):
        enter(table, record)
    return fresh(table)


@pytest.fixture
def table() -> Table:
    return table_with_a_pot()


def fresh(table: Table) -> Table:
    return Table.objects.select_related("evening__club").get(pk=table.pk)


def close(table: Table, pot: str = "carry", present: Any = (), **more: Any) -> Closing:
    return evening_close(
        **{"evening": table.evening, "author": None, "key": uuid.uuid4(), "pot": pot, "present": list(present)} | more
    )


def mark(table: Table, *some: Payment, paid: bool = True, key: uuid.UUID | None = None) -> int:
    numbers = [payment.pk for payment in some] or None
    return payments_mark(evening=table.evening, author=None, key=key or uuid.uuid4(), paid=paid, numbers=numbers).count


def reopen(table: Table, *, owner: bool = False, reason: str = "", key: uuid.UUID | None = None) -> Closing:
    return evening_reopen(evening=table.evening, author=None, key=key or uuid.uuid4(), owner=owner, reason=reason)


def lies_in(kind: str) -> int:
    return sum(
        club_accounts.held(club, kind) for club in Account.objects.filter(kind=kind).values_list("club_id", flat=True)
    )


def seated(table: Table) -> list[Player]:
    return [place.player for place in table.places.select_related("player").order_by("seat")]


def entry_players(table: Table) -> tuple[int, ...]:
    return tuple(player.pk for player in seated(table))


def sound() -> bool:
    differences = list(verify.differences())
    assert differences == []
    return True


def open_sums(table: Table) -> set[int]:
    return {line.open_minor for line in payments.sums(table.evening)}


def make_final(table: Table) -> None:
    Evening.objects.filter(pk=table.evening_id).update(final_at=timezone.now() - timedelta(hours=1))


# --- The pot ---------------------------------------------------------------------------------------------


@pytest.mark.both_databases
@pytest.mark.parametrize(("pot", "kind"), [("carry", "box"), ("kitty", "kitty")])
def test_the_pot_goes_to_the_chosen_account(table, pot, kind):
    lay = table.pot_minor
    assert lay > 0
    closing = close(table, pot)
    table = fresh(table)
    assert (table.pot_minor, lies_in(kind)) == (0, lay)
    assert table.evening.stage() == "provisional"
    assert closing.kind == "closed"
    assert sound()


@pytest.mark.both_databases
def test_a_shared_pot_leaves_nothing_and_differs_by_a_coin_at_most(table):
    people = seated(table)[:3]
    lay = table.pot_minor
    close(table, "share", [player.pk for player in people])
    parts = dict(ResultRow.objects.filter(role="share").values_list("player__nickname", "change_minor"))
    assert set(parts) == {player.nickname for player in people}
    assert sum(parts.values()) == lay
    assert max(parts.values()) - min(parts.values()) <= 5
    assert sound()


def test_coins_left_over_go_one_each_from_the_next_dealer_on(table):
    dealer = table.dealer_id
    players = [player.pk for player in seated(table)]
    turn = players.index(dealer)
    assert pots.sharing_order([table], players) == [*players[turn:], *players[:turn]]
    assert [part.amount_minor for part in pots.parts(85, [1, 2, 3], 20)] == [45, 20, 20]
    assert [part.amount_minor for part in pots.parts(100, [1, 2, 3], 20)] == [40, 40, 20]
    assert [part.amount_minor for part in pots.parts(20, [1, 2, 3], 20)] == [20, 0, 0]


def test_a_player_who_left_the_table_comes_last(table):
    left = PlayerFactory(club=table.evening.club, nickname="Zoé")
    assert pots.sharing_order([table], [left.pk, table.dealer_id]) == [table.dealer_id, left.pk]


@pytest.mark.both_databases
def test_several_pots_are_emptied_into_one_posting(table):
    others = [PlayerFactory(club=table.evening.club) for _ in range(3)]
    ledger.ensure_player_accounts(table.evening.club_id, [player.pk for player in others])
    second = table_create(evening=table.evening, players=others, first_dealer=others[0], number=2)
    enter(second, PASSED_OUT)
    lay = sum(Table.objects.values_list("pot_minor", flat=True))
    everybody = [player.pk for player in [*seated(table), *others]]
    closing = close(table, "share", everybody)
    assert closing.receipt.content["pot"]["amount"] == lay
    assert set(Table.objects.values_list("pot_minor", flat=True)) == {0}
    assert sound()


@pytest.mark.parametrize(
    ("pot", "present", "code"),
    [("share", [], "present"), ("share", [10**9], "present"), ("nowhere", [], "pot")],
)
def test_an_impossible_way_for_a_pot_is_refused_and_nothing_stored(table, pot, present, code):
    with pytest.raises(Refused) as caught:
        close(table, pot, present)
    assert (caught.value.status, caught.value.code) == (422, code)
    assert not Closing.objects.exists()
    assert fresh(table).evening.state == "open"


def test_an_evening_without_hands_simply_ends():
    table = create_table()
    closing = close(table)
    assert closing.posting is None
    assert not closing.payments.exists()
    assert closing.receipt.content["tables"][0]["hands"] == []
    assert sound()


@pytest.mark.both_databases
def test_a_part_of_a_pot_is_no_hand_and_counts_in_the_balance(table):
    season = Season.objects.get()
    count_season(season.pk)
    before = {row.player_id: row for row in Standing.objects.all()}
    anna = seated(table)[0]
    lay = table.pot_minor
    close(table, "share", [anna.pk])
    count_season(season.pk)
    for row in Standing.objects.all():
        old, more = before[row.player_id], lay if row.player_id == anna.pk else 0
        assert (row.hands, row.out, row.points, row.joined) == (old.hands, old.out, old.points, old.joined)
        assert row.biggest_pot_minor == old.biggest_pot_minor
        assert row.balance_minor == old.balance_minor + more
    totals = {row["player_id"]: row for row in evening_totals(table.evening)}
    assert totals[anna.pk]["hands"] == 4
    counted = evenings_with_counts(Evening.objects.all())[0]
    assert counted.hands_count == 4  # type: ignore[attr-defined]
    assert EveningScore.objects.get(player=anna).change_minor == totals[anna.pk]["change_minor"]


# --- Payments --------------------------------------------------------------------------------------------


@pytest.mark.both_databases
@pytest.mark.parametrize("pot", ["carry", "share", "kitty"])
def test_the_payments_settle_the_evening_and_marks_are_in_the_ledger(table, pot):
    closing = close(table, pot, [player.pk for player in seated(table)])
    due = list(closing.payments.all())
    assert 0 < len(due) < len(payments.sums(table.evening))
    assert mark(table, due[0]) == 1
    assert mark(table, due[0]) == 0
    assert mark(table) == len(due) - 1
    assert open_sums(table) == {0}
    assert payments.outstanding_sum(table.evening.club) == 0
    assert mark(table, due[0], paid=False) == 1
    assert payments.outstanding_sum(table.evening.club) == due[0].amount_minor
    assert mark(table, due[0]) == 1
    assert sound()


@pytest.mark.both_databases
def test_a_mark_counts_once_a_key(table):
    payment = close(table).payments.all()[0]
    key = uuid.uuid4()
    assert [mark(table, payment, key=key), mark(table, payment, key=key)] == [1, 0]
    with pytest.raises(Refused) as caught:
        mark(table, payment, paid=False, key=key)
    assert caught.value.code == "key_reused"


def test_payments_of_an_open_evening_or_of_another_are_refused(table):
    with pytest.raises(Refused) as caught:
        mark(table)
    assert caught.value.code == "open"
    close(table)
    other = create_table()
    enter(other, MADE)
    foreign = close(other).payments.all()[0]
    with pytest.raises(Refused) as caught:
        mark(table, foreign)
    assert caught.value.status == 404


@pytest.mark.both_databases
def test_outstanding_payments_of_several_evenings_are_marked_at_once(table):
    second = create_table(season=table.evening.season, club=table.evening.club)
    enter(second, FAILED)
    for each_table in (table, second):
        close(each_table)
    club = table.evening.club
    owed = list(payments.outstanding_payments(club))
    assert {payment.closing.evening_id for payment in owed} == {table.evening_id, second.evening_id}
    key = uuid.uuid4()
    numbers = [payment.pk for payment in owed]
    assert debts_mark(club=club, author=None, key=key, numbers=numbers).count == len(owed)
    assert debts_mark(club=club, author=None, key=key, numbers=numbers).count == 0
    assert list(payments.outstanding_payments(club)) == []
    with pytest.raises(Refused):
        debts_mark(club=club, author=None, key=uuid.uuid4(), numbers=[uuid.uuid4()])
    assert sound()


@pytest.mark.servers_only
@pytest.mark.parametrize("paid", [True, False])
def test_every_evening_is_locked_before_the_season_and_the_club(table, paid):
    """A correction of an evening locks in this order, too: in another one the two would wait for each other."""
    second = create_table(season=table.evening.season, club=table.evening.club)
    enter(second, FAILED)
    for each_table in (table, second):
        close(each_table)
    numbers = [payment.pk for payment in payments.outstanding_payments(table.evening.club)]
    if not paid:
        debts_mark(club=table.evening.club, author=None, key=uuid.uuid4(), numbers=numbers)
    with CaptureQueriesContext(connection) as queries:
        debts_mark(club=table.evening.club, author=None, key=uuid.uuid4(), numbers=numbers, paid=paid)
    kinds = {'FROM "league_evening"': "evening", 'FROM "league_club"': "club", "UPDATE league_season": "season"}
    locks = [
        kind for query in queries for text, kind in kinds.items() if text in query["sql"] and ("UPDATE" in query["sql"])
    ]
    assert set(locks) >= {"evening", "season"}
    assert locks == sorted(locks, key=["evening", "club", "season"].index)
    assert locks.count("evening") == 2


def test_a_member_sees_the_debts_of_their_own_players_alone(table):
    close(table)
    payer = payments.outstanding_payments(table.evening.club)[0].payer.player_id
    mine = payments.outstanding_payments(table.evening.club, [payer])
    assert mine.exists()
    assert all(payer in (payment.payer.player_id, payment.payee.player_id) for payment in mine)
    assert not payments.outstanding_payments(table.evening.club, []).exists()


# --- Closed, opened, corrected ---------------------------------------------------------------------------


@pytest.mark.both_databases
def test_one_key_closes_once_and_a_second_closing_is_refused(table):
    key = uuid.uuid4()
    first = close(table, key=key)
    assert close(table, key=key) == first
    with pytest.raises(Refused) as caught:
        close(table, "kitty", key=key)
    assert caught.value.code == "key_reused"
    with pytest.raises(Refused) as caught:
        close(table)
    assert (caught.value.status, caught.value.code) == (409, "closed")
    with pytest.raises(Refused):
        enter(table, MADE)


@pytest.mark.both_databases
def test_a_reopened_evening_has_its_pots_and_its_paid_payments(table):
    lay = table.pot_minor
    closing = close(table, "share", [player.pk for player in seated(table)])
    paid = closing.payments.all()[0]
    mark(table, paid)
    key = uuid.uuid4()
    assert reopen(table, key=key).kind == "reopened"
    assert reopen(table, key=key) == newest_closing(table)
    assert fresh(table).pot_minor == lay
    assert valid_closing(table.evening) is None
    assert not ResultRow.objects.filter(role="share").exists()
    assert not payments.outstanding_payments(table.evening.club).exists()
    assert sound()
    enter(table, MADE)
    close(fresh(table), "carry")
    left = {line.account.pk: line.paid_minor for line in payments.sums(table.evening)}
    assert left[paid.payer_id] == paid.amount_minor
    mark(table)
    assert open_sums(table) == {0}
    assert sound()


def newest_closing(table: Table) -> Closing:
    return Closing.objects.filter(evening=table.evening).order_by("-number")[0]


def test_only_an_owner_with_a_reason_reopens_a_final_evening(table):
    close(table)
    make_final(table)
    for owner, reason, code in ((False, "why", "final"), (True, " ", "reason")):
        with pytest.raises(Refused) as caught:
            reopen(fresh(table), owner=owner, reason=reason)
        assert caught.value.code == code
    opened = reopen(fresh(table), owner=True, reason="Two hands were swapped")
    assert opened.reason == "Two hands were swapped"
    assert fresh(table).evening.stage() == "open"
    with pytest.raises(Refused) as caught:
        reopen(fresh(table), owner=True)
    assert caught.value.code == "open"


def test_the_window_is_the_clubs(table):
    club = table.evening.club
    club.correction_hours = 0
    club.save()
    close(table)
    assert fresh(table).evening.stage() == "final"


@pytest.mark.both_databases
@pytest.mark.parametrize("pot", ["carry", "share", "kitty"])
def test_a_correction_closes_the_evening_again_in_the_same_way(table, pot):
    people = [player.pk for player in seated(table)[:2]]
    first = close(table, pot, people)
    final_at = fresh(table).evening.final_at
    mark(table, first.payments.all()[0])
    correct(table=table, edit=TakeOut(2), author=None, key=uuid.uuid4())
    mended = valid_closing(fresh(table).evening)
    assert mended is not None
    assert (mended.kind, mended.number, mended.pot) == ("mended", 2, pot)
    assert fresh(table).evening.final_at == final_at
    if pot == "share":
        assert set(ResultRow.objects.filter(role="share").values_list("player_id", flat=True)) == set(people)
    mark(table)
    assert open_sums(table) == {0}
    assert sound()


@pytest.mark.both_databases
def test_taking_back_an_earlier_mark_settles_the_evening_again(table):
    old = close(table).payments.all()[0]
    mark(table, old)
    correct(table=table, edit=TakeOut(2), author=None, key=uuid.uuid4())
    assert mark(table, old, paid=False) == 1
    assert newest_closing(table).number == 3
    with pytest.raises(Refused) as caught:
        mark(table, old)
    assert caught.value.code == "superseded"
    assert sound()


@pytest.mark.both_databases
def test_the_last_hand_for_all_is_announced_at_every_table_and_taken_back(table):
    key = uuid.uuid4()
    for _ in range(2):
        last_hand(evening=table.evening, author=None, key=key)
    assert fresh(table).last_hand
    assert Happening.objects.filter(kind="last").count() == 1
    last_hand(evening=table.evening, author=None, key=uuid.uuid4(), on=False)
    assert not fresh(table).last_hand
    close(table)
    with pytest.raises(Refused):
        last_hand(evening=table.evening, author=None, key=uuid.uuid4())


# --- Receipts --------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_receipts_are_numbered_and_chained_by_club(table):
    first = close(table).receipt
    second_table = create_table(season=table.evening.season, club=table.evening.club)
    second = close(second_table).receipt
    other = close(create_table()).receipt
    assert [first.number, second.number, other.number] == [1, 2, 1]
    assert receipts.before(first) == receipts.before(other) == ""
    assert receipts.before(second) == first.digest
    assert receipts.digest_of(second.content, first.digest) == second.digest
    first.refresh_from_db()
    assert receipts.digest_of(first.content, "") == first.digest


@pytest.mark.both_databases
def test_a_receipt_agrees_until_something_changes_and_then_names_it(table):
    receipt = close(table).receipt
    assert receipts.check(receipt, table.evening).agrees
    mark(table)
    assert receipts.check(receipt, table.evening).agrees
    Player.objects.filter(nickname="Anna").update(nickname="Annemarie")
    assert receipts.check(receipt, table.evening).agrees
    correct(table=table, edit=TakeOut(4), author=None, key=uuid.uuid4())
    check = receipts.check(receipt, table.evening)
    assert check.sealed
    assert not check.agrees
    assert check.newer is not None
    assert check.newer.number == 2
    assert ("hand", 4) in {(difference.part, difference.number) for difference in check.differences}
    assert {"pot", "sums"} <= {difference.part for difference in check.differences}
    assert receipts.check(check.newer, table.evening).agrees
    reopen(table)
    assert receipts.check(check.newer, table.evening).opened


def test_a_link_is_signed(table):
    token = receipts.token_for(close(table).pk, 7)
    assert receipts.read_token(token)[1] == 7
    with pytest.raises(BadSignature):
        receipts.read_token(token[:-1] + ("A" if token[-1] != "A" else "B"))


DAMAGE = {
    "content": "UPDATE league_receipt SET content = {content} WHERE number = 1",
    "digest": "UPDATE league_receipt SET digest = 'abc' WHERE number = 1",
    "missing receipt": "DELETE FROM league_receiptname; DELETE FROM league_receipt WHERE number = 1",
    "name": "UPDATE league_receiptname SET name = 'Zita' WHERE id = (SELECT MIN(id) FROM league_receiptname)",
    "payment": "UPDATE league_payment SET amount_minor = amount_minor + 5 WHERE number = 1",
    "lost payment": "DELETE FROM league_payment WHERE number = 2",
    "share row": "UPDATE league_resultrow SET change_minor = change_minor + 5 WHERE role = 'share'",
    "lost share row": "DELETE FROM league_resultrow WHERE role = 'share'",
    "state": "UPDATE league_evening SET state = 'open'",
    "paid": "UPDATE league_transfer SET amount_minor = amount_minor + 5 WHERE kind = 'paid'",
}


@pytest.fixture
def damaged(table: Table, request: pytest.FixtureRequest) -> str:
    second = create_table(season=table.evening.season, club=table.evening.club)
    closing = close(table, "share", [player.pk for player in seated(table)])
    close(second)
    mark(table, closing.payments.order_by("number")[0])
    assert sound()
    drop(connection, LEAGUE_APPEND_ONLY, LEAGUE_CHECKS)
    changed = 'REPLACE(CAST(content AS text), \'"kind": "closed"\', \'"kind": "mended"\')'
    if connection.vendor == "postgresql":
        changed = f"CAST({changed} AS jsonb)"
    with connection.cursor() as cursor:
        for statement in DAMAGE[request.param].replace("{content}", changed).split(";"):
            cursor.execute(statement)
    return str(request.param)


@pytest.mark.both_databases
@pytest.mark.parametrize("damaged", DAMAGE, indirect=True)
def test_verify_finds_damage(damaged):
    assert list(verify.differences())


@pytest.mark.both_databases
@pytest.mark.parametrize("damaged", ["share row", "lost share row"], indirect=True)
def test_rebuild_repairs_the_rows_of_shared_pots(damaged):
    call_command("rebuild", stdout=StringIO())
    assert sound()
