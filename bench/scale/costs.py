"""What pages, lists, commands and tasks cost on one server: the CPU time of this process and of PostgreSQL, the time by
the clock, and the number of queries. Each figure is the median of several tries after a first one that warms up.

Most are about the first club, which is the same on every server: what differs is the rest of the server.
"""

import io
import statistics
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from django.core.cache import caches
from django.core.management import call_command
from django.core.paginator import Paginator
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from bench.demo_server import cpu_seconds
from bench.evening import RecordedEvening
from bench.polled_part import signed_in
from bench.requests_here import Requests
from games.integrity import verified, verify
from league.api.tasks import tidy as api_tidy
from league.api_keys.services import SCOPES, key_create
from league.club_admin.tasks import tidy as club_tidy
from league.jobs.tasks import sweep
from league.large_files.tasks import tidy as files_tidy
from league.models import Club, Season, User
from league.monitoring import state
from league.operator.clubs import PAGE, found_clubs, with_figures
from league.privacy.tasks import tidy as privacy_tidy
from league.standings import counting
from league.standings.facts.counting import count_facts
from league.webhooks.tasks import tidy as webhooks_tidy

CLUB = "club-1"
TRIES = 9
LONG_SECONDS, FEW = 2.0, 3
HANDS = 25
ROWS = "SELECT COALESCE(SUM(seq_tup_read + COALESCE(idx_tup_fetch, 0)), 0) FROM pg_stat_xact_user_tables"


class Cost(NamedTuple):
    """Milliseconds of CPU time of this process and of PostgreSQL, milliseconds by the clock; queries, and the rows that
    PostgreSQL read for them in tables and indexes, also those that it left out."""

    name: str
    web: float
    database: float
    clock: float
    queries: int
    rows: int


def costs() -> Iterator[Cost]:
    """Yield all costs on the current database."""
    evening = RecordedEvening(CLUB, f"recorder@{CLUB}.example")
    for _ in range(HANDS):
        evening.record()
    counting.count_season(evening.season.pk)
    yield from (_cost(name, work, before) for name, work, before in work_of(evening))


Work = Callable[[], object]


def work_of(evening: RecordedEvening) -> Iterator[tuple[str, Work, Work | None]]:
    visitor = Requests(cookie="a=b")
    for name, path in _pages(evening).items():
        # Behind the first time these are kept pages, as a visitor mostly gets them; home is drawn each time.
        yield f"{name}, visitor", _get(visitor, path), None
    owner = Requests(cookie=signed_in(f"owner@{CLUB}.example"))
    # Home sends a person with one club to its page.
    for name, path in list(_pages(evening).items())[1:] + list(_pages_inside(evening).items()):
        yield f"{name}, signed in", _get(owner, path), caches["pages"].clear
    key = key_create(user=User.objects.get(email=f"owner@{CLUB}.example"), name="scale", scopes=SCOPES).text
    for name, path in _lists(evening).items():
        yield f"API: {name}", _get(Requests(key), path), None
    yield from _tasks(evening)


def _get(requests: Requests, path: str) -> Work:
    return lambda: requests.page(path)


def _pages(evening: RecordedEvening) -> dict[str, str]:
    season = {"club": CLUB, "season": evening.season.slug}
    at_evening = {"club": CLUB, "evening": evening.table.evening_id}
    player = evening.season.standings.earliest("rank").player_id
    return {
        "home": reverse("home"),
        "club": reverse("club", kwargs={"club": CLUB}),
        "evening": reverse("evening", kwargs=at_evening),
        "evening, live part": reverse("evening-live", kwargs=at_evening),
        "season": reverse("season", kwargs=season),
        "standings of a season": reverse("season-standings", kwargs=season),
        "player": reverse("player", kwargs={"club": CLUB, "player": player}),
        "statistics": reverse("season-statistics", kwargs=season),
        "records of the club": reverse("club-records", kwargs={"club": CLUB}),
    }


def _pages_inside(evening: RecordedEvening) -> dict[str, str]:
    at_table = {"club": CLUB, "table": evening.table.pk}
    names = ("debts", "treasury-balances", "treasury-year", "treasurer-list", "club-log", "club-roster")
    return {
        "table": reverse("table", kwargs=at_table),
        "table, live part": reverse("table-live", kwargs=at_table),
        **{name: reverse(name, kwargs={"club": CLUB}) for name in names},
    }


