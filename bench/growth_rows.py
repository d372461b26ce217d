"""What a million stored hands may cost: recording, counting, files and every list of the API.

The large database has two seasons of 500,000 hands, with 1,500 evenings and 80 players each; the small one has two of
5,000 hands. Both have the same shape.
"""

import statistics
import time
from collections.abc import Iterator

from bench import formula_rows
from bench.api_lists import addresses, api_key
from bench.copied_hands import CLUB, SEASONS, Growing
from bench.databases import POSTGRES, SQLITE, Database
from bench.demo_server import Demo, carried
from bench.evening import OTHER_CLUB, OTHER_RECORDER, RecordedEvening
from bench.measure import ROUNDS, Comparison, Row, Side, measure, milliseconds
from bench.requests_here import Requests
from league.models import Season, SeasonCount
from league.standings.counting import count_season

FEW_HANDS, MANY_HANDS = 10_000, 1_000_000
GROUPS = 2
TRIES = 3
FILES = ("results", "standings", "ledger")


def rows(demo: Demo, vendor: str) -> Iterator[Row]:
    """Yield the rows, measured on two databases that differ in the number of their hands."""
    few, many = (_grown(demo, vendor, hands) for hands in (FEW_HANDS, MANY_HANDS))
    yield recording(few, many, vendor)
    yield from api(few, many, vendor)
    yield from files(many, vendor)
    if vendor == POSTGRES:
        yield counting(few, many, vendor)
        yield formula_rows.growth(few, many, vendor, f"{MANY_HANDS // 2:,} hands against {FEW_HANDS // 2:,}")
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


def recording(few: Database, many: Database, vendor: str) -> Row:
    """Compare a stored hand in a small database with one in a very large database."""
    what = f"recording: {MANY_HANDS:,} hands against {FEW_HANDS:,}, {vendor}"
    sides = (_recording(data, hands) for data, hands in ((many, MANY_HANDS), (few, FEW_HANDS)))
    return measure(Comparison(what, "hand", *sides, 1.1, 1.05, at_most=True, seconds=1.0))


def _recording(data: Database, hands: int) -> Side:
    data.use()
    evening = RecordedEvening(OTHER_CLUB, OTHER_RECORDER)

    def before() -> None:
        data.use()
        # Opens the connection.
        evening.record()

    return Side(f"{hands:,} stored", evening.record, 1, before)


def counting(few: Database, many: Database, vendor: str) -> Row:
    """Compare the count of a large season after one hand with that of a small one."""
    evenings = {}
    for data in (few, many):
        data.use()
        evenings[data] = RecordedEvening(OTHER_CLUB, OTHER_RECORDER)
        evenings[data].record()
        count_season(evenings[data].season.pk)
    turns = [(_counted(many, evenings[many]), _counted(few, evenings[few])) for _ in range(ROUNDS)]
    ours, theirs = (statistics.median(times) for times in zip(*turns, strict=True))
    what = f"counting after a hand: season of {MANY_HANDS // 2:,} hands against {FEW_HANDS // 2:,}, {vendor}"
    ratio = statistics.median(mine / other for mine, other in turns)
    return Row(what, milliseconds(ours), milliseconds(theirs), ratio, 2, 1.3, at_most=True)


def _counted(data: Database, evening: RecordedEvening) -> float:
    data.use()
    evening.record()
    begun = time.perf_counter()
    if not count_season(evening.season.pk):
        raise RuntimeError("the season was not counted")
    return time.perf_counter() - begun


def files(many: Database, vendor: str) -> Iterator[Row]:
    """Measure the seconds until a file's heading and its first line are there."""
    many.use()
    requests = Requests(api_key())
    for file in FILES:
        address = f"/api/v1/clubs/{CLUB}/seasons/{SEASONS[0]}/{file}.csv"
        requests.first_line(address)
        took = statistics.median(requests.first_line(address) for _ in range(ROUNDS))
        what = f"first line of {file}.csv, {MANY_HANDS:,} hands stored, {vendor}"
        yield Row(what, milliseconds(took), "", took, 1, 0.3, at_most=True, unit="s")


def api(few: Database, many: Database, vendor: str) -> Iterator[Row]:
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
    what = f"any API page, {MANY_HANDS:,} hands against {FEW_HANDS:,}, {vendor}: worst of {len(found)}, {name}"
    yield Row(what, milliseconds(mine), milliseconds(other), ratio, 2, 1.3, at_most=True)


def _seconds(requests: Requests, address: str) -> float:
    begun = time.perf_counter()
    requests.get(address)
    return time.perf_counter() - begun
