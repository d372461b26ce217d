"""The pages of sums: of a player and of a team, of the whole season and of a part of it."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from league.models import Player, Season, Team
from league.standings.formula import services, team_services
from tests.cast import House
from tests.clients import reader
from tests.factories import FAILED, MADE, PlayerFactory, SeasonFactory
from tests.imported import imported
from tests.league.test_formula_counting import FORMULAS
from tests.league.test_standings_parts import FIRST, SECOND, THIRD, count, part, play

pytestmark = pytest.mark.django_db


def season_of(house: House, **values: Any) -> Season:
    """Return a season of three evenings: Anna +4, -4, +2; Beni +2, +2, +1; Carlo 0, +2, 0."""
    for day, records in ((FIRST, (MADE, MADE)), (SECOND, (FAILED, FAILED)), (THIRD, (MADE,))):
        play(house, day, *records)
    services.formula_set(season=house.season, actor=None, values=values)
    return count(house)


def player(season: Season, name: str) -> Player:
    return Player.objects.get(club=season.club_id, nickname=name)


def sum_page(season: Season, name: str, query: str = "", person: Any = None) -> Any:
    where = {"club": season.club.slug, "season": season.slug, "player": player(season, name).pk}
    return reader(person).get(reverse("season-sum", kwargs=where) + query)


def team_page(season: Season, number: int, query: str = "", person: Any = None) -> Any:
    where = {"club": season.club.slug, "season": season.slug, "number": number}
    return reader(person).get(reverse("season-team", kwargs=where) + query)


def rows(made: Any) -> list[tuple[str, bool]]:
    return [(row.worth, row.counts) for row in made.rows]


def test_the_heading_says_what_the_sum_counts(home):
    page = sum_page(season_of(home), "Anna").content.decode()
    assert '<h1>Anna: <b class="num">2</b> <span class="unit">points</span></h1>' in page


# --- Notes beside an evening ---------------------------------------------------------------------------------


def test_a_place_is_shown_with_the_points_behind_it(home):
    season = season_of(home, counts="places", places=[8, 5, 3])
    made = sum_page(season, "Beni").context["sum"]
    assert [row.place for row in made.rows] == [
        "2nd of 5 (2 points) → 5 points",
        "1st of 5 (2 points) → 8 points",
        "2nd of 5 (1 point) → 5 points",
    ]
    assert rows(made) == [("+5", True), ("+8", True), ("+5", True)]


def test_a_place_with_a_handicap_names_it(home):
    play(home, FIRST, MADE)
    values = {"counts": "places", "places": [8, 5], "handicap": {str(player(home.season, "Carlo").pk): 9}}
    services.formula_set(season=home.season, actor=None, values=values)
    (row,) = sum_page(count(home), "Carlo").context["sum"].rows
    assert row.place == "1st of 5 (0 points, handicap +9) → 8 points"


def test_a_place_by_amounts_shows_no_amount_to_a_visitor(home):
    season = season_of(home, counts="places", places=[8, 5], places_by="net", hands_minimum_evening=2)
    for person, behind in ((home.owner, " (+1.20)"), (None, "")):
        made = sum_page(season, "Anna", person=person).context["sum"]
        assert made.rows[0].place == f"1st of 5{behind} → 8 points"
        # The last evening has too few hands, so no place, and is not shown as an amount.
        assert (made.rows[2].worth, made.rows[2].place, made.rows[2].notes) == ("0", "", ["too few hands"])


def test_a_handicap_is_a_line_of_its_own(home):
    values = {"best": 2, "attendance_bonus": 1}
    for counts in ("points", "average_hand", "average_evening"):
        season = home.season if counts != "points" else season_of(home)
        given = {"handicap": {str(player(season, "Anna").pk): 3}}
        services.formula_set(season=season, actor=None, values={**values, **given, "counts": counts})
        made = sum_page(count(home), "Anna").context["sum"]
        assert rows(made) == [("+4", True), ("−4", False), ("+2", True)]
        assert [(line.title, line.about, line.points) for line in made.handicap] == [("Handicap", "2 × +3", "+6")]
        assert [(extra.title, extra.about, extra.points) for extra in made.extras] == [("For coming", "3 × +1", "+3")]
    # 12 points of two evenings; of three hands.
    assert made.total == "9.000"
    assert made.average == "12 points in 2 evenings"


def test_points_of_an_evening_with_too_few_hands_are_those_of_the_evening(home):
    season = season_of(home, counts="average_hand", hands_minimum_evening=3)
    assert rows(sum_page(season, "Anna").context["sum"]) == [("+4", False), ("−4", False), ("+2", False)]


def test_a_dropped_evening_is_still_marked_as_imported(home):
    lines = ["Datum;Name;Betrag;Punkte;Spiele"]
    for day, points in (("7.8.2026", 5), ("14.8.2026", 2)):
        lines += [f"{day};Anna;1.00;{points};10", f"{day};Beni;-1.00;0;10"]
    for name in ("Anna", "Beni"):
        PlayerFactory(club=home.club, nickname=name)
    imported(home.season, home.owner, "\n".join(lines))
    services.formula_set(season=home.season, actor=None, values={"best": 1})
    page = sum_page(count(home), "Anna")
    assert [row.notes for row in page.context["sum"].rows] == [["imported"], ["does not count", "imported"]]
    assert "does not count · imported" in page.content.decode()


# --- A part of the season ------------------------------------------------------------------------------------


PARTS: dict[str, dict[str, Any]] = {
    "": {"on": timezone.localdate()},
    f"?on={SECOND}": {"on": SECOND},
    f"?since={SECOND}": {"since": SECOND},
    "?table=1&game=chratze": {"table": 1, "game": "chratze"},
}


@pytest.mark.parametrize("name", FORMULAS)
def test_a_sum_is_that_of_the_standings_of_the_same_part(home, name):
    season = season_of(home, **FORMULAS[name])
    for query, chosen in PARTS.items():
        first, *_others, last = part(season, **chosen).lines
        for line in (first, last):
            page = sum_page(season, line.nickname, query, home.owner)
            shown = re.sub("[.’]", "", page.context["sum"].total).replace("−", "-")
            counted = line.points if line.counted_minor is None else line.counted_minor
            assert (int(shown), page.context["line"].rank) == (counted, line.rank)


def test_a_part_has_its_evenings_and_its_penalties_and_leads_back(home):
    season = season_of(home, best=2)
    given: dict[str, Any] = {"season": season, "player": player(season, "Anna"), "reason": "came late", "actor": None}
    services.adjustment_add(points=-3, day=SECOND, **given)
    count(home)
    for query, evenings, penalties in (("", 3, 1), (f"?on={FIRST}", 1, 0), (f"?on={SECOND}", 2, 1), ("?table=1", 3, 0)):
        page = sum_page(season, "Anna", query, home.member)
        made = page.context["sum"]
        assert (len(made.rows), len(made.extras)) == (evenings, penalties)
        assert f'href="{season.get_absolute_url()}{query}"' in page.content.decode()
    assert "as it stood on" in sum_page(season, "Anna", f"?on={FIRST}").content.decode()
    assert sum_page(season, "Anna", "?on=never").status_code == 400
    nobody = sum_page(season, "Anna", "?on=2020-01-01")
    assert "has not played in this part of the season" in nobody.content.decode()
    twin = PlayerFactory(club=home.club, main=player(season, "Anna"), nickname="Zwilling")
    assert sum_page(season, twin.nickname, f"?on={FIRST}").headers["Location"].endswith(f"?on={FIRST}")


# --- Teams ---------------------------------------------------------------------------------------------------


def with_teams(house: House, **values: Any) -> Season:
    """Return the season with two teams: Anna, Beni and Carlo, and Doris; Anna changes on the third evening."""
    season = season_of(house, **values)
    acorns, bells = (team_services.team_add(season=season, name=name, actor=None) for name in ("Acorns", "Bells"))
    stays: list[tuple[str, Team, date]] = [(name, acorns, FIRST) for name in ("Anna", "Beni", "Carlo")]
    for name, team, since in [*stays, ("Doris", bells, FIRST), ("Anna", bells, THIRD)]:
        team_services.stay_set(season=season, player=player(season, name), team=team, since=since, actor=None)
    return count(house)


def test_the_sum_of_a_team_shows_the_evenings_of_its_members(home):
    season = with_teams(home, team_best=2)
    # Beni +5, Carlo +2, Anna +4 -4 before she left.
    page = team_page(season, 1, person=home.member)
    members = page.context["members"]
    assert [(member.name, member.sum.total, member.counts) for member in members] == [
        ("Beni", "5", True),
        ("Carlo", "2", True),
        ("Anna", "0", False),
    ]
    assert [rows(member.sum) for member in members] == [
        [("+2", True), ("+2", True), ("+1", True)],
        [("0", True), ("+2", True), ("0", True)],
        [("+4", True), ("−4", True)],
    ]
    assert (page.context["total"], page.context["rank"]) == ("7", 1)
    text = page.content.decode()
    assert text.count(">does not count<") == 1
    other = team_page(season, 2, person=home.member)
    assert next((member.name, rows(member.sum)) for member in other.context["members"]) == ("Anna", [("+2", True)])
    early = team_page(season, 1, f"?on={FIRST}")
    assert next((member.name, member.sum.total) for member in early.context["members"]) == ("Anna", "4")
    assert "Acorns" not in early.content.decode()


def test_the_standings_lead_to_the_sums_of_teams_in_the_same_part(home):
    season = with_teams(home)
    where = {"club": season.club.slug, "season": season.slug}
    for query in ("", f"?on={SECOND}"):
        text = reader().get(reverse("season", kwargs=where) + query).content.decode()
        assert f'href="{reverse("season-team", kwargs={**where, "number": 1})}{query}"' in text


def test_amounts_of_a_team_are_for_readers_who_may_see_them(home):
    season = with_teams(home, counts="net")
    seen, hidden = (team_page(season, 1, person=person).context for person in (home.owner, None))
    assert seen["total"]
    assert hidden["total"] == ""
    assert {member.sum.total for member in hidden["members"]} == {""}
    assert {row.worth for member in hidden["members"] for row in member.sum.rows} == {""}


def test_there_is_no_sum_of_a_team_of_another_season(home):
    season = with_teams(home)
    team = team_page(season, 3)
    other = SeasonFactory(club=home.club)
    assert (team.status_code, team_page(other, 1).status_code) == (404, 404)
    assert team_page(season, 1, "?since=never").status_code == 400
    empty = team_page(season, 2, "?on=2020-01-01")
    assert "Nobody has played for this team" in empty.content.decode()
