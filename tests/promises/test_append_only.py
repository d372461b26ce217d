"""P1 and P3: the database refuses every change of hands and transfers, and every unbalanced posting."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, transaction
from django.db.models import F, Model
from django.utils import timezone

from games import engine_bridge
from games.corrections.edits import TakeOut
from games.corrections.services import correct
from games.models import Correction, Dispute, FirstSeat, Hand, Happening, Revision, Seat, Table
from league.club_admin.practice import remove_practice_club
from league.member_fees.services import NewFee, fee_book
from league.models import (
    Account,
    AuditEntry,
    BankEntry,
    Closing,
    Club,
    Draw,
    HouseRules,
    ImportedEvening,
    KittyEntry,
    MemberFee,
    Payment,
    PaymentDay,
    PlayerMerge,
    Posting,
    Receipt,
    SeasonFormula,
    Sheet,
    Submission,
    Substitution,
    Transfer,
)
from league.treasury.services import NewEntry, kitty_book
from league.triggers import (
    CHIPS_CHECKS,
    FEES_APPEND_ONLY,
    FREE_TEXT,
    GAMES_APPEND_ONLY,
    LEAGUE_APPEND_ONLY,
    LEAGUE_CHECKS,
    drop,
    drop_practice,
)
from tests.cell_checks import try_each_cell
from tests.factories import FAILED, MADE, ClubFactory, create_table, enter, void
from tests.tournaments.rounds import create_round, create_tournament, entrants_of, hand_in

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

APPEND_ONLY: dict[type[Model], str] = {
    Transfer: "amount_minor",
    Posting: "revision",
    Submission: "body_hash",
    HouseRules: "version",
    Hand: "number",
    Revision: "number",
    Seat: "number",
    FirstSeat: "seat",
    Correction: "number",
    Happening: "after",
    Closing: "number",
    Payment: "number",
    Receipt: "number",
    PlayerMerge: "joined",
    AuditEntry: "what",
    Dispute: "revision",
    Draw: "seed",
    Sheet: "pot",
    Substitution: "from_round",
    KittyEntry: "player_id",
    MemberFee: "year",
    SeasonFormula: "version",
    ImportedEvening: "people",
    PaymentDay: "club_id",
    BankEntry: "amount_minor",
}
TABLES = LEAGUE_APPEND_ONLY + FEES_APPEND_ONLY + GAMES_APPEND_ONLY
CHECKS = LEAGUE_CHECKS + CHIPS_CHECKS


@pytest.fixture
def played() -> Table:
    """A table of a closed evening with a hand, a failed hand, a voided hand and one that was taken out."""
    return play(create_table())


def play(table: Table) -> Table:
    """Fill every append-only table with rows of this table's club."""
    postings = Posting.objects.filter(club=table.evening.club)
    dues = NewEntry("brought", 100, "dues", table.evening.held_on, table.dealer_id)
    kitty_book(club=table.evening.club, author=None, key=uuid.uuid4(), entry=dues)
    year = table.evening.held_on.year
    fee = NewFee(year, "Member fee", 100, table.evening.held_on, [table.dealer_id])
    fee_book(club=table.evening.club, author=None, key=uuid.uuid4(), fee=fee)
    for record in (MADE, FAILED, MADE, MADE):
        enter(table, record)
    void(table)
    correct(table=table, edit=TakeOut(number=2), author=None, key=engine_bridge.new_key())
    Happening.objects.create(table=table, after=1, kind=Happening.Kind.PAUSED)
    FirstSeat.objects.create(table=table, seat=0, player=table.dealer)
    closing = Closing.objects.create(evening=table.evening, number=1, kind="closed", pot="carry", reason="said so")
    _with_free_text(table)
    _with_a_tournament(table)
    SeasonFormula.objects.create(season=table.evening.season, version=1)
    ImportedEvening.objects.create(evening=table.evening, posting=postings.earliest("created_at"), people=1)
    payer, payee = Account.objects.filter(club=table.evening.club, kind="player").order_by("pk")[:2]
    Payment.objects.create(closing=closing, number=1, payer=payer, payee=payee, amount_minor=20)
    marked = postings.latest("created_at")
    BankEntry.objects.create(
        club=table.evening.club,
        key="0" * 64,
        day=table.evening.held_on,
        amount_minor=20,
        player=table.dealer,
        submission=Submission.objects.filter(club=table.evening.club).earliest("pk"),
    )
    PaymentDay.objects.create(club=table.evening.club, posting=marked, day=table.evening.held_on)
    Receipt.objects.create(closing=closing, club=table.evening.club, number=1, content={}, digest="0" * 64)
    return table


