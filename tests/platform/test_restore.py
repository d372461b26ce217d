"""`manage.py restore`: the ledger of the backup, row by row, in an empty database; a damaged file is refused.

`BACKUP_HANDS` is the number of hands in the backup of PostgreSQL.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from psycopg import sql

from games.models import Hand
from league.management import database_files, ledger_digest
from league.privacy import forgetting
from tests import servers
from tests.factories import FAILED, MADE, PlayerFactory, create_table, enter
from tests.processes import PROJECT, Process, database_url, environment
from tests.sizes import sized

from .test_scale_loader import loaded

pytestmark = pytest.mark.django_db(transaction=True)

BACKED_UP = int(os.environ.get("BACKUP_HANDS", sized("200", "2000")))
OWN = 6
"""Hands of a club of the test's own, beside those of the loader."""
MANY = 20_000
"""A backup of so many hands has evenings of 15 to 125 hands, a smaller one of a few each."""
OF_A_CLUB, OF_A_TINY_CLUB = 1000, 250
LOAD_SECONDS = 900.0
"""A generous limit for 100,000 hands: other tests may use both cores."""


@pytest.fixture
def target(tmp_path: Path) -> Iterator[str]:
    """The address of a new database of the kind of this run."""
    if connection.vendor == "sqlite":
        yield f"sqlite:///{tmp_path}/target/db.sqlite3"
        return
    name = f"{connection.settings_dict['NAME']}_restored"

    def administer(statement: str) -> None:
        # Not connected during the test: the loader copies this database.
        with contextlib.closing(psycopg.connect(database_url(), autocommit=True)) as admin:
            admin.execute(sql.SQL(statement).format(sql.Identifier(name)))

    administer("CREATE DATABASE {} TEMPLATE template0")
    yield database_url().rpartition("/")[0] + f"/{name}"
    administer("DROP DATABASE {} WITH (FORCE)")


def run(*arguments: str, **more: str) -> tuple[int, str]:
    """Run a command of manage.py in a process of its own; return its exit status and what it printed."""
    path = f"{servers.postgres_folder()}:{os.environ['PATH']}"
    env = environment(PATH=path, **more)
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=PROJECT, env=env, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


@contextlib.contextmanager
def hands_coming_in(table: Any) -> Iterator[None]:
    """Store hands in another thread until the block ends."""
    ended, stored = threading.Event(), threading.Event()

    def write() -> None:
        try:
            while not ended.is_set():
                enter(table, MADE)
                stored.set()
        finally:
            connection.close()

    writer = threading.Thread(target=write)
    writer.start()
    assert stored.wait(30)
    yield
    ended.set()
    writer.join()


def manifest(file: Path) -> dict[str, Any]:
    with tarfile.open(file) as archive:
        member = archive.extractfile("manifest.json")
        assert member
        values: dict[str, Any] = json.load(member)
        return values


def rows(address: str) -> set[tuple[Any, ...]]:
    """Return who paid what to whom by which hand, as a database has it."""
    query = (
        "SELECT t.id, t.from_account_id, t.to_account_id, t.amount_minor, t.kind, p.revision "
        "FROM league_transfer t JOIN league_posting p ON p.id = t.posting_id "
        "JOIN games_revision r ON r.posting_id = p.id"
    )
    if address.startswith("sqlite"):
        with contextlib.closing(sqlite3.connect(address.removeprefix("sqlite:///"))) as opened:
            return set(opened.execute(query))
    with psycopg.connect(address) as server:
        return set(server.execute(query))


def restored_under_writes(target: str, tmp_path: Path) -> None:
    """Back up while hands come in, restore, and compare."""
    table = create_table()
    forgotten = PlayerFactory(club=table.evening.club, nickname="Xaver")
    for number in range(OWN):
        enter(table, (MADE, FAILED)[number % 2])
    before = rows(database_url())
    with hands_coming_in(table):
        assert run("backup", str(tmp_path / "b" / "league"))[0] == 0
    # In another place than the backup.
    forgotten_file = tmp_path / "apart"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.conf.settings.FORGOTTEN_FILE", forgotten_file)
        forgetting.player_forget(player=forgotten, actor=None)

    file = tmp_path / "b" / "league.tar"
    more = {"DATABASE_URL": target, "FORGOTTEN_FILE": str(forgotten_file)}
    status, printed = run("restore", str(file), **more)
    assert status == 0, printed
    assert f"The ledger is the same, row by row ({manifest(file)['ledger']['rows']} rows)." in printed
    assert "Everything agrees with the records." in printed
    assert "and 1 other players" in printed
    # A moment between the first hand that came in meanwhile and the last one.
    restored = rows(target)
    assert before < restored < rows(database_url())
    # A second time it is not empty.
    status, printed = run("restore", str(file), **more)
    assert status == 1
    assert "Nothing was restored: The database has tables" in printed
    assert rows(target) == restored


@pytest.mark.rest
@pytest.mark.needs_sqlite
def test_a_backup_under_writes_is_restored_row_by_row(target: str, tmp_path: Path) -> None:
    restored_under_writes(target, tmp_path)


