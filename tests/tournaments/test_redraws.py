"""A published draw that is drawn again or taken back: what was handed in, recorded or noted at its tables."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.evening.house_rules import house_rules_set
from games.integrity import verify
from games.models import Table
from games.seating.changes import NameDealer, Pause
from games.seating.services import carry_out
from league.errors import Refused
from league.models import Draw, Evening, Round, Tournament
from league.tournaments import draw_services, entries, rounds, services, sheets
from league.tournaments.formats import Format
from league.tournaments.results import ranking_of
from tests.cast import House
from tests.factories import MADE, ClubFactory, enter, void
from tests.tournaments.played_tournaments import drawn_round, made_tournament, with_entrants

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("en")]


@pytest.fixture
def tournament() -> Tournament:
    """A tournament with eight people, whose first round is drawn and published."""
    tournament = made_tournament(ClubFactory(), None, pot="nobody")
    with_entrants(tournament, None, 8)
    drawn_round(tournament, None, seed=1)
    return tournament


def first_round(tournament: Tournament) -> Round:
    return Round.objects.select_related("draw", "evening").get(tournament=tournament, number=1)


def seats_at(tournament: Tournament, number: int) -> list[int]:
    plan = first_round(tournament).draw.plan
    return next(table["seats"] for table in plan["tables"] if table["number"] == number)


def hand_in(tournament: Tournament, *numbers: int) -> None:
    """Hand in a sheet for these tables: the first seat won 6 chips."""
    for number in numbers:
        seats = seats_at(tournament, number)
        sheets.hand_in(
            tournament=tournament,
            author=None,
            number=1,
            table=number,
            chips=dict.fromkeys(seats, 0) | {seats[0]: 6, seats[1]: -6},
            pot=0,
        )


def publish(tournament: Tournament, proposed: Draw) -> Round:
    return draw_services.draw_publish(tournament=tournament, author=None, proposed=proposed)


def swap(tournament: Tournament, a: int, b: int) -> Draw:
    """Exchange two people of the newest draw."""
    newest = tournament.draws.latest("pk")
    return draw_services.draw_swap(tournament=tournament, author=None, proposed=newest, a=a, b=b)


def table(tournament: Tournament, number: int) -> Table:
    rows = Table.objects.select_related("evening__club", "evening__season", "evening__house_rules")
    return rows.get(evening=first_round(tournament).evening, number=number)


@pytest.mark.parametrize("order", ["repeats", "sizes"])
def test_every_draw_goes_by_the_order_that_the_desk_chose(order: str) -> None:
    tournament = made_tournament(ClubFactory(), None, order=order)
    with_entrants(tournament, None, 9)
    drawn = draw_services.draw_propose(tournament=tournament, author=None, seed=1)
    number, other = (table["seats"][0] for table in drawn.plan["tables"][:2])
    publish(tournament, swap(tournament, number, other))
    draw_services.draw_again(tournament=tournament, author=None, seed=2)
    assert [draw.report["order"] for draw in tournament.draws.order_by("pk")] == [order] * 3


# --- A table with a sheet ----------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_the_people_of_a_table_with_a_sheet_do_not_change(tournament: Tournament) -> None:
    hand_in(tournament, 1)
    before = first_round(tournament).draw
    swapped = swap(tournament, seats_at(tournament, 1)[0], seats_at(tournament, 2)[0])
    with pytest.raises(Refused) as refused:
        publish(tournament, swapped)
    assert (refused.value.status, refused.value.code) == (409, "begun")
    assert refused.value.sentence == "Table 1 has begun: its people stay where they are."
    assert first_round(tournament).draw == before
    hand_in(tournament, 2)
    rounds.round_finish(tournament=tournament, author=None, number=1)
    assert list(verify.differences()) == []


def test_a_table_with_a_sheet_is_not_closed(tournament: Tournament) -> None:
    with_entrants(tournament, None, 3)
    publish(tournament, draw_services.draw_again(tournament=tournament, author=None))
    last = max(table["number"] for table in first_round(tournament).draw.plan["tables"])
    hand_in(tournament, last)
    for number in (9, 10, 11):
        entries.withdraw(tournament=tournament, author=None, number=number)
    again = draw_services.draw_again(tournament=tournament, author=None)
    assert last not in {table["number"] for table in again.plan["tables"]}
    with pytest.raises(Refused, match=f"Table {last} has begun"):
        publish(tournament, again)


def test_a_table_with_a_sheet_may_play_in_another_order(tournament: Tournament) -> None:
    hand_in(tournament, 1)
    number, other = seats_at(tournament, 1)[:2]
    publish(tournament, swap(tournament, number, other))
    assert seats_at(tournament, 1)[:2] == [other, number]
    hand_in(tournament, 2)
    rounds.round_finish(tournament=tournament, author=None, number=1)
    assert list(verify.differences()) == []


def test_tables_without_a_sheet_change(tournament: Tournament) -> None:
    with_entrants(tournament, None, 4)
    publish(tournament, draw_services.draw_again(tournament=tournament, author=None))
    hand_in(tournament, 1)
    publish(tournament, swap(tournament, seats_at(tournament, 2)[0], seats_at(tournament, 3)[0]))
    hand_in(tournament, 2, 3)
    rounds.round_finish(tournament=tournament, author=None, number=1)
    assert list(verify.differences()) == []


# --- A draw that is taken back -----------------------------------------------------------------------------


def a_voided_hand(table: Table) -> None:
    enter(table, MADE)
    void(Table.objects.get(pk=table.pk))


def a_named_dealer(table: Table) -> None:
    dealer = table.places.order_by("seat")[2].player_id
    carry_out(table=table, change=NameDealer(dealer), author=None, key=uuid.uuid4())


def a_pause(table: Table) -> None:
    carry_out(table=table, change=Pause(), author=None, key=uuid.uuid4())


@pytest.mark.both_databases
@pytest.mark.parametrize("noted", [a_voided_hand, a_named_dealer, a_pause])
def test_a_draw_whose_table_has_a_record_is_taken_back_and_the_round_drawn_again(
    tournament: Tournament, noted: Any
) -> None:
    noted(table(tournament, 1))
    evening = first_round(tournament).evening
    draw_services.draw_take_back(tournament=tournament, author=None)
    assert not Round.objects.filter(tournament=tournament).exists()
    assert list(Table.objects.filter(evening=evening).values_list("number", "dissolved")) == [(1, True)]
    assert list(verify.differences()) == []
    with_entrants(tournament, None, 1)
    drawn_round(tournament, None, seed=2)
    assert first_round(tournament).evening == evening
    rounds.round_start(tournament=tournament, author=None, number=1)
    seated = {seating.number: seating.seats for seating in rounds.tables_of(first_round(tournament), Format())}
    assert seated == {
        seating["number"]: tuple(seating["seats"]) for seating in first_round(tournament).draw.plan["tables"]
    }
    first = table(tournament, 1)
    assert (first.dissolved, first.paused_at, first.dealer_set) == (False, None, False)
    assert first.dealer_id == first.places.order_by("seat")[0].player_id
    enter(first, MADE)
    hand_in(tournament, 2)
    rounds.round_finish(tournament=tournament, author=None, number=1, despite_open=True)
    assert len(ranking_of(tournament).lines) == 9
    assert list(verify.differences()) == []


def test_a_round_that_was_finished_and_opened_again_is_taken_back(tournament: Tournament) -> None:
    rounds.round_start(tournament=tournament, author=None, number=1)
    rounds.round_finish(tournament=tournament, author=None, number=1, despite_open=True)
    rounds.round_reopen(tournament=tournament, author=None, number=1, reason="By mistake")
    rounds.start_take_back(tournament=tournament, author=None, number=1)
    draw_services.draw_take_back(tournament=tournament, author=None)
    drawn_round(tournament, None, seed=2)
    hand_in(tournament, 1, 2)
    rounds.round_finish(tournament=tournament, author=None, number=1)
    assert list(verify.differences()) == []


def test_a_round_without_a_record_leaves_no_evening(tournament: Tournament) -> None:
    draw_services.draw_take_back(tournament=tournament, author=None)
    assert not Evening.objects.filter(season=tournament.season).exists()


def test_a_recorded_evening_keeps_game_and_house_rules(tournament: Tournament) -> None:
    a_voided_hand(table(tournament, 1))
    rules = tournament.house_rules
    draw_services.draw_take_back(tournament=tournament, author=None)
    with pytest.raises(Refused) as refused:
        services.tournament_change(tournament=tournament, author=None, changes={"game": "kratzen"})
    assert (refused.value.status, refused.value.code) == (409, "game")
    house_rules_set(club=tournament.club, game="chratze", values={"stake": 50}, author=None)
    current = drawn_round(tournament, None, seed=2)
    assert current.evening.house_rules == rules == Tournament.objects.get(pk=tournament.pk).house_rules


def test_without_a_recorded_evening_the_newest_house_rules_are_played(tournament: Tournament) -> None:
    draw_services.draw_take_back(tournament=tournament, author=None)
    newest = house_rules_set(club=tournament.club, game="chratze", values={"stake": 50}, author=None)
    current = drawn_round(tournament, None, seed=2)
    assert current.evening.house_rules == newest
    draw_services.draw_take_back(tournament=tournament, author=None)
    services.tournament_change(tournament=tournament, author=None, changes={"game": "kratzen"})


@pytest.mark.parametrize(("role", "at_table"), [("owner", 200), ("recorder", 200), ("member", 403), (None, 302)])
def test_the_pages_of_a_kept_evening_stay_readable(home: House, role: str | None, at_table: int) -> None:
    tournament = made_tournament(home.club, home.owner)
    with_entrants(tournament, None, 8)
    drawn_round(tournament, None, seed=1)
    kept = table(tournament, 1)
    a_voided_hand(kept)
    draw_services.draw_take_back(tournament=tournament, author=None)
    client = Client()
    if role is not None:
        client.force_login(home.person(role))
    named = {"club": home.club.slug}
    pages = {
        reverse("evening", kwargs=named | {"evening": kept.evening_id}): 200,
        reverse("table", kwargs=named | {"table": kept.pk}): at_table,
        reverse("tournament", kwargs=named | {"tournament": tournament.slug}): 200,
    }
    assert {page: client.get(page).status_code for page in pages} == pages


# --- An entrant who is not in the redraw -------------------------------------------------------------------


@pytest.mark.both_databases
def test_somebody_who_was_checked_in_by_mistake_is_not_in_the_ranking(tournament: Tournament) -> None:
    with_entrants(tournament, None, 1)
    publish(tournament, draw_services.draw_again(tournament=tournament, author=None))
    entries.check_in(tournament=tournament, author=None, number=9, here=False)
    publish(tournament, draw_services.draw_again(tournament=tournament, author=None))
    assert tournament.entrants.get(number=9).joined_round is None
    hand_in(tournament, 1, 2)
    rounds.round_finish(tournament=tournament, author=None, number=1)
    assert [line.number for line in ranking_of(tournament).lines if line.number == 9] == []
    assert set(tournament.entrants.exclude(number=9).values_list("joined_round", flat=True)) == {1}


def test_a_sit_out_stays_in_the_ranking(tournament: Tournament) -> None:
    draw_services.draw_take_back(tournament=tournament, author=None)
    with_entrants(tournament, None, 1)
    drawn_round(tournament, None, seed=2, left_out=[9])
    assert tournament.entrants.get(number=9).joined_round == 1
    drawn = first_round(tournament).draw
    publish(tournament, swap(tournament, *drawn.plan["tables"][0]["seats"][:2]))
    assert tournament.entrants.get(number=9).joined_round == 1


def test_an_entrant_of_an_earlier_round_keeps_it(tournament: Tournament) -> None:
    hand_in(tournament, 1, 2)
    rounds.round_finish(tournament=tournament, author=None, number=1)
    current = drawn_round(tournament, None, seed=2)
    entries.check_in(tournament=tournament, author=None, number=3, here=False)
    publish(tournament, draw_services.draw_again(tournament=tournament, author=None))
    assert current.draw != Round.objects.get(pk=current.pk).draw
    assert tournament.entrants.get(number=3).joined_round == 1


# --- Those whom the desk named to sit out ------------------------------------------------------------------


def again(tournament: Tournament) -> Draw:
    return draw_services.draw_again(tournament=tournament, author=None)


@pytest.fixture
def named_out() -> Tournament:
    """Ten people are here; numbers 9 and 10 were named to sit out round 1, which is published."""
    tournament = made_tournament(ClubFactory(), None, pot="nobody")
    with_entrants(tournament, None, 10)
    drawn_round(tournament, None, seed=1, left_out=[9, 10])
    return tournament


@pytest.mark.both_databases
def test_those_who_were_named_go_on_sitting_out(named_out: Tournament) -> None:
    with_entrants(named_out, None, 1)
    first = again(named_out)
    assert (first.plan["out"], first.left_out) == ([9, 10], [9, 10])
    publish(named_out, first)
    with_entrants(named_out, None, 1)
    second = again(named_out)
    assert (second.plan["out"], second.left_out) == ([9, 10], [9, 10])


def test_somebody_named_who_left_is_named_no_longer(named_out: Tournament) -> None:
    entries.check_in(tournament=named_out, author=None, number=10, here=False)
    drawn = again(named_out)
    assert (drawn.plan["out"], drawn.left_out) == ([9], [9])


def test_somebody_named_who_was_exchanged_keeps_the_seat(named_out: Tournament) -> None:
    publish(named_out, swap(named_out, 9, seats_at(named_out, 1)[0]))
    with_entrants(named_out, None, 1)
    drawn = again(named_out)
    assert 9 in {seat for table in drawn.plan["tables"] for seat in table["seats"]}
    assert drawn.left_out == [10]


def test_those_who_sit_out_by_name_do_not_count_for_the_tables(named_out: Tournament) -> None:
    for number in (6, 7, 8):
        entries.withdraw(tournament=named_out, author=None, number=number)
    assert len(again(named_out).plan["tables"]) == 1
    for number in (3, 4, 5):
        entries.withdraw(tournament=named_out, author=None, number=number)
    with pytest.raises(Refused) as refused:
        again(named_out)
    assert (refused.value.status, refused.value.code) == (422, "too_few")
    assert "Checked in: 2." in refused.value.sentence
