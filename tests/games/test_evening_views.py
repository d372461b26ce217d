"""The page of an evening: each hand in a line, with amounts for readers who may see them."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from games.evening.played_hands import played_hands
from games.hands.selectors import evening_hands
from games.hands.tables import table_create
from games.models import Table
from league.ledger import create_account
from league.models import Evening, EveningScore, Player, Season
from league.standings.counting import count_season
from league.standings.selectors import evening_totals
from tests.cast import House, cast
from tests.clients import reader
from tests.factories import FAILED, FREE, MADE, MUSS, PASSED_OUT, WALKOVER, PlayerFactory, create_table, enter, void

pytestmark = pytest.mark.django_db

TRICKS = {"declarer": 1, "joiners": [0, 3], "tricks": {"0": 1, "1": 3, "3": 0}}


@pytest.fixture
def home() -> House:
    return cast().home


@pytest.fixture
def table(home: House) -> Table:
    return create_table(season=home.season, club=home.club, held_on=timezone.localdate())


def url(table: Table, name: str = "evening") -> str:
    return reverse(name, kwargs={"club": table.evening.club.slug, "evening": table.evening_id})


def page(table: Table, person: Any = None) -> str:
    answer = reader(person).get(url(table))
    assert answer.status_code == 200
    return answer.content.decode()


def hands(table: Table, person: Any = None) -> dict[int, str]:
    """Each hand's line as plain words, by number, without its link."""
    words = re.sub(r'<a class="correct".*?</a>', "", page(table, person), flags=re.DOTALL)
    lines = re.findall(r'<li class="hand[^"]*" id="hand-1-(\d+)">(.*?)</li>', words, re.DOTALL)
    return {int(number): re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)).strip() for number, html in lines}


# --- The text of a line ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (MADE, "1 Anna chratzt ✓ made it +2 Beni metcho ✓ made it +1 biggest pot"),
        (FAILED, "1 Anna chratzt ✕ failed −2 Beni metcho ✓ made it +1 Carlo metcho ✓ made it +1 biggest pot"),
        (
            TRICKS,
            "1 Beni chratzt ✓ made it 3 tricks +2 Anna metcho ✓ made it 1 trick +1 Doris metcho ✕ failed 0 tricks −1"
            " biggest pot",
        ),
        (PASSED_OUT, "1 Nobody declared: the pot stays."),
        # Emil, before the declarer, should have joined.
        (WALKOVER, "1 Anna chratzt, nobody joins +1 Emil Susi biggest pot"),
        ({**WALKOVER, "declarer": 4, "blind": "blind"}, "1 Emil chratzt blind, nobody joins +1 Doris Susi biggest pot"),
        (
            {"declarer": 4, "joiners": [0], "made": [0], "blind": "double"},
            "1 Emil chratzt double blind ✕ failed −2 Anna metcho ✓ made it +1 biggest pot",
        ),
    ],
)
def test_a_visitor_reads_the_hands_without_amounts(table, record, said):
    enter(table, record)
    assert hands(table) == {1: said}


def test_the_treasurer_reads_the_amounts_too(table, home):
    enter(table, FAILED)
    line = hands(table, home.treasurer)[1]
    # Five antes of 0.20: P = 1.00. Anna pays 2.00 and her ante; the two share the pot.
    assert line == (
        "1 Anna chratzt ✕ failed −2.20 Beni metcho ✓ made it +0.30 Carlo metcho ✓ made it +0.30"
        " the others −0.20 each biggest pot 1.00"
    )


def test_equal_amounts_of_the_others_are_shown_once(table, home):
    enter(table, WALKOVER)
    enter(table, PASSED_OUT)
    lines = hands(table, home.treasurer)
    assert lines[1] == "1 Anna chratzt, nobody joins +0.80 Emil Susi · the others −0.20 each biggest pot 1.00"
    assert lines[2] == "2 Nobody declared: the pot stays. all −0.20 each pot 1.00"


