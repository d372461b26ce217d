"""Pages read from a replica of PostgreSQL never show less than what was stored before they were asked for."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Callable, Iterator

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from games.models import Table
from league.standings.counting import count_season
from tests import databases, servers
from tests.cast import House, house
from tests.clients import signed_in
from tests.factories import FAILED, MADE, create_table, enter
from tests.processes import Process, wait_until

pytestmark = [
    pytest.mark.rest,
    pytest.mark.servers_only,
    pytest.mark.needs_postgres,
    pytest.mark.django_db(transaction=True),
]
PAGE = "/c/roessli/s/2026/"


@pytest.fixture
def primary(transactional_db: None) -> Iterator[servers.Server]:
    with servers.postgres(durable=True) as server, databases.on_server(server.url):
        yield server


@pytest.fixture
def home(primary: servers.Server) -> House:
    return house("roessli")


@pytest.fixture
def table(home: House) -> Table:
    table = create_table(club=home.club, season=home.season)
    enter(table, MADE)
    count_season(home.season.pk)
    return table


@pytest.fixture
def standby(primary: servers.Server, table: Table) -> Iterator[servers.Server]:
    with servers.replica(primary, more=["log_statement=all"]) as server:
        yield server


class Reader:
    """A member who reads the standings from a web server with a replica."""

    def __init__(self, home: House, web_server: Callable[..., Process], standby: servers.Server, **more: str) -> None:
        name = connection.settings_dict["NAME"]
        self.standby = standby
        cookie = settings.SESSION_COOKIE_NAME
        self.cookie = f"{cookie}={signed_in(home.member).cookies[cookie].value}"
        url = f"postgresql://chratzete@127.0.0.1:{standby.port}/{name}"
        self.server = web_server(DATABASE_REPLICA_URL=url, REDIS_URL="", **more)

    def standings(self) -> str:
        """Return the lines of the standings."""
        wanted = urllib.request.Request(self.server.url + PAGE, headers={"Cookie": self.cookie})
        with urllib.request.urlopen(wanted, timeout=30) as answer:
            assert answer.status == 200
            page = answer.read().decode()
        lines = re.search(r"<tbody.*?</tbody>", page, re.DOTALL)
        assert lines
        return lines[0]

    def read_there(self) -> str:
        """Return what the replica was asked since the last call."""
        log = self.standby.folder.parent / "log"
        text = log.read_text(errors="replace")
        new = text[getattr(self, "seen", 0) :]
        self.seen = len(text)
        return new

    def replica(self, statement: str) -> None:
        with psycopg.connect(self.standby.url, autocommit=True) as there:
            there.execute(statement)  # type: ignore[call-overload]


def next_hand(home: House, table: Table) -> None:
    enter(table, FAILED)
    count_season(home.season.pk)


def test_standings_are_read_from_the_replica_and_rights_from_the_primary(
    home: House, web_server: Callable[..., Process], standby: servers.Server
) -> None:
    reader, asked = Reader(home, web_server, standby), []

    def is_asked() -> bool:
        reader.standings()
        asked.append(reader.read_there())
        return "league_season" in asked[-1]

    # A replica that is some milliseconds too late is passed over.
    wait_until(is_asked, 20, "the replica is asked")
    for table in ("django_session", "league_membership", '"league_user"'):
        assert table not in "".join(asked)


@pytest.mark.parametrize("guarded", [True, False])
def test_a_replica_that_is_behind_answers_no_page(
    home: House, table: Table, web_server: Callable[..., Process], standby: servers.Server, guarded: bool
) -> None:
    reader = Reader(home, web_server, standby, **({} if guarded else {"TEST_ANY_REPLICA": "1"}))
    before = reader.standings()
    reader.replica("SELECT pg_wal_replay_pause()")
    wait_until(lambda: paused(standby), 20, "the replica replays nothing")
    next_hand(home, table)
    assert (reader.standings() != before) is guarded
    reader.replica("SELECT pg_wal_replay_resume()")
    wait_until(lambda: reader.standings() != before, 20, "the page has the hand")


def test_without_its_replica_a_page_is_read_from_the_primary(
    home: House, table: Table, web_server: Callable[..., Process], standby: servers.Server
) -> None:
    reader = Reader(home, web_server, standby)
    before = reader.standings()
    standby.kill()
    next_hand(home, table)
    assert reader.standings() != before


def paused(standby: servers.Server) -> bool:
    with psycopg.connect(standby.url) as there:
        return there.execute("SELECT pg_get_wal_replay_pause_state()").fetchone() == ("paused",)
