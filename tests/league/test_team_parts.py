"""Teams in a part of a season, and in the preview of a formula."""

from __future__ import annotations

import csv
import io
import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

from league.access import access_to
from league.models import Club, Player, Season, Team, TeamStay
from league.standings.formula import services, team_services
from league.standings.formula.inputs import formula_of
from league.standings.formula.parts import Formula
from league.standings.formula.preview import Preview, preview
from league.standings.formula.team_table import TeamRanking, TeamRow, counted_ranking, team_rows
from league.standings.reader_choice import Choice
from league.standings.season_part import part_of
from tests.api.api_client import ApiClient, done
from tests.cast import House, cast
from tests.clients import reader
from tests.factories import FAILED, MADE, enter
from tests.league.test_formula_counting import FORMULAS
from tests.league.test_formula_views import at, the_form
from tests.league.test_standings_parts import FIRST, SECOND, THIRD, count, play, url_of

pytestmark = pytest.mark.django_db

BEFORE = date(2026, 9, 1)


@pytest.fixture
def home() -> House:
    """A season with a formula, an evening and two teams: Anna and Beni, Carlo and Doris."""
    house = cast().home
    play(house, FIRST, MADE, MADE)
    services.formula_set(season=house.season, actor=None, values={"best": 5})
    house.season.refresh_from_db()
    players = list(Player.objects.filter(club=house.club).order_by("pk"))
    for name, members in (("Acorns", players[:2]), ("Bells", players[2:4])):
        team = team_services.team_add(season=house.season, name=name, actor=None)
        for player in members:
            put(house, player, team)
    return house


def put(house: House, player: Player, team: Team | None, since: date = BEFORE) -> TeamStay:
    return team_services.stay_set(season=house.season, player=player, team=team, since=since, actor=None)


def team(house: House, name: str) -> Team:
    return Team.objects.get(season=house.season, name=name)


def anna(house: House) -> Player:
    return Player.objects.get(club=house.club, nickname="Anna")


def two_evenings(house: House) -> Season:
    play(house, SECOND, FAILED, FAILED, FAILED)
    return count(house)


def shown(house: House, ranking: TeamRanking) -> list[TeamRow]:
    return team_rows(access_to(house.owner, Club.objects.get(pk=house.club.pk)), ranking)


def of_part(season: Season, **chosen: Any) -> TeamRanking:
    return part_of(season, Choice(**chosen), formula_of(season)).teams


def sums(house: House, ranking: TeamRanking) -> dict[str, tuple[int | None, int]]:
    return {row.title: (row.rank, row.points) for row in shown(house, ranking)}


# --- A part of the season ----------------------------------------------------------------------------------


@pytest.mark.both_databases
@pytest.mark.parametrize("name", FORMULAS)
def test_teams_of_a_day_equal_those_counted_then(home, name):
    services.formula_set(season=home.season, actor=None, values=FORMULAS[name])
    two_evenings(home)
    put(home, anna(home), team(home, "Bells"), THIRD)
    season = count(home)
    before = shown(home, counted_ranking(season))
    play(home, THIRD, MADE, FAILED, MADE)
    season = count(home)
    now = shown(home, counted_ranking(season))
    assert shown(home, of_part(season, on=timezone.localdate())) == now
    then = shown(home, of_part(season, on=SECOND))
    assert then != now
    # On that day Anna was still with the Acorns.
    assert [(row.rank, row.points, row.counted_minor) for row in then] == [
        (row.rank, row.points, row.counted_minor) for row in before
    ]
    assert not any(member.left for row in then for member in row.members)


def test_the_evenings_of_a_team_add_up(home):
    season = two_evenings(home)
    whole, first, second = (
        sums(home, ranking)
        for ranking in (counted_ranking(season), of_part(season, on=FIRST), of_part(season, since=SECOND))
    )
    assert {name: points for name, (_rank, points) in whole.items()} == {
        name: first[name][1] + second[name][1] for name in ("Acorns", "Bells")
    }
    assert first["Acorns"][0] != second["Acorns"][0]


