"""`manage.py backup`: a copy takes the place of the earlier one only when it is whole, and shows no password."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.utils import timezone

from league.models import Heartbeat
from tests.processes import PROJECT

PG_DUMP = """#!/bin/sh
printf '%s\\n' "$@" >{folder}/arguments
env >{folder}/environment
for word in "$@"; do case $word in --file=*) echo {written} >"${{word#--file=}}";; esac; done
{end}
"""
ADDRESS = "postgresql://chratzete:p%40ss%20word@db.example:5433/league?sslmode=require"

# The time of each backup is stored.
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nobody_forgotten(settings: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The list of who was forgotten is empty: other tests of the run write to the one of its folder."""
    settings.FORGOTTEN_FILE = tmp_path_factory.mktemp("forgotten") / "forgotten"


@pytest.fixture
def pg_dump(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Put a `pg_dump` into PATH that writes a text, and how it was called; `end` is its last line."""

    def install(written: str, end: str = "") -> None:
        program = tmp_path / "bin" / "pg_dump"
        program.parent.mkdir(exist_ok=True)
        program.write_text(PG_DUMP.format(folder=tmp_path, written=written, end=end))
        program.chmod(0o755)

    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setenv("BACKUP_DATABASE_URL", ADDRESS)
    return install


def test_a_dump_takes_the_place_of_the_earlier_one_only_when_it_is_whole(tmp_path: Path, pg_dump) -> None:
    name = tmp_path / "backup" / "club.example-4"
    pg_dump("whole")
    call_command("backup", str(name), verbosity=0)
    pg_dump("half", "echo 'pg_dump: error: no space left' >&2; exit 1")
    with pytest.raises(CommandError, match=r"^No backup was made: pg_dump: error: no space left$"):
        call_command("backup", str(name))
    assert [(file.name, file.read_text()) for file in name.parent.iterdir()] == [("club.example-4.dump", "whole\n")]


def test_its_time_and_its_size_are_stored(tmp_path: Path, pg_dump) -> None:
    pg_dump("whole", "exit 1")
    with pytest.raises(CommandError):
        call_command("backup", str(tmp_path / "dump"))
    assert not Heartbeat.objects.exists()
    pg_dump("whole")
    began = timezone.now()
    call_command("backup", str(tmp_path / "dump"))
    stored = Heartbeat.objects.get(name="backup")
    assert stored.at is not None
    assert stored.at >= began
    assert stored.value == len("whole\n")


def test_a_copy_is_whole_though_its_time_is_not_stored(tmp_path: Path, pg_dump, capsys) -> None:
    def refuse(*args: Any) -> None:
        raise OperationalError("away")

    pg_dump("whole")
    with connection.execute_wrapper(refuse):
        call_command("backup", str(tmp_path / "dump"))
    assert (tmp_path / "dump.dump").read_text() == "whole\n"
    assert "not stored: OperationalError" in capsys.readouterr().err


def test_the_password_is_in_no_command_line(tmp_path: Path, pg_dump) -> None:
    pg_dump("whole")
    call_command("backup", str(tmp_path / "dump"))
    arguments = (tmp_path / "arguments").read_text()
    assert "--dbname=dbname=league user=chratzete host=db.example port=5433 " in arguments
    assert "ss word" not in arguments
    assert "ss%20word" not in arguments
    assert "PGPASSWORD=p@ss word\n" in (tmp_path / "environment").read_text()


def test_without_pg_dump_the_reason_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("BACKUP_DATABASE_URL", ADDRESS)
    with pytest.raises(CommandError, match=r"^No backup was made: pg_dump is not installed\.$"):
        call_command("backup", str(tmp_path / "dump"))


def test_the_file_of_sqlite_is_copied_while_another_connection_is_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    league = tmp_path / "a b#.sqlite3"
    monkeypatch.setenv("BACKUP_DATABASE_URL", f"sqlite:///{tmp_path}/a%20b%23.sqlite3")
    with pytest.raises(CommandError, match="unable to open database file"):
        call_command("backup", str(tmp_path / "copy"))
    assert not list(tmp_path.iterdir())
    with contextlib.closing(sqlite3.connect(league)) as service:
        service.executescript("CREATE TABLE hand (number); INSERT INTO hand VALUES (1)")
        service.execute("INSERT INTO hand VALUES (2)")
        call_command("backup", str(tmp_path / "copy"))
    with contextlib.closing(sqlite3.connect(tmp_path / "copy.sqlite3")) as copy:
        assert copy.execute("SELECT number FROM hand").fetchall() == [(1,)]

    league.write_bytes(b"no database" * 100)
    with pytest.raises(CommandError, match="file is not a database"):
        call_command("backup", str(tmp_path / "copy"))
    assert {file.name for file in tmp_path.iterdir()} == {league.name, "copy.sqlite3"}
    with contextlib.closing(sqlite3.connect(tmp_path / "copy.sqlite3")) as copy:
        assert copy.execute("SELECT number FROM hand").fetchall() == [(1,)]


@pytest.mark.needs_sqlite
@pytest.mark.django_db(transaction=True)
def test_without_an_address_the_database_of_the_service_is_copied(tmp_path: Path) -> None:
    call_command("backup", str(tmp_path / "copy"))
    with contextlib.closing(sqlite3.connect(tmp_path / "copy.sqlite3")) as copy:
        assert copy.execute("SELECT 1 FROM django_migrations").fetchone() == (1,)


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_only_its_owner_may_read_it_whatever_the_umask_is(tmp_path: Path, pg_dump, settings, umask: int) -> None:
    settings.FORGOTTEN_FILE = tmp_path / "list"
    settings.FORGOTTEN_FILE.write_text("player 1 0123456789abcdef\n")
    pg_dump("whole")
    folder = tmp_path / "backup"
    before = os.umask(umask)
    try:
        call_command("backup", str(folder / "a"), verbosity=0)
        os.environ["BACKUP_DATABASE_URL"] = f"sqlite:///{tmp_path}/a.sqlite3"
        with contextlib.closing(sqlite3.connect(tmp_path / "a.sqlite3")) as service:
            service.executescript("CREATE TABLE hand (number); INSERT INTO hand VALUES (1)")
        # One that was left by an earlier version, readable for all.
        (folder / "a.sqlite3.part").touch(0o644)
        call_command("backup", str(folder / "a"), verbosity=0)
    finally:
        os.umask(before)
    assert {file.name: oct(file.stat().st_mode & 0o777) for file in folder.iterdir()} == {
        "a.dump": "0o600", "a.sqlite3": "0o600", "forgotten": "0o600"
    }  # fmt: skip
    assert oct(folder.stat().st_mode & 0o777) == "0o700"


def test_the_unit_runs_this_command() -> None:
    unit = (PROJECT / "deploy" / "systemd" / "chratzete-backup.service").read_text(encoding="utf-8")
    assert "manage.py backup /var/lib/chratzete/backup/chratzete-" in unit
    assert "DATABASE_URL" not in unit
    assert "UMask=0077\n" in unit
