"""Mishaps on the day of a tournament, and the reactions of the services."""

from __future__ import annotations

import random
import time
from datetime import timedelta
from itertools import combinations
from unittest import mock

import pytest
from django.utils import timezone

from games.models import Table
from league.errors import Refused
from league.models import Draw, Entrant, Round, Tournament
from league.tournaments import clock, draw_services, entries, rounds, sheets
from league.tournaments.formats import Format
from league.tournaments.results import ranking_of
from tests.factories import ClubFactory, PlayerFactory, enter
from tests.tournaments.played_tournaments import drawn_round, made_tournament, play_round, random_chips, with_entrants

pytestmark = pytest.mark.django_db

MADE = {"declarer": 0, "joiners": [1], "made": [0, 1]}


def started(count: int = 12, **parts: object) -> tuple[Tournament, Round]:
    tournament = made_tournament(ClubFactory(), None, **parts)
    with_entrants(tournament, None, count)
    current = drawn_round(tournament, None)
    rounds.round_start(tournament=tournament, author=None, number=1)
    return tournament, current


def sheet_of(
    tournament: Tournament, table: dict[str, object], chips: list[int], pot: int = 0, **more: object
) -> object:
    seats: list[int] = table["seats"]  # type: ignore[assignment]
    return sheets.hand_in(
        tournament=tournament,
        author=None,
        number=1,
        table=table["number"],  # type: ignore[arg-type]
        chips=dict(zip(seats, chips, strict=True)),
        pot=pot,
        **more,  # type: ignore[arg-type]
    )


def progress(current: Round) -> dict[int, str]:
    current.refresh_from_db()
    return {table.number: table.progress for table in rounds.tables_of(current, Format.read(current.tournament.format))}


class TestTwoDesks:
    def test_the_older_of_two_draws_is_not_published(self) -> None:
        tournament = made_tournament(ClubFactory(), None)
        with_entrants(tournament, None, 8)
        mine = draw_services.draw_propose(tournament=tournament, author=None, seed=1)
        theirs = draw_services.draw_propose(tournament=tournament, author=None, seed=2)
        with pytest.raises(Refused) as refused:
            draw_services.draw_publish(tournament=tournament, author=None, proposed=mine)
        assert (refused.value.status, refused.value.code) == (409, "newer")
        draw_services.draw_publish(tournament=tournament, author=None, proposed=theirs)
        assert Round.objects.get(tournament=tournament).draw == theirs

    def test_a_draw_is_not_published_after_somebody_came(self) -> None:
        tournament = made_tournament(ClubFactory(), None)
        with_entrants(tournament, None, 8)
        proposed = draw_services.draw_propose(tournament=tournament, author=None)
        with_entrants(tournament, None, 1)
        with pytest.raises(Refused, match="9"):
            draw_services.draw_publish(tournament=tournament, author=None, proposed=proposed)
        assert not Round.objects.filter(tournament=tournament).exists()

    def test_a_finished_round_is_not_drawn_again(self) -> None:
        tournament = made_tournament(ClubFactory(), None)
        with_entrants(tournament, None, 8)
        current, _chips = play_round(tournament, None)
        a, b = current.draw.plan["tables"][0]["seats"][:2]
        with pytest.raises(Refused) as refused:
            draw_services.draw_swap(tournament=tournament, author=None, proposed=current.draw, a=a, b=b)
        assert refused.value.code == "finished"

    def test_a_swap_with_a_fixed_table_is_refused_in_words(self) -> None:
        tournament = made_tournament(ClubFactory(), None)
        with_entrants(tournament, None, 8)
        entries.describe(tournament=tournament, author=None, number=1, fixed_table=2)
        proposed = draw_services.draw_propose(tournament=tournament, author=None)
        other = next(table for table in proposed.plan["tables"] if 1 not in table["seats"])["seats"][0]
        with pytest.raises(Refused) as refused:
            draw_services.draw_swap(tournament=tournament, author=None, proposed=proposed, a=1, b=other)
        assert (refused.value.status, refused.value.code) == (422, "draw")


