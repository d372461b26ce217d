"""Everything works behind pgbouncer in transaction mode, where two queries may use different connections."""

from __future__ import annotations

import contextlib
import http.client
import io
import os
import shutil
import tarfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from league.models import Membership, Season, Transfer
from league.standings.counting import count_season
from tests import servers
from tests.factories import FAILED, MADE, UserFactory, create_table, enter
from tests.processes import Process, database_url

pytestmark = [pytest.mark.rest, pytest.mark.needs_postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def bouncer() -> Iterator[str]:
    """The address of this test's database through pgbouncer, which has two connections."""
    try:
        with servers.pgbouncer(database_url()) as pool:
            yield pool.url
    except servers.NoServer as reason:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(reason))


@contextlib.contextmanager
def others_at_work(url: str) -> Iterator[None]:
    """Let two other clients run short transactions, so that consecutive queries of a client change connections."""
    ended = threading.Event()

    def work() -> None:
        with contextlib.closing(psycopg.connect(url, autocommit=True, prepare_threshold=None)) as client:
            while not ended.wait(0.001):
                with client.transaction():
                    client.execute("SELECT pg_sleep(0.002)")

    threads = [threading.Thread(target=work) for _ in range(2)]
    for each in threads:
        each.start()
    try:
        yield
    finally:
        ended.set()
        for each in threads:
            each.join()


def test_a_server_side_cursor_is_lost(bouncer):
    """The twin: reading without keyset."""
    with (
        contextlib.closing(psycopg.connect(bouncer, autocommit=True)) as reader,
        contextlib.closing(psycopg.connect(bouncer, autocommit=True)) as other,
        reader.cursor(name="rows", withhold=True) as cursor,
    ):
        cursor.execute("SELECT generate_series(1, 5000)")
        # The other client takes the connection on which the cursor is.
        with other.transaction():
            other.execute("SELECT 1")
            with pytest.raises(psycopg.errors.InvalidCursorName):
                cursor.fetchmany(2000)


def test_every_file_and_page_works(bouncer, web_server: Callable[..., Process]):
    table = create_table()
    owner = UserFactory()
    Membership.objects.create(club=table.evening.club, user=owner, role="owner")
    for record in (MADE, FAILED) * 3:
        enter(table, record)
    count_season(Season.objects.get().pk)
    client = Client()
    client.force_login(owner)
    club, season, evening = table.evening.club.slug, Season.objects.get().slug, table.evening.pk
    transfers = Transfer.objects.count()
    files = {
        reverse("standings-csv", args=[club, season]): 5,
        reverse("results-csv", args=[club, season]): 30,
        reverse("ledger-csv", args=[club, season]): transfers,
        reverse("hands-csv", args=[club, evening]): 30,
    }
    server = web_server(DATABASE_URL=bouncer)
    with others_at_work(bouncer):
        for address, rows in files.items():
            assert len(read(server, client, address).splitlines()) == rows + 1
        # Its forms read lists of choices, as `.iterator()` does.
        assert b"<form" in read(server, client, reverse("evening-new", args=[club]))
        assert zipfile.ZipFile(io.BytesIO(read(server, client, reverse("account-data-file")))).testzip() is None


def read(server: Process, client: Client, address: str) -> bytes:
    parts = urlsplit(server.url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=60)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    connection.request("GET", address, headers={"Cookie": f"{settings.SESSION_COOKIE_NAME}={session}"})
    answer = connection.getresponse()
    assert answer.status == 200, (address, server.output()[-2000:])
    return answer.read()


def test_verify_works_in_two_processes(bouncer, start_process: Callable[..., Process]):
    table = create_table()
    enter(table, MADE)
    with others_at_work(bouncer):
        process = start_process("manage.py", "verify", "--jobs", "2", DATABASE_URL=bouncer)
        assert process.process.wait(120) == 0, process.output()


def count_players(url: str) -> None:
    """Count the players on both connections of pgbouncer."""
    with contextlib.closing(psycopg.connect(url)) as first, contextlib.closing(psycopg.connect(url)) as another:
        for client in (first, another):
            client.execute("SELECT count(*) FROM league_player")


def test_the_search_path_of_a_dump_stays_on_the_connection(bouncer):
    """The twin: pg_dump, which sets it for its session, through pgbouncer."""
    count_players(bouncer)
    with contextlib.closing(psycopg.connect(bouncer, autocommit=True)) as dump:
        dump.execute("SELECT pg_catalog.set_config('search_path', '', false)")
    with pytest.raises(psycopg.errors.UndefinedTable):
        count_players(bouncer)


def test_a_backup_by_the_address_of_the_server_leaves_the_connections_alone(bouncer, start_process, tmp_path: Path):
    path = f"{servers.postgres_folder()}:{os.environ['PATH']}"
    if shutil.which("pg_dump", path=path) is None:
        pytest.skip("There is no pg_dump here.")
    addresses = {"DATABASE_URL": bouncer, "BACKUP_DATABASE_URL": database_url()}
    with others_at_work(bouncer):
        process = start_process("manage.py", "backup", str(tmp_path / "league"), **addresses, PATH=path)
        assert process.process.wait(60) == 0, process.output()
    with tarfile.open(tmp_path / "league.tar") as archive:
        assert archive.getnames() == ["manifest.json", "league.dump"]
    count_players(bouncer)
