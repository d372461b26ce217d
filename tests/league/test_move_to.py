"""`manage.py move_to`: everything arrives on the other database, and comes back the same."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from pathlib import Path

import psycopg
import pytest
from django.apps import apps
from django.db import connection, transaction
from django.utils import timezone

from games.management import demo_league
from league.management import database_copy
from league.management.commands.move_to import Command
from league.models import (
    ApiToken,
    Club,
    DeskMember,
    Heartbeat,
    Invitation,
    KeptAnswer,
    Player,
    Season,
    Substitution,
    User,
    Webhook,
)
from league.standings.counting import count_season
from league.standings.seasons_to_count import SWEEP
from league.triggers import CHIPS_CHECKS, LEAGUE_CHECKS
from tests.databases import KEPT
from tests.factories import FAILED, enter
from tests.processes import Process, database_url
from tests.tournaments.rounds import close, create_round, create_tournament, entrants_of, hand_in, table_of

pytestmark = [pytest.mark.rest, pytest.mark.needs_postgres, pytest.mark.django_db(transaction=True)]

Move = Callable[..., str]
Rows = dict[str, list[str]]


@pytest.fixture
def league(monkeypatch: pytest.MonkeyPatch) -> Club:
    """The demo league with three evenings a season, and rows of the tables that it leaves empty; the newest player was
    removed."""
    clubs = [
        replace(club, seasons=tuple(replace(season, evenings=3) for season in club.seasons))
        for club in demo_league.clubs(timezone.localdate())
    ]
    monkeypatch.setattr(demo_league, "clubs", lambda today: clubs)
    with transaction.atomic():
        demo_league.load(today=timezone.localdate(), hands=60, progress=lambda stored, hands: None)
    for season in Season.objects.all():
        count_season(season.pk)
    club, owner = Club.objects.earliest("pk"), User.objects.earliest("pk")
    KeptAnswer.objects.create(digest="a", fingerprint="b", sealed=b"\x00\xff")
    Webhook.objects.create(club=club, url="https://example.org/", events=["hand.stored"], secret="s", author=owner)
    Invitation.objects.create(club=club, digest="c", expires_at=timezone.now(), author=owner, note="Zoé’s “friend” 🂡")
    ApiToken.objects.create(user=owner, name="program", scopes=["read"], club=club)
    Heartbeat.objects.create(name=SWEEP, at=timezone.now() - timedelta(days=1))
    Player.objects.create(club=club, nickname="was removed").delete()
    with transaction.atomic():
        _play_a_round(club, owner)
    return club


def _play_a_round(club: Club, owner: User) -> None:
    """Play a round of a tournament: hands at one table, a sheet at the other."""
    tournament = create_tournament(club)
    first, *_others, last = entrants_of(tournament, 10)
    played = create_round(tournament, {1: (1, 2, 3, 4, 5), 2: (6, 7, 8, 9)})
    enter(table_of(played), FAILED)
    close(played, {2: hand_in(played, 2, [-30, 10, 10, 5], pot=5)})
    Substitution.objects.create(entrant=first, left=first.player, came=last.player, from_round=2)
    DeskMember.objects.create(tournament=tournament, user=owner)


@contextlib.contextmanager
def another_database(template: str) -> Iterator[str]:
    """The address of a new copy of the template, on the server of the tests."""
    name = f"moved_{uuid.uuid4().hex[:12]}"
    with connection._nodb_cursor() as cursor:  # type: ignore[attr-defined]
        cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    yield database_url().rpartition("/")[0] + f"/{name}"
    with connection._nodb_cursor() as cursor:  # type: ignore[attr-defined]
        cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture
def empty_postgres() -> Iterator[str]:
    """A database without tables."""
    with another_database("template1") as address:
        yield address


@pytest.fixture
def migrated_postgres() -> Iterator[str]:
    """A database with the tables of this run and without rows: the move to SQLite shows that it migrates its target."""
    # The template of `tests/databases.py`.
    with another_database(f"test_template_{os.environ['CHRATZETE_TEST_RUN']}") as address:
        yield address


VERIFYING = {"games_verified", "league_heartbeat"}
"""The tables to which verifying a database adds rows."""
VERSIONS = {"league_clubversion", "games_tableversion", "league_tournamentversion"}
"""The tables of versions. Their columns are the number and the key."""


def in_postgres(url: str) -> tuple[Rows, dict[str, int], set[str]]:
    """Return the rows of all tables, the highest keys that were given out, and the names of the triggers."""
    with contextlib.closing(psycopg.connect(url)) as direct:
        names = [name for (name,) in direct.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]
        rows = {
            name: sorted(str(row) for (row,) in direct.execute(f'SELECT t::text FROM "{name}" t'))
            for name in names
            if name != "django_migrations"
        }
        sequences = direct.execute("SELECT sequencename, COALESCE(last_value, 0) FROM pg_sequences").fetchall()
        triggers = direct.execute("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal").fetchall()
    highest = {name: value for name, value in sequences if "django_migrations" not in name}
    return rows, highest, {name for (name,) in triggers}


def keys(rows: list[str]) -> set[str]:
    """Return the keys of a table of versions."""
    return {row.strip("()").split(",")[1] for row in rows}


@pytest.fixture
def move(start_process: Callable[..., Process]) -> Move:
    """Run `move_to` with this address, from the test's database or `DATABASE_URL`; return its output."""

    def run(url: str, *, status: int = 0, **environment: str) -> str:
        process = start_process("manage.py", "move_to", url, **environment)
        assert process.process.wait(300) == status, process.output()
        return process.output()

    return run