class TestSheets:
    def test_two_sheets_that_differ_wait_for_the_desk(self) -> None:
        tournament, current = started(8)
        table = current.draw.plan["tables"][0]
        sheet_of(tournament, table, [10, -5, -5, 0], at_table=True)
        assert progress(current)[table["number"]] == "done"
        sheet_of(tournament, table, [10, -5, 0, -5], at_table=True)
        assert progress(current)[table["number"]] == "disagree"
        with pytest.raises(Refused) as refused:
            rounds.round_finish(tournament=tournament, author=None, number=1, despite_open=True)
        assert refused.value.details == {"tables": [table["number"]]}
        sheet_of(tournament, table, [10, -5, 0, -5], decides=True)
        assert progress(current)[table["number"]] == "done"

    def test_one_of_two_wanted_sheets_does_not_count(self) -> None:
        tournament, current = started(8, two_sheets=True)
        table = current.draw.plan["tables"][0]
        sheet_of(tournament, table, [10, -5, -5, 0])
        assert progress(current)[table["number"]] == "one_sheet"
        sheet_of(tournament, table, [10, -5, -5, 0])
        assert progress(current)[table["number"]] == "done"

    @pytest.mark.parametrize(("chips", "difference"), [([10, -5, -4, 0], 1), ([10, -5, -6, 0], -1)])
    def test_a_sheet_that_does_not_add_up_is_refused_with_the_difference(
        self, chips: list[int], difference: int
    ) -> None:
        tournament, current = started(8)
        with pytest.raises(Refused) as refused:
            sheet_of(tournament, current.draw.plan["tables"][0], chips)
        assert refused.value.status == 422
        assert refused.value.details == {"difference": difference}
        assert not current.sheets.exists()

    def test_where_points_count_a_sheet_has_no_result(self) -> None:
        tournament, current = started(8, result="points")
        with pytest.raises(Refused) as refused:
            sheet_of(tournament, current.draw.plan["tables"][0], [10, -5, -5, 0])
        assert (refused.value.status, refused.value.code) == (409, "points")
        assert not current.sheets.exists()

    def test_a_table_that_recorded_hands_hands_in_no_sheet(self) -> None:
        tournament, current = started(8)
        table = current.draw.plan["tables"][0]
        with mock.patch.object(sheets.tables, "of_games") as games:
            games().states.return_value = {table["number"]: mock.Mock(hands=3)}
            with pytest.raises(Refused) as refused:
                sheet_of(tournament, table, [10, -5, -5, 0])
        assert refused.value.code == "hands"


