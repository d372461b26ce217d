"""The set-up: the presets with their outlook, the format part by part, table numbers left out, the season's award."""

from __future__ import annotations

import pytest

from league.models import Draw, Tournament
from league.tournaments.desk.forms import numbers_in
from league.tournaments.presets import PRESETS
from tests.cast import Cast
from tests.tournaments.desk_pages import FORMAT, Desk

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(people: Cast) -> Desk:
    desk = Desk(people)
    desk.create()
    return desk


@pytest.mark.parametrize("preset", PRESETS)
def test_each_preset_makes_a_tournament_with_its_format(people, preset):
    desk = Desk(people)
    desk.create(preset=preset)
    made = Tournament.objects.get()
    assert made.format == PRESETS[preset].format.stored()
    assert made.game == PRESETS[preset].game
    desk.get("tournament-setup")
    desk.get()


def test_the_outlook_follows_the_preset_and_the_number_of_people(people):
    client = Desk(people).client
    page = client.get("/c/roessli/tournaments/new/?preset=clock&people=46&begins_at=19:30").content.decode()
    assert "1 table of 5" not in page
    assert "tables of 4" in page
    assert "ends at about" in page
    few = client.get("/c/roessli/tournaments/new/?preset=evening&people=2").content.decode()
    assert "Too few people" in few


@pytest.mark.parametrize(
    ("wrong", "status"),
    [({"name": ""}, 422), ({"preset": "none"}, 422), ({"starts_on": "tomorrow"}, 422), ({"key": "no key"}, 422)],
)
def test_an_impossible_new_tournament_is_refused(people, wrong, status):
    client = Desk(people).client
    data = {"preset": "evening", "name": "Klausturnier", "starts_on": "2026-12-05"} | wrong
    assert client.post("/c/roessli/tournaments/new/", data).status_code == status
    assert Tournament.objects.count() == 0


def test_the_format_changes_part_by_part(desk):
    desk.do("tournament-setup", "format", **(FORMAT | {"rounds": 5, "wished": 5, "tie-direct": 1, "tie-lot": ""}))
    stored = Tournament.objects.get().format
    assert (stored["rounds"], stored["wished"]) == (5, 5)
    assert stored["tie_breaks"] == ["best_round", "direct"]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"rounds": 0}, "greater than or equal to 1"),
        ({"hands": 0, "minutes": 0}, "A round ends after a number of hands or after a time"),
        ({"wished": 7, "most": 5}, "lies between the least and the greatest"),
        ({"mode": "by mood"}, "Select a valid choice"),
    ],
)
def test_a_part_that_does_not_fit_is_refused_at_its_field(desk, wrong, words):
    before = Tournament.objects.get().format
    assert words in desk.do("tournament-setup", "format", **(FORMAT | wrong), status=422)
    assert Tournament.objects.get().format == before


def test_a_get_with_other_parts_shows_their_outlook_and_stores_nothing(desk):
    before = Tournament.objects.get().format
    query = "&".join(f"{name}={value}" for name, value in (FORMAT | {"wished": 3, "least": 3, "most": 3}).items())
    assert "7 tables of 3" in desk.get("tournament-setup", f"?{query}&people=21")
    assert "A round ends after" in desk.get("tournament-setup", f"?{query.replace('&hands=12', '&hands=0')}&people=21")
    assert Tournament.objects.get().format == before


def test_the_format_is_fixed_once_the_first_draw_is_published(desk):
    desk.enter()
    desk.publish()
    assert "has begun" in desk.do("tournament-setup", "format", **FORMAT, status=409)
    assert "no longer changes" in desk.get("tournament-setup")


def test_table_numbers_are_left_out_of_the_draw(desk):
    desk.enter()
    desk.do("tournament-setup", "tables", closed_tables="1 3-4")
    assert Tournament.objects.get().closed_tables == [1, 3, 4]
    desk.do("tournament-draw", "draw")
    assert [table["number"] for table in Draw.objects.get().plan["tables"]] == [2, 5]
    desk.do("tournament-setup", "tables", closed_tables="one", status=422)


def test_numbers_are_read_with_ranges():
    assert numbers_in("1, 3-5;9") == [1, 3, 4, 5, 9]
    assert numbers_in("") == []
    assert [numbers_in(text) for text in ("x", "5-3", "1-", "-1", "1-99999")] == [None] * 5


def test_a_season_gets_points_by_place(people, desk):
    desk.do("tournament-setup", "award", season=people.home.season.pk, points="10 8 6")
    made = Tournament.objects.get()
    assert (made.award_season, made.award_points) == (people.home.season, [10, 8, 6])
    desk.do("tournament-setup", "award", season=people.away.season.pk, points="10", status=422)
    desk.do("tournament-setup", "award", season=people.home.season.pk, points="ten", status=422)
    desk.do("tournament-setup", "award", season="", points="")
    assert Tournament.objects.get().award_season is None


def test_basics_fee_and_prizes_are_words_and_the_page_names_the_law(desk):
    basics = {"name": "Neu", "starts_on": "2026-12-06", "game": "chratze", "fee": "CHF 10", "prizes": "Speck"}
    desk.do("tournament-setup", "basics", **basics)
    made = Tournament.objects.get()
    assert (made.name, made.fee, made.prizes) == ("Neu", "CHF 10", "Speck")
    assert "no payment is taken" in desk.get("tournament-setup")
    page = desk.do("tournament-setup", "basics", **(basics | {"ends_on": "2026-12-01"}), status=422)
    assert "before the first one" in page
    page = desk.do("tournament-setup", "basics", **(basics | {"starts_on": "9999-12-31"}), status=422)
    assert "Check the date." in page


def test_it_goes_back_to_preparation_while_nobody_is_entered(desk):
    desk.do("tournament-setup", "open")
    desk.do("tournament-setup", "close")
    assert Tournament.objects.get().state == "draft"
    desk.enter()
    assert "People are entered already" in desk.do("tournament-setup", "close", status=409)


def test_an_unknown_action_is_refused(desk):
    desk.do("tournament-setup", "dance", status=422)
