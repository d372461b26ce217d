"""Records, statistics, ratings and the table of all seasons for programs: the same as on the pages, by consent."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from league.models import Player
from league.standings.counting import count_season
from league.standings.facts.rating_model import LEAST
from tests.api.api_client import ApiClient, done, is_problem, key_for
from tests.cast import House, cast
from tests.factories import FAILED, MADE, create_table, enter

pytestmark = pytest.mark.django_db

CLUB = "clubs/roessli"
SEASON = f"{CLUB}/seasons/2026"


@pytest.fixture
def home() -> House:
    house = cast().home
    for back in range(LEAST, 0, -1):
        table = create_table(
            season=house.season, club=house.club, held_on=timezone.localdate() - timedelta(back), rules={"stake": 50}
        )
        for record in (MADE, MADE, MADE, FAILED):
            enter(table, record)
    count_season(house.season.pk)
    return house


def records(asks: ApiClient, where: str) -> dict[str, Any]:
    return {record["kind"]: record for record in done(asks.get(f"{where}/records"))["items"]}


def test_records_name_their_hand_and_their_holders(home):
    owner = ApiClient(key=key_for(home.owner, "read", "money"))
    season = records(owner, SEASON)
    assert season == records(owner, CLUB)
    pot, goals = season["pot"], season["goals"]
    assert pot["number"] > 0
    assert {holder["name"] for holder in pot["holders"]} == {"Anna", "Beni"}
    assert (goals["number"], goals["table"], goals["hand"], goals["season"]) == (4, 1, 1, "2026")
    assert (season["best_points"]["number"], season["best_points"]["hand"]) == (4, None)
    assert season["there_in_a_row"]["number"] == LEAST
    hand = done(owner.get(f"{CLUB}/evenings/{pot['evening']}"))
    assert hand["id"] == pot["evening"]


def test_visitors_read_no_amounts_and_no_names_without_consent(home):
    Player.objects.filter(club=home.club).update(publicity=Player.Publicity.INITIALS)
    visitor = ApiClient()
    by_kind = records(visitor, SEASON)
    assert by_kind["pot"]["number"] is None
    assert "best_money" not in by_kind
    for path in (f"{SEASON}/records", f"{CLUB}/records", f"{CLUB}/all-time", f"{SEASON}/statistics"):
        text = visitor.get(path).content.decode()
        assert "Anna" not in text, path
        assert "Anna" in ApiClient(person=home.member).get(path).content.decode(), path
    assert {row["balance_minor"] for row in done(visitor.get(f"{CLUB}/all-time"))["items"]} == {None}


def test_statistics_of_everybody_and_of_one_player(home):
    owner = ApiClient(person=home.owner)
    all_of_it = done(owner.get(f"{SEASON}/statistics"))
    assert all_of_it["player"] is None
    by_joiners = next(part for part in all_of_it["parts"] if part["key"] == "joiners")
    declares = next(measure for measure in by_joiners["measures"] if measure["key"] == "declares_made")
    line = declares["lines"][0]
    assert (line["value"], line["share"]["made"], line["everybody"]) == (1, 3 * LEAST, None)
    anna = Player.objects.get(club=home.club, nickname="Anna")
    own = done(owner.get(f"{SEASON}/statistics?player={anna.pk}"))
    assert own["player"] == anna.pk
    assert own["parts"][0]["measures"][0]["lines"][0]["everybody"]["of"] >= 4 * LEAST
    ratings = own["ratings"]
    assert len(ratings) == 5
    assert {rating["evenings"] for rating in ratings} == {LEAST}
    assert ratings[0]["rating"] > 1000 > ratings[-1]["rating"]
    runs = {run["player"]: run for run in own["runs"]}
    assert runs[anna.pk]["won"] == LEAST
    ahead = {
        (meeting["player"], meeting["other"]): (meeting["ahead"], meeting["behind"]) for meeting in own["meetings"]
    }
    assert all(ahead[other, player] == (behind, before) for (player, other), (before, behind) in ahead.items())


def test_a_player_who_is_not_in_the_season_is_refused(home):
    owner = ApiClient(person=home.owner)
    assert is_problem(owner.get(f"{SEASON}/statistics?player=x"), 400)
    assert is_problem(owner.get(f"{SEASON}/statistics?player=999999"), 404)
