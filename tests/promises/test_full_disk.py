"""P6 and P17: a full disk under the database is a 503; what was answered is there, and hands go in when it has room."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games.integrity.verify import differences
from league.models import Submission
from tests import databases, servers
from tests.factories import MADE, create_table, enter
from tests.processes import Process, wait_until
from tests.small_disk import SmallDisk, small_disk

from .steady_hands import steady_hands
from .test_acknowledged import AWAY, RATE, port_of, rows, writers

pytestmark = [pytest.mark.rest, pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]

MEGABYTES = 160
SOON = 90.0
"""A generous limit: other tests may use both cores."""
BEFORE, AFTER = 10, 10


@pytest.fixture
def disk() -> Iterator[SmallDisk]:
    # PostgreSQL is another user, who may not enter the folders of pytest.
    with tempfile.TemporaryDirectory(prefix="chratzete-disk-") as folder:
        Path(folder).chmod(0o755)
        with small_disk(Path(folder) / "disk", MEGABYTES) as made:
            yield made


@pytest.fixture
def database_there(disk: SmallDisk, transactional_db: None) -> Iterator[servers.Server | None]:
    """A database on the small disk; the server, if it is PostgreSQL."""
    with ExitStack() as stack:
        server = None
        if connection.vendor == "postgresql":
            server = stack.enter_context(servers.postgres(where=disk.folder, more=["max_wal_size=32MB"]))
        stack.enter_context(databases.on_server(server.url if server else f"sqlite:///{disk.folder}/db.sqlite3"))
        yield server


def test_a_full_disk_loses_no_hand_and_is_no_fault_of_the_program(
    disk: SmallDisk, database_there: servers.Server | None, web_server: Callable[..., Process]
) -> None:
    node = web_server(TEST_API_WRITES="0", REDIS_URL="", WEB_PROCESSES="1")
    with steady_hands(writers(port_of(node)), RATE, AWAY) as hands:
        wait_until(lambda: hands.over.is_set() or hands.stored >= BEFORE, SOON, "hands are recorded")
        disk.fill()
        wait_until(lambda: hands.over.is_set() or hands.away >= BEFORE, SOON, "hands are refused for a while")
        disk.empty()
        if database_there is not None and database_there.process.poll() is not None:
            # Without room for its log PostgreSQL ends, and is started again by its unit.
            database_there.start_again()
        before = hands.stored
        wait_until(lambda: hands.over.is_set() or hands.stored >= before + AFTER, SOON, "hands go in again")
    connection.close()
    assert hands.failed == []
    assert rows() == hands.acknowledged
    assert Submission.objects.count() == hands.stored
    assert list(differences()) == []


@pytest.mark.needs_sqlite
def test_a_backup_on_a_full_disk_keeps_the_one_before(disk: SmallDisk) -> None:
    enter(create_table(), MADE)
    backup = disk.folder / "league"
    call_command("backup", str(backup), verbosity=0)
    file = disk.folder / "league.tar"
    before, there = file.read_bytes(), {each.name for each in disk.folder.iterdir()}
    disk.fill(100_000)
    with pytest.raises(CommandError, match="No backup was made"):
        call_command("backup", str(backup), verbosity=0)
    assert file.read_bytes() == before
    assert {each.name for each in disk.folder.iterdir()} == there | {"ballast"}
    disk.empty()
    call_command("backup", str(backup), verbosity=0)
