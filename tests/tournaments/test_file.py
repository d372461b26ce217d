"""The file of a tournament: out of one club, into another, with the same ranking; refused where somebody changed it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.integrity import verify
from games.models import Hand, Table
from league.errors import Refused
from league.models import Entrant, HouseRules, Player, Round, Tournament
from league.tournaments import entries, rounds
from league.tournaments.draws import draw_propose, draw_publish
from league.tournaments.file import canonical, export, importing, reading
from league.tournaments.results import ranking_of
from league.tournaments.sheets import hand_in
from tests.factories import FAILED, MADE, PASSED_OUT, ClubFactory, PlayerFactory, enter
from tests.tournaments.made import made_tournament, play_round, with_entrants

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.services]


def file_of(tournament: Tournament) -> bytes:
    return "".join(canonical.written(export.content_of(tournament))).encode()


def content_of(data: bytes) -> tuple[reading.Content, str]:
    read, sha256 = canonical.read(data)
    return reading.content_of(read), sha256


def imported(data: bytes, club: Any) -> Tournament:
    content, sha256 = content_of(data)
    return importing.tournament_import(club=club, author=None, content=content, sha256=sha256)


def shown(tournament: Tournament) -> list[tuple[Any, ...]]:
    """The ranking as it is read: place, number, nickname, total and rounds."""
    names = dict(tournament.entrants.values_list("number", "player__nickname"))
    return [(line.rank, line.number, names[line.number], line.total) for line in ranking_of(tournament).lines]


def comparable(tournament: Tournament) -> dict[str, Any]:
    content = export.content_of(tournament)
    return {name: value for name, value in content.items() if name not in ("club", "written_at", "house_rules")}


@pytest.fixture
def running() -> Tournament:
    """Two rounds by sheets, one by hands with a substitute, one that is drawn."""
    tournament = made_tournament(ClubFactory(slug="there"), None, rounds=4, hands=3)
    with_entrants(tournament, None, 9)
    entries.describe(tournament=tournament, author=None, number=2, labels=["Uri"], team="Föhn")
    entries.mark_paid(tournament=tournament, author=None, number=3)
    play_round(tournament, None, seed=1)
    entries.substitute(tournament=tournament, author=None, number=4, newcomer=entries.Newcomer(nickname="Ersatz"))
    play_hands(tournament, 2)
    rounds.round_finish(tournament=tournament, author=None, number=2, despite_open=True)
    play_hands(tournament, 3)
    return Tournament.objects.get(pk=tournament.pk)


def play_hands(tournament: Tournament, seed: int) -> Round:
    drawn = draw_propose(tournament=tournament, author=None, seed=seed)
    found = draw_publish(tournament=tournament, author=None, proposed=drawn)
    rounds.round_start(tournament=tournament, author=None, number=found.number)
    for pk in Table.objects.filter(evening=found.evening).order_by("number").values_list("pk", flat=True):
        for record in (MADE, FAILED, PASSED_OUT):
            enter(Table.objects.select_related("evening__club", "evening__house_rules").get(pk=pk), record)
    return found


def test_a_file_imported_elsewhere_gives_the_same_tournament(running):
    before, ranking = comparable(running), shown(running)
    there = imported(file_of(running), ClubFactory(slug="here"))
    assert there.club.slug == "here"
    assert comparable(there) == before
    assert shown(there) == ranking
    assert Hand.objects.filter(table__evening__season=there.season).count() == 3 * 2 * 2
    assert Entrant.objects.get(tournament=there, number=4).substitutions.count() == 1
    assert list(verify.differences()) == []


def test_a_running_tournament_goes_on_where_it_was_imported(running):
    there = imported(file_of(running), ClubFactory())
    assert there.state == Tournament.State.RUNNING
    rounds.clock_resume(tournament=there, author=None, number=3)
    rounds.round_finish(tournament=there, author=None, number=3)
    play_round(there, None, seed=4)
    rounds.round_finish(tournament=running, author=None, number=3)
    play_round(running, None, seed=4)
    assert shown(there) == shown(running)
    assert list(verify.differences()) == []
