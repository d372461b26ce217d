"""Records lead to their hand, without names and amounts that visitors may not see; the table of all seasons adds up."""

from __future__ import annotations

import re
from datetime import timedelta
from itertools import cycle
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation

from games.models import Table
from league.access import access_to
from league.models import Player, Season
from league.records.lines import records_of
from league.records.selectors import Spot
from league.records.shown import Found, Held, Record, Scope, shown
from league.roster.merging import players_merge
from league.standings.counting import count_season
from league.standings.nights import longest_run, nights_of, places_of
from tests.cast import House, cast
from tests.clients import reader
from tests.factories import FAILED, MADE, WALKOVER, SeasonFactory, create_table, enter
from tests.imported import imported

pytestmark = pytest.mark.django_db

BLIND = {"declarer": 4, "blind": "blind", "joiners": [1], "made": [4, 1]}
RULES = {"stake": 12345}


@pytest.fixture
def home() -> House:
    """Two evenings: on the first one Anna makes it three times and fails, Beni makes it four times."""
    house = cast().home
    for back, hands in ((7, (MADE, MADE, MADE, FAILED)), (0, (FAILED, FAILED, MADE))):
        held_on = timezone.localdate() - timedelta(days=back)
        table = create_table(season=house.season, club=house.club, rules=RULES, held_on=held_on)
        for record in hands:
            enter(table, record)
    count_season(house.season.pk)
    return house


def page(name: str, house: House, person: Any = None, **more: Any) -> str:
    answer = reader(person).get(
        reverse(name, kwargs={"club": house.club.slug, **more}), headers={"accept-language": "en"}
    )
    assert answer.status_code == 200
    text: str = answer.content.decode()
    return text


def values(house: House, person: Any, *seasons: Season) -> dict[str, tuple[str, str]]:
    access = access_to(person, house.club)
    with translation.override("en"):
        return {
            record.label: (record.value, record.who) for record in records_of(Scope(access, seasons or [house.season]))
        }


def test_a_person_has_own_records_with_the_worst_evening(home):
    anna = Player.objects.get(club=home.club, nickname="Anna")
    access = access_to(home.owner, home.club)
    with translation.override("en"):
        own = {record.label: record for record in records_of(Scope(access, [home.season], anna.pk))}
    # 2 + 2 + 2 - 2 on the first evening, -2 - 2 + 2 on the second.
    assert own["Most points in an evening"].value == "+4 points"
    assert own["Worst evening"].value == "−2 points"
    assert own["Longest run of goals reached"].value == "3 times"
    assert {record.who for record in own.values()} == {""}


@pytest.mark.both_databases
def test_records_of_a_season_by_hand(home):
    figures = values(home, home.owner)
    assert figures["Longest run of goals reached"] == ("4 times", "Beni")
    assert figures["Biggest pot"][1] == "Anna, Beni"
    assert figures["Most evenings in a row"][0] == "2 evenings"
    assert figures["Longest evening"] == ("4 hands", "")
    # 2 + 2 + 2 - 2 = 4 for Anna, 1 + 1 + 1 + 1 = 4 for Beni.
    assert figures["Most points in an evening"] == ("+4 points", "Anna, Beni")


def test_each_record_leads_to_a_hand_that_its_page_shows(home):
    text = page("season-records", home, home.owner, season=home.season.slug)
    anchors = re.findall(r'href="(/c/[^"]*/e/\d+/)#(hand-\d+-\d+)"', text)
    assert len(anchors) >= 2
    for address, anchor in anchors:
        assert f'id="{anchor}"' in reader(home.owner).get(address).content.decode()