class TestComingAndGoing:
    def test_a_redraw_leaves_tables_that_have_begun(self) -> None:
        tournament, current = started(8)
        first = Table.objects.filter(evening=current.evening).order_by("number").first()
        assert first is not None
        enter(first, MADE)
        with pytest.raises(Refused) as refused:
            draw_services.draw_again(tournament=tournament, author=None)
        assert refused.value.code == "begun"
        with pytest.raises(Refused) as taken_back:
            draw_services.draw_take_back(tournament=tournament, author=None)
        assert taken_back.value.code == "begun"

    def test_a_table_with_a_hand_does_not_change_before_the_round_is_started(self) -> None:
        tournament = made_tournament(ClubFactory(), None)
        with_entrants(tournament, None, 8)
        current = drawn_round(tournament, None)
        for table in Table.objects.filter(evening=current.evening):
            enter(table, MADE)
        with_entrants(tournament, None, 1)
        proposed = draw_services.draw_again(tournament=tournament, author=None)
        with pytest.raises(Refused) as refused:
            draw_services.draw_publish(tournament=tournament, author=None, proposed=proposed)
        assert refused.value.code == "begun"
        assert Round.objects.get(tournament=tournament).draw == current.draw

    def test_a_late_arrival_causes_only_the_necessary_changes(self) -> None:
        tournament = made_tournament(ClubFactory(), None)
        with_entrants(tournament, None, 12)
        before = drawn_round(tournament, None).draw
        with_entrants(tournament, None, 1)
        proposed = draw_services.draw_again(tournament=tournament, author=None)
        current = draw_services.draw_publish(tournament=tournament, author=None, proposed=proposed)
        same = [table for table in current.draw.plan["tables"] if table in before.plan["tables"]]
        assert len(same) == 2
        assert {"number": 13, "arrived": True} in current.draw.changes
        assert Table.objects.filter(evening=current.evening, dissolved=False).count() == 3

    @pytest.mark.both_databases
    def test_an_entrant_who_withdrew_and_comes_back_plays_on_with_a_missed_round(self) -> None:
        tournament = made_tournament(ClubFactory(), None, pot="nobody")
        with_entrants(tournament, None, 12)
        play_round(tournament, None, seed=1)
        entries.withdraw(tournament=tournament, author=None, number=5)
        second, _chips = play_round(tournament, None, seed=2)
        assert 5 not in {seat for table in second.draw.plan["tables"] for seat in table["seats"]}
        assert next(line for line in ranking_of(tournament).lines if line.number == 5).withdrawn
        entries.come_back(tournament=tournament, author=None, number=5)
        third, _chips = play_round(tournament, None, seed=3)
        assert 5 in {seat for table in third.draw.plan["tables"] for seat in table["seats"]}
        line = next(line for line in ranking_of(tournament).lines if line.number == 5)
        assert not line.withdrawn
        assert [cell.kind for cell in line.cells] == ["played", "missed", "played"]

    def test_an_entrant_who_withdraws_before_the_first_round_is_struck(self) -> None:
        tournament = made_tournament(ClubFactory(), None)
        with_entrants(tournament, None, 9)
        entries.withdraw(tournament=tournament, author=None, number=9)
        play_round(tournament, None)
        assert 9 not in {line.number for line in ranking_of(tournament).lines}

    def test_a_struck_entrant_at_a_table_takes_no_part_of_the_placing(self) -> None:
        tournament = made_tournament(ClubFactory(), None, result="placing")
        with_entrants(tournament, None, 8)
        current = drawn_round(tournament, None)
        seats = current.draw.plan["tables"][0]["seats"]
        entries.withdraw(tournament=tournament, author=None, number=seats[1])
        rounds.round_start(tournament=tournament, author=None, number=1)
        sheet_of(tournament, current.draw.plan["tables"][0], [10, 2, 0, -12])
        sheet_of(tournament, current.draw.plan["tables"][1], [10, 2, 0, -12])
        rounds.round_finish(tournament=tournament, author=None, number=1)
        totals = {line.number: line.total for line in ranking_of(tournament).lines}
        assert [totals.get(seat) for seat in seats] == [100, None, 50, 0]
        assert [totals[seat] for seat in current.draw.plan["tables"][1]["seats"]] == [100, 67, 33, 0]

    @pytest.mark.both_databases
    def test_a_substitute_takes_over_number_and_results(self) -> None:
        tournament = made_tournament(ClubFactory(), None, pot="nobody")
        with_entrants(tournament, None, 8)
        _first, before = play_round(tournament, None, seed=1)
        newcomer = entries.Newcomer(nickname="Nina")
        entries.substitute(tournament=tournament, author=None, number=3, newcomer=newcomer)
        _second, after = play_round(tournament, None, seed=2)
        line = next(line for line in ranking_of(tournament).lines if line.number == 3)
        assert line.total == before[3] + after[3]
        entrant = Entrant.objects.get(tournament=tournament, number=3)
        assert (entrant.substitutions.get().left.nickname, entrant.player.nickname) == ("G3", "Nina")

    def test_a_substitute_sits_down_at_a_drawn_table(self) -> None:
        tournament = made_tournament(ClubFactory(), None)
        with_entrants(tournament, None, 8)
        current = drawn_round(tournament, None)
        newcomer = entries.Newcomer(nickname="Nina")
        entries.substitute(tournament=tournament, author=None, number=3, newcomer=newcomer)
        names = set(Table.objects.filter(evening=current.evening).values_list("places__player__nickname", flat=True))
        assert "Nina" in names
        assert "G3" not in names