def _lists(evening: RecordedEvening) -> dict[str, str]:
    club = f"/api/v1/clubs/{CLUB}"
    lists = ("players", "seasons", "evenings", "ledger", "log", "disputes")
    return {
        "clubs": "/api/v1/clubs",
        **{name: f"{club}/{name}" for name in lists},
        "hands": f"{club}/tables/{evening.table.pk}/hands",
        "standings": f"{club}/seasons/{evening.season.slug}/standings",
    }


def _tasks(evening: RecordedEvening) -> Iterator[tuple[str, Work, Work | None]]:
    season = evening.season.pk
    yield "a hand, by the service", evening.record, None
    counting.count_season(season)
    yield "count after a hand (standings)", lambda: counting.count_standings(season), evening.record
    yield "facts after a hand", lambda: count_facts(season), lambda: _counted(evening)
    whole = Season.objects.filter(club=evening.club).earliest("starts_on")
    yield "count of a season from scratch", lambda: _thrown_away(whole), None
    counting.count_season(season)
    yield "sweep, nothing to do", sweep, None
    yield "what metrics and readiness ask", lambda: (state.counting(), state.webhooks()), None
    yield "clubs of the operator's page", _operators_clubs, None
    for name, tidy in (("api", api_tidy), ("practice", club_tidy), ("files", files_tidy), ("webhooks", webhooks_tidy)):
        yield f"tidy: {name}", tidy, None
    yield "tidy: privacy", privacy_tidy, None
    yield "queue (command)", lambda: _command("queue"), None
    yield "verify --new, nothing new: its parts", lambda: verified.only_new(verify.parts()), None


def _counted(evening: RecordedEvening) -> None:
    evening.record()
    counting.count_standings(evening.season.pk)


def _thrown_away(season: Season) -> None:
    with transaction.atomic():
        counting.recount(season)
        transaction.set_rollback(True)


def _operators_clubs() -> None:
    page = Paginator(found_clubs(""), PAGE).get_page(1)
    list(with_figures(Club.objects.filter(pk__in=[club.pk for club in page])))


def _command(name: str) -> None:
    try:
        call_command(name, stdout=io.StringIO())
    except SystemExit:
        # No worker runs.
        return


def _cost(name: str, work: Work, before: Work | None) -> Cost:
    def prepared() -> None:
        if before is not None:
            before()

    prepared()
    begun = time.perf_counter()
    work()
    tries = FEW if time.perf_counter() - begun > LONG_SECONDS else TRIES
    measured = []
    for _ in range(tries):
        prepared()
        measured.append(_measured(work))
    prepared()
    queries, rows = rows_read(work)
    web, database, clock = (1000 * statistics.median(part) for part in zip(*measured, strict=True))
    return Cost(name, web, database, clock, queries, rows)


def rows_read(work: Work) -> tuple[int, int]:
    """Return the queries of the work, and the rows that PostgreSQL read for them."""
    with transaction.atomic():
        before = _rows_so_far()
        with CaptureQueriesContext(connection) as captured:
            work()
        return len(captured), _rows_so_far() - before


def _rows_so_far() -> int:
    with connection.cursor() as cursor:
        cursor.execute(ROWS)
        (rows,) = cursor.fetchone()
    return int(rows)


def _measured(work: Work) -> tuple[float, float, float]:
    connection.ensure_connection()
    backend = [connection.connection.info.backend_pid]
    web, database, clock = time.process_time(), cpu_seconds(backend), time.perf_counter()
    work()
    took = time.perf_counter() - clock
    return time.process_time() - web, cpu_seconds(backend) - database, took


def table(costs: list[Cost]) -> str:
    """Return the costs as text, one a line."""
    lines = [f"{'':44} {'web ms':>9} {'db ms':>9} {'clock ms':>9} {'queries':>7} {'rows':>9}"]
    lines += [f"{c.name:44} {c.web:9.2f} {c.database:9.2f} {c.clock:9.2f} {c.queries:7d} {c.rows:9,}" for c in costs]
    return "\n".join(lines)
