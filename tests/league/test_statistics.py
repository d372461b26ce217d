"""Statistics: the counts equal a count by hand of the stored records; no share is shown from few tries."""

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
from league.intervals import FEWEST_TRIES, Share, wilson
from league.models import Season
from league.money import format_count
from league.played_games import CHRATZE
from league.standings.counting import count_season
from league.standings.facts import hands
from league.standings.facts.rating_model import Skill
from league.standings.facts.situations import Situation, unpacked
from league.standings.nights import (
    Night,
    current_run,
    evenings_won,
    longest_runs,
    meetings,
    nights_of,
    ranks_of_night,
)
from league.standings.standing_lines import season_standings
from league.statistics import decisions, tables
from league.statistics.bands import WIDTH, band
from league.statistics.distribution import MOST_BARS, histogram, step_of
from league.statistics.meetings import Cell, Z, heat_key, heat_map, shade
from league.statistics.people import profiles
from league.statistics.rating import RatingLine, apart, places, rating_band
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
        points,
        hands > 0,
        False,
    )


# --- Pure ----------------------------------------------------------------------------------------------------


def test_equal_winners_share_an_evening_and_nobody_wins_alone():
    nights = [night(1, 1, 5), night(1, 2, 5), night(1, 3, 2), night(2, 1, 9)]
    assert evenings_won(nights) == {(1, 1), (1, 2)}
    assert ranks_of_night(nights[:3]) == {1: 1, 2: 1, 3: 3}


def test_a_run_of_evenings_ends_with_an_absence():
    nights = [night(1, 1, 1), night(2, 1, 1), night(3, 1, 0, hands=0), night(4, 1, 1)]
    (run,) = longest_runs(nights, lambda evening: evening.present)
    assert [evening.evening_id for evening in run.nights] == [1, 2]
    assert current_run(nights, lambda evening: evening.present) == 1
    assert longest_runs(nights, lambda evening: evening.points > 5) == []


def test_meetings_are_the_same_from_both_sides():
    nights = [night(1, 1, 5), night(1, 2, 3), night(2, 1, 2), night(2, 2, 2), night(3, 1, 0, hands=0), night(3, 2, 4)]
    assert meetings(nights) == {(1, 2): (1, 0, 1), (2, 1): (0, 1, 1)}


def test_a_cell_is_a_lead_only_where_chance_is_ruled_out():
    for ahead, behind in ((0, 0), (3, 2), (5, 5), (6, 4), (5, 0), (12, 5)):
        assert (shade(ahead, behind), shade(behind, ahead)) == (0, 0), (ahead, behind)
    for ahead, behind in ((7, 0), (16, 4), (60, 30)):
        assert (shade(ahead, behind), shade(behind, ahead)) == (1, -1), (ahead, behind)


def test_the_level_of_a_lead_is_that_of_the_interval(monkeypatch):
    # 5 : 0 is a lead by 95 %, not by 99 %.
    assert (wilson(5, 5).low > 500, wilson(5, 5, Z).low > 500) == (True, False)
    monkeypatch.setattr("league.statistics.meetings.Z", 1.96)
    assert shade(5, 0) == 1


def test_each_shade_has_a_sign_of_its_own_and_words():
    signs = {cell.sign: cell.words for cell in heat_key()}
    assert set(signs) == {"+", "−"}
    assert len(set(signs.values())) == 2
    assert (Cell(2, 2, 0).sign, Cell(2, 2, 0).words, Cell(2, 2, 0).css) == ("", "", "heat-even")


