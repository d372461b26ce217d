"""`manage.py backup`: a copy takes the place of the earlier one only when it is whole, and shows no password."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sqlite3
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.utils import timezone

from league.management import database_files
from league.management.ledger_digest import Ledger
from league.models import Heartbeat
from tests.processes import PROJECT, Process, wait_until

PG_DUMP = """#!/bin/sh
printf '%s\\n' "$@" >{folder}/arguments
env >{folder}/environment
for word in "$@"; do case $word in --file=*) echo {written} >"${{word#--file=}}";; esac; done
{end}
"""
SCHEMA = "CREATE TABLE django_migrations (app, name); CREATE TABLE league_transfer (id, amount_minor);"
ADDRESS = "postgresql://chratzete:p%40ss%20word@db.example:5433/league?sslmode=require"

# The time of each backup is stored.
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nobody_forgotten(settings: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The list of who was forgotten is empty: other tests of the run write to the one of its folder."""
    settings.FORGOTTEN_FILE = tmp_path_factory.mktemp("forgotten") / "forgotten"


def member(archive: Path, name: str) -> bytes:
    with tarfile.open(archive) as opened:
        file = opened.extractfile(name)
        assert file
        return file.read()


def unpacked(archive: Path, folder: Path) -> sqlite3.Connection:
    (folder / "unpacked").write_bytes(member(archive, "league.sqlite3"))
    return sqlite3.connect(folder / "unpacked")


@pytest.fixture
def pg_dump(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Put a `pg_dump` into PATH that writes a text, and how it was called; `end` is its last line."""

    def install(written: str, end: str = "") -> None:
        program = tmp_path / "bin" / "pg_dump"
        program.parent.mkdir(exist_ok=True)
        program.write_text(PG_DUMP.format(folder=tmp_path, written=written, end=end))
        program.chmod(0o755)

    @contextlib.contextmanager
    def snapshot(_config: Any) -> Iterator[tuple[str, list[str], Ledger]]:
        yield "00000003-1", ["league.0001_initial"], Ledger({}, 0, "0")

    # No server is at the address.
    monkeypatch.setattr(database_files, "snapshot", snapshot)
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
    assert [file.name for file in name.parent.iterdir()] == ["club.example-4.tar"]
    assert member(name.parent / "club.example-4.tar", "league.dump") == b"whole\n"
    with tarfile.open(name.parent / "club.example-4.tar") as archive:
        assert {entry.mode for entry in archive} == {0o600}, "only its owner reads what is unpacked"


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
    assert stored.value == (tmp_path / "dump.tar").stat().st_size


def test_a_copy_is_whole_though_its_time_is_not_stored(tmp_path: Path, pg_dump, capsys) -> None:
    def refuse(*args: Any) -> None:
        raise OperationalError("away")

    pg_dump("whole")
    with connection.execute_wrapper(refuse):
        call_command("backup", str(tmp_path / "dump"))
    assert member(tmp_path / "dump.tar", "league.dump") == b"whole\n"
    assert "not stored: OperationalError" in capsys.readouterr().err


def test_the_password_is_in_no_command_line(tmp_path: Path, pg_dump) -> None:
    pg_dump("whole")
    call_command("backup", str(tmp_path / "dump"))
    arguments = (tmp_path / "arguments").read_text()
    assert "--dbname=dbname=league user=chratzete host=db.example port=5433 " in arguments
    assert "--snapshot=00000003-1\n" in arguments
    assert "ss word" not in arguments
    assert "ss%20word" not in arguments
    assert "PGPASSWORD=p@ss word\n" in (tmp_path / "environment").read_text()


def test_without_pg_dump_the_reason_is_a_sentence(tmp_path: Path, pg_dump, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
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
        service.executescript(f"{SCHEMA} INSERT INTO league_transfer VALUES (1, 5)")
        service.execute("INSERT INTO league_transfer VALUES (2, 5)")
        call_command("backup", str(tmp_path / "copy"))
    with contextlib.closing(unpacked(tmp_path / "copy.tar", tmp_path)) as copy:
        assert copy.execute("SELECT id FROM league_transfer").fetchall() == [(1,)]
    assert json.loads(member(tmp_path / "copy.tar", "manifest.json"))["ledger"]["rows"] == 1

    league.write_bytes(b"no database" * 100)
    with pytest.raises(CommandError, match="file is not a database"):
        call_command("backup", str(tmp_path / "copy"))
    assert {file.name for file in tmp_path.iterdir()} == {league.name, "copy.tar", "unpacked"}
    with contextlib.closing(unpacked(tmp_path / "copy.tar", tmp_path)) as copy:
        assert copy.execute("SELECT id FROM league_transfer").fetchall() == [(1,)]


@pytest.mark.needs_sqlite
@pytest.mark.django_db(transaction=True)
def test_without_an_address_the_database_of_the_service_is_copied(tmp_path: Path) -> None:
    call_command("backup", str(tmp_path / "copy"))
    with contextlib.closing(unpacked(tmp_path / "copy.tar", tmp_path)) as copy:
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
            service.executescript(SCHEMA)
        # Some that a killed backup left, readable for all.
        for end in ("part", "copy.part"):
            (folder / f"b.tar.{end}").touch(0o644)
        call_command("backup", str(folder / "b"), verbosity=0)
    finally:
        os.umask(before)
    assert {file.name: oct(file.stat().st_mode & 0o777) for file in folder.iterdir()} == {
        "a.tar": "0o600", "b.tar": "0o600", "forgotten": "0o600"
    }  # fmt: skip
    assert oct(folder.stat().st_mode & 0o777) == "0o700"


@pytest.mark.rest
def test_a_backup_that_is_stopped_leaves_no_half_file(
    tmp_path: Path, pg_dump, start_process: Callable[..., Process]
) -> None:
    """On SQLite: a transaction that another program keeps holds the copy up until the backup is stopped."""
    with contextlib.closing(sqlite3.connect(tmp_path / "a.sqlite3", isolation_level=None)) as service:
        service.executescript(f"{SCHEMA} BEGIN EXCLUSIVE")
        folder = tmp_path / "backup"
        address = f"sqlite:///{tmp_path}/a.sqlite3"
        process = start_process(
            "manage.py", "backup", str(folder / "a"), BACKUP_DATABASE_URL=address, DATABASE_URL="sqlite:////nowhere"
        )
        wait_until(lambda: any(folder.glob("*.part")), 30, "the backup began")
        process.process.send_signal(signal.SIGTERM)
        assert process.process.wait(60) in (1, 128 + signal.SIGTERM)
    assert list(folder.iterdir()) == []


def test_the_unit_runs_this_command() -> None:
    unit = (PROJECT / "deploy" / "systemd" / "chratzete-backup.service").read_text(encoding="utf-8")
    assert "manage.py backup /var/lib/chratzete/backup/chratzete-" in unit
    assert "DATABASE_URL" not in unit
    assert "UMask=0077\n" in unit
