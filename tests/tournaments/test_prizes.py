"""Prizes bound to places, for all and by label: read from words, given by the ranking, shown where results are."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from league.models import Entrant, Tournament
from league.tournaments import entries, results, services
from league.tournaments.prizes import Prize, read_prizes, winners
from league.tournaments.ranking import RankingLine
from league.tournaments.room.selectors import Room
from tests.api.api_client import ApiClient, done, key_for
from tests.cast import Cast, House
from tests.clients import reader
from tests.tournaments.played_tournaments import made_tournament, play_round, with_entrants


def line(number: int, rank: int, *, withdrawn: bool = False) -> RankingLine:
    return RankingLine(number=number, rank=rank, total=0, before=0, cells=(), withdrawn=withdrawn)


def test_a_line_with_a_place_is_a_prize_and_all_others_are_words() -> None:
    lines = ["Given by the butcher", "2. A cheese", "1: A ham", "Women 1. Flowers", "4–6. A sausage", "juniors: A book"]
    read = read_prizes("\n".join([*lines, "Note: thanks", "0. x"]), ["Juniors"])
    assert read.listed == (
        Prize("", 1, 1, "A ham"),
        Prize("", 2, 2, "A cheese"),
        Prize("", 4, 6, "A sausage"),
        Prize("Women", 1, 1, "Flowers"),
        Prize("juniors", 1, 1, "A book"),
    )
    assert read.words == "Given by the butcher\nNote: thanks\n0. x"


@pytest.mark.parametrize(
    ("prize", "numbers"),
    [
        (Prize("", 1, 1, "x"), [7]),
        # 3 and 5 share the second place: they take up the places 2 and 3.
        (Prize("", 2, 2, "x"), [3, 5]),
        (Prize("", 3, 3, "x"), [3, 5]),
        (Prize("", 4, 6, "x"), [2]),
        (Prize("women", 1, 1, "x"), [5]),
        (Prize("Women", 2, 2, "x"), [2]),
        (Prize("men", 1, 1, "x"), []),
    ],
)
def test_who_gets_a_prize(prize: Prize, numbers: list[int]) -> None:
    lines = [line(7, 1), line(3, 2), line(5, 2), line(2, 4), line(9, 5, withdrawn=True)]
    labels = {5: ["Women", "Bern"], 2: ["Women"], 9: ["Women"]}
    assert winners(prize, lines, labels) == numbers


@pytest.mark.django_db
def test_a_finished_tournament_shows_who_gets_which_prize(people: Cast) -> None:
    home = people.home
    tournament = made_tournament(home.club, None, rounds=1)
    with_entrants(tournament, None, 8)
    Tournament.objects.filter(pk=tournament.pk).update(prizes="Thanks to Wendelin\n1. A ham\nWomen 1. Flowers")
    Entrant.objects.filter(tournament=tournament, number__in=[2, 5]).update(labels=["women"])
    play_round(tournament, None)
    owner = Client(headers={"Accept-Language": "en"})
    owner.force_login(home.person("owner"))
    address = reverse("tournament", kwargs={"club": home.club.slug, "tournament": tournament.slug})
    assert "<dt>1. A ham</dt><dd>–</dd>" in owner.get(address).content.decode()
    services.tournament_finish(tournament=tournament, author=None)
    tournament.refresh_from_db()
    page = owner.get(address).content.decode()
    best = Room(tournament, owner.get(address).context["room"].access)
    first = best.ranking[0].person
    woman = next(line.person for line in best.ranking if line.person.number in (2, 5))
    assert f"<dt>1. A ham</dt><dd>{first.name}</dd>" in page
    assert f"<dt>1. Flowers</dt><dd>{woman.name}</dd>" in page
    assert "Thanks to Wendelin" in page
    visitor = Client(headers={"Accept-Language": "en"}).get(address).content.decode()
    assert "A ham" not in visitor
    assert 'id="prizes"' not in visitor


@pytest.fixture
def played(home: House) -> Tournament:
    """Two rounds are played; the best woman of the first one has withdrawn. The tournament is not finished."""
    tournament = made_tournament(home.club, home.owner, rounds=2)
    with_entrants(tournament, home.owner, 8)
    Tournament.objects.filter(pk=tournament.pk).update(
        prizes="Thanks to Wendelin\n1. A ham\n2-3. A cheese\nWomen 1. Flowers"
    )
    Entrant.objects.filter(tournament=tournament, number__in=[2, 5, 7]).update(labels=["women"])
    play_round(tournament, home.owner)
    best = next(line.number for line in results.ranking_of(tournament).lines if line.number in (2, 5, 7))
    entries.withdraw(tournament=tournament, author=home.owner, number=best)
    play_round(tournament, home.owner, seed=2)
    return Tournament.objects.get(pk=tournament.pk)


def winning(tournament: Tournament) -> list[list[int]]:
    """Return the start numbers of the first, of the second and third, and of the best woman."""
    lines = [line for line in results.ranking_of(tournament).lines if not line.withdrawn]
    assert [line.rank for line in lines[:4]] == [1, 2, 3, 4], "nobody shares a place"
    woman = next(line.number for line in lines if line.number in (2, 5, 7))
    return [[lines[0].number], [lines[1].number, lines[2].number], [woman]]


@pytest.mark.django_db
def test_the_api_has_the_prizes_and_at_the_end_who_gets_them(home: House, played: Tournament) -> None:
    path = f"clubs/{home.club.slug}/tournaments/{played.slug}/ranking"

    def prizes(client: ApiClient) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = done(client.get(path))["prizes"]
        return rows

    member = ApiClient(key=key_for(home.member))
    listed = [
        {"label": "", "first": 1, "last": 1, "prize": "A ham"},
        {"label": "", "first": 2, "last": 3, "prize": "A cheese"},
        {"label": "Women", "first": 1, "last": 1, "prize": "Flowers"},
    ]
    assert prizes(member) == [prize | {"numbers": []} for prize in listed]
    services.tournament_finish(tournament=played, author=home.owner)
    given = [prize | {"numbers": numbers} for prize, numbers in zip(listed, winning(played), strict=True)]
    assert prizes(member) == given
    assert prizes(ApiClient()) == [], "they are free text"


@pytest.mark.django_db
def test_the_printed_results_have_the_prizes_and_at_the_end_who_gets_them(home: House, played: Tournament) -> None:
    def printed() -> str:
        address = f"/c/{home.club.slug}/tournaments/{played.slug}/paper/results.pdf"
        pages = PdfReader(io.BytesIO(reader(home.owner, "en").get(address).content)).pages
        return " ".join(" ".join(page.extract_text() for page in pages).split())

    assert "Prizes: 1. A ham; 2–3. A cheese; Women 1. Flowers." in printed()
    services.tournament_finish(tournament=played, author=home.owner)
    first, second, woman = (", ".join(f"G{number}" for number in numbers) for numbers in winning(played))
    assert f"Prizes: 1. A ham: {first}; 2–3. A cheese: {second}; Women 1. Flowers: {woman}." in printed()
