"""The cost of a sweep with nothing to do, on a server of a thousand clubs and on one of ten."""

from collections.abc import Iterator

from bench.databases import SQLITE, Database
from bench.demo_server import Demo
from bench.evening import RecordedEvening
from bench.measure import Comparison, Row, Side, measure
from bench.scale.costs import CLUB
from bench.scale.loader import Loader
from bench.scale.plan import planned
from bench.scale.template import TINY_KINDS
from league.jobs.tasks import sweep
from league.models import Season
from league.standings.counting import count_season

FEW, MANY, HANDS_A_CLUB, SEED = 10, 1000, 8, 7


def rows(demo: Demo, vendor: str) -> Iterator[Row]:
    """Yield the rows, measured on PostgreSQL alone: the clubs come by COPY."""
    if vendor == SQLITE:
        return
    few, many = (_loaded(demo.on(vendor), clubs) for clubs in (FEW, MANY))
    sides = (_sweeping(data, clubs) for data, clubs in ((many, MANY), (few, FEW)))
    yield measure(Comparison(f"sweep, nothing to do, {vendor}", "sweep", *sides, 2, 1.3, at_most=True))
    few.remove()
    many.remove()


def _loaded(demo: Database, clubs: int) -> Database:
    data = demo.beside(f"clubs-{clubs}")
    data.create()
    loader = Loader(data, seed=SEED, say=lambda _line: None)
    loader.load(planned(clubs, clubs * HANDS_A_CLUB, kinds=TINY_KINDS, seed=SEED))
    data.use()
    # An evening that is played, and is counted.
    RecordedEvening(CLUB, f"recorder@{CLUB}.example").record()
    for season in Season.objects.filter(club__slug=CLUB):
        count_season(season.pk)
    return data


def _sweeping(data: Database, clubs: int) -> Side:
    def before() -> None:
        data.use()
        sweep()

    return Side(f"{clubs:,} clubs", sweep, 1, before)
