"""Rows about the running server: pages and inserts over HTTP, compared with a view that does nothing."""

import json
import statistics
import time
import uuid
from collections.abc import Iterator
from itertools import islice, repeat
from pathlib import Path

from django.db import connection

from bench import demo_server, load
from bench.evening import RecordedEvening
from bench.flood import FLOODERS, flood
from bench.measure import ROUNDS, Comparison, Row, Side, measure
from bench.urls import BARE
from league.api_keys.services import key_create
from league.models import ApiToken, Club, Season, User
from league.standings.queue import waiting_seasons

READ_CLUB, FLOODER = "roessli", "beni@roessli.example"
"""The standings of this club are read, and one of its recorders floods; hands are stored in another club, so that
the page does not change."""
CONNECTIONS = 32
SECONDS = 1.0
HANDS = 20
SETTLE_SECONDS = 30.0
IDLE_SECONDS = 0.5


def rows(league: Path) -> Iterator[Row]:
    """Yield the rows, measured on a server with a copy of the demo league."""
    data = demo_server.copy(league, "server")
    demo_server.use(data)
    evening = RecordedEvening()
    key = recording_key(evening.recorder, evening.club)
    season = Season.objects.filter(club__slug=READ_CLUB).latest("starts_on")
    leader = season.standings.select_related("player").earliest("rank").player
    with demo_server.server(data) as port:
        host = f"127.0.0.1:{port}"
        page = load.request(host, "GET", season.get_absolute_url(), status=200, words=leader.nickname)
        bare = load.request(host, "GET", "/bench/bare", status=200, words=BARE)
        yield from reading(port, page, bare)
        yield measure(inserting(port, page, inserts_of(host, evening, key)))
    yield flooded(league)


def reading(port: int, page: load.Request, bare: load.Request) -> Iterator[Row]:
    """Compare the standings page with the bare view for many readers, and its slow answers with its usual ones."""
    turns: list[list[float]] = []

    def read() -> None:
        turns.append(load.run(port, CONNECTIONS, repeat(page, 128)))

    what = f"standings page, {CONNECTIONS} connections"
    ours = Side("standings page", read, 128)
    theirs = Side("bare view", lambda: load.run(port, CONNECTIONS, repeat(bare, 512)), 512)
    yield measure(Comparison(what, "pages", ours, theirs, 0.25, 0.35, seconds=SECONDS))
    slow, usual = (statistics.median(_nth(took, nth) for took in turns[1:]) for nth in (99, 50))
    ratio = statistics.median(_nth(took, 99) / _nth(took, 50) for took in turns[1:])
    yield Row(what, f"{1000 * slow:,.0f} ms (p99)", f"{1000 * usual:,.0f} ms (p50)", ratio, 4, 2, at_most=True)


def inserting(port: int, page: load.Request, inserts: Iterator[load.Request]) -> Comparison:
    """Compare a program that enters hands with a reader who loads the page again and again."""

    def insert() -> None:
        load.run(port, 1, (next(inserts) for _ in range(16)))

    return Comparison(
        "hand over the API against the page",
        "asked",
        Side("POST hands", insert, 16),
        Side("standings page", lambda: load.run(port, 1, repeat(page, 16)), 16, _settle),
        must=0.6,
        stretch=0.9,
        seconds=SECONDS,
    )


def flooded(league: Path) -> Row:
    """Compare the slowest hundredth of a club's hands beside another club's flood with that without it, by turns."""
    data = demo_server.copy(league, "flood")
    demo_server.use(data)
    evening = RecordedEvening()
    key = recording_key(evening.recorder, evening.club)
    flooding_key = recording_key(User.objects.get(email=FLOODER), Club.objects.get(slug=READ_CLUB))
    alone: list[float] = []
    beside: list[float] = []
    with demo_server.server(data, BENCH_API_WRITES=str(3 * ROUNDS * HANDS)) as port:
        hands = inserts_of(f"127.0.0.1:{port}", evening, key)
        load.run(port, 1, islice(hands, HANDS))
        for _ in range(ROUNDS):
            alone += load.run(port, 1, islice(hands, HANDS))
            with flood(port, f"/api/v1/clubs/{READ_CLUB}/tables/0/hands", flooding_key):
                beside += load.run(port, 1, islice(hands, HANDS))
    slow, usual = (1000 * _nth(took, 99) for took in (beside, alone))
    what = f"another club's hand beside {FLOODERS} who flood"
    return Row(what, f"{slow:,.0f} ms (p99)", f"{usual:,.0f} ms (p99, alone)", slow / usual, 4, 2, at_most=True)


def _nth(took: list[float], percent: int) -> float:
    return statistics.quantiles(took, n=100)[percent - 1]


def _settle() -> None:
    """Wait until the server's worker has counted the hands: it must not slow down the page."""
    until = time.monotonic() + SETTLE_SECONDS
    while waiting_seasons().exists():
        if time.monotonic() > until:
            raise RuntimeError("the server's worker does not count")
        time.sleep(0.1)
    connection.close()
    # The remaining wake-ups find nothing to do.
    time.sleep(IDLE_SECONDS)


def recording_key(user: User, club: Club) -> str:
    """Create an API key that may record; return its text."""
    return key_create(user=user, name="bench", scopes=[ApiToken.Scope.RECORD], club=club).text


def inserts_of(host: str, evening: RecordedEvening, key: str) -> Iterator[load.Request]:
    """Yield requests of one hand after the other, each with its own idempotency key."""
    path = f"/api/v1/clubs/{evening.club.slug}/tables/{evening.table.pk}/hands"
    for body in evening.bodies:
        yield load.request(
            host,
            "POST",
            path,
            status=201,
            words=f'"number":{body["number"]}',
            body=json.dumps(body).encode(),
            Authorization=f"Bearer {key}",
            Content_Type="application/json",
            Idempotency_Key=str(uuid.uuid4()),
        )