class TestCounts:
    @pytest.mark.parametrize(("count", "sizes"), [(6, [3, 3]), (7, [3, 4]), (8, [4, 4]), (5, [5])])
    def test_few_entrants(self, count: int, sizes: list[int]) -> None:
        _tournament, current = started(count)
        assert sorted(len(table["seats"]) for table in current.draw.plan["tables"]) == sizes

    def test_five_are_too_few_for_tables_of_four(self) -> None:
        tournament = made_tournament(ClubFactory(), None, most=4)
        with_entrants(tournament, None, 5)
        with pytest.raises(Refused) as refused:
            draw_services.draw_propose(tournament=tournament, author=None)
        assert (refused.value.status, refused.value.code) == (422, "too_few")
        assert "5" in refused.value.sentence

    @pytest.mark.rest
    def test_a_thousand_entrants(self) -> None:
        club = ClubFactory()
        players = PlayerFactory.create_batch(1000, club=club)
        tournament = made_tournament(club, None)
        people = [entries.Newcomer(player_id=player.pk, here=True) for player in players]
        entries.enter(tournament=tournament, author=None, people=people)
        current = drawn_round(tournament, None)
        seated = [seat for table in current.draw.plan["tables"] for seat in table["seats"]]
        assert sorted(seated) == list(range(1, 1001))
        assert {len(table["seats"]) for table in current.draw.plan["tables"]} == {4}


class TestNames:
    def test_a_name_twice_is_refused_with_the_number_it_has(self) -> None:
        tournament = made_tournament(ClubFactory(), None)
        with_entrants(tournament, None, 3)
        with pytest.raises(Refused) as refused:
            entries.enter(tournament=tournament, author=None, people=[entries.Newcomer(nickname="g2")])
        assert (refused.value.status, refused.value.details) == (409, {"number": 2})

    @pytest.mark.both_databases
    def test_of_people_entered_together_all_or_none_are_stored(self) -> None:
        tournament = made_tournament(ClubFactory(), None)
        people = [entries.Newcomer(nickname="Rosa"), entries.Newcomer(nickname="rosa")]
        with pytest.raises(Refused):
            entries.enter(tournament=tournament, author=None, people=people)
        assert not tournament.entrants.exists()

    @pytest.mark.both_databases
    def test_a_label_that_more_than_half_share_is_kept_apart_as_far_as_possible(self) -> None:
        tournament = made_tournament(ClubFactory(), None)
        with_entrants(tournament, None, 8)
        for number in range(1, 7):
            entries.describe(tournament=tournament, author=None, number=number, labels=["Zug"])
        current = drawn_round(tournament, None)
        together = sum(
            a <= 6 and b <= 6 for table in current.draw.plan["tables"] for a, b in combinations(table["seats"], 2)
        )
        assert together == 6, "three of six at each of the two tables"
        assert current.draw.report["labels_together"] == current.draw.report["labels_bound"] == 6


class TestClock:
    def test_a_computer_clock_set_back_changes_nothing(self) -> None:
        tournament, _current = started(8, minutes=30)
        current = Round.objects.get(tournament=tournament)
        earlier = timezone.now() - timedelta(hours=1)
        with mock.patch.object(clock.timezone, "now", return_value=earlier):
            shown = clock.clock_of(current, Format.read(tournament.format))
        assert 0 <= shown.elapsed < 5
        assert shown.remaining is not None
        assert 1795 < shown.remaining <= 1800

    def test_without_the_ticks_of_the_computer_it_would(self) -> None:
        tournament, _current = started(8, minutes=30)
        current = Round.objects.get(tournament=tournament)
        current.running_ticks = time.monotonic() - 60
        later = timezone.now() + timedelta(hours=1)
        with mock.patch.object(clock.timezone, "now", return_value=later):
            assert clock.elapsed_of(current) < 65
            current.boot = "another start of the computer"
            assert clock.elapsed_of(current) > 3500

    def test_a_pause_does_not_count(self) -> None:
        tournament, _current = started(8, minutes=30)
        current = Round.objects.get(tournament=tournament)
        current.running_ticks = time.monotonic() - 100
        current.save()
        rounds.clock_pause(tournament=tournament, author=None, number=1)
        with mock.patch.object(clock.time, "monotonic", return_value=time.monotonic() + 1000):
            paused = Round.objects.get(tournament=tournament)
            assert 100 <= clock.elapsed_of(paused) < 110