def test_a_member_sees_their_own_amount(table, home):
    carlo = Player.objects.get(nickname="Carlo")
    carlo.user = home.member
    carlo.save()
    enter(table, FAILED)
    enter(table, MADE)
    lines = hands(table, home.member)
    assert lines[1].endswith("Carlo metcho ✓ made it +0.30")
    assert lines[2].endswith("Beni metcho ✓ made it +1 Carlo −0.20 biggest pot")


def test_hands_are_listed_newest_first(table):
    for record in (MADE, WALKOVER, PASSED_OUT):
        enter(table, record)
    assert list(hands(table)) == [3, 2, 1]


def test_a_voided_hand_is_struck_and_says_so(table, home):
    enter(table, MADE, author=home.recorder)
    enter(table, FAILED, author=home.recorder)
    void(table, author=home.recorder)
    assert '<li class="hand voided" id="hand-1-2">' in page(table)
    assert hands(table)[2].startswith("2 voided Anna chratzt")
    assert "1 hand</span>" in page(table)


def test_only_recorders_see_the_author_of_a_voiding(table, home):
    enter(table, MADE, author=home.recorder)
    void(table, author=home.recorder)
    assert "voided by Recorder" in page(table, home.recorder)
    assert "voided by" not in page(table, home.member)
    assert "voided by" not in page(table)


def test_a_hand_entered_again_says_so(table):
    enter(table, MADE)
    void(table)
    enter(table, FAILED)
    line = "1 entered again Anna chratzt ✕ failed −2 Beni metcho ✓ made it +1 Carlo metcho ✓ made it +1 biggest pot"
    assert hands(table) == {1: line}


def by_balance(home: House) -> None:
    home.season.ranking = Season.Ranking.BALANCE
    home.season.save()


