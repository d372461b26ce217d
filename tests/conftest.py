"""Fixtures for all tests, and the parts of a test run.

A full run has two parts (`--part`). `sqlite` runs every test that can run there, with embedded services. `servers`
runs the tests marked `both_databases` again on PostgreSQL and Redis, and those that need them. `quick` runs the tests
of the engine, of the draw and those marked `services`, on SQLite. Without the option every test runs for which the
servers are set. A part leaves out the tests marked `rest`, those in the browser that are not marked `core`, and on the
servers two thirds of those that ran on SQLite; with `--rest` it runs these alone, with `--whole` both. It runs the
tests marked `sized` in each case, at two sizes (`tests/sizes.py`).
"""

import contextlib
import gc
import io
import json
import os
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.utils import translation
from hypothesis import settings as examples
from pytest_django.plugin import blocking_manager_key

from league import reading_process
from league.config import compiled_texts
from readers.__main__ import answer
from tests import databases, run_folder
from tests.cell_checks import own_cache_keys
from tests.parts import SERVERS_ALONE, WORDS, WORDS_OF_THE_REST
from tests.sizes import END_OF_RUN, OVER, THIRDS, in_turn_of_today, third_of_today

pytest_plugins = [
    "tests.processes",
    "tests.chromium",
    "tests.node",
    "tests.races",
    "tests.roomy_stack",
    "tests.monitored",
]

# No deadline: the time of an example depends on the load of the machine. `bench` measures speed.
examples.register_profile("untimed", examples.get_profile(examples.get_current_profile_name()), deadline=None)
examples.load_profile("untimed")

PROJECT = Path(__file__).resolve().parent.parent
PURE = (PROJECT / "tests" / "engine", PROJECT / "tests" / "draw")
"""The tests that need no database."""
SLOWEST = 10
GARBAGE = (100_000, 20, 50)
OUTCOMES = ("passed", "failed", "error", "skipped", "xfailed", "xpassed")


def pytest_configure(config: pytest.Config) -> None:
    # Objects imported before the tests are never garbage.
    gc.disable()
    if not hasattr(config, "workerinput"):
        run_folder.end_on_signals()
        # The repository has no compiled texts, and tests read German.
        compiled_texts.compile_texts(PROJECT / "locale")


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        with config.stash[blocking_manager_key].unblock():
            databases.remove_template()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("chratzete")
    group.addoption("--part", choices=["sqlite", "servers", "quick"], help="which part of a run this is")
    group.addoption("--rest", action="store_true", help="run the tests that a part leaves out, and no others")
    group.addoption("--whole", action="store_true", help="run also the tests that a part leaves out")
    group.addoption("--counts-to", metavar="FILE", help="write what this part counted to FILE")
    group.addoption("--counts-from", metavar="FILE", help="add what an earlier part counted")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip files without a test for this part: searching a file for a word is faster than importing it."""
    words = WORDS_OF_THE_REST if config.getoption("--rest") else WORDS.get(config.getoption("--part"))
    if words is None or collection_path.suffix != ".py" or collection_path.name == "__init__.py":
        return None
    if not {*PURE}.isdisjoint(collection_path.parents) and config.getoption("--part") == "quick":
        return None
    if config.getoption("--rest") and config.getoption("--part") == "servers":
        words = (*WORDS_OF_THE_REST, "both_databases")
    text = collection_path.read_text(encoding="utf-8")
    return None if any(word in text for word in words) else True


def runs_in(item: pytest.Item, part: str) -> bool:
    def marked(*names: str) -> bool:
        return any(item.get_closest_marker(name) for name in names)

    if part == "servers":
        return marked("both_databases", *SERVERS_ALONE) and not marked("needs_sqlite")
    if part == "quick" and not (marked("services") or not {*PURE}.isdisjoint(item.path.parents)):
        return False
    return not marked(*SERVERS_ALONE) and not (part == "quick" and marked("long"))


def is_due(item: pytest.Item, part: str, *, rest: bool) -> bool:
    """Return True if a run, or its rest, has this test in this part."""
    if item.get_closest_marker("sized"):
        return True
    left_out = item.get_closest_marker("rest") or (
        item.get_closest_marker("browser") and not item.get_closest_marker("core")
    )
    if part == "servers" and not any(item.get_closest_marker(name) for name in SERVERS_ALONE):
        # It ran on SQLite: here `make test` runs a third, another one each day.
        left_out = left_out or zlib.crc32(item.nodeid.encode()) % THIRDS != third_of_today()
    return bool(left_out) == rest


def in_turn(items: list[pytest.Item], processes: int) -> list[pytest.Item]:
    """Return the tests in the order in which so many processes end at about the same time.

    xdist gives each process one piece of the list, all of one length; idle processes take tests from the end of others.
    So each piece begins with its share of the long tests, and ends with its share of those that commit.
    """

    def commits(item: pytest.Item) -> bool:
        marker = item.get_closest_marker("django_db")
        fixtures = getattr(item, "fixturenames", ())
        return "transactional_db" in fixtures or bool(marker and marker.kwargs.get("transaction"))

    long = [item for item in items if item.get_closest_marker("long")]
    others = in_turn_of_today([item for item in items if not item.get_closest_marker("long")])
    plain, committing = ([item for item in others if commits(item) is wanted] for wanted in (False, True))
    ordered: list[pytest.Item] = []
    for process in range(processes):
        left = processes - process
        size = (len(items) - len(ordered)) // left
        begin, end = long[process::processes], committing[: round(len(committing) / left)]
        room = max(0, size - len(begin) - len(end)) if left > 1 else len(plain)
        ordered += [*begin, *plain[:room], *end]
        plain, committing = plain[room:], committing[len(end) :]
    return ordered


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    part = config.getoption("--part")
    if part:
        rest, whole = config.getoption("--rest"), config.getoption("--whole")
        kept = [item for item in items if runs_in(item, part) and (whole or is_due(item, part, rest=rest))]
        left_out = list(set(items) - set(kept))
        processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
        items[:] = in_turn(kept, processes)
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


def pytest_runtest_setup(item: pytest.Item) -> None:
    if time.time() > END_OF_RUN:
        pytest.skip(OVER)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Leave imported objects out of garbage collection: each full one would search them again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE)
    gc.enable()


# --- One closing line for both parts ---------------------------------------------------------------------


class EarlierTest:
    """A test of the earlier part, counted in the closing line."""

    count_towards_summary = True


def durations(terminalreporter: Any) -> dict[str, float]:
    """Return the seconds of each test of this part, fixtures included."""
    taken: dict[str, float] = {}
    for outcome in ("", *OUTCOMES):
        for report in terminalreporter.stats.get(outcome, ()):
            if hasattr(report, "duration"):
                taken[report.nodeid] = taken.get(report.nodeid, 0.0) + report.duration
    return taken


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> Iterator[None]:
    # The list of failures needs real reports, so the tests of the earlier part are added after it is written.
    yield
    counts_to, counts_from = config.getoption("--counts-to"), config.getoption("--counts-from")
    slowest = sorted(durations(terminalreporter).items(), key=lambda each: -each[1])[:SLOWEST]
    if counts_to:
        counts = {outcome: len(terminalreporter.getreports(outcome)) for outcome in OUTCOMES}
        Path(counts_to).write_text(json.dumps({"counts": counts, "slowest": slowest}))
        return
    if counts_from and Path(counts_from).exists():
        earlier = json.loads(Path(counts_from).read_text())
        counts = earlier["counts"]
        summary = ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count)
        terminalreporter.write_line(f"on SQLite: {summary}; the line below counts both parts")
        for outcome, count in counts.items():
            if count:
                terminalreporter.stats.setdefault(outcome, []).extend(EarlierTest() for _ in range(count))
        slowest = sorted([*slowest, *map(tuple, earlier["slowest"])], key=lambda each: -each[1])[:SLOWEST]
    if config.getoption("--part"):
        terminalreporter.section("the slowest tests")
        for name, seconds in slowest:
            terminalreporter.write_line(f"{seconds:7.1f} s  {name}")


# --- The database ----------------------------------------------------------------------------------------


@pytest.fixture
def read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read files in this process: a test of what is in a file needs no process of its own for each."""

    def answered(words: list[str], content: bytes, _limits: object) -> dict[str, Any]:
        return answer(words[-3], json.loads(words[-1]), io.BytesIO(content))

    monkeypatch.setattr(reading_process, "_answer", answered)