class TestBeginning:
    def test_a_round_begun_too_early_is_drawn_again_for_a_late_arrival(self) -> None:
        tournament, _current = started(8, minutes=30)
        with_entrants(tournament, None, 1)
        with pytest.raises(Refused):
            draw_services.draw_again(tournament=tournament, author=None)
        rounds.start_take_back(tournament=tournament, author=None, number=1)
        proposed = draw_services.draw_again(tournament=tournament, author=None)
        current = draw_services.draw_publish(tournament=tournament, author=None, proposed=proposed)
        assert current.state == Round.State.DRAWN
        assert clock.clock_of(current, Format.read(tournament.format)).elapsed == 0
        assert 9 in {seat for table in current.draw.plan["tables"] for seat in table["seats"]}

    def test_a_round_with_a_sheet_has_begun(self) -> None:
        tournament, current = started(8)
        table = current.draw.plan["tables"][0]
        sheet_of(tournament, table, [10, -5, -5, 0])
        with pytest.raises(Refused) as refused:
            rounds.start_take_back(tournament=tournament, author=None, number=1)
        assert refused.value.details == {"tables": [table["number"]]}


class TestFinishing:
    def test_a_round_with_a_table_still_playing_ends_only_if_the_desk_confirms_it(self) -> None:
        tournament, current = started(8, pot="nobody")
        first, second = current.draw.plan["tables"]
        chips, pot = random_chips(tuple(first["seats"]), random.Random(1))
        sheets.hand_in(tournament=tournament, author=None, number=1, table=first["number"], chips=chips, pot=pot)
        with pytest.raises(Refused) as refused:
            rounds.round_finish(tournament=tournament, author=None, number=1)
        assert refused.value.details == {"tables": [second["number"]]}
        with pytest.raises(Refused):
            draw_services.draw_propose(tournament=tournament, author=None)
        rounds.round_finish(tournament=tournament, author=None, number=1, despite_open=True)
        totals = {line.number: line.total for line in ranking_of(tournament).lines}
        assert {seat: totals[seat] for seat in first["seats"]} == chips
        assert {totals[seat] for seat in second["seats"]} == {0}

    @pytest.mark.both_databases
    def test_a_finished_round_is_corrected_by_a_sheet_with_a_reason(self) -> None:
        tournament = made_tournament(ClubFactory(), None, pot="nobody")
        with_entrants(tournament, None, 8)
        current, _chips = play_round(tournament, None)
        play_round(tournament, None, seed=2)
        table = current.draw.plan["tables"][0]
        with pytest.raises(Refused) as refused:
            sheet_of(tournament, table, [7, -7, 0, 0], decides=True)
        assert refused.value.code == "reason"
        before = {line.number: line.cells[0].value for line in ranking_of(tournament).lines}
        sheet_of(tournament, table, [7, -7, 0, 0], decides=True, reason="typing mistake")
        after = {line.number: line.cells[0].value for line in ranking_of(tournament).lines}
        assert [after[seat] for seat in table["seats"]] == [7, -7, 0, 0]
        others = set(after) - set(table["seats"])
        assert {number: after[number] for number in others} == {number: before[number] for number in others}

    def test_draws_are_kept(self) -> None:
        tournament = made_tournament(ClubFactory(), None)
        with_entrants(tournament, None, 8)
        drawn_round(tournament, None, seed=3)
        draw_services.draw_take_back(tournament=tournament, author=None)
        tournament.refresh_from_db()
        assert tournament.state == Tournament.State.OPEN
        assert Draw.objects.filter(tournament=tournament).count() == 1
        drawn_round(tournament, None, seed=4)
        assert list(Draw.objects.filter(tournament=tournament).values_list("number", "seed")) == [(1, 3), (2, 4)]