def podium(table: Table, person: Any = None) -> list[str]:
    """The lines of the podium as plain words."""
    body = page(table, person).split('class="podium night"')[1].split("</ol>")[0]
    lines = re.findall(r"<li.*?</li>", body, re.DOTALL)
    return [re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", line)).strip().replace("\xa0", " ") for line in lines]


def test_the_podium_has_the_points_of_the_evening_without_voided_hands(table):
    enter(table, MADE)
    enter(table, WALKOVER)
    enter(table, FAILED)
    void(table)
    assert podium(table) == [
        "1 Anna +3 chratzt 1/1 · 1 alone",
        "2 Beni +1 metcho 1/1",
        "3 Carlo 0",
        "3 Doris 0",
        "3 Emil 0",
    ]


def test_the_podium_of_a_season_by_balance_shows_ranks_and_amounts_to_those_who_may_see_them(table, home):
    by_balance(home)
    enter(table, FAILED)
    assert [line.split()[:2] for line in podium(table)] == [
        ["1", "Beni"], ["1", "Carlo"], ["3", "Doris"], ["3", "Emil"], ["5", "Anna"],
    ]  # fmt: skip
    assert "−" not in " ".join(podium(table))
    amounts = [int(line.split()[2].replace("−", "-").replace(".", "")) for line in podium(table, home.treasurer)]
    # The antes of the next hand are in the pot.
    assert amounts == [10, 10, -40, -40, -240]


def test_points_come_with_the_amounts_for_those_who_may_see_them(table, home):
    enter(table, FAILED)
    assert podium(table, home.owner)[0] == "1 Beni +1 metcho 1/1 tonight +CHF 0.10"
    assert "CHF" not in " ".join(podium(table))


def test_the_podium_names_the_rank_of_the_season(table, home):
    enter(table, MADE)
    count_season(home.season.pk)
    later = create_table(season=home.season, club=home.club, held_on=timezone.localdate())
    enter(later, {"declarer": 1, "joiners": [0], "made": [1]})
    enter(later, {"declarer": 1, "joiners": [0], "made": [1]})
    count_season(home.season.pk)
    assert podium(later)[0] == "1 Beni +4 chratzt 2/2 Season: 1st ▲ 1 up 1"
    assert podium(table)[0] == "1 Anna +2 chratzt 1/1 Season: 1st"


def test_points_of_hands_and_of_the_evening_are_those_of_the_standings(home):
    season = home.season
    season.points_declared, season.points_joined, season.points_walkover = 5, 3, 7
    season.points_declared_failed, season.points_joined_failed = -4, -6
    season.save()
    tables = [
        create_table(season=season, club=home.club),
        create_table(season=season, club=home.club, game="kratzen", seats=4),
    ]
    for record in (MADE, FAILED, WALKOVER, PASSED_OUT, TRICKS):
        enter(tables[0], record)
    for record in (MUSS, FREE):
        enter(tables[1], record)
    count_season(season.pk)
    for table in tables:
        evening = Evening.objects.select_related("season", "house_rules").get(pk=table.evening_id)
        counted = dict(EveningScore.objects.filter(evening=evening, hands__gt=0).values_list("player_id", "points"))
        assert {row["player_id"]: row["points"] for row in evening_totals(evening)} == counted
        summed: Counter[int] = Counter()
        for hand in played_hands(evening, evening_hands(evening)):
            for player, points in zip(hand.hand.player_ids, hand.points, strict=True):
                summed[player] += points
        assert {player: summed[player] for player in counted} == counted


# --- Course, highlights, hands by ten --------------------------------------------------------------------


def context(table: Table, person: Any = None, **query: Any) -> Any:
    return reader(person).get(url(table), query).context


def test_the_course_has_every_player_and_a_row_for_each_ten(table, home):
    for _ in range(12):
        enter(table, MADE)
    course = context(table)["course"]
    assert list(course.names) == ["Anna", "Beni", "Carlo", "Doris", "Emil"]
    assert [(nth, list(values)) for nth, values in course.rows] == [
        (10, ["20", "10", "0", "0", "0"]),
        (12, ["24", "12", "0", "0", "0"]),
    ]
    by_balance(home)
    assert [list(values) for _nth, values in context(table)["course"].rows] == [["1.", "2.", "3.", "3.", "3."]] * 2
    assert "CHF" not in page(table)


def test_highlights_are_the_biggest_pot_the_longest_series_and_the_susi(table, home):
    for record in (MADE, MADE, FAILED, MADE, WALKOVER):
        enter(table, record)
    shown = [
        (highlight.label, highlight.text, highlight.note, highlight.number)
        for highlight in context(table)["highlights"]
    ]
    assert shown == [
        ("Biggest pot", "15 antes", "Anna and Beni share it in hand 4", 4),
        ("Longest run", "Beni, made it 4 times", "Hands 1 to 4", 1),
        ("Susi of the evening", "Emil, once", "last in hand 5", 5),
    ]
    assert context(table, home.owner)["highlights"][0].text == "CHF\xa03.00"


def test_hands_are_folded_by_ten_and_only_the_newest_ten_is_open(table):
    for _ in range(21):
        enter(table, MADE)
    [shown] = context(table)["tables"]
    tens = [(ten.first, ten.last, ten.open, ten.best, ten.gain) for ten in shown.tens]
    assert tens == [(21, 21, True, "Anna", 2), (11, 20, False, "Anna", 20), (1, 10, False, "Anna", 20)]
    assert page(table).count('<details class="ten"') == 3


def test_the_hands_of_one_player_are_listed_with_all_tens_open(table):
    for _ in range(11):
        enter(table, MADE)
    enter(table, WALKOVER)
    enter(table, FAILED)
    carlo = Player.objects.get(nickname="Carlo")
    shown = context(table, player=carlo.pk)
    assert [line.hand.number for ten in shown["tables"][0].tens for line in ten.stretches] == [13]
    beni = Player.objects.get(nickname="Beni")
    shown = context(table, player=beni.pk)
    assert all(ten.open for ten in shown["tables"][0].tens)
    counts = {chip.name: chip.count for chip in shown["chips"]}
    # Emil was the Susi once.
    assert counts == {"Anna": 13, "Beni": 12, "Carlo": 1, "Emil": 1}
    assert sum(len(ten.stretches) for ten in shown["tables"][0].tens) == 12
    for nobody in ("999999", "x", ""):
        assert context(table, player=nobody)["chosen"] is None


def test_the_last_day_of_the_calendar_breaks_no_page(home, table):
    """An evening that was begun before its date was checked."""
    enter(table, MADE)
    Evening.objects.filter(pk=table.evening_id).update(held_on=date.max)
    assert "9999" in page(table)


def test_an_evening_leads_to_the_ones_before_and_after_it_by_date(home):
    today = timezone.localdate()
    late = create_table(season=home.season, club=home.club, held_on=today)
    early = create_table(season=home.season, club=home.club, held_on=today - timedelta(days=7))
    shown = context(late)["evening"]
    assert (shown.before, shown.after) == ({"pk": early.evening_id, "number": 2}, None)
    shown = context(early)["evening"]
    assert (shown.before, shown.after) == (None, {"pk": late.evening_id, "number": 1})
    assert f'rel="prev" href="{url(early)}"' in page(late)


# --- The next step, and polling --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "said"),
    [("open", "The first one appears here"), ("closed", "Nothing was written down on this evening.")],
)
def test_an_evening_without_a_hand_says_whether_one_may_come(table, state, said):
    Evening.objects.update(state=state)
    assert said in page(table)