def test_ratings_whose_bands_touch_share_their_places(en):
    def skill(points: int, spread: int) -> Skill:
        return Skill(points * 25, spread * 25 // 2, 9)

    strong, middle, other, weak = skill(1500, 100), skill(1250, 100), skill(1200, 100), skill(-40, 100)
    assert places([strong, middle, other, weak]) == ["1", "2–3", "2–3", "4"]
    # One that differs from some only.
    assert places([skill(1300, 100), skill(1150, 100), skill(1000, 100)]) == ["1–2", "1–3", "2–3"]
    # Bands that touch in one point say nothing, nor does a single rating.
    level = [skill(1200, 100), skill(1000, 100)]
    assert not apart(*level)
    assert (places(level), places([strong]), places([])) == (["", ""], [""], [])
    line = RatingLine(1, "Anna", False, middle, rating_band(middle, -140, 1600), places="2–3")
    assert line.counts == "9 evenings · place 2–3"
    below = rating_band(weak, -140, 1600)
    assert (below.percent, below.bounds) == ("−40\xa0±\xa0100", "−140 to 60")


def test_a_band_shows_no_share_below_the_least_number():
    assert not band(Share(FEWEST_TRIES - 1, FEWEST_TRIES - 1)).known
    few = band(Share(30, 40), beside=Share(2, 3))
    assert few.known
    assert few.mark is None
    whole = band(Share(30, 40), beside=Share(60, 100))
    assert whole.mark == 0.6 * WIDTH
    assert whole.left < whole.dot < whole.left + whole.width


def test_a_distribution_has_each_night_in_one_bar():
    values = [-13, -2, 0, 1, 1, 7, 26]
    chart = histogram(values)
    assert chart
    assert len(chart.bars) <= MOST_BARS
    assert sum(bar.count for bar in chart.bars) == len(values)
    assert all(lower.high + 1 == other.low for lower, other in zip(chart.bars, chart.bars[1:], strict=False))
    assert histogram([]) is None
    assert step_of(0, 0) == 1


def test_a_career_shows_the_newest_seasons():
    nights = [night(n + 1, 1, n - 3, season=n // 2) for n in range(12)]
    chart = career_chart(nights, [evening.points for evening in nights])
    assert chart
    assert [era.season_id for era in chart.eras] == list(range(6 - MOST_SEASONS, 6))
    assert len(chart.bars) == 2 * MOST_SEASONS
    assert (chart.best_label.value, chart.best_label.x) == (8, "93.8")
    assert chart.best_label.y == chart.bars[-1].y - 5
    assert chart.mean_label.value == round(10 * sum(range(-1, 9)[-8:]) / 8)
    assert career_chart(nights[:1], [1]) is None


def test_players_before_the_declarer_could_declare_and_the_dealer_is_last_but_blind_before_all():
    def played(seat: int, *, declares: bool = False, blind: int = 0) -> hands.Played:
        role = "declarer" if declares else "out"
        return hands.Played(1, 1, seat, 10 + seat, role, None, blind, 0, 0, 0, 0)

    def free(declarer: int | None, blind: int = 0) -> set[int]:
        """The seats of five that could declare; the dealer sits at 1."""
        at_table = [played(seat, declares=seat == declarer, blind=blind * (seat == declarer)) for seat in range(5)]
        counted: Counter[tuple[int, int]] = Counter()
        hands._count_decisions(counted, hands.Hand(1, 1, 1, 1, 100, 1), at_table, 0)
        return {person - 10 for person, situation in counted if unpacked(situation).free}

    assert free(None) == {0, 1, 2, 3, 4}
    assert free(3) == {2, 3}
    assert free(1) == {0, 1, 2, 3, 4}
    assert free(1, blind=1) == {1}


def test_a_blind_hand_is_counted_among_those_that_were_dealt():
    blind = Situation("declarer", True, True, DEALER, 0, 1, True, False, True)
    counts = [
        Count(False, blind, 6),
        Count(False, blind._replace(role="out", made=None, blind=False), 24),
        Count(False, blind._replace(seat=2), 7),
    ]
    (part,) = [part for part in tables.parts(counts, CHRATZE.terms, chosen=False) if part.key == "blind"]
    (line,) = part.measures[0].lines
    assert (part.measures[0].key, line.share) == (tables.BLIND, Share(6, 30))
    assert line.band.known
    seen = [count._replace(situation=count.situation._replace(blind=False)) for count in counts]
    assert "blind" not in [part.key for part in tables.parts(seen, CHRATZE.terms, chosen=False)]


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
    counts: Counter[tuple[object, ...]] = Counter()
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
            turns = [(record["dealer"] + 1 + turn) % seats for turn in range(seats)]
            end = seats if result["declarer"] is None else turns.index(result["declarer"])
            free = chratze and turns.index(place) <= end
            size = sum(result["pot"] >= limit * ante for limit in POTS)
            counts[
                seat.player_id == player, role, made, False, after, size,
                len(result["joiners"]), result["outcome"] != "passed_out", last, free,
            ] += 1  # fmt: skip
    return counts


@pytest.mark.both_databases
def test_counts_of_decisions_are_those_of_the_stored_records(home):
    player = Table.objects.filter(evening__club=home.club).first().places.earliest("seat").player_id
    counts: Counter[tuple[object, ...]] = Counter()
    for count in counted([home.season], player):
        counts[count.own, *count.situation] += count.hands
    assert counts == by_hand(home, player)
    assert sum(counts.values()) == 5 * len(HANDS) + 4


@pytest.mark.django_db
def test_a_season_of_one_game_counts_its_hands_only(home):
    Season.objects.filter(pk=home.season.pk).update(games="chratze", ledger_mark=F("ledger_mark") + 1)
    count_season(home.season.pk)
    assert sum(count.hands for count in counted([home.season])) == 5 * len(HANDS)


@pytest.mark.django_db
def test_shares_leave_out_walkovers_and_hands_without_a_declarer(home):
    counts = [count for count in counted([home.season]) if count.situation.seat != -1]
    assert decisions.share_of(counts, decisions.declares_contested, decisions.makes_it) == Share(2, 4)
    assert decisions.share_of(counts, decisions.joins, decisions.makes_it) == Share(6, 6)
    assert decisions.share_of(counts, decisions.any_hand, decisions.declares) == Share(5, 30)
    assert decisions.share_of(counts, decisions.may_join, decisions.joins) == Share(6, 20)
    asked = decisions.share_of(counts, decisions.free_to_declare, decisions.declares)
    assert (asked.made, asked.of < 30) == (5, True)
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
    assert "too few hands (fewer than 20): " in text
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


@pytest.mark.django_db
def test_each_share_of_a_profile_has_its_counts_and_from_enough_hands_on_its_interval(home, en):
    access = access_to(home.owner, home.club)
    (first, *_others) = lines = season_standings(home.season)
    few = profiles(access, lines, CHRATZE.terms)[0]
    assert not few.known
    assert {band.known for band in few.shares} == {False}
    assert few.declares.counts == f"{first.declared} of {few.decided}"
    many = profiles(
        access, [first._replace(declared=30, declared_made=12, walkovers=5, joined=40, out=30)], CHRATZE.terms
    )[0]
    assert (many.known, many.decided) == (True, 100)
    assert [band.counts for band in many.shares] == ["30 of 100", "40 of 100", "30 of 100", "12 of 25"]
    assert [band.percent for band in many.shares] == ["30\xa0%", "40\xa0%", "30\xa0%", "48\xa0%"]
    assert [band.bounds for band in many.shares][:2] == ["22 to 40\xa0%", "31 to 50\xa0%"]
    text = reader().get(
        reverse("season-statistics", kwargs={"club": home.club.slug, "season": home.season.slug}),
        headers={"accept-language": "en"},
    )
    shown = text.content.decode().split('id="profiles-title"')[1].split("</section>")[0]
    assert f"5 with too few hands (fewer than 20): {few.name} ({few.declares.counts})" in shown
    assert "<table" not in shown


def test_the_dealer_comes_last():
    count = Count(False, Situation("out", None, False, DEALER, 0, 0, True, False, False), 1)
    assert decisions.seat_of(count) == decisions.LAST