def _with_free_text(table: Table) -> None:
    """Create rows with free text."""
    club, hand = table.evening.club, Hand.objects.filter(table=table).order_by("number")[0]
    account, other = Account.objects.filter(club=club, kind="player").order_by("pk")[:2]
    PlayerMerge.objects.create(club=club, player=account.player, main=other.player, reason="the same")
    AuditEntry.objects.create(club=club, what="exported", token="a program")
    submission = Submission.objects.create(club=club, key=uuid.uuid4(), body_hash="0" * 64)
    Dispute.objects.create(
        hand=hand, revision=1, player=account.player, kind="raised", text="no", submission=submission
    )
    correct(table=table, edit=TakeOut(number=1), author=None, key=engine_bridge.new_key(), reason="never played")


def _with_a_tournament(table: Table) -> None:
    """Create a tournament with a draw, a sheet and a substitution."""
    tournament = create_tournament(table.evening.club)
    first, *_others, last = entrants_of(tournament, 4)
    played = create_round(tournament, {1: (1, 2, 3)})
    hand_in(played, 1, [-30, 10, 20], reason="counted again")
    Substitution.objects.create(entrant=first, left=first.player, came=last.player, from_round=2)


def snapshot() -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of all append-only tables."""
    rows = {}
    with connection.cursor() as cursor:
        for name in TABLES:
            cursor.execute(f"SELECT * FROM {name}")
            rows[name] = sorted(cursor.fetchall(), key=repr)
    return rows


def attack(act: Callable[[], Any]) -> str:
    """Return the database's error; empty if there was none. Deferred constraints are checked as well."""
    try:
        with transaction.atomic():
            act()
            connection.check_constraints()
    except DatabaseError as refusal:
        return str(refusal) or "refused"
    return ""


def execute(sql: str, *values: Any) -> Callable[[], None]:
    def run() -> None:
        with connection.cursor() as cursor:
            cursor.execute(sql, values or None)

    return run


def test_the_list_names_every_append_only_table():
    assert {model._meta.db_table for model in APPEND_ONLY} == set(TABLES)


@pytest.mark.parametrize(
    "way",
    ["update", "bulk update", "save", "delete", "delete one", "raw delete", "SQL update", "SQL delete", "REPLACE"],
)
def test_a_stored_row_neither_changes_nor_vanishes(played, way):
    try_each_cell([(model.__name__,) for model in APPEND_ONLY], lambda name: attacked(name, way))


def attacked(name: str, way: str) -> None:
    """Try to change the rows of one model in one way; check that nothing changed."""
    model = next(each for each in APPEND_ONLY if each.__name__ == name)
    table, column = model._meta.db_table, APPEND_ONLY[model]
    row = model.objects.order_by("pk").last()
    before = snapshot()
    was = getattr(row, column)
    other = (not was) if isinstance(was, bool) else 7 if isinstance(was, int) else "0" * 40

    def save() -> None:
        setattr(row, column, other)
        row.save()

    def bulk_update() -> None:
        setattr(row, column, other)
        model.objects.bulk_update([row], [column])

    ways: dict[str, Callable[[], Any]] = {
        "update": lambda: model.objects.update(**{column: other}),
        "bulk update": bulk_update,
        "save": save,
        "delete": lambda: model.objects.all().delete(),
        "delete one": row.delete,
        "raw delete": lambda: model.objects.all()._raw_delete(using="default"),
        "SQL update": execute(f"UPDATE {table} SET {column} = {column}"),
        "SQL delete": execute(f"DELETE FROM {table}"),
        "REPLACE": execute(replacing(table)),
    }
    error = attack(ways[way])
    assert error
    assert snapshot() == before
    if way in ("SQL update", "SQL delete", "raw delete", "update"):
        assert "append-only" in error