@pytest.mark.rest
@pytest.mark.needs_postgres
def test_a_backup_under_writes_is_restored_on_postgresql(
    target: str,
    tmp_path: Path,
    start_process: Callable[..., Process],
    record_property: Callable[[str, object], None],
) -> None:
    """Most hands are copies of some that the services stored, with their entries in the ledger."""
    tiny = BACKED_UP < MANY
    clubs = max(4, BACKED_UP // (OF_A_TINY_CLUB if tiny else OF_A_CLUB))
    status, said = loaded(start_process, clubs, BACKED_UP, LOAD_SECONDS, tiny=tiny)
    assert status == 0, said
    restored_under_writes(target, tmp_path)
    assert Hand.objects.count() >= BACKED_UP
    with psycopg.connect(target) as server:
        statistics = server.execute("SELECT count(*) FROM pg_stats WHERE tablename = 'league_transfer'").fetchone()
    assert statistics != (0,)
    record_property("tries", BACKED_UP)


# --- The digest ------------------------------------------------------------------------------------------


def digest() -> ledger_digest.Ledger:
    with connection.cursor():
        raw: Any = connection.connection
    with raw.transaction() if connection.vendor == "postgresql" else contextlib.nullcontext():
        return ledger_digest.read(raw)


@pytest.mark.both_databases
def test_the_digest_changes_with_one_value_and_with_one_row() -> None:
    table = create_table()
    enter(table, MADE)
    first = digest()
    assert first == digest()
    enter(table, MADE)
    second = digest()
    assert first.rows < second.rows
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET session_replication_role = replica")
        else:
            cursor.execute("PRAGMA foreign_keys=OFF")
        cursor.execute("UPDATE league_account SET id = -id WHERE id = (SELECT min(id) FROM league_account)")
        changed = digest()
        cursor.execute("UPDATE league_account SET id = -id WHERE id < 0")
        if connection.vendor == "postgresql":
            cursor.execute("SET session_replication_role = DEFAULT")
        else:
            cursor.execute("PRAGMA foreign_keys=ON")
    assert (changed.rows, changed.sha256 != second.sha256) == (second.rows, True)
    assert digest() == second


# --- What is refused -------------------------------------------------------------------------------------


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A backup of a small file of SQLite; the next restore goes to `new.sqlite3`."""
    with contextlib.closing(sqlite3.connect(tmp_path / "a.sqlite3")) as service:
        service.executescript(
            "CREATE TABLE django_migrations (app, name);"
            "INSERT INTO django_migrations VALUES ('league', '0001_initial');"
            "CREATE TABLE league_transfer (id, amount_minor); INSERT INTO league_transfer VALUES (1, 350)"
        )
    monkeypatch.setenv("BACKUP_DATABASE_URL", f"sqlite:///{tmp_path}/a.sqlite3")
    call_command("backup", str(tmp_path / "a"), verbosity=0)
    monkeypatch.setenv("BACKUP_DATABASE_URL", f"sqlite:///{tmp_path}/new.sqlite3")
    return tmp_path / "a.tar"


def refused(file: Path) -> str:
    with pytest.raises(CommandError) as reason:
        call_command("restore", str(file))
    assert not (file.parent / "new.sqlite3.part").exists()
    return str(reason.value)


def rewrite(file: Path, change: Callable[[dict[str, bytes]], None]) -> None:
    """Change the members of the archive."""
    with tarfile.open(file) as archive:
        members = {info.name: archive.extractfile(info).read() for info in archive}  # type: ignore[union-attr]
    change(members)
    with tarfile.open(file, "w") as archive:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))


def say(file: Path, **values: Any) -> None:
    """Change values of the manifest."""

    def change(members: dict[str, bytes]) -> None:
        members["manifest.json"] = json.dumps(json.loads(members["manifest.json"]) | values).encode()

    rewrite(file, change)


@pytest.mark.needs_sqlite
def test_one_bit_cut_off_or_no_backup_at_all_is_refused(small: Path) -> None:
    whole = bytearray(small.read_bytes())
    for place, what in ((whole.rindex(b"CREATE TABLE"), "its digest differs"), (520, "manifest cannot be read")):
        small.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert what in refused(small)
    for length in (0, 100, 600, len(whole) // 2):
        small.write_bytes(whole[:length])
        assert "Nothing was restored: The file " in refused(small)
    small.write_text("a letter" * 1000)
    assert "The file is no backup" in refused(small)
    assert "No such file" in refused(small.with_name("nothing.tar"))
    assert not small.with_name("new.sqlite3").exists()


@pytest.mark.needs_sqlite
def test_another_ledger_than_that_of_the_manifest_is_refused_also_with_a_right_digest(small: Path) -> None:
    say(small, ledger=manifest(small)["ledger"] | {"sha256": "0" * 64})
    assert "The ledger in the copy is not the one that the manifest names" in refused(small)
    # Names are no way to run a query of one's own.
    for columns in ({"league_transfer": ['id" FROM league_transfer --']}, {'x" UNION SELECT 1 --': []}):
        say(small, ledger=manifest(small)["ledger"] | {"columns": columns})
        assert f"The copy cannot be read: {next(iter(columns))}." in refused(small)
    assert not small.with_name("new.sqlite3").exists()


@pytest.mark.needs_sqlite
def test_nothing_is_overwritten(small: Path) -> None:
    new = small.with_name("new.sqlite3")
    shutil.copy(small.with_name("a.sqlite3"), new)
    assert "has tables (django_migrations, league_transfer): a backup is restored into an empty one only" in refused(
        small
    )
    before = new.read_bytes()
    with pytest.MonkeyPatch.context() as patch:
        # The twin: it was created after the check.
        patch.setattr(database_files, "refuse_unless_empty", lambda config: None)
        assert "File exists" in refused(small)
    assert new.read_bytes() == before
    new.unlink()
    new.with_name("new.sqlite3-wal").touch()
    assert "belongs to another database" in refused(small)


@pytest.mark.needs_sqlite
def test_the_backup_of_another_kind_and_of_a_later_version_is_refused(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(small, migrations=["league.0001_initial", "league.9999_later"])
    assert "does not know its migration league.9999_later" in refused(small)
    say(small, form=2)
    assert "A later version made this backup" in refused(small)
    say(small, form=1, database="postgresql")
    assert "The backup is of PostgreSQL, and DATABASE_URL is SQLite" in refused(small)
    say(small, database="oracle")
    assert "unknown kind of database" in refused(small)
    with pytest.raises(CommandError, match="There is no file"):
        call_command("restore", str(small), "--forgotten", str(small.with_name("list")))


@pytest.mark.rest
@pytest.mark.needs_postgres
def test_a_dump_that_postgresql_refuses_leaves_the_database_empty(target: str, tmp_path: Path) -> None:
    file = tmp_path / "league.tar"
    assert run("backup", str(tmp_path / "league"))[0] == 0

    def cut(members: dict[str, bytes]) -> None:
        values = json.loads(members["manifest.json"])
        members["league.dump"] = members["league.dump"][: len(members["league.dump"]) * 3 // 4]
        values["sha256"] = hashlib.sha256(members["league.dump"]).hexdigest()
        members["manifest.json"] = json.dumps(values).encode()

    rewrite(file, cut)
    status, printed = run("restore", str(file), DATABASE_URL=target)
    assert (status, "Nothing was restored: pg_restore: error" in printed) == (1, True), printed
    with psycopg.connect(target) as server:
        assert server.execute(database_files.TABLES).fetchall() == []


@pytest.mark.rest
@pytest.mark.needs_postgres
def test_the_two_addresses_must_name_one_database(target: str, tmp_path: Path) -> None:
    assert run("backup", str(tmp_path / "league"))[0] == 0
    enter(create_table(), MADE)
    status, printed = run("restore", str(tmp_path / "league.tar"), BACKUP_DATABASE_URL=target)
    assert (status, "must name the same database" in printed) == (1, True), printed


# --- Encrypted -------------------------------------------------------------------------------------------


@pytest.mark.rest
@pytest.mark.needs_sqlite
@pytest.mark.skipif(shutil.which("gpg") is None, reason="There is no gpg here.")
def test_the_pipes_of_the_page_encrypt_and_restore(tmp_path: Path) -> None:
    page = (PROJECT / "docs" / "deploy.md").read_text(encoding="utf-8")
    commands = [line for line in page.splitlines() if re.match(r"chratzete .*gpg --|gpg --.* \| chratzete", line)]
    assert len(commands) == 2
    key = "gpg --batch --quiet --passphrase '' --quick-generate-key backup@club.example default default never"
    program = f'chratzete() {{ {sys.executable} {PROJECT}/manage.py "$@"; }}'
    new = f"export DATABASE_URL=sqlite:///{tmp_path}/new/db.sqlite3"
    # The name of gpg's socket is short: no folder of pytest.
    with tempfile.TemporaryDirectory(prefix="g-") as home:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", "\n".join([program, key, commands[0], new, commands[1]])],
            cwd=tmp_path,
            env=environment(GNUPGHOME=home),
            capture_output=True,
            text=True,
            check=False,
        )
        subprocess.run(["gpgconf", "--kill", "all"], env=environment(GNUPGHOME=home), check=False)
    assert "The backup is restored." in done.stdout, done.stderr
    # Without the secret key nothing of it can be read.
    with tempfile.TemporaryDirectory(prefix="g-") as other:
        words = ["gpg", "--batch", "--decrypt", str(tmp_path / "league.tar.gpg")]
        read = subprocess.run(words, env=environment(GNUPGHOME=other), capture_output=True, check=False)
        subprocess.run(["gpgconf", "--kill", "all"], env=environment(GNUPGHOME=other), check=False)
    assert read.returncode != 0
    assert read.stdout == b""
