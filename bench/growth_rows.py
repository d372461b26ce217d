"""The cost of many stored hands: recording, counting, reading standings, files, and every list and summary of the API.

Each comparison has a large and a small database of the same shape, with two seasons that have half of the hands each.
The largest seasons have 500,000 hands, 1,500 evenings and 80 players.
"""

import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass

from bench import formula_rows
from bench.api_lists import addresses, api_key, summaries
from bench.copied_hands import CLUB, SEASONS, Growing
from bench.databases import SQLITE, Database
from bench.demo_server import Demo, carried
from bench.evening import OTHER_CLUB, OTHER_RECORDER, RecordedEvening
from bench.measure import ROUNDS, Comparison, Row, Side, measure, milliseconds
from bench.requests_here import Requests
from league.models import Season, SeasonCount
from league.standings import standing_lines
from league.standings.counting import count_season

GROUPS = 2
TRIES = 3
FILES = ("results", "standings", "ledger")
MOST_SUMMARY, WISHED_SUMMARY = 5, 2


@dataclass(frozen=True)
class Sizes:
    """A small and a large number of stored hands."""

    few: int
    many: int

    def __str__(self) -> str:
        return f"{self.many:,} hands against {self.few:,}"

    @property
    def of_a_season(self) -> str:
        """The hands of the season that is counted, which has half of all hands."""
        return f"season of {self.many // 2:,} hands against {self.few // 2:,}"


USUAL, LARGEST = Sizes(10_000, 100_000), Sizes(10_000, 1_000_000)


def rows(demo: Demo, vendor: str) -> Iterator[Row]:
    """Yield the rows of databases that are made in a minute."""
    yield from _compared(demo, vendor, USUAL)


def of_a_million(demo: Demo, vendor: str) -> Iterator[Row]:
    """Yield the rows with a million hands."""
    yield from _compared(demo, vendor, LARGEST)


def _compared(demo: Demo, vendor: str, sizes: Sizes) -> Iterator[Row]:
    """Yield the rows, measured on two databases that differ in the number of their hands."""
    few, many = (_grown(demo, vendor, hands) for hands in (sizes.few, sizes.many))
    yield recording(few, many, sizes, vendor)
    yield from api(few, many, sizes, vendor)
    yield from files(many, sizes, vendor)
    yield summed_up(many, sizes, vendor)
    yield reading(few, many, sizes, vendor)
    yield counting(few, many, sizes, vendor)
    for name, values in formula_rows.FORMULAS.items():
        yield formula_rows.growth(few, many, name, values, f"{sizes.of_a_season}, {vendor}")
    few.remove()
    many.remove()


def _grown(demo: Demo, vendor: str, hands: int) -> Database:
    name = f"hands_{hands}"
    grown = demo.sqlite.copy(name)
    Growing(grown.file, groups=GROUPS).grow("games_hand", hands, halves=True)
    if vendor == SQLITE:
        _count(grown)
        return grown
    found = carried(grown, name, demo.on(vendor).server)
    grown.remove()
    _count(found)
    return found


def _count(data: Database) -> None:
    """Count the enlarged seasons from scratch."""
    data.use()
    for season in Season.objects.filter(club__slug=CLUB, slug__in=SEASONS):
        SeasonCount.objects.filter(pk=season.pk).delete()
        if not count_season(season.pk):
            raise RuntimeError(f"{season} was not counted")


def recording(few: Database, many: Database, sizes: Sizes, vendor: str) -> Row:
    """Compare a stored hand in a small database with one in a large database."""
    what = f"recording: {sizes}, {vendor}"
    sides = (_recording(data, hands) for data, hands in ((many, sizes.many), (few, sizes.few)))
    return measure(Comparison(what, "hand", *sides, 1.1, 1.05, at_most=True, seconds=1.0))


def _recording(data: Database, hands: int) -> Side:
    data.use()
    evening = RecordedEvening(OTHER_CLUB, OTHER_RECORDER)

    def before() -> None:
        data.use()
        # Opens the connection.
        evening.record()

    return Side(f"{hands:,} stored", evening.record, 1, before)


