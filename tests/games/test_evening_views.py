"""The page of an evening: each hand in a line, with amounts for readers who may see them."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from games.hands.tables import table_create
from games.models import Table
from league.ledger import create_account
from league.models import Evening, Player
from tests.cast import House, cast
from tests.clients import reader
from tests.factories import FAILED, MADE, PASSED_OUT, WALKOVER, PlayerFactory, create_table, enter, void

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
    """Each hand's line as plain words, by number; where it leads to is left out."""
    words = re.sub(r'<a class="correct".*?</a>', "", page(table, person), flags=re.DOTALL)
    lines = re.findall(r'<li class="hand[^"]*" id="hand-1-(\d+)">(.*?)</li>', words, re.DOTALL)
    return {int(number): re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)).strip() for number, html in lines}


# --- What a line says ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (MADE, "1 Anna chratzt ✓ made it Beni metcho ✓ made it"),
        (FAILED, "1 Anna chratzt ✕ failed Beni metcho ✓ made it Carlo metcho ✓ made it"),
        (TRICKS, "1 Beni chratzt ✓ made it 3 tricks Anna metcho ✓ made it 1 trick Doris metcho ✕ failed 0 tricks"),
        (PASSED_OUT, "1 Nobody declared: the pot stays."),
        # Emil, before the declarer, should have joined.
        (WALKOVER, "1 Anna chratzt, nobody joins Emil Susi"),
        ({**WALKOVER, "declarer": 4, "blind": "blind"}, "1 Emil chratzt blind, nobody joins Doris Susi"),
        (
            {"declarer": 4, "joiners": [0], "made": [0], "blind": "double"},
            "1 Emil chratzt double blind ✕ failed Anna metcho ✓ made it",
        ),
    ],
)
def test_a_visitor_reads_what_happened_without_amounts(table, record, said):
    enter(table, record)
    assert hands(table) == {1: said}


def test_the_treasurer_reads_the_amounts_too(table, home):
    enter(table, FAILED)
    line = hands(table, home.treasurer)[1]
    # Five antes of 0.20: P = 1.00. Anna pays 2.00 and her ante; the two share the pot.
    assert line == (
        "1 Anna chratzt ✕ failed −2.20 Beni metcho ✓ made it +0.30 Carlo metcho ✓ made it +0.30"
        " the others −0.20 each 1.00"
    )


def test_equal_amounts_of_the_others_are_shown_once(table, home):
    enter(table, WALKOVER)
    enter(table, PASSED_OUT)
    lines = hands(table, home.treasurer)
    assert lines[1] == "1 Anna chratzt, nobody joins +0.80 Emil Susi · the others −0.20 each 1.00"
    assert lines[2] == "2 Nobody declared: the pot stays. all −0.20 each 1.00"


def test_a_member_sees_their_own_amount(table, home):
    carlo = Player.objects.get(nickname="Carlo")
    carlo.user = home.member
    carlo.save()
    enter(table, FAILED)
    enter(table, MADE)
    lines = hands(table, home.member)
    assert lines[1].endswith("Carlo metcho ✓ made it +0.30")
    assert lines[2].endswith("Beni metcho ✓ made it Carlo −0.20")


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


def test_only_recorders_see_who_voided_a_hand(table, home):
    enter(table, MADE, author=home.recorder)
    void(table, author=home.recorder)
    assert "voided by Recorder" in page(table, home.recorder)
    assert "voided by" not in page(table, home.member)
    assert "voided by" not in page(table)


def test_a_hand_entered_again_says_so(table):
    enter(table, MADE)
    void(table)
    enter(table, FAILED)
    assert hands(table) == {1: "1 entered again Anna chratzt ✕ failed Beni metcho ✓ made it Carlo metcho ✓ made it"}


def totals(table: Table, person: Any = None) -> list[list[str]]:
    body = page(table, person).split('class="figures totals"')[1].split("<tbody>")[1].split("</tbody>")[0]
    return [re.sub(r"<[^>]+>", " ", row).split() for row in re.findall(r"<tr.*?</tr>", body, re.DOTALL)]


def test_totals_add_up_and_leave_voided_hands_out(table, home):
    enter(table, MADE)
    enter(table, WALKOVER)
    enter(table, FAILED)
    void(table)
    rows = {row[0]: row[1:] for row in totals(table, home.owner)}
    assert rows["Anna"][:3] == ["2", "1/1", "–"]
    assert rows["Beni"][:3] == ["2", "–", "1/1"]
    changes = [int(row[3].replace("−", "-").replace(".", "")) for row in rows.values()]
    # The antes of the next hand are in the pot.
    assert sum(changes) == -100
    table.refresh_from_db()
    assert table.pot_minor == 0


def test_totals_are_sorted_by_name_for_readers_without_amounts(table, home):
    enter(table, FAILED)
    assert [row[0] for row in totals(table)] == ["Anna", "Beni", "Carlo", "Doris", "Emil"]
    assert [row[0] for row in totals(table, home.owner)] == ["Beni", "Carlo", "Doris", "Emil", "Anna"]


# --- Going on, and keeping up ----------------------------------------------------------------------------


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
