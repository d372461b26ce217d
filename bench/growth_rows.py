"""The cost of many stored hands: recording, counting, reading standings, files, and every list and summary of the API.

Each comparison has a large and a small database of the same shape: two seasons of 80 players each, with five tables an
evening. They differ in the number of evenings: a count by a formula reads the players of one evening, and every player
has played on many. The smallest has one evening for each half of the players, and its season 61 of them. The largest
seasons have 500,000 hands and 1,500 evenings.
"""

import os
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass

from bench import formula_rows
from bench.api_lists import addresses, api_key, reports, session_cookie, summaries, treasurer_pages
from bench.copied_hands import CLUB, SEASONS, Growing
from bench.databases import SQLITE, Database
from bench.demo_server import Demo, carried
from bench.evening import OTHER_CLUB, OTHER_RECORDER, RecordedEvening
from bench.formulas import FORMULAS
from bench.measure import ROUNDS, Comparison, Row, Side, measure, milliseconds
from bench.requests_here import Requests
from games.models import Hand
from league.management.commands.serve import collect_static
from league.models import Season, SeasonCount
from league.standings import standing_lines
from league.standings.counting import count_season

GROUPS = 2
TRIES = 3
WARM_HANDS = 300
FILES = ("results", "standings", "ledger")
MOST_SUMMARY, WISHED_SUMMARY = 5, 2


@dataclass(frozen=True)
class Size:
    """About how many hands are stored. A small database has the newest evenings of the demo and their copies alone."""

    hands: int
    evenings: int = -1


@dataclass(frozen=True)
class Grown:
    """A database, the hands that are stored in it, and those of the season that is counted."""

    data: Database
    hands: int
    of_season: int


SMALLEST, SMALL, LARGE, LARGEST = Size(1_000, 1), Size(10_000, 8), Size(100_000), Size(1_000_000)


def rows(demo: Demo, vendor: str) -> Iterator[Row]:
    """Yield the rows of databases that are made in some minutes: those of SQLite with a million hands, too."""
    yield from _compared(demo, vendor, SMALLEST, LARGE)
    if vendor == SQLITE:
        yield from _compared(demo, vendor, SMALL, LARGEST)


def of_a_million(demo: Demo, vendor: str) -> Iterator[Row]:
    """Yield the rows of PostgreSQL with a million hands."""
    if vendor != SQLITE:
        yield from _compared(demo, vendor, SMALL, LARGEST)


def _compared(demo: Demo, vendor: str, small: Size, large: Size) -> Iterator[Row]:
    """Yield the rows, measured on two databases that differ in the number of their hands."""
    few, many = (_grown(demo, vendor, size) for size in (small, large))
    # Until the new files are on the disk, each commit waits for parts of them.
    os.sync()
    sizes = f"{many.hands:,} hands against {few.hands:,}, {vendor}"
    seasons = f"season of {many.of_season:,} hands against {few.of_season:,}, {vendor}"
    yield recording(few, many, sizes)
    yield from api(few, many, sizes)
    yield from files(many, vendor)
    yield summed_up(many, vendor)
    yield from pages(many, vendor)
    yield reading(few, many, seasons)
    yield counting(few, many, seasons)
    for name, values in FORMULAS.items():
        yield formula_rows.growth(few.data, many.data, name, values, seasons)
    few.data.remove()
    many.data.remove()


def _grown(demo: Demo, vendor: str, size: Size) -> Grown:
    name = f"hands_{size.hands}"
    grown = demo.sqlite.copy(name)
    Growing(grown.file, groups=GROUPS).grow("games_hand", size.hands, halves=True, evenings=size.evenings)
    if vendor != SQLITE:
        carried_over = carried(grown, name, demo.on(vendor).server)
        grown.remove()
        grown = carried_over
    _count(grown)
    hands = Hand.objects.filter(table__evening__season__club__slug=CLUB)
    return Grown(grown, hands.count(), hands.filter(table__evening__season__slug=SEASONS[1]).count())


def _count(data: Database) -> None:
    """Count the enlarged seasons from scratch."""
    data.use()
    for season in Season.objects.filter(club__slug=CLUB, slug__in=SEASONS):
        SeasonCount.objects.filter(pk=season.pk).delete()
        if not count_season(season.pk):
            raise RuntimeError(f"{season} was not counted")


def recording(few: Grown, many: Grown, sizes: str) -> Row:
    """Compare a stored hand in a small database with one in a large database."""
    sides = (_recording(grown.data, grown.hands) for grown in (many, few))
    return measure(Comparison(f"recording: {sizes}", "hand", *sides, 1.1, 1.05, at_most=True, seconds=1.0))


def _recording(data: Database, hands: int) -> Side:
    data.use()
    evening = RecordedEvening(OTHER_CLUB, OTHER_RECORDER)

    def before() -> None:
        data.use()
        # A server keeps its connections, and in them what each hand reads. Here each turn begins with a new one.
        for _ in range(WARM_HANDS):
            evening.record()

    return Side(f"{hands:,} stored", evening.record, 1, before)


def reading(few: Grown, many: Grown, seasons: str) -> Row:
    """Compare reading the standings of a large season with those of a small one."""
    sides = (_reading(grown.data, grown.of_season) for grown in (many, few))
    return measure(Comparison(f"reading standings: {seasons}", "reading", *sides, 2, 1.3, at_most=True))


