"""The people of a tournament: merged players, forgotten ones, those who are due, and the personal data export."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone, translation

from league.errors import Refused
from league.models import Entrant, Player, Round, Substitution, Tournament
from league.privacy import entrant_texts, forgetting, personal_data_export, retention
from league.roster import merging
from league.roster.merging import players_merge, players_unmerge
from league.tournaments import entries, results
from league.tournaments.entries import Newcomer
from league.tournaments.same_person import both_entered
from tests.cast import House, house
from tests.factories import PlayerFactory
from tests.tournaments.rounds import close, create_round, create_tournament, entrants_of, hand_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament(home: House) -> Tournament:
    """A running tournament with the numbers 1 to 6: Anna, Beni, …"""
    made = create_tournament(home.club)
    entrants_of(made, 6)
    return made


@pytest.fixture
def played(tournament: Tournament) -> Tournament:
    """The tournament after its first round: Anna won 9 chips, Beni lost them."""
    current = create_round(tournament, {1: [1, 2, 3], 2: [4, 5, 6]})
    close(current, {1: hand_in(current, 1, (9, -9, 0)), 2: hand_in(current, 2, (5, -5, 0))})
    Round.objects.filter(pk=current.pk).update(state=Round.State.FINISHED)
    return tournament


def player(tournament: Tournament, number: int) -> Player:
    return tournament.entrants.get(number=number).player


def merge(player: Player, other: Player) -> None:
    players_merge(club=player.club, player=player, main=other, reason="the same", actor=None)


# --- Merged ------------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_two_entrants_of_one_tournament_are_not_one_person(tournament: Tournament):
    anna, other = player(tournament, 1), player(tournament, 2)
    with translation.override("en"), pytest.raises(Refused) as caught:
        merge(anna, other)
    assert (caught.value.status, caught.value.code) == (409, "together")
    assert caught.value.sentence == "Beni and Anna both play in the tournament Klausturnier: numbers 2 and 1."
    assert Player.objects.filter(main__isnull=False).count() == 0
    # Also if another player of the same person is the entrant.
    third = PlayerFactory(club=tournament.club)
    merge(third, anna)
    with pytest.raises(Refused):
        merge(other, anna)


def test_without_the_check_they_are_merged(tournament: Tournament, monkeypatch: pytest.MonkeyPatch):
    rest = [check for check in merging.seated_together_checks if check is not both_entered]
    assert len(rest) < len(merging.seated_together_checks)
    monkeypatch.setattr(merging, "seated_together_checks", rest)
    merge(player(tournament, 1), player(tournament, 2))


def test_a_struck_entry_prevents_no_merge_and_does_not_come_back_then(tournament: Tournament):
    Entrant.objects.filter(tournament=tournament, number__in=[2, 3]).update(struck=True)
    merge(player(tournament, 2), player(tournament, 1))
    with pytest.raises(Refused) as caught:
        entries.come_back(tournament=tournament, author=None, number=2)
    assert (caught.value.code, caught.value.details) == ("entered", {"number": 1})
    for number in (3, 1):
        entries.withdraw(tournament=tournament, author=None, number=number)
        assert not entries.come_back(tournament=tournament, author=None, number=number).struck


@pytest.mark.parametrize(("joined", "refused"), [(1, True), (2, True), (3, False)])
def test_a_replaced_entrant_can_be_the_substitute(tournament: Tournament, joined: int, refused: bool):
    Entrant.objects.filter(tournament=tournament).update(joined_round=1)
    left, substitute = player(tournament, 1), PlayerFactory(club=tournament.club)
    Entrant.objects.filter(tournament=tournament, number=1).update(player=substitute)
    entrant = tournament.entrants.get(number=1)
    Substitution.objects.create(entrant=entrant, left=left, came=substitute, from_round=3)
    again = PlayerFactory(club=tournament.club)
    Entrant.objects.create(tournament=tournament, number=7, player=again, joined_round=joined)
    assert bool(both_entered([left.pk], again.pk)) is refused
    # A substitute may turn out to be the replaced player: it is one number.
    assert both_entered([left.pk], substitute.pk) == ""


@pytest.mark.both_databases
def test_a_merged_player_keeps_the_results_and_is_not_entered_twice(played: Tournament):
    before = results.ranking_of(played)
    assert [line.total for line in before.lines][:2] == [9, 5]
    old, main = player(played, 1), PlayerFactory(club=played.club, nickname="Anna Meier")
    merge(old, main)
    assert results.ranking_of(played) == before
    for newcomer in (Newcomer(player_id=main.pk), Newcomer(player_id=old.pk), Newcomer(nickname="Anna")):
        with pytest.raises(Refused) as caught:
            entries.enter(tournament=played, author=None, people=[newcomer])
        assert (caught.value.code, caught.value.details) == ("entered", {"number": 1})
    players_unmerge(club=played.club, player=old, reason="two people", actor=None)
    assert results.ranking_of(played) == before
    entries.enter(tournament=played, author=None, people=[Newcomer(player_id=main.pk)])
    assert player(played, 7) == main


# --- Forgotten ---------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_labels_and_teams_lose_the_name_and_keep_the_group(tournament: Tournament):
    def put(number: int, team: str, *labels: str) -> None:
        entrants = tournament.entrants.filter(number=number)
        entrants.update(team=team, labels=list(labels), fixed_table=1 if number == 1 else None)

    put(1, "Annas Team", "Familie Huber", "Bern")
    put(2, "Annas Team", "Freund von Anna", "Bern")
    put(3, "Annabelle", "Annabelle")
    put(4, "№ 1")
    forgetting.player_forget(player=player(tournament, 1), actor=None)
    rows = tournament.entrants.filter(number__lte=4).order_by("number")
    assert list(rows.values_list("team", "labels", "fixed_table")) == [
        ("№ 1.1", [], None),
        ("№ 1.1", ["Bern"], None),
        ("Annabelle", ["Annabelle"], None),
        ("№ 1", [], None),
    ]


def test_another_club_keeps_its_labels(tournament: Tournament):
    other = create_tournament(house("sternen").club)
    entrants_of(other, 3)
    other.entrants.update(labels=["Anna"], team="Anna")
    forgetting.player_forget(player=player(tournament, 1), actor=None)
    assert set(other.entrants.values_list("team", flat=True)) == {"Anna"}


@pytest.mark.both_databases
def test_a_forgotten_entrant_keeps_number_and_rank(played: Tournament):
    before = results.ranking_of(played)
    forgetting.player_forget(player=player(played, 1), actor=None)
    assert results.ranking_of(played) == before
    assert player(played, 1).nickname == f"№ {player(played, 1).pk}"


@pytest.mark.both_databases
def test_tournaments_are_locked_before_the_club(tournament: Tournament, monkeypatch: pytest.MonkeyPatch):
    steps: list[str] = []
    for place, name in ((entrant_texts, "lock_tournaments"), (forgetting, "lock_club")):
        monkeypatch.setattr(place, name, lambda *_args, name=name: steps.append(name))
    forgetting.player_forget(player=player(tournament, 1), actor=None)
    assert steps == ["lock_tournaments", "lock_club"]


# --- Due ---------------------------------------------------------------------------------------------------


@pytest.mark.both_databases
@pytest.mark.parametrize(("days", "ends", "due"), [(400, None, True), (300, None, False), (400, 300, False)])
def test_an_entry_counts_like_a_hand(home: House, tournament: Tournament, days: int, ends: int | None, due: bool):
    home.club.forget_after_months = 12
    home.club.save()
    anna, never, now = player(tournament, 1), PlayerFactory(club=home.club), timezone.now()
    Player.objects.update(active=False, created_at=now - timedelta(days=4000))
    ends_on = None if ends is None else (now - timedelta(days=ends)).date()
    Tournament.objects.update(starts_on=(now - timedelta(days=days)).date(), ends_on=ends_on)
    players = retention.due_to_be_forgotten(home.club)
    assert never in players
    assert (anna in players) is due
    # The entry of a merged player counts for the person.
    merge(anna, never)
    assert (never in retention.due_to_be_forgotten(home.club)) is due


# --- Exported ----------------------------------------------------------------------------------------------


def exported(home: House) -> dict[str, Any]:
    packed = zipfile.ZipFile(io.BytesIO(b"".join(personal_data_export.archive(home.member))))
    data: dict[str, Any] = json.loads(packed.read("data.json"))
    assert packed.read("ranks.csv").decode().splitlines()[0] == "club,tournament,number,rank,total,rounds"
    return data


@pytest.mark.both_databases
def test_the_export_has_entries_substitutions_results_and_ranks(home: House, played: Tournament):
    beni = player(played, 2)
    Player.objects.filter(pk=beni.pk).update(user=home.member)
    played.entrants.filter(number=2).update(team="Bären", labels=["Bern"], joined_round=1)
    entrant = played.entrants.get(number=2)
    Substitution.objects.create(entrant=entrant, left=player(played, 6), came=beni, from_round=1)
    data = exported(home)
    assert [(row["number"], row["team"], row["labels"]) for row in data["tournaments"]] == [(2, "Bären", ["Bern"])]
    assert [(row["number"], row["came_id"]) for row in data["substitutions"]] == [(2, beni.pk)]
    assert [row["change_chips"] for row in data["tournament_results"]] == [-9]
    # The last round may be hidden before the end.
    assert data["ranks"] == []
    Tournament.objects.update(state="finished")
    rank = {"club": "roessli", "tournament": played.slug, "number": 2, "rank": 6, "total": -9, "rounds": [-9]}
    assert exported(home)["ranks"] == [rank]
