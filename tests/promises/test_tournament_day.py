"""A tournament through the desk's pages, the codes of table cards and the API, with cuts of the network and a killed
server: ranking, chips and awards equal a truth computed apart.

A run plays a small one, `make test-long` one of 203 people and 8 rounds (`TOURNAMENT_DAY=203,8`).
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from django.db.models import Sum

from games.integrity import verify
from league.models import ResultRow, SeasonAward, Tournament, Transfer
from league.standings.counting import count_season
from tests.api.api_client import key_for
from tests.cast import House, house
from tests.faulty_line import FaultyLine
from tests.processes import Process
from tests.sizes import sized

from .plain_tournament import PlainTournament
from .tournament_browser import Browser, Line, Program
from .tournament_day import HANDS, Day

pytestmark = [pytest.mark.both_databases, pytest.mark.sized, pytest.mark.long]

ENTRANTS, ROUNDS = (int(part) for part in os.environ.get("TOURNAMENT_DAY", sized("9,2", "14,3")).split(","))
LATE, GONE, REPLACED = (12, 9, 5) if ENTRANTS > 100 else (2, 2, 2)
CUTS = 3
CUT_SECONDS = 0.4
AWARDS = [50, 40, 30, 20, 10]


class Mishaps:
    """Cuts the line three times and kills the server once, at moments spread over the day."""

    def __init__(self, line: FaultyLine, restart: Callable[[], int], moments: int) -> None:
        self.line, self.restart = line, restart
        self.cuts_at = {moments * nth // (CUTS + 1) for nth in range(1, CUTS + 1)}
        self.seen = 0
        self.done: Counter[str] = Counter()

    def __call__(self, moment: str) -> None:
        self.seen += 1
        if self.seen in self.cuts_at:
            self.done["cut"] += 1
            self.line.cut()
            threading.Timer(CUT_SECONDS, self.line.repair).start()
        if moment == "publication of round 2":
            self.done["killed"] += 1
            self.line.lead_to(self.restart())


@pytest.fixture
def home(transactional_db: None) -> House:
    return house("roessli")


@pytest.fixture
def day(home: House, web_server: Callable[..., Process]) -> Day:
    server = [web_server()]
    line = FaultyLine(("127.0.0.1", urlsplit(server[0].url).port or 0))

    def restart() -> int:
        server[0].kill()
        server[0] = web_server()
        return urlsplit(server[0].url).port or 0

    address = Line(line.port)
    program = Program(address, key_for(home.owner, "read", "record", "manage"))
    tournament = prepared(home, program)
    # Each round has a draw, its publication, and a mishap's chance at each table.
    moments = ROUNDS * (2 + ENTRANTS // 4)
    return Day(
        desk=Browser(address, home.recorder),
        phone=lambda: Browser(address),
        program=program,
        tournament=tournament,
        truth=PlainTournament(tournament.lot_seed),
        entrants=ENTRANTS,
        rounds=ROUNDS,
        late=LATE,
        gone=GONE,
        replaced=REPLACED,
        mishap=Mishaps(line, restart, moments),
    )


def prepared(home: House, program: Program) -> Tournament:
    """Prepare a tournament by the API: its format, the recorder at the desk, points for the club's season."""
    club = f"clubs/{home.club.slug}"
    format = {
        "rounds": ROUNDS,
        "hands": HANDS,
        "wished": 4,
        "least": 4 if ENTRANTS > 100 else 3,
        "most": 5,
        "mode": "balanced",
        "drop_worst": 1,
        "tie_breaks": ["best_round", "lot"],
    }
    body = {"name": "Klausturnier", "starts_on": "2026-11-21", "game": "chratze", "format": format}
    made = program("POST", f"{club}/tournaments", body)
    here = f"{club}/tournaments/{made['slug']}"
    program("PUT", f"{here}/desk/{home.recorder.pk}")
    program("PUT", f"{here}/award", {"season": home.season.slug, "points": AWARDS})
    program("POST", f"{here}/state", {"step": "open"})
    return Tournament.objects.select_related("club", "season").get(club=home.club, slug=made["slug"])


def test_the_ranking_equals_the_truth(day: Day, home: House) -> None:
    day.play()
    mishaps = day.mishap
    assert isinstance(mishaps, Mishaps)
    assert mishaps.done == {"cut": CUTS, "killed": 1}
    assert day.program.line.repeated > 0
    truth = day.truth.ranking()
    assert [(line["rank"], line["number"], line["total"]) for line in ranking(day)] == truth
    check_result_list(day, truth)
    check_chips(day)
    check_awards(day, home, truth)
    assert list(verify.differences()) == []


def ranking(day: Day) -> list[dict[str, object]]:
    lines: list[dict[str, object]] = day.program("GET", f"{day.api}/ranking")["items"]
    return lines


def check_result_list(day: Day, truth: list[tuple[int, int, int]]) -> None:
    """The printed list names everybody in the order of the ranks."""
    text = day.printed("results")
    places = [text.index(day.names[number]) for _rank, number, _total in truth]
    assert places == sorted(places)


def check_chips(day: Day) -> None:
    """Each entrant's result rows add up to the truth's chips, and nothing reached the club's money."""
    rows = ResultRow.objects.filter(season=day.tournament.season).values_list("evening__number", "player_id")
    stored = {(number, player): chips for number, player, chips in rows.annotate(chips=Sum("change_minor")).order_by()}
    known: Counter[int] = Counter()
    for (number, _player), chips in stored.items():
        known[number] += chips
    expected = {
        number: sum(chips.get(number) or 0 for chips in day.truth.chips.values()) for number in range(1, ROUNDS + 1)
    }
    assert {number: known[number] for number in expected} == expected
    assert not Transfer.objects.exclude(season=day.tournament.season).exists()


def check_awards(day: Day, home: House, truth: list[tuple[int, int, int]]) -> None:
    players = dict(day.tournament.entrants.values_list("number", "player_id"))
    expected = {players[number]: AWARDS[rank - 1] for rank, number, _total in truth if rank <= len(AWARDS)}
    assert dict(SeasonAward.objects.filter(season=home.season).values_list("player_id", "points")) == expected
    count_season(home.season.pk)
    standings = dict(home.season.standings.values_list("player_id", "points"))
    assert standings == expected