@pytest.mark.both_databases
def test_each_holder_of_a_record_has_a_link_of_his_own(home):
    """In a third evening Beni reaches each goal, Carlo four in a row; Emil and Anna make two blind hands each."""
    table = create_table(season=home.season, club=home.club, rules=RULES, held_on=timezone.localdate())
    by_anna = {"declarer": 0, "blind": "blind", "joiners": [1], "made": [0, 1]}
    for record in (BLIND, by_anna, FAILED, FAILED, FAILED, BLIND, by_anna, FAILED, MADE):
        enter(table, record)
    count_season(home.season.pk)
    first, _second, third = home.season.evenings.order_by("number")
    access = access_to(home.owner, home.club)
    spots = {entry.kind: spots_of(entry) for entry in records_of(Scope(access, [home.season]))}
    assert spots["blind"] == {"Anna": [(third.pk, 1, 7)], "Emil": [(third.pk, 1, 6)]}
    assert spots["there_in_a_row"]["Carlo"] == [(first.pk, 0, 0), (third.pk, 0, 0)]
    assert len(spots["there_in_a_row"]) == 5
    # Beni joins, and reaches the goal, in each hand of the third evening.
    assert spots["goals"] == {"Beni": [(third.pk, 1, 1), (third.pk, 1, 9)]}
    own = {
        entry.kind: entry for entry in records_of(Scope(access, [home.season], Player.objects.get(nickname="Carlo").pk))
    }
    assert spots_of(own["goals"]) == {"Carlo": [(third.pk, 1, 3), (third.pk, 1, 8)]}
    text = page("season-records", home, home.owner, season=home.season.slug)
    holders = text.split("Most blind hands made")[1].split("</ul>")[0]
    assert re.findall(r"<b>(\w+)</b><span><a href=\"[^\"]*#hand-1-(\d)\"", holders) == [("Emil", "6"), ("Anna", "7")]


def spots_of(record: Record) -> dict[str, list[tuple[int, ...]]]:
    return {holder.name: [tuple(link.spot) for link in holder.links] for holder in record.holders}


def test_a_page_shows_every_holder_and_one_line_names_the_first_five(home):
    players = [Player.objects.create(club=home.club, nickname=name) for name in "ABCDEFG"]
    shown_by = Scope(access_to(home.owner, home.club), [home.season])
    evenings = cycle(Spot(evening.pk) for evening in home.season.evenings.all())
    held = tuple(Held(player.pk, player.nickname, (next(evenings),)) for player in players)
    with translation.override("en"):
        record = shown(shown_by, [Found("won", 2, "Won", "2 evenings", held, held[0].spots[0])])[0]
        assert record.who == "A, B, C, D, E, 2 more"
        text = render_to_string("league/records/_list.html", {"records": [record]})
    assert re.findall(r"<b>(\w)</b>", text) == list("ABCDEFG")
    assert "<summary>2 more</summary>" in text


def test_the_biggest_pot_is_in_antes_for_visitors_and_in_francs_for_the_owner(home):
    visitor, owner = _pot(home, None), _pot(home, home.owner)
    assert "antes" in visitor
    assert "CHF" not in visitor
    assert owner.startswith("CHF")


def _pot(house: House, person: Any) -> str:
    text = page("season-records", house, person, season=house.season.slug).replace("\xa0", " ")
    match = re.search(r'pot-ink">([^<]*)<', text)
    assert match
    return match[1]


def test_a_visitor_reads_initials_of_players_without_consent(home):
    Player.objects.filter(club=home.club).update(publicity=Player.Publicity.INITIALS)
    for name, more in (("season-records", {"season": home.season.slug}), ("club-records", {})):
        assert "Anna" not in page(name, home, **more)
        assert "Anna" in page(name, home, home.owner, **more)