def test_there_and_back(league, migrated_postgres, tmp_path, move: Move):
    before, given_out, triggers = in_postgres(database_url())
    filled = {name for name, rows in before.items() if rows}
    assert {
        "league_sheet",
        "games_revision",
        "league_transfer",
        "league_receipt",
        "league_keptanswer",
        "league_apitoken",
    } <= filled
    assert len(filled) > 30, "a league with rows in few tables tests little"

    path = tmp_path / "moved.sqlite3"
    assert "rows copied (league_transfer)" in move(f"sqlite:///{path}")
    check_file(path, before, given_out)

    with a_row_that_postgres_refuses(path, league):
        refused = move(migrated_postgres, status=1, DATABASE_URL=f"sqlite:///{path}")
    assert re.search(r"The target refuses row \d+ of league_player: value too long", refused)
    assert {table for table, rows in in_postgres(migrated_postgres)[0].items() if rows} == KEPT - {"django_migrations"}

    assert "Everything agrees with the records." in move(migrated_postgres, DATABASE_URL=f"sqlite:///{path}")
    after, given_out_after, triggers_after = in_postgres(migrated_postgres)
    for table, rows in before.items():
        assert after[table] == rows or table in VERIFYING or table in VERSIONS, table
        # The target's triggers made versions of its own.
        assert table not in VERSIONS or keys(after[table]) == keys(rows)
    # Verifying a season counts it, which takes keys.
    counted = {f"league_{name}_id_seq" for name in ("standing", "eveningscore", "balance", "uncountedevening")}
    # What a worker has made is not moved, nor are its keys.
    left = {f"{model._meta.db_table}_id_seq" for model in apps.get_models() if getattr(model, "left_behind", False)}
    assert {name for name, key in given_out.items() if given_out_after[name] != key} <= counted | left
    assert all(given_out_after[name] >= given_out[name] for name in counted)
    assert triggers_after == triggers


@contextlib.contextmanager
def a_row_that_postgres_refuses(path: Path, club: Club) -> Iterator[None]:
    """Insert a nickname that is longer than its column: SQLite does not count the letters."""
    columns = "club_id, nickname, guest, active, publicity, pseudonym, created_at"
    with contextlib.closing(sqlite3.connect(path)) as file:
        values = (club.pk, "Ä" * 60, "2026-01-01 00:00:00")
        file.execute(f"INSERT INTO league_player ({columns}) VALUES (?, ?, 0, 1, 'initials', '', ?)", values)
        file.commit()
        yield
        file.execute("DELETE FROM league_player WHERE nickname = ?", ["Ä" * 60])
        [highest] = file.execute("SELECT seq - 1 FROM sqlite_sequence WHERE name = 'league_player'").fetchone()
        file.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'league_player'", [highest])
        file.commit()


