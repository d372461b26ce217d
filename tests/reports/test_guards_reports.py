"""The guards of reports and records that no other test checks: visible names and amounts."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils import translation

from games.closing.services import evening_close
from games.models import Table
from league.access import access_to
from league.models import AuditEntry, Club, EveningScore, Player, Season, Standing
from league.records.all_time import all_time
from league.records.lines import Record, Scope, records_of
from league.reports.report import Report
from league.reports.season import season_report
from league.reports.treasurer import treasurer_list
from league.standings.counting import count_season
from league.standings.formula.services import formula_set
from tests.cast import Cast, House
from tests.factories import FAILED, MADE, WALKOVER, PlayerFactory, SeasonFactory, create_table, enter, void

from .test_reports import content, signed_in

pytestmark = [pytest.mark.rest, pytest.mark.django_db]


@pytest.fixture
def home(people: Cast) -> House:
    """A closed evening; Anna is the member's, nobody agreed to be named."""
    house = people.home
    table = create_table(season=house.season, club=house.club)
    for record in (MADE, FAILED, WALKOVER, MADE):
        enter(table, record)
    evening_close(evening=table.evening, author=None, key=uuid.uuid4(), pot="kitty")
    count_season(house.season.pk)
    Player.objects.filter(club=house.club).update(publicity=Player.Publicity.INITIALS)
    Player.objects.filter(club=house.club, nickname="Anna").update(user=house.member)
    return house


def player(home: House, name: str) -> Player:
    return Player.objects.get(club=home.club, nickname=name)


def statement(home: House, player: Player, person: Any = None, query: str = "") -> Any:
    url = reverse("player-statement", kwargs={"club": home.club.slug, "player": player.pk})
    return signed_in(person).get(url + query)


# --- The statement of a player -------------------------------------------------------------------------------------


def test_outstanding_payments_are_for_the_player_and_readers_of_all_amounts(home: House) -> None:
    for person, name, there in (
        *((home.member, "Anna", True), (home.member, "Beni", False), (home.treasurer, "Beni", True)),
        (None, "Anna", False),
    ):
        report = statement(home, player(home, name), person).context["report"]
        assert ("outstanding" in [table.name for table in report.tables]) is there, (person, name)
        figures = [figure.name for figure in report.figures]
        assert ("Outstanding" in figures, "Won and lost" in figures) == (there, there)


def test_a_statement_is_of_a_main_player_of_the_club_and_of_its_seasons(people: Cast, home: House) -> None:
    anna = player(home, "Anna")
    merged, stranger = PlayerFactory(club=home.club, main=anna), PlayerFactory(club=people.away.club)
    SeasonFactory(club=people.away.club, slug="elsewhere")
    SeasonFactory(club=home.club, slug="0000")
    for subject, query in ((merged, ""), (stranger, ""), (anna, "?season=elsewhere"), (anna, "?season=nothing")):
        assert statement(home, subject, home.owner, query).status_code == 404
    rows = [
        len(statement(home, anna, home.owner, query).context["report"].tables[1].rows)
        for query in ("", "?season=2026", "?season=0000")
    ]
    assert rows == [1, 1, 0]


def test_a_season_in_points_only_has_no_amount_in_any_report(home: House) -> None:
    Season.objects.filter(pk=home.season.pk).update(points_only=True)
    text = content(statement(home, player(home, "Anna"), home.owner, "?for=csv")).decode()
    assert "balance_minor" not in text


# --- The report of a season ------------------------------------------------------------------------------------------


def report_of(home: House, person: Any) -> Report:
    season = Season.objects.select_related("club").get(pk=home.season.pk)
    with translation.override("en"):
        return season_report(access_to(person, home.club).within(season), season)


def test_a_season_by_amounts_shows_gains_to_those_who_see_all_of_them(home: House) -> None:
    Season.objects.filter(pk=home.season.pk).update(ranking=Season.Ranking.BALANCE)
    count_season(home.season.pk)
    # The member lost: the own amounts are none of those of the winners.
    Player.objects.filter(user=home.member).update(user=None)
    Player.objects.filter(club=home.club, nickname="Doris").update(user=home.member)
    for person, sees in ((home.owner, True), (home.member, False), (AnonymousUser(), False)):
        report = report_of(home, person)
        evenings = report.tables[-1]
        assert ("gain" in [column.name for column in evenings.columns]) is sees
        assert ("Biggest pot won" in [figure.name for figure in report.figures]) is sees
        first = next(figure for figure in report.figures if figure.name == "First")
        assert bool(first.note) is sees, person


def test_an_unranked_player_has_no_rank_in_the_report(home: House) -> None:
    formula_set(season=home.season, actor=None, values={"attendance_minimum": 9})
    count_season(home.season.pk)
    assert {row["rank"] for row in report_of(home, home.owner).tables[0].rows} == {None}


def test_the_susi_of_a_season_that_is_over_has_a_public_name(home: House) -> None:
    Season.objects.filter(pk=home.season.pk).update(ends_on=home.season.starts_on)
    Standing.objects.filter(player=player(home, "Carlo")).update(susi=3)
    names = {"member": home.member, "visitor": AnonymousUser()}
    shown = {
        who: next(figure.value for figure in report_of(home, person).figures if figure.name == "Susi")
        for who, person in names.items()
    }
    assert shown["member"] == "Carlo"
    assert "Carlo" not in shown["visitor"]