def reading(few: Database, many: Database, sizes: Sizes, vendor: str) -> Row:
    """Compare reading the standings of a large season with those of a small one, for each of its players."""
    what = f"reading standings: {sizes.of_a_season}, {vendor}"
    sides = (_reading(data, hands) for data, hands in ((many, sizes.many), (few, sizes.few)))
    return measure(Comparison(what, "player", *sides, 2, 1.3, at_most=True))


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

    return Side(f"{hands:,} stored, {players} players", read, players, before)


def counting(few: Database, many: Database, sizes: Sizes, vendor: str) -> Row:
    """Compare the count of a large season after one hand with that of a small one."""
    evenings = {}
    for data in (few, many):
        data.use()
        evenings[data] = RecordedEvening(OTHER_CLUB, OTHER_RECORDER)
        evenings[data].record()
        count_season(evenings[data].season.pk)
    turns = [(_counted(many, evenings[many]), _counted(few, evenings[few])) for _ in range(ROUNDS)]
    ours, theirs = (statistics.median(times) for times in zip(*turns, strict=True))
    what = f"counting after a hand: {sizes.of_a_season}, {vendor}"
    ratio = statistics.median(mine / other for mine, other in turns)
    return Row(what, milliseconds(ours), milliseconds(theirs), ratio, 2, 1.3, at_most=True)


def _counted(data: Database, evening: RecordedEvening) -> float:
    data.use()
    evening.record()
    begun = time.perf_counter()
    if not count_season(evening.season.pk):
        raise RuntimeError("the season was not counted")
    return time.perf_counter() - begun


def files(many: Database, sizes: Sizes, vendor: str) -> Iterator[Row]:
    """Measure the seconds until a file's heading and its first line are there."""
    many.use()
    requests = Requests(api_key())
    for file in FILES:
        address = f"/api/v1/clubs/{CLUB}/seasons/{SEASONS[0]}/{file}.csv"
        requests.first_line(address)
        took = statistics.median(requests.first_line(address) for _ in range(ROUNDS))
        what = f"first line of {file}.csv, {sizes.many:,} hands stored, {vendor}"
        yield Row(what, milliseconds(took), "", took, 1, 0.3, at_most=True, unit="s")


def summed_up(many: Database, sizes: Sizes, vendor: str) -> Row:
    """Measure the seconds of the slowest summary: a part of the standings reads a row for each player and evening of a
    season, so its time grows with them."""
    many.use()
    requests = Requests(api_key())
    found = []
    for name, address in summaries().items():
        requests.get(address)
        found.append((statistics.median(_seconds(requests, address) for _ in range(TRIES)), name))
    took, name = max(found)
    what = f"any summary of a season, {sizes.many:,} hands stored, {vendor}: worst of {len(found)}, {name}"
    return Row(what, milliseconds(took), "", took, MOST_SUMMARY, WISHED_SUMMARY, at_most=True, unit="s")


def api(few: Database, many: Database, sizes: Sizes, vendor: str) -> Iterator[Row]:
    """Compare every list of the API, each filter, the first page and one in the middle; yield the worst ones."""
    took: dict[Database, dict[str, list[float]]] = {few: {}, many: {}}
    asked = {}
    for data in (few, many):
        data.use()
        asked[data] = (Requests(api_key()), addresses())
    for _ in range(ROUNDS):
        for data, (requests, lists) in asked.items():
            data.use()
            for name, address in lists.items():
                requests.get(address)
                took[data].setdefault(name, []).append(min(_seconds(requests, address) for _ in range(TRIES)))
    found = []
    for name, times in took[many].items():
        mine, other = statistics.median(times), statistics.median(took[few][name])
        found.append((mine / other, name, mine, other))
    ratio, name, mine, other = max(found)
    what = f"any API page, {sizes}, {vendor}: worst of {len(found)}, {name}"
    yield Row(what, milliseconds(mine), milliseconds(other), ratio, 2, 1.3, at_most=True)


def _seconds(requests: Requests, address: str) -> float:
    begun = time.perf_counter()
    requests.get(address)
    return time.perf_counter() - begun
