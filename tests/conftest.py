"""What every test may ask for: the database at hand, real servers, a real worker.

A run has two parts (`--part`). `sqlite`: the tests that touch a database, on SQLite with the embedded
default. `servers`: all tests, on PostgreSQL and Redis. What is marked `once` has a page before it that looks the same
whatever the database, and runs in the second part alone. Without the option everything that can run here does.
"""

import json
import os
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import caches
from django.db import connection
from django.test import TransactionTestCase
from hypothesis import settings as examples

from tests import still

pytest_plugins = ["tests.processes", "tests.chromium"]

# How long an example takes says how busy the machine is; speeds are measured elsewhere.
examples.register_profile("untimed", examples.get_profile(examples.get_current_profile_name()), deadline=None)
examples.load_profile("untimed")

DATABASE_FIXTURES = {"db", "transactional_db", "django_db_reset_sequences", "live_server"}


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("chratzete")
    group.addoption("--part", choices=["sqlite", "servers"], help="which half of a full run this is")
    group.addoption("--counts-to", metavar="FILE", help="write the outcome counts of this part to FILE")
    group.addoption("--counts-from", metavar="FILE", help="add the outcome counts of an earlier part")


def touches_database(item: pytest.Item) -> bool:
    if item.get_closest_marker("django_db") or item.get_closest_marker("needs_sqlite"):
        return True
    if DATABASE_FIXTURES & set(getattr(item, "fixturenames", ())):
        return True
    owner = getattr(item, "cls", None)
    return isinstance(owner, type) and issubclass(owner, TransactionTestCase)


def runs_in(item: pytest.Item, part: str) -> bool:
    if part == "servers":
        return item.get_closest_marker("needs_sqlite") is None
    only_servers = any(item.get_closest_marker(name) for name in ("needs_postgres", "needs_redis", "once"))
    return touches_database(item) and not only_servers


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    part = config.getoption("--part")
    if part:
        left_out = [item for item in items if not runs_in(item, part)]
        items[:] = [item for item in items if runs_in(item, part)]
        config.hook.pytest_deselected(items=left_out)
        return
    engine = settings.DATABASES["default"]["ENGINE"]
    missing = {
        "needs_postgres": "DATABASE_URL names no PostgreSQL" if "postgresql" not in engine else "",
        "needs_sqlite": "DATABASE_URL names no SQLite" if "sqlite" not in engine else "",
        "needs_redis": "" if settings.REDIS_URL else "REDIS_URL is not set",
    }
    for item in items:
        for marker, reason in missing.items():
            if reason and item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=f"{reason}; `make test` runs this"))


# --- One closing line for both parts ---------------------------------------------------------------------


class EarlierTest:
    """Stands in the closing line for a test of the earlier part."""

    count_towards_summary = True


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> Iterator[None]:
    # The list of failures wants real reports: only after it is written may the stand-ins come in.
    yield
    counts_to, counts_from = config.getoption("--counts-to"), config.getoption("--counts-from")
    outcomes = ("passed", "failed", "error", "skipped", "xfailed", "xpassed")
    if counts_to:
        counts = {outcome: len(terminalreporter.getreports(outcome)) for outcome in outcomes}
        Path(counts_to).write_text(json.dumps(counts))
    if counts_from and Path(counts_from).exists():
        counts = json.loads(Path(counts_from).read_text())
        told = ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count)
        terminalreporter.write_line(f"on SQLite: {told}; the line below counts both parts")
        for outcome, count in counts.items():
            if count:
                terminalreporter.stats.setdefault(outcome, []).extend(EarlierTest() for _ in range(count))


# --- The database ----------------------------------------------------------------------------------------


@pytest.fixture
def on_sqlite() -> bool:
    return connection.vendor == "sqlite"


@pytest.fixture
def on_postgres() -> bool:
    return connection.vendor == "postgresql"


@pytest.fixture(scope="session", autouse=True)
def flush_past_the_guards() -> Iterator[None]:
    """Between two tests that really commit, the tables are emptied; append-only tables refuse that otherwise.

    The product has no such way: the guards are taken down here, for the length of the flush.
    """
    original = type(connection.ops).execute_sql_flush
    still.watch()

    def flush(self: Any, sql_list: list[str]) -> None:
        # A page that asks until its browser is closed is still being answered: it would be emptied under the answer.
        still.wait_until_still()
        with self.connection.cursor() as cursor:
            if self.connection.vendor == "postgresql":
                cursor.execute("SET session_replication_role = replica")
                original(self, sql_list)
                cursor.execute("SET session_replication_role = DEFAULT")
                return
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            triggers = cursor.fetchall()
            for name, _ in triggers:
                cursor.execute(f'DROP TRIGGER "{name}"')
            original(self, sql_list)
            for _, sql in triggers:
                # No parameters: a % in the SQL is a %.
                cursor.execute(sql, None)

    patch = pytest.MonkeyPatch()
    patch.setattr(type(connection.ops), "execute_sql_flush", flush)
    yield
    patch.undo()


@pytest.fixture
def committed(transactional_db: None, django_capture_on_commit_callbacks: Callable[..., Any]) -> Callable[..., Any]:
    """For tests that need real commits; gives a context manager that collects what ran after them."""
    return django_capture_on_commit_callbacks


# --- Nothing left over from the test before --------------------------------------------------------------


@pytest.fixture(autouse=True)
def nothing_counted_yet() -> Iterator[None]:
    """Each test has keys of its own in the cache: no limit that another used up, no answer that another kept."""
    setup = settings.CACHES["default"]
    before = setup.get("KEY_PREFIX", "")
    setup["KEY_PREFIX"] = caches["default"].key_prefix = f"{before}:{uuid.uuid4().hex[:8]}"
    yield
    setup["KEY_PREFIX"] = caches["default"].key_prefix = before


# --- A calm broker ---------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def broker_not_given_up() -> Iterator[None]:
    """No test inherits another's broken broker."""
    from league.config.celery import forget_broker_failure

    forget_broker_failure()
    yield
    forget_broker_failure()


def pytest_report_header() -> str:
    engine = settings.DATABASES["default"]["ENGINE"].rpartition(".")[2]
    broker = "Redis" if settings.REDIS_URL else "embedded"
    return f"chratzete: {engine}, broker {broker}, data in {os.environ['DATA_DIR']}"
