"""The number of queries of a season's pages and API routes where the season has all that a season can have: a formula,
teams, penalties, an import, merged players, guests, chances; and of a closed one with champions. No number grows with
players or evenings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.chances import services as chances_services
from league.chances.services import chances_compute
from league.chances.simulation import forecast
from league.models import Player, Season
from league.roster.merging import players_merge
from league.sharing.drawing import Picture
from league.standings.counting import count_season
from league.standings.formula.services import adjustment_add, formula_set
from league.standings.formula.team_services import stay_set, team_add
from league.standings.seasons import season_close
from tests.cast import House, cast
from tests.clients import forget_pages
from tests.factories import FAILED, MADE, PlayerFactory, SeasonFactory, create_table, enter
from tests.imported import imported
from tests.permissions import ROUTES, ApiClub, Club

pytestmark = [pytest.mark.django_db, pytest.mark.needs_sqlite]

COUNTS = Path(__file__).parent.parent / "data" / "query_counts_season.json"
"""The queries of an owner and of a visitor for each route of the open season and of the closed one."""
FORMULA: dict[str, Any] = {
    "best": 3,
    "drop": 1,
    "attendance_minimum": 2,
    "attendance_bonus": 1,
    "guests": False,
    "team_best": 2,
    "ties": ["evenings_won", "head_to_head"],
}
SMALL, LARGE = (6, 5), (14, 10)
"""Players and imported evenings."""
KINDS = ("season", "player-season", "season-team")
OF_A_CLUB = ("club", "club-champions", "club-records", "api-club-champions", "api-club-records")


def played(house: House, season: Season, size: tuple[int, int], first_day: date) -> list[Player]:
    """Fill a season: imported evenings, a formula with a handicap, teams, a penalty, a merged player and a guest."""
    number, evenings = size
    known = list(Player.objects.filter(club=house.club, main=None).order_by("pk"))
    players = [*known, *(PlayerFactory(club=house.club) for _ in range(number - len(known)))][:number]
    lines = ["Datum;Name;Betrag;Punkte;Spiele"]
    for nth in range(evenings):
        day = first_day + timedelta(days=7 * nth)
        for place, player in enumerate(players):
            amount = 1 - len(players) if place == nth % len(players) else 1
            lines.append(f"{day};{player.nickname};{amount:.2f};{(place * 7 + nth * 5) % 11 - 3};{20 + place}")
    imported(season, house.owner, "\n".join(lines))
    formula_set(season=season, actor=None, values={**FORMULA, "handicap": {str(players[1].pk): 2}})
    for nth, name in enumerate(("Acorns", "Bells")):
        team = team_add(season=season, name=name, actor=None)
        for player in players[nth::2]:
            stay_set(season=season, player=player, team=team, since=first_day, actor=None)
    adjustment_add(season=season, player=players[0], points=-2, reason="came late", actor=None)
    return players


def build(size: tuple[int, int]) -> tuple[House, Season]:
    """Create a club with an open season, in which an evening runs, and a closed one."""
    house = cast().home
    closed = SeasonFactory(club=house.club, slug="2025", starts_on=date(2025, 8, 1))
    players = played(house, closed, size, date(2025, 9, 5))
    played(house, house.season, size, date(2026, 9, 4))
    twin = PlayerFactory(club=house.club, nickname="Zwilling")
    players_merge(club=house.club, player=twin, main=players[2], reason="one person", actor=None)
    Player.objects.filter(pk=players[3].pk).update(guest=True)
    table = create_table(season=house.season, players=[twin, *players[3:6]], held_on=date(2026, 11, 20))
    for nth in range(size[1]):
        enter(table, FAILED if nth % 3 else MADE)
    count_season(closed.pk)
    season_close(season=closed, actor=None)
    for season in (closed, house.season):
        count_season(season.pk)
        chances_compute(season.pk)
    return house, closed


def addresses(house: House, closed: Season) -> Iterator[tuple[str, str]]:
    """Yield each route of a season that can be read, of both seasons, and those of the club that show them."""
    player = Player.objects.filter(club=house.club, main=None).order_by("pk")[0]
    for season in (house.season, closed):
        of_season: Mapping[str, Mapping[str, Any]] = {
            "season": {},
            "player-season": {"player": player.pk},
            "season-team": {"number": 1},
        }
        for name, route in ROUTES.items():
            if isinstance(route, Club | ApiClub) and "GET" in route.rights and route.names in KINDS:
                where = {"club": house.club.slug, "season": season.slug, **of_season[route.names]}
                yield f"{'closed' if season is closed else 'open'} {name}", reverse(name, kwargs=where)
    for name in OF_A_CLUB:
        yield name, reverse(name, kwargs={"club": house.club.slug})
    yield "player", reverse("player", kwargs={"club": house.club.slug, "player": player.pk})
    season = house.season
    where = {"club": house.club.slug, "season": season.slug}
    yield "part season", reverse("season", kwargs=where) + "?since=2026-09-10&table=1"
    yield "part season-sum", reverse("season-sum", kwargs={**where, "player": player.pk}) + "?on=2026-09-12"


def measured(size: tuple[int, int]) -> dict[str, list[int]]:
    """Return the queries of an owner and of a visitor for each route, in a club of this size."""
    with transaction.atomic():
        house, closed = build(size)
        owner, visitor = Client(), Client()
        owner.force_login(house.owner)
        for client in (owner, visitor):
            # The first request may count as the use of a session.
            client.get(reverse("club", kwargs={"club": house.club.slug}))
        counts = {name: [reading(client, url) for client in (owner, visitor)] for name, url in addresses(house, closed)}
        transaction.set_rollback(True)
    return counts


def reading(client: Client, url: str) -> int:
    """Return the queries of one reading, to the end of a file."""
    forget_pages()
    with CaptureQueriesContext(connection) as made:
        answer = client.get(url)
        assert answer.status_code < 500
        if answer.streaming:
            b"".join(answer.streaming_content)
    return len(made)


@pytest.fixture
def without_numbers_and_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few simulated seasons, and pictures that are not packed: neither makes a query."""
    monkeypatch.setattr(chances_services, "forecast", partial(forecast, groups=2, runs=5, need_runs=5))
    monkeypatch.setattr(Picture, "png", lambda self: b"")


@pytest.mark.rest
@pytest.mark.usefixtures("without_numbers_and_pixels")
def test_no_number_of_queries_of_a_season_grows_with_players_or_evenings():
    small, large = measured(SMALL), measured(LARGE)
    assert {name: (small[name], counts) for name, counts in large.items() if small[name] != counts} == {}
    known = json.loads(COUNTS.read_text())
    assert {name: counts for name, counts in small.items() if known.get(name) != counts} == {}
    assert set(known) == set(small)
