"""The page of what a hand is worth, and the hands of a hand that was entered card by card."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.hand_worth.query import cards_of
from games.models import Table
from tests.cast import House
from tests.clients import reader
from tests.factories import create_table, enter
from tests.games.test_cards import STEPS, WHOLE, page, url
from tests.sizes import sized

HAND = [("c", card) for card in ("As", "Qs", "9s", "Ah")]
NONE: list[tuple[str, str]] = []


@pytest.fixture
def visitor() -> Client:
    return Client(headers={"accept-language": "en"})


def get(visitor: Client, fields: list[tuple[str, str]], **more: str) -> str:
    answer = visitor.get("/hand-worth/?" + urlencode([*fields, *more.items()]))
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def answer_of(text: str) -> str:
    match = re.search(r"data-answer[^>]*>(.*?)</div>", text)
    assert match
    return match[1]


def test_it_needs_no_sign_in_and_no_query(visitor: Client) -> None:
    """No test without `db` may use the database: a query fails it."""
    assert "Tap four cards and the trump." in answer_of(get(visitor, NONE))


def test_the_hand_of_the_address_is_answered_in_words(visitor: Client) -> None:
    leads = answer_of(get(visitor, HAND, trump="s", players="3"))
    assert re.search(r"In 100 such hands you make two tricks about \d+ times\.", leads)
    assert "You said chratze and lead; you need two tricks." in leads
    assert re.search(r"Chratze breaks even if you take \d+ of 100 Rappen of the pot", leads)
    joins = answer_of(get(visitor, HAND, trump="s", players="4", after="1", stage="after"))
    assert joins.index("make a trick") < joins.index("make two tricks"), "the goal of the role comes first"
    assert "You said metcho, one plays after you; you need one trick." in joins
    assert "%" not in joins + leads


def test_the_weli_is_a_card_of_kratzen_alone(visitor: Client) -> None:
    weli = [("c", "W"), *HAND[:3], ("trump", "h")]
    assert "Schlagen" in answer_of(get(visitor, weli, game="kratzen"))
    assert "Tap four cards" in answer_of(get(visitor, weli, game="chratze"))
    assert "Tap four cards" in answer_of(get(visitor, [("c", "6s"), *HAND[:3]], game="kratzen", trump="s"))


def test_the_table_has_each_number_of_players_and_marks_this_seat(visitor: Client) -> None:
    text = get(visitor, HAND, trump="s", players="4", after="0")
    body = text.split("data-seats")[1].split("</tbody>")[0]
    assert [row.count("<td") for row in body.split("</tr>")[:-1]] == [2, 3, 4, 5, 6, 7]
    assert body.count('class="here"') == 1


def test_a_pack_names_its_own_suits(visitor: Client) -> None:
    assert "Rosen" in get(visitor, NONE, faces="swiss")
    assert "Laub" in get(visitor, NONE, faces="german")
    assert 'data-faces="french"' in get(visitor, NONE, faces="tarot")


def test_a_page_without_a_hand_is_kept_by_a_phone_and_one_with_a_hand_names_it(visitor: Client) -> None:
    empty, hand = visitor.get("/hand-worth/"), visitor.get("/hand-worth/?" + urlencode(HAND))
    assert "Keep" in empty
    assert "Keep" not in hand
    assert hand["Keep-Also"] == "/hand-worth/"


def test_the_packs_have_so_many_cards() -> None:
    assert [sum(map(len, cards_of(game))) for game in ("chratze", "kratzen")] == [36, 33]


KEYS = st.sampled_from(("game", "faces", "trump", "c", "players", "after", "stage"))
VALUES = st.sampled_from(("chratze", "kratzen", "swiss", "s", "h", "As", "6d", "W", "7", "0", "-1", "٣", "after", ""))


@pytest.mark.sized
@settings(max_examples=sized(40, 150), suppress_health_check=[*HealthCheck])
@given(st.lists(st.tuples(KEYS, VALUES | st.text(max_size=4)), max_size=20))
def test_any_query_string_has_a_page(visitor: Client, fields: list[tuple[str, str]]) -> None:
    assert visitor.get("/hand-worth/?" + urlencode(fields, errors="replace")).status_code == 200


def test_it_answers_only_get_and_head(visitor: Client) -> None:
    assert visitor.post("/hand-worth/").status_code == 405


@pytest.fixture
def table(home: House) -> Table:
    return create_table(club=home.club, season=home.season, seats=3)


def worths(table: Table, step: int) -> str:
    text = page(reader().get(url(table, f"h/1/through/?step={step}")))
    return text.partition('id="worth-title"')[2].partition("</section>")[0]


@pytest.mark.django_db
def test_the_end_of_a_hand_says_what_its_hands_were_worth(table: Table) -> None:
    enter(table, WHOLE)
    end = worths(table, STEPS)
    assert re.findall(r"<li><b>(\w+)</b>", end)[0] == "Anna"
    assert "needed two tricks" in end
    assert len(re.findall(r"as dealt about \d+ of 100 times", end)) == end.count("<li>")
    address = re.findall(r'href="([^"]+)"', end)[0].replace("&amp;", "&")
    said = re.findall(r"about (\d+) of 100", end)[0]
    assert f"two tricks about {said} times" in " ".join(reader().get(address).content.decode().split())
    assert worths(table, STEPS - 1) == "", "nothing before the end"


@pytest.mark.django_db
def test_nothing_is_said_while_a_hand_is_entered(table: Table, home: House) -> None:
    client: Any = Client()
    client.force_login(home.recorder)
    text = client.get(url(table, "cards/")).content.decode()
    assert "hand-worth" not in text
