"""Two rounds that are open at the same time: the next one was drawn while one was still played."""

from __future__ import annotations

import pytest

from games.integrity import verify
from games.models import Table
from league.errors import Refused
from league.models import Round, Substitution, Tournament
from league.tournaments import draw_services, entries, rounds, sheets
from league.tournaments.results import ranking_of
from tests.factories import MADE, ClubFactory, enter
from tests.tournaments.played_tournaments import drawn_round, made_tournament, with_entrants

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("en")]

NINA = entries.Newcomer(nickname="Nina")


@pytest.fixture
def tournament() -> Tournament:
    """Eight people; round 1 is played, round 2 was drawn already."""
    tournament = made_tournament(ClubFactory(), None, pot="nobody")
    with_entrants(tournament, None, 8)
    drawn_round(tournament, None, seed=1)
    rounds.round_start(tournament=tournament, author=None, number=1)
    drawn_round(tournament, None, seed=2, despite_open=True)
    return tournament


def table_with(tournament: Tournament, round: int, number: int) -> Table:
    """The table at which a start number was drawn."""
    current = Round.objects.get(tournament=tournament, number=round)
    table = next(drawn_table for drawn_table in current.draw.plan["tables"] if number in drawn_table["seats"])
    return Table.objects.select_related("evening__club", "evening__house_rules").get(
        evening=current.evening, number=table["number"]
    )


def names_at(table: Table) -> set[str]:
    return set(table.places.values_list("player__nickname", flat=True))


def hand_in(tournament: Tournament, round: int, *numbers: int, chips: int = 6) -> None:
    """Hand in a sheet for each table, or for those of these start numbers: the first seat won."""
    current = Round.objects.get(tournament=tournament, number=round)
    for table in current.draw.plan["tables"]:
        seats = table["seats"]
        if numbers and not set(numbers) & set(seats):
            continue
        sheets.hand_in(
            tournament=tournament,
            author=None,
            number=round,
            table=table["number"],
            chips=dict.fromkeys(seats, 0) | {seats[0]: chips, seats[1]: -chips},
            pot=0,
        )


def substitute(tournament: Tournament, number: int = 3) -> None:
    entries.substitute(tournament=tournament, author=None, number=number, newcomer=NINA)


def finish(tournament: Tournament, round: int) -> None:
    rounds.round_finish(tournament=tournament, author=None, number=round, despite_open=True)


@pytest.mark.both_databases
def test_a_substitute_takes_over_in_every_open_round(tournament: Tournament) -> None:
    substitute(tournament)
    for round in (1, 2):
        assert "Nina" in names_at(table_with(tournament, round, 3))
        assert "G3" not in names_at(table_with(tournament, round, 3))
    assert Substitution.objects.get().from_round == 1
    for round in (1, 2):
        hand_in(tournament, round)
        finish(tournament, round)
    line = next(line for line in ranking_of(tournament).lines if line.number == 3)
    assert [cell.kind for cell in line.cells] == ["played", "played"]
    assert list(verify.differences()) == []


@pytest.mark.both_databases
@pytest.mark.parametrize("begun", ["hand", "sheet"])
def test_the_entrant_ends_a_round_that_has_begun_and_the_substitute_plays_the_next(
    tournament: Tournament, begun: str
) -> None:
    if begun == "hand":
        enter(table_with(tournament, 1, 3), MADE)
    else:
        hand_in(tournament, 1, 3)
    substitute(tournament)
    assert "G3" in names_at(table_with(tournament, 1, 3))
    assert "Nina" in names_at(table_with(tournament, 2, 3))
    assert Substitution.objects.get().from_round == 2
    hand_in(tournament, 2)
    for round in (1, 2):
        finish(tournament, round)
    line = next(line for line in ranking_of(tournament).lines if line.number == 3)
    assert [cell.kind for cell in line.cells] == ["played", "played"]
    assert list(verify.differences()) == []


@pytest.mark.parametrize("begun", ["hand", "sheet"])
def test_a_later_round_that_has_begun_takes_no_substitute(tournament: Tournament, begun: str) -> None:
    table = table_with(tournament, 2, 3)
    if begun == "hand":
        enter(table, MADE)
    else:
        hand_in(tournament, 2, 3)
    with pytest.raises(Refused) as refused:
        substitute(tournament)
    assert (refused.value.status, refused.value.code) == (409, "playing")
    assert f"Table {table.number} of round 2 " in refused.value.sentence
    assert "G3" in names_at(table_with(tournament, 1, 3))
    assert not Substitution.objects.exists()


@pytest.mark.parametrize("begun", ["hand", "sheet"])
def test_a_substitute_waits_for_the_end_of_the_only_open_round(tournament: Tournament, begun: str) -> None:
    draw_services.draw_take_back(tournament=tournament, author=None)
    if begun == "hand":
        enter(table_with(tournament, 1, 3), MADE)
    else:
        hand_in(tournament, 1, 3)
    with pytest.raises(Refused) as refused:
        substitute(tournament)
    assert (refused.value.status, refused.value.code) == (409, "playing")
    assert not Substitution.objects.exists()


def test_a_hand_at_the_same_moment_comes_first(tournament: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "_begun_table", lambda *_args: None)
    table = table_with(tournament, 1, 3)
    enter(table, MADE)
    with pytest.raises(Refused, match=f"Table {table.number} of round 1 "):
        substitute(tournament)


def test_an_entrant_without_a_table_is_replaced_from_that_round_on(tournament: Tournament) -> None:
    with_entrants(tournament, None, 1)
    for number in (1, 2):
        enter(table_with(tournament, number, 3), MADE)
    substitute(tournament, 9)
    assert Substitution.objects.get().from_round == 1


def test_a_second_substitute_takes_over_from_the_first(tournament: Tournament) -> None:
    enter(table_with(tournament, 1, 3), MADE)
    substitute(tournament)
    entries.substitute(tournament=tournament, author=None, number=3, newcomer=entries.Newcomer(nickname="Otto"))
    assert "G3" in names_at(table_with(tournament, 1, 3))
    assert "Otto" in names_at(table_with(tournament, 2, 3))


def test_a_redraw_of_the_earlier_round_seats_the_entrant_and_not_the_substitute(tournament: Tournament) -> None:
    first = Round.objects.select_related("draw").get(tournament=tournament, number=1)
    number, other = next(table["seats"] for table in first.draw.plan["tables"] if 3 not in table["seats"])[:2]
    swapped = draw_services.draw_swap(tournament=tournament, author=None, proposed=first.draw, a=number, b=other)
    enter(table_with(tournament, 1, 3), MADE)
    substitute(tournament)
    draw_services.draw_publish(tournament=tournament, author=None, proposed=swapped)
    assert "G3" in names_at(table_with(tournament, 1, 3))
