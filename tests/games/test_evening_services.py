"""Beginning an evening: seats, house rules, and one evening per key."""

from __future__ import annotations

import uuid
from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone, translation

from games.errors import Refused
from games.evening.house_rules import house_rules_set
from games.evening.services import evening_start
from games.models import Table
from league.models import Evening, HouseRules, Player, Season
from tests.factories import MADE, PlayerFactory, SeasonFactory, create_table, enter

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def season() -> Season:
    return SeasonFactory()


@pytest.fixture
def players(season: Season) -> list[Player]:
    return [PlayerFactory(club=season.club, nickname=name) for name in ("Anna", "Beni", "Carlo")]


def start(season: Season, seating: list[str], **more: Any) -> Table:
    asked = {"first_dealer": seating[0] if seating else "", "held_on": date(2026, 11, 20), "author": None} | more
    return evening_start(club=season.club, season=season, seating=seating, **asked)


def entries(players: list[Player]) -> list[str]:
    return [f"p{player.pk}" for player in players]


def test_seats_are_in_the_order_given_and_the_first_dealer_deals(season, players):
    seating = entries(players)[::-1]
    table = start(season, seating, first_dealer=seating[1])
    assert list(table.places.values_list("player__nickname", flat=True)) == ["Carlo", "Beni", "Anna"]
    assert table.dealer.nickname == "Beni"


@pytest.mark.both_databases
def test_a_guest_gets_a_player_by_a_nickname(season, players):
    table = start(season, [*entries(players), "g Zoé "])
    guest = Player.objects.get(nickname="Zoé")
    assert guest.guest
    assert table.places.get(seat=3).player == guest
    assert enter(table, MADE).number == 1


@pytest.mark.both_databases
def test_evenings_are_numbered_by_season(season, players):
    assert [start(season, entries(players)).evening.number for _ in range(2)] == [1, 2]


@pytest.mark.parametrize(
    ("language", "game", "seating", "sentence"),
    [
        ("en", "chratze", ["p1"], "Chratze is for two to seven players; 1 is ticked."),
        ("de", "chratze", ["p1"], "Chratze ist für zwei bis sieben Personen; 1 ist angekreuzt."),
        ("en", "kratzen", ["gA", "gB"], "Kratzen is for three to six players; 2 are ticked."),
        ("en", "zwicken", ["gA", "gB"], "Zwicken is for three to six players; 2 are ticked."),
        ("de", "kratzen", ["gA"], "Kratzen ist für drei bis sechs Personen; 1 ist angekreuzt."),
    ],
)
def test_the_number_of_ticked_players_has_singular_and_plural(season, language, game, seating, sentence):
    with translation.override(language), pytest.raises(Refused) as caught:
        start(season, seating, game=game)
    assert caught.value.sentence == sentence


@pytest.mark.parametrize(
    "seating",
    [
        [],
        ["p1"],
        ["gA", "ga"],
        ["gA"] * 2,
        [f"g{n}" for n in range(8)],
        ["g", "gB"],
        ["g" + "x" * 41, "gB"],
        pytest.param(["g\x00", "gB"], marks=pytest.mark.both_databases),
        ["x1", "gB"],
        pytest.param(["p9999999999999999999", "gB"], marks=pytest.mark.both_databases),
        ["p99999", "gB"],
    ],
)
def test_impossible_seatings_are_refused_and_nothing_is_stored(season, players, seating):
    with pytest.raises(Refused) as caught:
        start(season, seating)
    assert caught.value.status == 422
    assert caught.value.sentence
    assert (Evening.objects.count(), Player.objects.count()) == (0, 3)


@pytest.mark.both_databases
def test_a_guest_with_the_name_of_a_member_is_refused(season, players):
    with pytest.raises(Refused, match="nickname"):
        start(season, [*entries(players), "ganna"])
    assert (Evening.objects.count(), Player.objects.count()) == (0, 3)


def test_another_clubs_player_is_refused(season, players):
    stranger = PlayerFactory()
    with pytest.raises(Refused, match=r"no player \d+ in this club"):
        start(season, [*entries(players), f"p{stranger.pk}"])


def test_a_player_without_a_seat_cannot_deal_first(season, players):
    with pytest.raises(Refused, match="deals first"):
        start(season, entries(players), first_dealer="gNobody")


@pytest.mark.both_databases
def test_one_key_begins_one_evening(season, players):
    key = uuid.uuid4()
    seating = [*entries(players), "gZoé"]
    first = start(season, seating, key=key)
    assert start(season, seating, key=key) == first
    with pytest.raises(Refused) as caught:
        start(season, seating[:-1], key=key)
    assert caught.value.code == "key_reused"
    assert Evening.objects.count() == 1


@pytest.mark.both_databases
def test_an_evening_keeps_the_house_rules_with_which_it_began():
    table = create_table(rules={"stake": 50, "rounding": 50})
    house_rules_set(club=table.evening.club, game="chratze", values={}, author=None)
    assert enter(table, MADE).result["pot"] == 250
    assert create_table(club=table.evening.club).evening.house_rules.version == 2


def test_house_rules_that_the_engine_does_not_know_are_refused(season):
    for values in ({"stake": 0}, {"jackpot": 1}, {"rounding": 7}):
        with pytest.raises(Refused) as caught:
            house_rules_set(club=season.club, game="chratze", values=values, author=None)
        assert caught.value.code == "R4"
    assert not HouseRules.objects.exists()


@pytest.mark.parametrize("ahead", [timedelta(0), timedelta(days=-1000), timedelta(days=366)])
def test_an_evening_begins_at_most_a_year_ahead(season, players, ahead):
    day = timezone.localdate() + ahead
    assert start(season, entries(players), held_on=day).evening.held_on == day


@pytest.mark.parametrize("day", [date.min, date(1899, 12, 31), None, date.max])
def test_an_evening_of_a_mistyped_year_is_refused(season, players, day):
    day = day or timezone.localdate() + timedelta(days=368)
    with pytest.raises(Refused, match="1900") as caught:
        start(season, entries(players), held_on=day)
    assert (caught.value.status, caught.value.code, caught.value.at) == (422, "held_on", "held_on")
    assert not Evening.objects.exists()