def test_all_time_adds_the_seasons_and_counts_titles_of_seasons_that_are_over(home):
    before = SeasonFactory(
        club=home.club, slug="before", name="Before", starts_on=home.season.starts_on - timedelta(400)
    )
    before.ends_on = before.starts_on + timedelta(300)
    before.save()
    table = create_table(season=before, club=home.club, held_on=before.starts_on)
    enter(table, MADE)
    enter(table, WALKOVER)
    count_season(before.pk)
    text = page("club-records", home)
    line = next(row for row in re.findall(r"<tr.*?</tr>", text, re.S) if "Anna" in row)
    figures = [re.sub(r"<[^>]*>", "", cell).strip() for cell in re.findall(r"<td.*?</td>", line, re.S)]
    points = sum(night.points for night in nights_of([home.season, before]) if night.nickname == "Anna")
    assert figures[1:5] == [str(points), "2", "1", "1st"]
    assert "Before, evening 1" in text


def test_merged_players_hold_a_record_as_one(home):
    other = Player.objects.create(club=home.club, nickname="Annette")
    table: Table = create_table(
        season=home.season, club=home.club, players=[other, *Player.objects.filter(nickname__in=("Beni", "Carlo"))]
    )
    for _ in range(5):
        enter(table, {"declarer": 0, "joiners": [1], "made": [0]})
    anna = Player.objects.get(club=home.club, nickname="Anna")
    players_merge(club=home.club, player=other, main=anna, reason="one person", actor=home.owner)
    count_season(home.season.pk)
    assert values(home, home.owner)["Longest run of goals reached"] == ("5 times", "Anna")


def test_queries_do_not_grow_with_hands_and_evenings(home, django_assert_num_queries):
    def reads(expected: int) -> None:
        with django_assert_num_queries(expected):
            values(home, home.owner)

    reads(8)
    for expected, hands in ((9, (BLIND, MADE)), (9, (BLIND, FAILED, FAILED, FAILED, FAILED, MADE))):
        table = create_table(season=home.season, club=home.club, rules=RULES)
        for record in hands:
            enter(table, record)
        count_season(home.season.pk)
        reads(expected)


def test_a_run_over_two_seasons_ends_with_an_evening_before_the_first_one_in_the_second_season(home):
    """Anna misses the first evening of the second season, of which she has no row; Beni misses none."""
    first = SeasonFactory(club=home.club, slug="first", name="First")
    second = SeasonFactory(club=home.club, slug="second", name="Second")
    for season, evenings in ((first, ("1 Anna", "2 Anna")), (second, ("3 Carlo", "4 Anna", "5 Anna", "6 Anna"))):
        lines = [f"{day}.8.2026;{name};1;9\n{day}.8.2026;Beni;-1;3" for day, name in map(str.split, evenings)]
        imported(season, home.owner, "\n".join(["Datum;Name;Betrag;Punkte", *lines]))
        count_season(season.pk)
    access = access_to(home.owner, home.club)
    for name, evenings in (("Anna", 3), ("Beni", 6)):
        player = Player.objects.get(club=home.club, nickname=name)
        records = records_of(Scope(access, [first, second], player_id=player.pk))
        assert {record.number for record in records if record.kind == "there_in_a_row"} == {evenings}, name
        own = page("player", home, home.owner, player=player.pk).split("Most evenings in a row")[1]
        # The page counts the two evenings of the season of today as well.
        assert f"{evenings + 2} evenings" in own[:300], name
    won = [record for record in records_of(Scope(access, [first, second])) if record.kind == "won_in_a_row"]
    assert [record.number for record in won] == [3]


def test_without_the_places_of_evenings_a_run_bridges_a_missed_evening(home):
    first, second = SeasonFactory(club=home.club), SeasonFactory(club=home.club)
    for season, day, name in ((first, 1, "Anna"), (second, 2, "Carlo"), (second, 3, "Anna")):
        imported(season, home.owner, f"Datum;Name;Betrag;Punkte\n{day}.8.2026;{name};1;9\n{day}.8.2026;Beni;-1;3")
        count_season(season.pk)
    nights = nights_of([first, second])
    anna = [night for night in nights if night.nickname == "Anna"]
    assert longest_run(anna, lambda night: night.present).length == 2
    assert longest_run(anna, lambda night: night.present, places_of(nights)).length == 1
