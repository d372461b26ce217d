"""Imported evenings are marked wherever they count, and nothing else is."""

from __future__ import annotations

import csv
import io
import json
import uuid
from datetime import date

import pytest
from django.utils import timezone

from games.closing.services import evening_close
from league.chances.services import chances_compute
from league.models import Evening, Player, Season, TeamStay
from league.standings.counting import count_season
from league.standings.formula import services, team_services
from league.standings.formula.team_table import TeamMember, TeamRow
from league.standings.imported import players_with_imported
from league.standings.seasons import season_close
from tests.cast import House, house
from tests.clients import forget_pages, reader
from tests.factories import MADE, PlayerFactory, create_table, enter
from tests.imported import imported

pytestmark = [pytest.mark.django_db, pytest.mark.services]

STAR = 'class="imported-star"'
FILE = """Datum;Name;Betrag;Punkte
7.8.2026;Anna;12.50;80
7.8.2026;Beni;-12.50;3
14.8.2026;Anna;1.00;9
14.8.2026;Beni;-1.00;8
"""


@pytest.fixture
def home() -> House:
    made = house("roessli")
    for name in ("Anna", "Beni"):
        PlayerFactory(club=made.club, nickname=name)
    table = create_table(club=made.club, season=made.season)
    enter(table, MADE)
    count_season(made.season.pk)
    return made


def page(home: House, path: str) -> str:
    forget_pages()
    return reader(home.owner).get(path).getvalue().decode()


def marks(home: House) -> dict[str, int]:
    """Return the number of marks for imported data by place."""
    club, season = "/c/roessli/", f"/c/roessli/s/{home.season.slug}/"
    anna = Player.objects.get(club=home.club, nickname="Anna").pk
    api = f"/api/v1/clubs/roessli/seasons/{home.season.slug}/"
    counts = {
        "standings": page(home, season).split('id="course"')[0].count(STAR),
        "chart": page(home, season).split('id="course"')[1].split("</table>")[0].count("tag quiet"),
        "leaders of the club": page(home, club).split('id="top-title"')[1].count(STAR),
        "pub screen": page(home, club + "screen/").count(STAR),
        "standings on other pages": page(home, season + "embed/").count(STAR),
        "standings as JSON": sum(
            standing["imported"] for standing in json.loads(page(home, season + "standings.json"))["standings"]
        ),
        "all seasons": page(home, club + "records/").count(STAR),
        "statistics": page(home, season + "statistics/")
        .split('id="heat-title"')[0]
        .count("With evenings from a file."),
        "rivals": page(home, f"{club}p/{anna}/").count("With evenings from a file."),
        "records": page(home, season + "records/").count(", imported"),
        "season report": page(home, season + "report/").count("imported</td>"),
        "file of the report": page(home, season + "report/?for=csv").count(",imported"),
        "file of an evening's report": sum(
            page(home, f"{club}e/{evening.pk}/report/?for=csv").count('"imported"')
            for evening in home.season.evenings.all()
        ),
        "statement": page(home, f"{club}p/{anna}/statement/").count("imported</td>"),
        "book": page(home, club + "treasury/?book=evenings").count(", imported"),
        "feed": page(home, club + "results.atom").count("· imported"),
        "calendar": page(home, club + "evenings.ics").replace("\r\n ", "").count("· imported"),
        "file": sum(
            row["imported"] == "1" for row in csv.DictReader(io.StringIO(page(home, season + "standings.csv")))
        ),
    }
    for name, path in (("in the API", "standings"), ("records in the API", "records")):
        items = reader(home.owner).get(api + path).json()["items"]
        counts[name] = sum(item["imported"] for item in items)
    for name, path in (("ledger in the API", "ledger?limit=100"), ("book in the API", "books?book=evenings")):
        items = reader(home.owner).get(f"/api/v1/clubs/roessli/{path}").json()["items"]
        counts[name] = sum(item["imported"] for item in items)
    return counts


def test_imported_evenings_are_marked_wherever_they_count(home):
    before = marks(home)
    assert set(before.values()) == {0}, before
    imported(home.season, home.owner, FILE)
    count_season(home.season.pk)
    after = marks(home)
    assert {name for name, count in after.items() if not count} == set(), after
    assert (after["in the API"], after["chart"], after["feed"], after["calendar"]) == (2, 2, 2, 2)
    # Two players, two evenings, and two lines of the course; of Anna one season and two evenings.
    assert (after["season report"], after["statement"]) == (6, 3)
    # Of each of two evenings two players; two transfers, as the gain was paid; two results.
    assert after["file of an evening's report"] == 4
    assert (after["ledger in the API"], after["book in the API"]) == (4, 4)


