"""The words of the games: each one on a main screen can be tapped there, and shows its meaning without a network."""

from __future__ import annotations

import html
import re
import uuid

import pytest
from django.test import Client
from django.utils import translation

from games.closing.services import evening_close
from games.help.words import ALL, of_games
from games.models import Table
from tests.cast import House, house
from tests.clients import reader
from tests.factories import FAILED, MADE, MUSS, create_table, enter
from tests.zwicken_hands import FORCED

pytestmark = pytest.mark.django_db
ORDINARY = {"out", "with", "without", "weiter", "blind", "outstanding"}
"""Words of the games that are also words of every sentence in German."""


@pytest.fixture
def home() -> House:
    return house("roessli")


@pytest.fixture
def chratze(home: House) -> Table:
    table = create_table(club=home.club, season=home.season)
    for record in (MADE, FAILED):
        enter(table, record)
    return table


@pytest.fixture
def kratzen(home: House) -> Table:
    table = create_table(club=home.club, season=home.season, seats=4, game="kratzen")
    enter(table, MUSS)
    return table


def german(home: House, address: str) -> str:
    answer = reader(home.owner, "de").get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def unexplained(page: str) -> set[str]:
    """Return the words of the page that cannot be tapped on it."""
    content = re.search(r"<main.*</main>", page, re.DOTALL)
    assert content
    text = html.unescape(re.sub(r"<(script|template|style).*?</\1>|<[^>]+>", " ", content[0], flags=re.DOTALL))
    with translation.override("de"):
        used = {key for key in set(ALL) - ORDINARY if re.search(rf"\b{re.escape(str(ALL[key].term))}\b", text)}
    return used - set(re.findall(r'data-word="([a-z-]+)"', page))


def screens(table: Table) -> list[str]:
    club = "/c/roessli/"
    return [
        f"{club}t/{table.pk}/",
        f"{club}night/{table.evening.game}/",
        f"{club}e/{table.evening_id}/",
        table.evening.season.get_absolute_url(),
        f"{club}debts/",
        f"{club}treasury/",
        f"{club}treasury/?book=box",
        f"{club}rules/?game={table.evening.game}",
    ]


@pytest.fixture
def zwicken(home: House) -> Table:
    table = create_table(club=home.club, season=home.season, seats=4, game="zwicken")
    enter(table, FORCED)
    return table


@pytest.mark.parametrize("game", ["chratze", "kratzen", "zwicken"])
def test_each_word_of_a_main_screen_can_be_tapped_there(home: House, game: str, request: pytest.FixtureRequest) -> None:
    table: Table = request.getfixturevalue(game)
    at_table, *others = screens(table)
    pages = {at_table: german(home, at_table)}
    evening_close(evening=table.evening, author=None, key=uuid.uuid4())
    pages |= {address: german(home, address) for address in others}
    with_word = {address: unexplained(page) for address, page in pages.items()}
    assert {address: words for address, words in with_word.items() if words} == {}
    # The buttons of the table have the words themselves: its menu has all of the game.
    for address in (at_table, others[0]):
        assert {word.key for word in of_games([game])} <= set(re.findall(r'data-word="([a-z-]+)"', pages[address]))
        assert 'popovertarget="words"' in pages[address]


def test_a_page_whose_word_has_no_meaning_is_found(home: House, chratze: Table) -> None:
    page = german(home, screens(chratze)[0])
    assert unexplained(page.replace('data-word="pot"', "")) == {"pot"}


def test_a_word_in_place_opens_its_meaning_without_a_script(home: House, chratze: Table) -> None:
    evening_close(evening=chratze.evening, author=None, key=uuid.uuid4())
    page = german(home, f"/c/roessli/e/{chratze.evening_id}/close/")
    assert 'popovertarget="word-provisional">provisorisch</button><span class="sheet word-note"' in page
    assert page.count('id="word-provisional"') == 1


def test_the_page_of_the_words_has_each_of_them() -> None:
    page = Client().get("/help/words/").content.decode()
    assert re.findall(r'<div id="([a-z-]+)"><dt>', page) == list(ALL)