def test_a_penalty_counts_in_the_part_of_its_day_and_at_no_table(home):
    season = two_evenings(home)
    given: dict[str, Any] = {"season": season, "player": anna(home), "reason": "late", "actor": None}
    services.adjustment_add(points=-50, **given)
    season = count(home)
    today = timezone.localdate()
    without = sums(home, of_part(season, table=1))["Acorns"][1]
    assert sums(home, of_part(season, on=SECOND))["Acorns"][1] == without
    assert sums(home, of_part(season, on=today))["Acorns"][1] == without - 50
    assert sums(home, of_part(season, on=today)) == sums(home, counted_ranking(season))


def test_a_former_member_is_marked_as_left_from_that_day_on(home):
    put(home, anna(home), team(home, "Bells"), SECOND)
    season = two_evenings(home)

    def left(**chosen: Any) -> list[tuple[str, bool]]:
        rows = shown(home, of_part(season, **chosen))
        return sorted((row.title, member.left) for row in rows for member in row.members if member.name == "Anna")

    assert left(on=FIRST) == [("Acorns", False)]
    assert left(on=SECOND) == [("Acorns", True), ("Bells", False)]


def test_without_an_evening_a_team_or_a_formula_there_is_no_ranking(home):
    season = two_evenings(home)
    assert of_part(season, since=THIRD) == TeamRanking()
    services.formula_set(season=season, actor=None, values=None)
    assert of_part(count(home), on=FIRST) == TeamRanking()
    services.formula_set(season=season, actor=None, values={"best": 5})
    for team in Team.objects.all():
        team_services.team_remove(team=team, actor=None)
    assert of_part(count(home), on=FIRST) == TeamRanking()


def test_page_file_and_api_have_the_teams_of_the_part(home):
    season = two_evenings(home)
    expected = sums(home, of_part(season, since=SECOND))
    assert expected != sums(home, counted_ranking(season))
    query = f"?since={SECOND}"
    page = reader(home.member).get(url_of(season, query)).content.decode()
    card = page.split('id="teams"')[1].split("</section>")[0]
    card_rows = re.findall(r'<td class="rank num">(\d+)</td>\s*<th[^>]*><a[^>]*>(\w+)<', card)
    assert card_rows == [(str(rank), name) for name, (rank, _points) in expected.items()]
    assert "from " in card
    rows = csv.DictReader(
        io.StringIO(b"".join(reader(home.member).get(url_of(season, query, "standings-csv"))).decode())
    )
    teams = {row["team_name"]: int(row["team_rank"]) for row in rows if row["team_name"]}
    assert teams == {name: rank for name, (rank, _points) in expected.items()}
    address = f"clubs/{home.club.slug}/seasons/{season.slug}/teams{query}"
    items = done(ApiClient(person=home.member).get(address))["items"]
    assert {item["name"]: (item["rank"], item["points"]) for item in items} == expected
    visitor = done(ApiClient().get(address))["items"]
    assert {item["name"] for item in visitor} == {"Team 1", "Team 2"}
    assert ApiClient().get(address.replace(str(SECOND), "soon")).status_code == 400


def test_a_formula_of_amounts_shows_no_amount_of_a_part_to_visitors(home):
    services.formula_set(season=home.season, actor=None, values={"counts": "net"})
    season = two_evenings(home)
    address = f"clubs/{home.club.slug}/seasons/{season.slug}/teams?on={FIRST}"
    for asks, sees in ((ApiClient(), False), (ApiClient(person=home.treasurer), True)):
        items = done(asks.get(address))["items"]
        assert {item["points"] for item in items} == {0}
        assert all((item["counted_minor"] is not None) == sees for item in items)
        assert all((each["counted_minor"] is not None) == sees for item in items for each in item["members"])