def replacing(table: str) -> str:
    """Return SQL that replaces a row by another with the same key."""
    if connection.vendor == "sqlite":
        return f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}"
    key = "closing_id" if table == "league_receipt" else "id"
    return f"INSERT INTO {table} SELECT * FROM {table} ON CONFLICT ({key}) DO UPDATE SET {key} = EXCLUDED.{key}"


WRITTEN = [(table, word) for table, words in FREE_TEXT.items() for word in words]


@pytest.mark.parametrize(("table", "word"), WRITTEN)
def test_free_text_may_be_emptied_and_nothing_else_changed(played, table, word):
    rows = f"{table} WHERE {word} <> ''"
    own = {word, "id"}
    others = [
        column for column in columns_of(table) if column not in own and count(f"{table} WHERE {column} IS NOT NULL")
    ]
    assert len(others) > 3
    assert count(rows), "the test needs such a row"
    before = snapshot()
    for column in others:
        # In a row without text the UPDATE would change nothing.
        both = f"UPDATE {table} SET {word} = '', {column} = NULL WHERE {column} IS NOT NULL"
        assert "append-only" in attack(execute(both)), column
    assert attack(execute(f"UPDATE {table} SET {word} = 'something else' WHERE {word} <> ''"))
    assert attack(execute(f"UPDATE {table} SET {word} = {word}"))
    assert snapshot() == before
    execute(f"UPDATE {table} SET {word} = '' WHERE {word} <> ''")()
    assert not count(rows)
    assert attack(execute(f"UPDATE {table} SET {word} = 'back'"))


def columns_of(table: str) -> list[str]:
    with connection.cursor() as cursor:
        return [column.name for column in connection.introspection.get_table_description(cursor, table)]


