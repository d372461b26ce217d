"""What is said of Zwicken: its house rules, a season under other rules, a new evening, opening a club, help."""

from __future__ import annotations

import html
import random
import re
import uuid
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games import engine_bridge
from games.help.examples import printed_hand
from games.models import Table
from games.practice.evenings import PEOPLE, evening_play
from games.rules import replay
from league.models import Club, HouseRules, Season
from league.money import format_money
from league.standings.counting import count_season
from tests.cast import House, house
from tests.clients import reader, shown
from tests.factories import PlayerFactory, create_table, enter
from tests.zwicken_hands import ALONE, EVENING, FORCED, NOBODY, TWO

pytestmark = pytest.mark.django_db

FORM = {
    "game": "zwicken",
    "stake": "0.30",
    "coin": "0.10",
    "cut_moves": "on",
    "seven": "on",
    "seven_lost": "stake",
    "exchange": "on",
    "must_trump": "on",
    "must_beat": "always",
    "bete": "pot",
    "nobody": "dealer",
    "pot_limit": "",
}


@pytest.fixture
def home() -> House:
    return house("roessli")


def at(home: House, name: str) -> str:
    return reverse(name, kwargs={"club": home.club.slug})


def said(answer: Any) -> str:
    assert answer.status_code == 200
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


# --- House rules -----------------------------------------------------------------------------------------


def test_a_new_version_is_shown_by_its_situations_and_stored(home: House) -> None:
    client = reader(home.owner)
    sent = FORM | {"follows": "1", "key": str(uuid.uuid4()), "bete": "stake"}
    compared = said(client.post(at(home, "rules-change"), sent))
    assert "Bête the pot one stake" in compared
    assert "a player -1.20" in compared.replace("−", "-")
    assert client.post(at(home, "rules-change"), sent | {"confirm": "1"}).status_code == 303
    assert HouseRules.objects.get(game="zwicken", version=2).values == {"bete": "stake"}
    contract = said(client.get(at(home, "rules"), {"game": "zwicken"}))
    assert "the dealer's stake is already in the pot" in contract
    assert "whoever is not named" in contract.casefold()


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("stake", "0.40", "It must be a multiple of three of the smallest coin, CHF\xa00.30."),
        ("coin", "0.20", "It must be a multiple of three of the smallest coin, CHF\xa00.60."),
        ("pot_limit", "0.20", "It must be three of the smallest coin at least, CHF\xa00.30."),
    ],
)
def test_a_refused_value_has_a_sentence_at_its_field(home: House, name: str, value: str, sentence: str) -> None:
    answer = reader(home.owner).post(at(home, "rules-change"), FORM | {name: value})
    assert answer.status_code == 422
    field = "stake" if name == "coin" else name
    at_field = re.search(rf'<div id="{field}-help">(.*?)</div>', answer.content.decode(), re.DOTALL)
    assert at_field
    assert sentence in at_field[1]


# --- A season under other rules --------------------------------------------------------------------------


def replayed(**rules: Any) -> replay.Replay:
    return replay.replay_season(Season.objects.get(), "zwicken", rules)


def amounts(comparison: replay.Replay) -> dict[str, int]:
    return {player.nickname: player.new_minor for player in comparison.players}


def test_a_season_under_its_own_rules_stays_the_same() -> None:
    table = create_table(seats=4, game="zwicken")
    for record in EVENING:
        enter(table, record)
    comparison = replayed()
    assert (comparison.hands, comparison.changed, comparison.left_out) == (7, 0, [])


def test_without_cuts_that_move_the_deal_a_hop_is_no_hop() -> None:
    table = create_table(seats=4, game="zwicken")
    enter(table, FORCED | {"cuts": ["A", "x"]})
    comparison = replayed(cut_moves=False)
    assert comparison.left_out == []
    # The pot holds one stake in place of two; seat 0 pays none for the hop.
    assert amounts(comparison) == {"Anna": 20, "Beni": 10, "Carlo": -30, "Doris": -60}


def test_cuts_without_effect_are_added_where_cuts_move_the_deal() -> None:
    table = create_table(seats=4, game="zwicken", rules={"cut_moves": False})
    enter(table, {"tricks": FORCED["tricks"]})
    assert (replayed(cut_moves=True).left_out, replayed(cut_moves=True).changed) == ([], 0)


def test_a_hand_that_is_no_longer_forced_is_one_that_all_play() -> None:
    table = create_table(seats=4, game="zwicken")
    for record in (FORCED, TWO, ALONE, FORCED):
        enter(table, record)
    # Nobody pays a bete of more than a stake: the pot is another one, and the last hand the same.
    comparison = replayed(bete="stake")
    assert comparison.left_out == []
    with_remainder = create_table(club=table.evening.club, season=table.evening.season, seats=4, game="zwicken")
    for record in (FORCED, TWO | {"tricks": {"0": 2, "1": 1}}, FORCED):
        enter(with_remainder, record)
    comparison = replayed(coin=5, stake=45)
    assert {each.clause for each in comparison.left_out} <= {"Z4.1"}
    assert sum(amounts(comparison).values()) + comparison.new_pots_minor == 0


def test_nobody_pays_for_a_lost_belli_where_it_costs_nothing() -> None:
    table = create_table(seats=4, game="zwicken")
    enter(table, FORCED | {"seven_lost": 1})
    assert amounts(replayed(seven_lost="off"))["Beni"] == amounts(replayed())["Beni"] + 30
    assert amounts(replayed(seven=False)) == amounts(replayed(seven_lost="off"))