def test_a_part_with_more_teams_needs_no_more_queries(home, django_assert_max_num_queries):
    season = two_evenings(home)
    for nth in range(5):
        team_services.team_add(season=season, name=f"Team {nth}x", actor=None)
    with django_assert_max_num_queries(7):
        of_part(season, on=SECOND)


# --- The preview of a formula ------------------------------------------------------------------------------


def change(season: Season, **parts: Any) -> Preview:
    return preview(Season.objects.get(pk=season.pk), Formula(**parts))


def test_a_preview_of_the_formula_of_now_moves_no_team(home):
    season = two_evenings(home)
    preview = change(season, best=5)
    rows = shown(home, counted_ranking(season))
    assert [(team.title, team.rank_now, team.rank_then) for team in preview.teams] == [
        (row.title, row.rank, row.rank) for row in rows
    ]
    assert all(team.value_now == team.value_then for team in preview.teams)
    assert not any(member.before for team in preview.teams for member in team.members)


def test_a_preview_equals_the_count_after_the_formula_is_stored(home):
    season = two_evenings(home)
    previewed = change(season, best=1, team_best=1).teams
    services.formula_set(season=season, actor=None, values={"best": 1, "team_best": 1})
    rows = shown(home, counted_ranking(count(home)))
    assert [(team.title, team.rank_then, team.value_then.replace("−", "-")) for team in previewed] == [
        (row.title, row.rank, str(row.points)) for row in rows
    ]
    assert [[member.counts for member in team.members] for team in previewed] == [
        [member.counts for member in row.members] for row in rows
    ]


def test_a_preview_has_the_reason_of_a_teams_move(home):
    season = two_evenings(home)
    acorns = next(team for team in change(season, best=1).teams if team.title == "Acorns")
    moved = next(member for member in acorns.members if member.nickname == "Anna")
    assert moved.before
    assert moved.before != moved.value
    # With all members instead of the best one, those who were left out count.
    services.formula_set(season=season, actor=None, values={"best": 5, "team_best": 1})
    assert [member.newly for each in change(season, best=5).teams for member in each.members] == [
        False,
        True,
        False,
        True,
    ]
    assert not any(member.newly for each in change(season, best=5, team_best=1).teams for member in each.members)
    # Averages are no points: the former shares are not comparable.
    assert not any(member.before for each in change(season, counts="average_hand").teams for member in each.members)


def test_a_season_that_ranks_no_teams_yet_has_no_places_of_now(home):
    season = two_evenings(home)
    services.formula_set(season=season, actor=None, values=None)
    teams = change(season, best=2).teams
    assert {(team.rank_now, team.value_now) for team in teams} == {(None, "")}
    assert all(team.rank_then and team.value_then for team in teams)


def test_a_preview_shows_teams_beside_players(home):
    season = two_evenings(home)
    url = at("season-formula", season)
    client = reader(home.owner)
    sent = {control.name: control.value for control in the_form(client, url, "look").controls if control.sent}
    page = client.post(url, sent | {"do": "look", "best": "1", "team_best": "1"}).content.decode()
    card = page.split('id="preview-teams"')[1].split("</section>")[0]
    assert "Acorns" in card
    assert "Bells" in card
    assert "<s>" in card
    assert "(now " in card
    assert Season.objects.get(pk=season.pk).formula_version == 1


def test_a_preview_before_the_first_evening_has_no_teams():
    season = cast().home.season
    services.formula_set(season=season, actor=None, values={"best": 5})
    season.refresh_from_db()
    team_services.team_add(season=season, name="Acorns", actor=None)
    preview = change(season, best=1)
    assert (preview.moves, preview.teams) == ([], ())


def test_a_preview_has_the_same_queries_with_more_evenings(home, django_assert_max_num_queries):
    season = two_evenings(home)
    with django_assert_max_num_queries(10):
        change(season, best=1)
    table = play(home, THIRD + timedelta(1), MADE)
    enter(table, FAILED)
    season = count(home)
    with django_assert_max_num_queries(10):
        change(season, best=1)
