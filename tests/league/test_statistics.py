"""Statistics: the counts equal a count by hand of the stored records; nothing is claimed from few tries."""

from __future__ import annotations

from collections import Counter
from datetime import date

import pytest
from django.db.models import F
from django.urls import reverse
from django.utils import translation

from games.models import Revision, Table
from league.access import access_to
from league.career.charts import MOST_SEASONS, career_chart
from league.models import Season
from league.money import format_count
from league.standings.counting import count_season
from league.standings.intervals import LEAST, Share
from league.standings.nights import (
    Night,
    current_run,
    evenings_won,
    longest_runs,
    meetings,
    nights_of,
    ranks_of_night,
)
from league.statistics import decisions
from league.statistics.bands import WIDTH, band
from league.statistics.distribution import MOST_BARS, histogram, step_of
from league.statistics.meetings import FEWEST, heat_map, shade
from league.statistics.selectors import DEALER, POTS, Count
from league.statistics.selectors import decisions as counted
from tests.cast import House, cast
from tests.clients import reader
from tests.factories import FAILED, FREE, MADE, MUSS, PASSED_OUT, WALKOVER, create_table, enter

HANDS = (MADE, FAILED, WALKOVER, PASSED_OUT, MADE, {"declarer": 3, "joiners": [0, 4], "made": [0, 4]})


def night(evening: int, player: int, points: int, *, hands: int = 10, season: int = 1, change: int = 0) -> Night:
    """A night of a player in a season by points."""
    return Night(
        season,
        evening,
        evening,
        date(2026, 1, evening),
        "chratze",
        player,
        f"P{player}",
        hands,
        points,
        change,
        0,
        0,
        1,
        True,
    )


# --- Pure ----------------------------------------------------------------------------------------------------


def test_equal_winners_share_an_evening_and_nobody_wins_alone():
    nights = [night(1, 1, 5), night(1, 2, 5), night(1, 3, 2), night(2, 1, 9)]
    assert evenings_won(nights) == {(1, 1), (1, 2)}
    assert ranks_of_night(nights[:3]) == {1: 1, 2: 1, 3: 3}


def test_a_run_of_evenings_ends_with_an_absence():
    nights = [night(1, 1, 1), night(2, 1, 1), night(3, 1, 0, hands=0), night(4, 1, 1)]
    (run,) = longest_runs(nights, lambda one: one.present)
    assert [one.evening_id for one in run.nights] == [1, 2]
    assert current_run(nights, lambda one: one.present) == 1
    assert longest_runs(nights, lambda one: one.points > 5) == []


def test_meetings_are_the_same_from_both_sides():
    nights = [night(1, 1, 5), night(1, 2, 3), night(2, 1, 2), night(2, 2, 2), night(3, 1, 0, hands=0), night(3, 2, 4)]
    assert meetings(nights) == {(1, 2): (1, 0, 1), (2, 1): (0, 1, 1)}


def test_a_cell_is_strong_only_where_chance_is_ruled_out():
    assert shade(FEWEST - 1, 0) == 0
    assert shade(6, 4) == 1
    assert shade(4, 6) == -1
    assert shade(16, 4) == 2
    assert shade(4, 16) == -2
    assert shade(5, 5) == 0


def test_a_band_shows_no_share_below_the_least_number():
    assert not band(Share(LEAST - 1, LEAST - 1)).known
    few = band(Share(30, 40), beside=Share(2, 3))
    assert few.known
    assert few.mark is None
    whole = band(Share(30, 40), beside=Share(60, 100))
    assert whole.mark == 0.6 * WIDTH
    assert whole.left < whole.dot < whole.left + whole.width


def test_a_distribution_has_each_night_in_one_bar():
    values = [-13, -2, 0, 1, 1, 7, 26]
    found = histogram(values)
    assert found
    assert len(found.bars) <= MOST_BARS
    assert sum(bar.count for bar in found.bars) == len(values)
    assert all(one.high + 1 == other.low for one, other in zip(found.bars, found.bars[1:], strict=False))
    assert histogram([]) is None
    assert step_of(0, 0) == 1