def test_recorders_get_a_link_to_the_table(table, home):
    record = url(table, "evening-record")
    assert record in page(table, home.recorder)
    assert record not in page(table, home.member)
    answer = reader(home.recorder).get(record)
    assert answer.status_code == 302
    assert answer["Location"] == reverse("table", kwargs={"club": home.club.slug, "table": table.pk})
    Evening.objects.update(state=Evening.State.CLOSED)
    assert record not in page(table, home.recorder)


def test_the_house_rules_version_is_named(home):
    first = create_table(season=home.season, club=home.club)
    create_table(season=home.season, club=home.club, rules={"stake": 10})
    later = create_table(season=home.season, club=home.club, rules={"stake": 50})
    assert first.evening.house_rules.version < later.evening.house_rules.version
    for table in (first, later):
        assert f"house rules, version {table.evening.house_rules.version}" in page(table)


def test_a_running_evening_is_polled_and_an_old_one_is_not(table):
    assert "data-poll" in page(table)
    Evening.objects.update(held_on=timezone.localdate() - timedelta(days=3))
    assert "data-poll" not in page(table)
    Evening.objects.update(held_on=timezone.localdate(), state=Evening.State.CLOSED)
    assert "data-poll" not in page(table)


def test_an_unchanged_evening_is_not_sent_again(table, home, django_assert_num_queries):
    enter(table, MADE)
    live = url(table, "evening-live")
    for person, cost in ((None, 1), (home.member, 5)):
        client = reader(person)
        etag = client.get(live)["ETag"]
        with django_assert_num_queries(cost):
            assert client.get(live, headers={"if-none-match": etag}).status_code == 304
        enter(table, WALKOVER)
        assert client.get(live, headers={"if-none-match": etag}).status_code == 200


def test_new_ranks_and_other_points_of_the_season_are_a_new_state(table, home):
    enter(table, MADE)
    live = url(table, "evening-live")
    etag = reader().get(live)["ETag"]
    count_season(home.season.pk)
    answer = reader().get(live, headers={"if-none-match": etag})
    assert answer.status_code == 200
    assert "Season: 1st" in answer.content.decode()
    Season.objects.update(points_declared=5)
    answer = reader().get(live, headers={"if-none-match": answer["ETag"]})
    assert answer.status_code == 200
    assert "+5" in answer.content.decode()


def test_a_voided_hand_is_a_new_state(table):
    enter(table, MADE)
    live = url(table, "evening-live")
    etag = reader().get(live)["ETag"]
    void(table)
    assert reader().get(live, headers={"if-none-match": etag}).status_code == 200


def test_each_of_two_tables_has_a_heading(table, home):
    players = [PlayerFactory(club=home.club, nickname=name) for name in ("Xaver", "Yvonne", "Zita")]
    for player in players:
        create_account(club_id=home.club.pk, kind="player", player_id=player.pk)
    second = table_create(evening=table.evening, players=players, first_dealer=players[0], number=2)
    enter(table, MADE)
    enter(second, WALKOVER)
    text = page(table)
    assert "Table 1" in text
    assert "Table 2" in text
    assert "Xaver" in text