@pytest.fixture
def on_sqlite() -> bool:
    return connection.vendor == "sqlite"


@pytest.fixture
def on_postgres() -> bool:
    return connection.vendor == "postgresql"


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_blocker: Any, django_db_modify_db_settings: None
) -> Iterator[None]:
    """Give this process a copy of the database that was migrated once for the run."""
    with contextlib.ExitStack() as stack:
        with django_db_blocker.unblock():
            stack.enter_context(databases.copied(connection.creation._get_test_db_name()))
        yield
        with django_db_blocker.unblock():
            stack.close()


@pytest.fixture(scope="session", autouse=True)
def flush_append_only_tables() -> Iterator[None]:
    """Let Django empty the append-only tables between two tests that commit."""
    with pytest.MonkeyPatch.context() as patch:
        databases.patch_flush(patch)
        yield


@pytest.fixture
def committed(transactional_db: None, django_capture_on_commit_callbacks: Callable[..., Any]) -> Callable[..., Any]:
    """Allow real commits; give a context manager that collects the callbacks that ran after them."""
    return django_capture_on_commit_callbacks


# --- What a request sets in its thread -------------------------------------------------------------------


@pytest.fixture(autouse=True)
def no_earlier_request() -> None:
    """Forget the language and the chips of the last request of an earlier test: it ran in this thread."""
    from league.money import show_francs

    translation.deactivate()
    show_francs()


# --- The cache -------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def own_cache() -> Iterator[None]:
    """Give each test its own keys in the cache: limits and kept answers of other tests do not count."""
    with own_cache_keys():
        yield


@pytest.fixture
def one_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count all requests of the test in one minute of the API: none begins while it runs."""
    monkeypatch.setattr("league.api.throttles.WINDOW_SECONDS", 10**9)


# --- Redis -----------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def redis_not_given_up() -> Iterator[None]:
    """Forget a failure of Redis in an earlier test."""
    from league.config import redis_away

    redis_away.forget()
    yield
    redis_away.forget()


@pytest.fixture(autouse=True)
def empty_queue(request: pytest.FixtureRequest) -> None:
    """Remove the tasks of earlier tests, which may run for longer than this test. Before the test's own first task: a
    season whose task is removed is not waiting for a second one."""
    if settings.REDIS_URL and request.node.get_closest_marker("needs_redis"):
        from league.config.celery import app

        app.control.purge()


def pytest_report_header() -> str:
    engine = settings.DATABASES["default"]["ENGINE"].rpartition(".")[2]
    broker = "Redis" if settings.REDIS_URL else "embedded"
    screens = f"screens of today: {third_of_today() + 1} of {THIRDS}"
    return f"chratzete: {engine}, broker {broker}, data in {os.environ['DATA_DIR']}, {screens}"