def test_a_pot_that_nobody_takes_stays_where_the_rules_say_so() -> None:
    table = create_table(seats=4, game="zwicken")
    for record in (FORCED, NOBODY):
        enter(table, record)
    comparison = replayed(nobody="stays")
    assert (comparison.old_pots_minor, comparison.new_pots_minor) == (0, 90)


def test_hands_with_cards_are_replayed_too(home: House) -> None:
    people = [(PlayerFactory(club=home.club, nickname=name), temper) for name, temper in PEOPLE.items()]
    evening_play(
        random.Random(3),
        season=home.season,
        people=people[:5],
        recorder=home.recorder,
        held_on=home.season.starts_on,
        game="zwicken",
        hands=30,
    )
    assert (replayed().left_out, replayed().changed) == ([], 0)
    other = replayed(cut_moves=False, seven_lost="off", nobody="stays")
    assert sum(amounts(other).values()) + other.new_pots_minor == 0


# --- A new evening, and opening a club -------------------------------------------------------------------


def test_an_evening_begins_with_three_to_six(home: House) -> None:
    client = reader(home.recorder)
    page = client.get(at(home, "evening-new")).content.decode()
    assert re.search(r'value="zwicken"[^>]*data-least="3" data-most="6"', page)
    assert "Chratze counter-clockwise, Kratzen and Zwicken clockwise" in page
    players = [PlayerFactory(club=home.club) for _nth in range(3)]
    seating = [f"p{player.pk}" for player in players]
    sent = {"key": str(uuid.uuid4()), "season": home.season.pk, "held_on": "2026-11-20", "game": "zwicken"}
    few = client.post(at(home, "evening-new"), sent | {"seating": seating[:2], "first_dealer": seating[0]})
    assert few.status_code == 422
    client.post(at(home, "evening-new"), sent | {"seating": seating, "first_dealer": seating[0]})
    table = Table.objects.get()
    assert (table.evening.game, table.dealer) == ("zwicken", players[0])
    assert client.get(at(home, "rules")).context["contract"].name == "zwicken"


def test_a_club_is_opened_for_its_stake(home: House) -> None:
    client = reader(home.owner)
    step = {"name": "Zwickrunde", "game": "zwicken", "currency": "EUR"}

    def opened(stake: str) -> Any:
        client.post("/clubs/new/", step)
        client.post("/clubs/new/readers/", {"visibility": "private"})
        names = {"names": "Anna\nBeni\nCarlo", "stake": stake, "players_shown": "nickname"}
        return client.post("/clubs/new/players/", names)

    refused = opened("20")
    assert refused.status_code == 422
    assert "It must be a multiple of three of the smallest coin" in html.unescape(refused.content.decode())
    assert opened("60").status_code == 303
    club = Club.objects.get(name="Zwickrunde")
    assert HouseRules.objects.get(club=club).values == {"stake": 60}
    assert Table.objects.get(evening__club=club).evening.game == "zwicken"


# --- Help ------------------------------------------------------------------------------------------------


def test_the_handout_shows_a_hand_of_three_tricks() -> None:
    page = Client().get(reverse("help-handout", query={"game": "zwicken"})).content.decode()
    assert page.count('<div class="shot" inert') == 6
    assert [(coin.name, coin.amount_minor) for coin in printed_hand("zwicken")] == [("Anna", 60), ("Carlo", -60)]
    assert format_money(-60, plus="+") in page
    assert "metcho" not in shown(page)


def test_each_game_has_its_own_meaning_of_a_word() -> None:
    page = Client().get("/help/words/").content.decode()
    assert page.count('id="cut"') == 1
    assert len(re.findall(r"<dt>(?:cut|Abheben)</dt>", page)) == 2


def test_no_table_of_hands_is_offered() -> None:
    page = Client().get("/hand-worth/").content.decode()
    assert 'value="zwicken"' not in page
    assert 'value="kratzen"' in page
    assert Client().get("/hand-worth/?game=zwicken").context["asked"].game == engine_bridge.GAME


# --- Queries ---------------------------------------------------------------------------------------------

PAGES = ("rules", "rules-change", "rules-replay", "evening-new", "club", "club-standings")


def counted(home: House, address: str) -> int:
    client = reader(home.owner)
    client.get(address)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert client.get(address).status_code in (200, 302)
    return len(queries)


def test_more_hands_need_no_more_queries(home: House) -> None:
    Season.objects.filter(pk=home.season.pk).update(games="zwicken")
    table = create_table(club=home.club, season=home.season, seats=4, game="zwicken")
    season = home.season.get_absolute_url()
    addresses = [at(home, name) for name in PAGES]
    addresses += [season, f"{season}statistics/", f"{season}records/", f"{at(home, 'rules-replay')}?{_query()}"]
    for record in EVENING:
        enter(table, record)
    count_season(home.season.pk)
    few = {address: counted(home, address) for address in addresses}
    for record in 2 * EVENING[1:]:
        enter(table, record)
    count_season(home.season.pk)
    assert {address: counted(home, address) for address in addresses} == few


def _query() -> str:
    return "&".join(f"{name}={value}" for name, value in FORM.items())