def test_the_evenings_of_a_report_are_of_its_season_and_won_by_players_of_them(home: House) -> None:
    other = SeasonFactory(club=home.club, slug="other")
    enter(create_table(season=other, club=home.club), MADE)
    count_season(other.pk)
    evening = home.season.evenings.get()
    EveningScore.objects.filter(evening=evening, player=player(home, "Emil")).update(hands=0, points=99)
    (row,) = report_of(home, home.owner).tables[-1].rows
    assert (row["players"], "Emil" in str(row["winner"])) == (4, False)
    empty = SeasonFactory(club=home.club, slug="empty")
    report = season_report(access_to(home.owner, home.club).within(empty), empty)
    assert (list(report.figures), report.tables[0].rows) == ([], [])


# --- The list of the treasurer ---------------------------------------------------------------------------------------


def test_the_list_of_the_treasurer_is_of_the_own_club(people: Cast, home: House) -> None:
    table = create_table(season=people.away.season, club=people.away.club)
    enter(table, FAILED)
    evening_close(evening=table.evening, author=None, key=uuid.uuid4(), pot="kitty")
    count_season(people.away.season.pk)
    for house in (home, people.away):
        names = set(Player.objects.filter(club=house.club).values_list("pk", flat=True))
        report = treasurer_list(access_to(house.owner, house.club))
        links = [link for link in report.tables[1].links if link]
        assert {int(link.split("/")[-2]) for link in links} <= names
        assert sum(int(str(row["balance"])) for row in report.tables[1].rows) == 0


def test_a_visitor_and_a_look_at_the_head_leave_no_entry_in_the_log(home: House) -> None:
    url = reverse("season-report", kwargs={"club": home.club.slug, "season": home.season.slug})
    signed_in().get(f"{url}?for=pdf")
    signed_in(home.member).head(f"{url}?for=pdf")
    assert not AuditEntry.objects.filter(what="exported").exists()


# --- Records -------------------------------------------------------------------------------------------------------


def records(home: House, person: Any, **more: Any) -> dict[str, Record]:
    access = access_to(person, home.club)
    return {record.kind: record for record in records_of(Scope(access, list(home.club.seasons.all()), **more))}


def test_a_record_in_francs_is_for_those_who_see_all_amounts_or_for_oneself(home: House) -> None:
    anna, beni = player(home, "Anna"), player(home, "Beni")
    assert "best_money" in records(home, home.owner)
    assert "best_money" not in records(home, home.member)
    assert (records(home, home.member)["pot"].number, records(home, home.owner)["pot"].number is None) == (None, False)
    own = {
        person.pk: records(home, home.owner, player_id=person.pk).keys() & {"best_money", "pot"}
        for person in (anna, beni)
    }
    seen = {person.pk: records(home, home.member, player_id=person.pk).get("best_money") for person in (anna, beni)}
    assert seen[beni.pk] is None
    assert bool(seen[anna.pk]) is ("best_money" in own[anna.pk])
    Season.objects.filter(pk=home.season.pk).update(points_only=True)
    by_kind = records(home, home.owner)
    assert "best_money" not in by_kind
    assert by_kind["pot"].number is None
    assert "Anna" not in str(records(home, AnonymousUser())["pot"].holders)


def test_one_evening_makes_no_row_of_evenings_and_none_makes_no_record(home: House) -> None:
    by_kind = records(home, home.owner)
    assert not by_kind.keys() & {"there_in_a_row", "won_in_a_row", "won", "worst_points"}
    own = records(home, home.owner, player_id=player(home, "Anna").pk)
    assert not own.keys() & {"worst_points", "goals"}
    empty = SeasonFactory(club=home.club, slug="empty")
    access = access_to(home.owner, home.club)
    assert records_of(Scope(access, [empty])) == []
    assert records_of(Scope(access, [empty], player(home, "Anna").pk)) == []
    assert all_time(access, [empty]).lines == []


def test_titles_are_of_those_who_were_first_in_seasons_that_are_over(home: House) -> None:
    def titles() -> int:
        seasons = list(home.club.seasons.all())
        return sum(line.titles for line in all_time(access_to(home.owner, home.club), seasons).lines)

    first = Standing.objects.filter(season=home.season, rank=1).count()
    assert titles() == 0
    Season.objects.filter(pk=home.season.pk).update(ends_on=home.season.starts_on)
    assert titles() == first
    Standing.objects.filter(season=home.season).update(unranked="evenings")
    assert titles() == 0


def test_a_hand_that_was_voided_holds_no_record(home: House) -> None:
    table: Table = create_table(season=home.season, club=home.club)
    for _time in range(4):
        enter(table, FAILED)
    enter(table, MADE)
    count_season(home.season.pk)
    before = records(home, home.owner)["pot"].link.spot
    assert before.evening_id == table.evening_id
    for _time in range(5 - before.number + 1):
        void(table)
    count_season(home.season.pk)
    after = records(home, home.owner)
    assert after["pot"].link.spot != before
    assert after["longest_evening"].number == 4


def test_the_table_of_all_seasons_has_balances_of_seasons_with_amounts_for_those_who_see_them(home: House) -> None:
    seasons = list(home.club.seasons.all())
    owner, member, visitor = (
        all_time(access_to(viewer, home.club), seasons) for viewer in (home.owner, home.member, AnonymousUser())
    )
    assert [line.balance_minor is None for line in owner.lines] == [False] * 5
    assert [line.mine for line in member.lines if line.balance_minor is not None] == [True]
    assert (visitor.with_money, [line for line in visitor.lines if line.name == "Anna"]) == (False, [])
    Club.objects.filter(pk=home.club.pk).update(publishes_money=True)
    Season.objects.update(points_only=True)
    points = all_time(access_to(home.owner, Club.objects.get(pk=home.club.pk)), list(home.club.seasons.all()))
    assert {line.balance_minor for line in points.lines} == {None}
