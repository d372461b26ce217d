"""The help pages: complete, short, reached from every screen, and with examples that the engine computes."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from PIL import Image

import engine
from games.evening.night_club import HELP_OF_NIGHT, pages_of_night
from games.help import examples
from games.help.pages import OF_ROUTE, PAGES
from league.money import format_price
from tests.cast import Cast, cast
from tests.factories import FAILED, MADE, WITH_CARDS, create_table, enter
from tests.platform.test_query_counts import addresses
from tests.screens.help import PICTURES
from tests.screens.pages import SCREENS

pytestmark = pytest.mark.django_db

MOST_WORDS, MOST_BYTES = 600, 1_000_000
LANGUAGES = [language for language, _name in settings.LANGUAGES]
SLUGS = [page.slug for page in PAGES]
NO_HELP = {
    *("", "help", "help-page", "help-words", "offline", "api-docs"),
    # For a television, or in the page of another site.
    *("club-screen", "screen-link", "tournament-screen", "standings-embed"),
}
"""Screens without a "?"."""
GAME = {"game": "chratze", "seats": 4, "dealer": 3, "pot_before": 0}


def words(page: str) -> list[str]:
    """Return the words of the content of a page."""
    content = re.search(r"<main.*</main>", page, re.DOTALL)
    assert content
    return re.findall(r"\w[\w.’'-]*", html.unescape(re.sub(r"<[^>]+>", " ", content[0])))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", SLUGS)
def test_a_page_is_for_everybody_and_short(slug: str, language: str) -> None:
    answer = Client(headers={"accept-language": language}).get(f"/help/{slug}/")
    assert answer.status_code == 200
    assert f'<html lang="{language}' in answer.content.decode()
    assert 150 < len(words(answer.content.decode())) <= MOST_WORDS


@pytest.mark.parametrize("slug", SLUGS)
def test_the_headings_are_questions(slug: str) -> None:
    text = Client().get(f"/help/{slug}/").content.decode().partition("<figure>")[0]
    headings = re.findall(r"<h2>(.*?)</h2>", text)
    assert len(headings) > 3
    assert [heading for heading in headings if not heading.endswith("?")] == []


def test_the_list_has_every_page_and_every_footer_the_list() -> None:
    page, _, _ = Client().get("/help/").content.decode().partition("<template")
    assert re.findall(r'href="/help/([a-z-]+)/"', page) == [*SLUGS, "words", "handout"]
    assert '<a href="/help/">' in Client().get("/login/").content.decode()
    assert Client().get("/help/nothing/").status_code == 404


def test_every_screen_has_a_help_page() -> None:
    assert {screen.route for screen in SCREENS} - NO_HELP == set(OF_ROUTE)


def test_no_screen_has_two_help_pages() -> None:
    assert len(OF_ROUTE) == sum(len(page.routes) for page in PAGES)


@pytest.fixture
def people() -> Cast:
    made = cast()
    for house in (made.home, made.away):
        table = create_table(club=house.club, season=house.season)
        for record in (WITH_CARDS, MADE, FAILED):
            enter(table, record)
    return made


def test_the_header_of_a_screen_leads_to_its_help(people: Cast) -> None:
    client, seen = Client(), []
    client.force_login(people.home.owner)
    for route, address in addresses(people):
        answer = client.get(address)
        if route not in OF_ROUTE or answer.status_code != 200:
            continue
        links = re.findall(
            r'<a class="plain help-link" href="([^"]+)" aria-label="(?:Help|Hilfe): ', answer.content.decode()
        )
        # The table has it in its menu, too.
        assert (route, set(links)) == (route, {f"/help/{OF_ROUTE[route].slug}/"})
        seen.append(route)
    assert {"table", "hand-paid", "hand-edit", "night-table", "evening-close", "calculator", "season"} <= set(seen)
    assert len(seen) > 60


def test_a_page_without_help_has_no_link() -> None:
    assert b"help-link" not in Client().get("/help/").content
    assert b"help-link" not in Client().get("/nothing-here/").content


@pytest.mark.parametrize("slug", SLUGS)
def test_a_page_has_a_picture_of_its_own_that_moves_nothing(slug: str) -> None:
    picture = finders.find(f"help/{slug}.webp")
    assert picture
    with Image.open(picture) as opened:
        assert opened.size == (720, 1280)
    tag = re.search(r"<figure><img [^>]*>", Client().get(f"/help/{slug}/").content.decode())
    assert tag
    assert f"help/{slug}" in tag[0]
    assert 'width="360" height="640" loading="lazy"' in tag[0]


def test_the_pictures_are_small_and_can_be_made_again() -> None:
    files = list((Path(settings.BASE_DIR) / "static/help").iterdir())
    assert {path.name for path in files} == {f"{screen.name}.webp" for screen in PICTURES}
    assert sum(path.stat().st_size for path in files) < MOST_BYTES


def test_a_phone_keeps_the_pages_for_the_cellar() -> None:
    for slug in SLUGS:
        assert ("Keep" in Client().get(f"/help/{slug}/").headers) == (slug in HELP_OF_NIGHT)
    assert {f"/help/{slug}/" for slug in HELP_OF_NIGHT} <= set(pages_of_night("roessli"))


def deltas(tally: dict[str, object], **start: int) -> list[int]:
    return engine.replay(GAME | start | tally)["deltas"]


def test_the_hands_of_the_page_are_those_of_the_engine() -> None:
    shown = examples.hands()
    ante = shown["ante"]
    made, joiner_failed = deltas(examples.MADE), deltas(examples.JOINER_FAILED)
    assert made == [shown["declarer_takes"] - ante, -ante, shown["joiner_takes"] - ante, -ante]
    assert joiner_failed == [shown["pot"] - ante, -ante, -ante, -shown["joiner_pays_with_ante"]]
    assert deltas(examples.DECLARER_FAILED)[1] == -shown["declarer_pays"] - ante
    page = Client().get("/help/at-the-table/").content.decode()
    for amount in shown.values():
        assert format_price(amount, "CHF") in page
    # The heading names the ante: "Why does Housi pay 20 Rappen more?"
    assert ante == 20


@pytest.mark.parametrize("slug", ["evening-over", "payments", "standings"])
def test_the_evening_of_the_page_is_that_of_the_engine(slug: str) -> None:
    first = engine.replay(GAME | examples.MADE)
    start = {"dealer": first["next"]["dealer"], "pot_before": first["pot_after"]}
    second = engine.replay(GAME | start | examples.DECLARER_FAILED)
    shown = examples.evening()
    assert [total for _name, total in shown.sums] == [
        a + b for a, b in zip(first["deltas"], second["deltas"], strict=True)
    ]
    assert shown.pot_minor == second["pot_after"] == -sum(total for _name, total in shown.sums)
    # The text tells these points: Anna made both, Carlo one, Beni failed.
    assert shown.points == [("Anna", 3), ("Beni", -2), ("Carlo", 1), ("Housi", 0)]
    page = Client().get(f"/help/{slug}/").content.decode()
    for _name, amount in shown.sums:
        assert format_price(amount, "CHF", plus="+") in page


def test_the_payments_of_the_example_bring_everybody_to_zero() -> None:
    shown = examples.evening()
    balances = dict(shown.sums) | {"": shown.pot_minor}
    for payment in shown.payments:
        balances[payment.payer] += payment.amount_minor
        balances[payment.payee] -= payment.amount_minor
    assert set(balances.values()) == {0}
    for slug in ("evening-over", "payments"):
        page = Client().get(f"/help/{slug}/").content.decode()
        for payment in shown.payments:
            assert format_price(payment.amount_minor, "CHF") in page