def check_file(path: Path, before: Rows, given_out: dict[str, int]) -> None:
    with contextlib.closing(sqlite3.connect(path)) as file:
        for table, rows in before.items():
            assert file.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0] in (len(rows), file_only(file, table))
        [(highest,)] = file.execute("SELECT seq FROM sqlite_sequence WHERE name = 'league_player'")
        assert highest == given_out["league_player_id_seq"] > len(before["league_player"])
        [(triggers,)] = file.execute("SELECT COUNT(*) FROM sqlite_master WHERE type = 'trigger'")
        assert triggers
        for statement in ("UPDATE league_transfer SET amount_minor = 1", "DELETE FROM games_seat"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                file.execute(statement)
        names = {name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")}
        assert {f"{check.table}_{check.name}" for check in LEAGUE_CHECKS + CHIPS_CHECKS} <= names


def file_only(file: sqlite3.Connection, table: str) -> int:
    """The rows of a table to which verifying the file has added some; -1 for every other table."""
    if table not in VERIFYING:
        return -1
    return int(file.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])


REFUSALS = """
import sys, django
from django.core.management import CommandError, call_command
django.setup()
for url in sys.argv[1:]:
    try:
        call_command("move_to", url)
    except CommandError as refused:
        print(refused)
"""
"""One process tries all addresses: a test may not connect to other databases."""


def test_a_database_in_use_and_a_wrong_address_are_refused(empty_postgres, migrated_postgres, start_process):
    with psycopg.connect(migrated_postgres) as ours:
        ours.execute("INSERT INTO django_session VALUES ('key', 'data', now())")
    before = in_postgres(migrated_postgres)
    with psycopg.connect(empty_postgres) as other:
        other.execute("CREATE TABLE theirs (id int)")
    wrong = {
        migrated_postgres: "The target is not empty: its table django_session has rows",
        empty_postgres: "another program: theirs",
        database_url(): "is this database itself",
        "postgresql://nobody@127.0.0.1:1/none": "cannot be used",
        "nonsense": "The address of the target is",
        "mysql://a/b": "The address of the target is",
    }
    process = start_process("-c", REFUSALS, *wrong)
    assert process.process.wait(300) == 0, process.output()
    for sentence, line in zip(wrong.values(), process.output().splitlines(), strict=True):
        assert sentence in line
    assert in_postgres(migrated_postgres) == before


def test_a_worker_that_is_alive_stops_the_move():
    Heartbeat.objects.create(name=SWEEP, at=timezone.now())
    command = Command(stdout=StringIO())

    def sweeps(seconds: float) -> None:
        assert 0 < seconds <= 15
        Heartbeat.objects.update(at=timezone.now())

    with pytest.raises(database_copy.CannotMove, match="The service is running"):
        command._wait_for_silence(sweeps)
    Heartbeat.objects.update(at=timezone.now() - timedelta(seconds=14.9))
    command._wait_for_silence(lambda seconds: None if seconds < 1 else pytest.fail("waits too long"))


def test_nobody_writes_meanwhile():
    Club.objects.create(slug="one", name="One")
    with database_copy.source_held(), contextlib.closing(psycopg.connect(database_url())) as other:
        other.execute("SET lock_timeout = '100ms'")
        assert other.execute("SELECT COUNT(*) FROM league_club").fetchone()
        with pytest.raises(psycopg.errors.LockNotAvailable):
            other.execute("UPDATE league_club SET name = 'other'")


def test_somebody_who_writes_stops_the_move(monkeypatch):
    Club.objects.create(slug="one", name="One")
    monkeypatch.setattr(database_copy, "LOCK_SECONDS", 1)
    with contextlib.closing(psycopg.connect(database_url())) as other:
        other.execute("UPDATE league_club SET name = 'other'")
        with pytest.raises(database_copy.CannotMove, match="stop the service"), database_copy.source_held():
            pytest.fail("it was held")
