"""The data layer against SQL by hand: recording a hand, counting a season, reading its standings."""

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.db import connection, transaction

from bench import demo_server
from bench.copied_hands import CLUB, STEP, Growing
from bench.evening import RecordedEvening
from bench.measure import Comparison, Row, Side, measure
from league.models import Player, Season
from league.roster.merging import players_merge
from league.standings import selectors
from league.standings.counting import recount

RESULT_ROWS = 250_000
FEW_HANDS, MANY_HANDS = 10_000, 1_000_000

RAW_TABLE = """CREATE TABLE bench_raw (id integer NOT NULL PRIMARY KEY AUTOINCREMENT, posting varchar(32) NOT NULL,
    season bigint NOT NULL, giver bigint NOT NULL, taker bigint NOT NULL, amount bigint NOT NULL, kind varchar(10))"""
RAW_ROW = "INSERT INTO bench_raw (posting, season, giver, taker, amount, kind) VALUES (%s, %s, %s, %s, %s, %s)"

# The simplest SQL for these figures.
COUNTED = """COUNT(CASE WHEN r.role <> 'share' THEN 1 END),
    COUNT(CASE WHEN r.role = 'declarer' AND NOT r.muss THEN 1 END),
    COUNT(CASE WHEN r.role = 'declarer' AND NOT r.muss AND r.made THEN 1 END),
    COUNT(CASE WHEN r.role = 'joiner' AND NOT r.muss THEN 1 END),
    COUNT(CASE WHEN r.role = 'joiner' AND NOT r.muss AND r.made THEN 1 END),
    COUNT(CASE WHEN r.role = 'out' AND NOT r.passed_out THEN 1 END),
    COUNT(CASE WHEN r.role = 'declarer' AND r.blind <> '' THEN 1 END),
    COUNT(CASE WHEN r.role = 'declarer' AND r.blind <> '' AND r.made THEN 1 END),
    COUNT(CASE WHEN r.role = 'declarer' AND r.walkover THEN 1 END),
    COUNT(CASE WHEN r.susi THEN 1 END), MAX(r.pot_won_minor),
    COUNT(CASE WHEN r.muss THEN 1 END), COUNT(CASE WHEN r.muss AND r.made THEN 1 END),
    SUM(CASE WHEN r.muss AND r.made THEN 1 WHEN r.muss THEN -1
             WHEN r.role = 'declarer' AND r.walkover THEN 1
             WHEN r.role = 'declarer' AND r.made THEN 2 WHEN r.role = 'declarer' THEN -2
             WHEN r.role = 'joiner' AND r.made THEN 1 WHEN r.role = 'joiner' THEN -1 ELSE 0 END) AS points,
    SUM(r.change_minor) AS change"""
BY_NIGHT = f"SELECT r.evening_id, r.player_id, {COUNTED} FROM league_resultrow r WHERE r.season_id = %s GROUP BY 1, 2"
BY_PERSON_AND_NIGHT = f"""SELECT r.evening_id, COALESCE(p.main_id, p.id), {COUNTED}
    FROM league_resultrow r JOIN league_player p ON p.id = r.player_id WHERE r.season_id = %s GROUP BY 1, 2"""
BY_PLAYER = f"SELECT r.player_id, {COUNTED} FROM league_resultrow r WHERE r.season_id = %s GROUP BY 1 ORDER BY points"
BY_ACCOUNT = """SELECT account, SUM(amount) FROM (
    SELECT to_account_id AS account, amount_minor AS amount FROM league_transfer WHERE season_id = %s
    UNION ALL SELECT from_account_id, -amount_minor FROM league_transfer WHERE season_id = %s) GROUP BY 1"""


def rows(league: Path, *, long: bool) -> Iterator[Row]:
    """Yield each row, measured on a copy of the demo league, some of them enlarged."""
    demo_server.use(demo_server.copy(league, "recording"))
    yield measure(recording())
    grown = demo_server.copy(league, "season")
    Growing(grown).grow("league_resultrow", RESULT_ROWS)
    demo_server.use(grown)
    yield from map(measure, counting())
    if long:
        yield measure(many_hands(league))


