"""The running server: pages and inserts over HTTP, against a view that does nothing."""

import json
import statistics
import time
import uuid
from collections.abc import Iterator
from itertools import islice, repeat
from pathlib import Path

from django.db import connection

from bench import load, stage
from bench.flood import FLOODERS, flood
from bench.measure import ROUNDS, Comparison, Row, Side, measure
from bench.night import Night
from bench.urls import BARE
from league.keys.services import key_make
from league.marks import waiting_seasons
from league.models import ApiToken, Club, Season, User

READ_CLUB, FLOODER = "roessli", "beni@roessli.example"
"""Its standings are read, and one of its recorders floods; hands go into another club's table, so that the page stays
what it was."""
CONNECTIONS = 32
SECONDS = 1.0
HANDS = 20
SETTLE_SECONDS = 30.0
IDLE_SECONDS = 0.5


def rows(league: Path) -> Iterator[Row]:
    """Rows on a server of its own, whose database is a copy of the demo league."""
    data = stage.copy(league, "server")
    stage.use(data)
    night = Night()
    key = recording_key(night.recorder, night.club)
    season = Season.objects.filter(club__slug=READ_CLUB).latest("starts_on")
    leader = season.standings.select_related("player").earliest("rank").player
    with stage.server(data) as port:
        host = f"127.0.0.1:{port}"
        page = load.ask(host, "GET", season.get_absolute_url(), status=200, words=leader.nickname)
        bare = load.ask(host, "GET", "/bench/bare", status=200, words=BARE)
        yield from reading(port, page, bare)
        yield measure(inserting(port, page, inserts_of(host, night, key)))
    yield flooded(league)


def reading(port: int, page: load.Ask, bare: load.Ask) -> Iterator[Row]:
    """The standings page against the bare view, by many readers at once, and how even the page's answers are."""
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


def inserting(port: int, page: load.Ask, inserts: Iterator[load.Ask]) -> Comparison:
    """One program that enters hand after hand, against one reader who loads the page again and again."""

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
    """The slowest hundredth of a club's hands beside another club's flood, against that without it, by turns."""
    data = stage.copy(league, "flood")
    stage.use(data)
    night = Night()
    key = recording_key(night.recorder, night.club)
    flooding_key = recording_key(User.objects.get(email=FLOODER), Club.objects.get(slug=READ_CLUB))
    alone: list[float] = []
    beside: list[float] = []
    with stage.server(data, BENCH_API_WRITES=str(3 * ROUNDS * HANDS)) as port:
        hands = inserts_of(f"127.0.0.1:{port}", night, key)
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
    """The worker lives in the server's process: what the hands woke it for is not the page's."""
    until = time.monotonic() + SETTLE_SECONDS
    while waiting_seasons().exists():
        if time.monotonic() > until:
            raise RuntimeError("the server's worker does not count")
        time.sleep(0.1)
    connection.close()
    # Wake-ups that are left find nothing to do.
    time.sleep(IDLE_SECONDS)


def recording_key(user: User, club: Club) -> str:
    """The text of a key that enters hands."""
    return key_make(user=user, name="bench", scopes=[ApiToken.Scope.RECORD], club=club).text


def inserts_of(host: str, night: Night, key: str) -> Iterator[load.Ask]:
    """One hand after the other, each under a key of its own."""
    path = f"/api/v1/clubs/{night.club.slug}/tables/{night.table.pk}/hands"
    for body in night.bodies:
        yield load.ask(
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