def _reading(data: Database, hands: int) -> Side:
    data.use()
    season = Season.objects.select_related("club").get(club__slug=CLUB, slug=SEASONS[1])
    players = len(standing_lines.season_standings(season))

    def read() -> None:
        if len(standing_lines.season_standings(season)) != players:
            raise RuntimeError(f"{season} has other standings")

    def before() -> None:
        data.use()
        read()

    return Side(f"{hands:,} hands, {players} players", read, 1, before)


def counting(few: Grown, many: Grown, seasons: str) -> Row:
    """Compare the count of a large season after one hand with that of a small one."""
    sides = [(grown.data, _begun(grown.data)) for grown in (many, few)]
    turns = [[_counted(*side) for side in sides] for _ in range(ROUNDS)]
    ours, theirs = (statistics.median(times) for times in zip(*turns, strict=True))
    ratio = statistics.median(mine / other for mine, other in turns)
    what = f"counting after a hand: {seasons}"
    return Row(what, milliseconds(ours), milliseconds(theirs), ratio, 2, 1.3, at_most=True)


def _begun(data: Database) -> RecordedEvening:
    """Begin an evening in the season that is counted, and count its first hand."""
    data.use()
    evening = RecordedEvening(OTHER_CLUB, OTHER_RECORDER)
    evening.record()
    count_season(evening.season.pk)
    return evening


def _counted(data: Database, evening: RecordedEvening) -> float:
    data.use()
    evening.record()
    begun = time.perf_counter()
    if not count_season(evening.season.pk):
        raise RuntimeError("the season was not counted")
    return time.perf_counter() - begun


def files(many: Grown, vendor: str) -> Iterator[Row]:
    """Measure the seconds until a file's heading and its first line are there."""
    many.data.use()
    requests = Requests(api_key())
    for file in FILES:
        address = f"/api/v1/clubs/{CLUB}/seasons/{SEASONS[0]}/{file}.csv"
        requests.first_line(address)
        took = statistics.median(requests.first_line(address) for _ in range(ROUNDS))
        what = f"first line of {file}.csv, {many.hands:,} hands stored, {vendor}"
        yield Row(what, milliseconds(took), "", took, 1, 0.3, at_most=True, unit="s")


def summed_up(many: Grown, vendor: str) -> Row:
    """Measure the seconds of the slowest summary: a part of the standings reads a row for each player and evening of a
    season, so its time grows with them."""
    many.data.use()
    requests = Requests(api_key())
    timings = []
    for name, address in summaries().items():
        requests.get(address)
        timings.append((statistics.median(_seconds(requests, address) for _ in range(TRIES)), name))
    took, name = max(timings)
    what = f"any summary of a season, {many.hands:,} hands stored, {vendor}: worst of {len(timings)}, {name}"
    return Row(what, milliseconds(took), "", took, MOST_SUMMARY, WISHED_SUMMARY, at_most=True, unit="s")


def pages(many: Grown, vendor: str) -> Iterator[Row]:
    """Measure the seconds of the slowest page of the treasurer, whose sums are of all lines, and those of the season
    report as page and as CSV."""
    many.data.use()
    # Pages name their static files; no server of this data folder has collected them.
    collect_static()
    requests = Requests(cookie=session_cookie())
    took = {name: _median(requests, address) for name, address in treasurer_pages().items()}
    slowest = max(took, key=lambda name: took[name])
    yield _within(f"any page of the treasurer, {many.hands:,} hands stored, {vendor}: {slowest}", took[slowest])
    for name, address in reports().items():
        yield _within(f"{name}, season of {many.of_season:,} hands, {vendor}", _median(requests, address))


def _median(requests: Requests, address: str) -> float:
    """Return the seconds of a page or a file that was read before."""
    requests.page(address)
    seconds = []
    for _ in range(TRIES):
        begun = time.perf_counter()
        requests.page(address)
        seconds.append(time.perf_counter() - begun)
    return statistics.median(seconds)


def _within(what: str, took: float) -> Row:
    return Row(what, milliseconds(took), "", took, MOST_SUMMARY, WISHED_SUMMARY, at_most=True, unit="s")


def api(few: Grown, many: Grown, sizes: str) -> Iterator[Row]:
    """Compare every list of the API, each filter, the first page and one in the middle; yield the worst one. A page is
    compared if the small database has one of as many items."""
    small, large = few.data, many.data
    took: dict[Database, dict[str, list[float]]] = {small: {}, large: {}}
    items: dict[Database, dict[str, int]] = {small: {}, large: {}}
    asked = {}
    for data in (small, large):
        data.use()
        asked[data] = (Requests(api_key()), addresses())
    for _ in range(ROUNDS):
        for data, (requests, lists) in asked.items():
            data.use()
            for name, address in lists.items():
                items[data][name] = len(requests.get(address)["items"])
                took[data].setdefault(name, []).append(min(_seconds(requests, address) for _ in range(TRIES)))
    ratios = []
    for name in [name for name, number in items[large].items() if items[small].get(name) == number]:
        mine, other = (statistics.median(took[data][name]) for data in (large, small))
        ratios.append((mine / other, name, mine, other))
    ratio, name, mine, other = max(ratios)
    what = f"any API page, {sizes}: worst of {len(ratios)} of {len(items[large])}, {name}"
    yield Row(what, milliseconds(mine), milliseconds(other), ratio, 2, 1.3, at_most=True)


def _seconds(requests: Requests, address: str) -> float:
    begun = time.perf_counter()
    requests.get(address)
    return time.perf_counter() - begun