def recording() -> Comparison:
    """Compare a hand stored by the service with ten rows inserted without checks."""
    evening = RecordedEvening()
    with connection.cursor() as cursor:
        cursor.execute(RAW_TABLE)

    def ten_rows() -> None:
        posting = uuid.uuid4().hex
        with transaction.atomic(), connection.cursor() as cursor:
            for row in range(10):
                cursor.execute(RAW_ROW, [posting, 1, row, row + 1, 50, "ante"])

    return Comparison(
        "recording a hand against ten raw rows",
        "hand",
        Side("services.hand_enter", evening.record, 1),
        Side("ten INSERTs, one transaction", ten_rows, 1),
        must=4,
        stretch=3,
        at_most=True,
        seconds=1.0,
    )


def counting() -> Iterator[Comparison]:
    """A season of 250,000 result rows: counted again, without and with merged players; and
    its standings when they are read."""
    season = Season.objects.filter(club__slug=CLUB).earliest("starts_on")
    # One GROUP BY cannot count the best evenings only.
    Season.objects.filter(pk=season.pk).update(best_evenings=None)
    season.refresh_from_db()
    yield _rebuilding(season, "season rebuilt, nobody merged", BY_NIGHT)
    merged = Player.objects.filter(club=season.club, pk__gt=STEP).earliest("pk")
    main = Player.objects.get(pk=merged.pk - STEP)
    players_merge(club=season.club, player=merged, main=main, reason="bench", actor=None)
    yield _rebuilding(season, "season rebuilt, two are one", BY_PERSON_AND_NIGHT)
    yield Comparison(
        "reading standings against GROUP BY",
        "reading",
        Side("selectors.season_standings", lambda: _same(season, selectors.season_standings(season)), 1),
        Side("GROUP BY player", lambda: _fetched(BY_PLAYER, season.pk), 1),
        must=1 / 100,
        stretch=1 / 500,
        at_most=True,
    )


def _rebuilding(season: Season, what: str, by_hand: str) -> Comparison:
    def rebuild() -> None:
        with transaction.atomic():
            recount(season)

    def group_by() -> None:
        _fetched(by_hand, season.pk)
        _fetched(BY_ACCOUNT, season.pk, season.pk)

    rebuild()
    _check_points(season, by_hand)
    return Comparison(
        what,
        "season",
        Side("standings.recount", rebuild, 1),
        Side("GROUP BY evening and player, GROUP BY account", group_by, 1),
        must=1.3,
        stretch=1.1,
        at_most=True,
    )


def _fetched(sql: str, *values: int) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())


def _check_points(season: Season, by_hand: str) -> None:
    """Check that both sides have the same result, else one of them does less work."""
    summed: dict[int, tuple[int, ...]] = {}
    for _evening, player, hands, *_counters, points, change in _fetched(by_hand, season.pk):
        before = summed.get(player, (0, 0, 0))
        summed[player] = (before[0] + hands, before[1] + points, before[2] + change)
    stored = season.standings.values_list("player_id", "hands", "points", "balance_minor")
    if summed != {player: tuple(figures) for player, *figures in stored}:
        raise RuntimeError("the count and the GROUP BY by hand do not come to the same")


def _same(season: Season, standings: list[Any]) -> None:
    if not standings or not standings[0].player.nickname:
        raise RuntimeError(f"{season} has no standings")


def many_hands(league: Path) -> Comparison:
    """Compare a stored hand in a small database with one in a very large database."""
    what = "recording among a million hands"
    many, few = _stored(league, MANY_HANDS), _stored(league, FEW_HANDS)
    return Comparison(what, "hand", many, few, 1.3, 1.1, at_most=True, seconds=1.0)


def _stored(league: Path, hands: int) -> Side:
    data = demo_server.copy(league, f"hands-{hands}")
    Growing(data).grow("games_hand", hands)
    demo_server.use(data)
    return Side(f"{hands:,} hands stored", RecordedEvening().record, 1, before=lambda: demo_server.use(data))