@pytest.mark.both_databases
def test_teams_with_imported_evenings_are_marked_in_their_table_the_report_and_the_api(home):
    services.formula_set(season=home.season, actor=None, values={"best": 5})
    home.season.refresh_from_db()
    given = {"season": home.season, "actor": None}
    acorns, bells = (team_services.team_add(name=name, **given) for name in ("Acorns", "Bells"))
    anna, beni = Player.objects.filter(club=home.club).order_by("nickname")[:2]
    # The second evening of the file is Anna's first one for the Bells; Beni was in no team then.
    for player, team, since in ((anna, acorns, date(2026, 8, 1)), (anna, bells, date(2026, 8, 10))):
        team_services.stay_set(player=player, team=team, since=since, **given)
    team_services.stay_set(player=beni, team=acorns, since=date(2026, 8, 20), **given)
    # Of merged players the main one's stay is valid where two begin on one day.
    merged = PlayerFactory(club=home.club, nickname="Anni", main=anna)
    TeamStay.objects.create(season=home.season, player=merged, team=bells, since=date(2026, 8, 1))
    count_season(home.season.pk)
    address = f"/c/roessli/s/{home.season.slug}/"
    api = f"/api/v1/clubs/roessli/seasons/{home.season.slug}/teams"

    def teams(query: str = "") -> tuple[int, dict[str, bool], set[tuple[str, str]]]:
        forget_pages()
        table = page(home, address + query).split('id="teams"')[1].split('id="course"')[0]
        items = reader(home.owner).get(api + query).json()["items"]
        members = {(team["name"], each["name"]) for team in items for each in team["members"] if each["imported"]}
        return table.count(STAR), {team["name"]: team["imported"] for team in items}, members

    def report() -> str:
        return page(home, address + "report/").split('id="teams"')[1].split("</table>")[0]

    assert teams() == (0, {"Acorns": False, "Bells": False}, set())
    assert "imported" not in report().casefold()
    imported(home.season, home.owner, FILE)
    count_season(home.season.pk)
    both = {("Acorns", "Anna"), ("Bells", "Anna")}
    assert teams() == teams(f"?on={timezone.localdate()}") == (4, {"Acorns": True, "Bells": True}, both)
    assert teams("?on=2026-08-07") == (2, {"Acorns": True, "Bells": False}, {("Acorns", "Anna")})
    assert report().count("imported</td>") == 2
    Evening.objects.filter(held_on=date(2026, 8, 7)).update(undone_at=timezone.now())
    count_season(home.season.pk)
    assert teams() == (2, {"Acorns": False, "Bells": True}, {("Bells", "Anna")})


@pytest.mark.parametrize("counts", [False, True])
def test_a_team_is_marked_only_if_the_member_with_the_imported_evening_counts(counts):
    member = TeamMember(1, "Anna", 3, None, counts=counts, left=False, is_imported=True)
    assert TeamRow(1, "Acorns", 1, 0, None, (member,)).is_imported is counts


def test_the_pub_screen_marks_an_imported_last_evening(home):
    def caption() -> str:
        return next(line for line in page(home, "/c/roessli/screen/").splitlines() if "<h2>Last evening" in line)

    played = home.season.evenings.get()
    evening_close(evening=played, author=home.owner, key=uuid.uuid4(), pot="carry")
    imported(home.season, home.owner, FILE)
    # The evenings of the file are older.
    assert "imported" not in caption()
    from_file = Evening.objects.exclude(pk=played.pk).values("imported")[:1]
    Evening.objects.filter(pk=played.pk).update(imported=from_file)
    assert " · imported" in caption()


@pytest.mark.parametrize("from_file", [False, True], ids=["played here", "with a file"])
def test_the_pictures_of_pages_mark_imported_evenings(home, drawn, from_file):
    club, season = "/c/roessli/", f"/c/roessli/s/{home.season.slug}/"
    anna = Player.objects.get(club=home.club, nickname="Anna")
    if from_file:
        imported(home.season, home.owner, FILE)
        count_season(home.season.pk)

    def texts(path: str) -> list[str]:
        drawn.clear()
        forget_pages()
        assert reader(home.owner).get(f"{path}picture.png").status_code == 200
        return drawn

    for path in (club, season, f"{club}p/{anna.pk}/", f"{season}champions/"):
        assert ("*" in texts(path), "* some imported" in drawn) == (from_file, from_file), path
    for evening in home.season.evenings.all():
        assert ("imported" in texts(f"{club}e/{evening.pk}/")) == evening.is_imported


@pytest.mark.parametrize("page", ["statistics", "chances"])
def test_pictures_of_ratings_and_chances_mark_players_with_imported_evenings(home, drawn, page):
    days = [f"{day}.8.2026;{name};{amount};1\n" for day in range(1, 25) for name, amount in (("Anna", 1), ("Beni", -1))]
    imported(home.season, home.owner, "Datum;Name;Betrag;Punkte\n" + "".join(days))
    count_season(home.season.pk)
    chances_compute(home.season.pk)
    drawn.clear()
    forget_pages()
    url = f"/c/roessli/s/{home.season.slug}/{page}/picture.png"
    assert reader(home.owner).get(url).status_code == 200
    assert (drawn.count("*"), "* some imported" in drawn) == (2, True)


def test_only_players_of_imported_evenings_are_named_and_none_after_the_import_is_undone(home):
    from_file = imported(home.season, home.owner, FILE)
    count_season(home.season.pk)
    assert len(players_with_imported(home.season)) == 2
    other = Season.objects.create(club=home.club, slug="other", name="Other", starts_on=home.season.starts_on)
    assert players_with_imported(other) == players_with_imported() == frozenset()
    reader(home.owner).post(f"/c/roessli/imports/{from_file.pk}/")
    count_season(home.season.pk)
    assert players_with_imported(home.season) == frozenset()


def test_the_final_standings_of_a_closed_season_are_marked_too(home):
    imported(home.season, home.owner, FILE)
    count_season(home.season.pk)
    for evening in home.season.evenings.filter(state="open"):
        evening_close(evening=evening, author=None, key=uuid.uuid4())
    season_close(season=home.season, actor=home.owner)
    assert page(home, f"/c/roessli/s/{home.season.slug}/champions/").count(STAR) == 2