def count(rows: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT COUNT(*) FROM {rows}")
        return int(cursor.fetchone()[0])


@pytest.mark.needs_postgres
def test_truncate_is_refused(played):
    before = snapshot()

    def truncated(table: str) -> None:
        assert attack(execute(f"TRUNCATE {table} CASCADE"))
        assert snapshot() == before

    try_each_cell([(table,) for table in TABLES], truncated)


UNBALANCED = {
    "an amount of 0": {"amount_minor": 0},
    "an amount below 0": {"amount_minor": -20},
    "an amount beyond all limits": {"amount_minor": 10**15 + 1},
    "from a purse to itself": {"to_account_id": F("from_account_id")},
}


@pytest.mark.parametrize("change", UNBALANCED)
def test_an_impossible_transfer_is_refused(played, change):
    good = Transfer.objects.order_by("pk").last()
    values = {"amount_minor": good.amount_minor, "to_account_id": good.to_account_id} | UNBALANCED[change]
    if not isinstance(values["to_account_id"], int):
        values["to_account_id"] = good.from_account_id
    assert attack(
        lambda: Transfer.objects.create(
            posting_id=uuid.uuid4(),
            season_id=good.season_id,
            from_account_id=good.from_account_id,
            kind="ante",
            **values,
        )
    )


def test_a_posting_takes_no_transfer_once_it_is_stored(played):
    assert attack(smuggle)


def test_without_the_guard_a_posting_takes_another_transfer(played):
    drop(connection, (), CHECKS)
    assert not attack(smuggle)


def smuggle() -> None:
    """Insert one more transfer into a stored posting."""
    good = Transfer.objects.order_by("pk").last()
    good.pk = None
    good.save(force_insert=True)


def test_a_transfer_without_a_posting_is_refused(played):
    good = Transfer.objects.order_by("pk").last()

    def alone() -> None:
        good.pk, good.posting_id = None, uuid.uuid4()
        good.save(force_insert=True)

    assert attack(alone)


def test_a_transfer_between_two_clubs_is_refused(played):
    elsewhere = create_table(seats=2)
    theirs = Account.objects.get(player=elsewhere.places.first().player)

    def between() -> None:
        good = Transfer.objects.order_by("pk").last()
        good.pk, good.posting_id, good.to_account_id = None, uuid.uuid4(), theirs.pk
        good.save(force_insert=True)

    assert attack(between)


def test_a_posting_whose_results_do_not_add_up_is_refused(played):
    def made_up() -> None:
        posting = Posting.objects.filter(reverses=None).order_by("created_at").last()
        good = posting.transfers.last()
        good.pk, good.posting_id = None, uuid.uuid4()
        good.save(force_insert=True)
        posting.pk, posting.source = good.posting_id, uuid.uuid4()
        posting.save(force_insert=True)

    assert attack(made_up)


def test_without_the_triggers_rows_change_and_vanish(played):
    drop(connection, TABLES, CHECKS)
    before = snapshot()

    def emptied(table: str) -> None:
        if connection.vendor == "postgresql":
            execute("SET CONSTRAINTS ALL DEFERRED")()
        execute(f"DELETE FROM {table}")()
        assert snapshot() != before

    try_each_cell([(table,) for table in TABLES], emptied)


def test_every_trigger_exists_after_the_migrations():
    """A migration that rebuilds a table on SQLite loses its triggers: this finds it."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        else:
            cursor.execute("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal")
        names = {name for (name,) in cursor.fetchall()}
    events = ["update", "delete"] + (["truncate"] if connection.vendor == "postgresql" else [])
    due = {f"{table}_no_{event}" for table in TABLES for event in events}
    assert due | {f"{check.table}_{check.name}" for check in CHECKS} <= names


def practice_club() -> Club:
    return ClubFactory(visibility=Club.Visibility.PRIVATE, practice_until=timezone.localdate())


def test_a_practice_club_is_deleted_with_its_rows_and_no_other_club(played):
    before = snapshot()
    table = play(create_table(club=practice_club()))
    assert attack(execute("UPDATE league_posting SET revision = 7"))
    remove_practice_club(table.evening.club)
    assert snapshot() == before
    assert all(before.values()), "the test needs rows in each table"


def test_a_club_that_is_no_practice_club_is_not_deleted(played):
    before, club = snapshot(), played.evening.club
    with pytest.raises(ValueError, match="practice"):
        remove_practice_club(club)
    # The database reads its own column.
    club.practice_until = timezone.localdate()
    assert "append-only" in attack(lambda: remove_practice_club(club))
    assert snapshot() == before


def test_a_club_neither_becomes_a_practice_club_nor_stops_being_one(played):
    real, practice = played.evening.club, practice_club()
    attacks = [
        f"UPDATE league_club SET practice_until = '2099-11-28', visibility = 'private' WHERE id = {real.pk}",
        f"UPDATE league_club SET practice_until = NULL WHERE id = {practice.pk}",
        f"UPDATE league_club SET practice_until = '2099-11-28' WHERE id = {practice.pk}",
        f"DELETE FROM league_club WHERE id = {real.pk}",
    ]
    if connection.vendor == "sqlite":
        attacks.append(f"INSERT OR REPLACE INTO league_club SELECT * FROM league_club WHERE id = {real.pk}")
    for sql in attacks:
        assert "creation on, or never" in attack(execute(sql)), sql
    drop_practice(connection)
    assert not attack(execute(attacks[0]))


def test_money_columns_are_whole_numbers():
    for model in [*apps.get_app_config("league").get_models(), *apps.get_app_config("games").get_models()]:
        for column in model._meta.get_fields():
            if column.name.endswith("_minor"):
                assert column.get_internal_type() == "BigIntegerField", f"{model.__name__}.{column.name}"