def test_a_career_shows_the_newest_seasons():
    nights = [night(n + 1, 1, n - 3, season=n // 2) for n in range(12)]
    chart = career_chart(nights, [one.points for one in nights])
    assert chart
    assert [era.season_id for era in chart.eras] == list(range(6 - MOST_SEASONS, 6))
    assert len(chart.bars) == 2 * MOST_SEASONS
    assert career_chart(nights[:1], [1]) is None


# --- From the database ---------------------------------------------------------------------------------------


@pytest.fixture
def home(db: None) -> House:
    house = cast().home
    table = create_table(season=house.season, club=house.club, rules={"stake": 50})
    for record in HANDS:
        enter(table, record)
    kratzen = create_table(season=house.season, club=house.club, seats=4, game="kratzen")
    enter(kratzen, MUSS)
    enter(kratzen, FREE)
    count_season(house.season.pk)
    return house


def by_hand(house: House, player: int) -> Counter[tuple[object, ...]]:
    """Count the stored records without SQL."""
    found: Counter[tuple[object, ...]] = Counter()
    for revision in Revision.objects.filter(hand__table__evening__club=house.club).prefetch_related("seats"):
        record, result = revision.record, revision.result
        if result["muss"]:
            continue
        seats, chratze = record["seats"], record["game"] == "chratze"
        ante = 50 if chratze else 10
        for seat in revision.seats.all():
            place = seat.number
            active = [result["declarer"], *result["joiners"]]
            made = None
            if result["outcome"] == "played" and place in active:
                goal = 2 if place == result["declarer"] else 1
                made = place in record["made"] if "made" in record else result["tricks"][place] >= goal
            role = "declarer" if place == result["declarer"] else "joiner" if place in result["joiners"] else "out"
            last = chratze and result["declarer"] is not None and place == (result["declarer"] - 1) % seats
            after = (place - record["dealer"]) % seats if chratze else -1
            size = sum(result["pot"] >= limit * ante for limit in POTS)
            found[
                seat.player_id == player, role, made, False, after, size,
                len(result["joiners"]), result["outcome"] != "passed_out", last,
            ] += 1  # fmt: skip
    return found


@pytest.mark.both_databases
def test_counts_of_decisions_are_those_of_the_stored_records(home):
    player = Table.objects.filter(evening__club=home.club).first().places.earliest("seat").player_id
    found: Counter[tuple[object, ...]] = Counter()
    for count in counted([home.season], player):
        found[count[:-1]] += count.hands
    assert found == by_hand(home, player)
    assert sum(found.values()) == 5 * len(HANDS) + 4


@pytest.mark.django_db
def test_a_season_of_one_game_counts_its_hands_only(home):
    Season.objects.filter(pk=home.season.pk).update(games="chratze", ledger_mark=F("ledger_mark") + 1)
    count_season(home.season.pk)
    assert sum(count.hands for count in counted([home.season])) == 5 * len(HANDS)


@pytest.mark.django_db
def test_shares_leave_out_walkovers_and_hands_without_a_declarer(home):
    counts = [count for count in counted([home.season]) if count.seat != -1]
    assert decisions.share_of(counts, decisions.declares_contested, decisions.makes_it) == Share(2, 4)
    assert decisions.share_of(counts, decisions.joins, decisions.makes_it) == Share(6, 6)
    assert decisions.share_of(counts, decisions.any_hand, decisions.declares) == Share(5, 30)
    assert decisions.share_of(counts, decisions.may_join, decisions.joins) == Share(6, 20)
    seats = decisions.by(counts, decisions.seat_of, decisions.any_hand, decisions.declares, chosen=False)
    assert [row.value for row in seats] == [1, 2, 3, 4, decisions.LAST]
    assert sum(row.share.of for row in seats) == 30


@pytest.mark.django_db
def test_the_page_says_that_there_are_too_few_hands(home):
    with translation.override("en"):
        text = (
            reader()
            .get(
                reverse("season-statistics", kwargs={"club": home.club.slug, "season": home.season.slug}),
                headers={"accept-language": "en"},
            )
            .content.decode()
        )
    assert "too few hands" in text
    assert "Too few hands to say that one is more than another." in text
    assert "% interval" in text
    assert 'class="band"' not in text.partition("By size of the pot")[0].partition("chratzt")[0]


@pytest.mark.django_db
def test_the_heat_map_names_nobody_to_visitors(home):
    access = access_to(home.owner, home.club)
    rows = heat_map(access, nights_of([home.season]))
    assert {row.name for row in rows} >= {"Anna", "Beni"}
    assert all(cell is None for place, row in enumerate(rows) for cell in [row.cells[place]])
    assert format_count(len(rows)) == "5"


def test_the_dealer_comes_last():
    count = Count(False, "out", None, False, DEALER, 0, 0, True, False, 1)
    assert decisions.seat_of(count) == decisions.LAST
