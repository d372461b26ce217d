"""A word of the games in a sentence shows its meaning when it is tapped."""

from __future__ import annotations

import re
import uuid

import pytest
from django.utils import translation
from playwright.sync_api import Page, expect

from games.closing.services import evening_close
from games.help.words import ALL
from league.standings.counting import count_season
from tests.cast import House
from tests.factories import MADE, create_table, enter

from .outbox_steps import NO_ANSWER
from .sign_in import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MARKED = "() => [...CSS.highlights.get('word')].map((range) => range.toString())"
TAP = """([inside, word]) => {
  const texts = document.createTreeWalker(document.querySelector(inside), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const at = texts.currentNode.data.indexOf(word);
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(texts.currentNode, at);
    range.setEnd(texts.currentNode, at + word.length);
    texts.currentNode.parentElement.scrollIntoView({ block: "center" });
    const box = range.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }
  throw new Error(`no ${word}`);
}"""


@pytest.fixture
def expected(expected: tuple[str, ...]) -> tuple[str, ...]:
    """A request that the test cuts off is no fault."""
    return (*expected, NO_ANSWER)


@pytest.fixture
def settled(page: Page, home: House) -> Page:
    """The page of payments of a closed evening, whose pot stays for the next one."""
    table = create_table(club=home.club, season=home.season, author=home.recorder)
    enter(table, MADE, author=home.recorder)
    evening_close(evening=table.evening, author=None, key=uuid.uuid4(), pot="carry")
    sign_in(page, f"/c/roessli/e/{table.evening_id}/close/")
    return page


def tap_on(page: Page, inside: str, word: str) -> None:
    """Tap the first use of a word within an element."""
    point = page.evaluate(TAP, [inside, word])
    page.touchscreen.tap(point["x"], point["y"])


def meaning(key: str) -> str:
    with translation.override("de"):
        return str(ALL[key].meaning)


def test_a_word_of_a_sentence_is_marked_once_and_tells_its_meaning(settled: Page) -> None:
    marked = settled.evaluate(MARKED)
    assert "Topf" in marked
    assert len(marked) == len(set(marked))
    note, sums = settled.locator(".word-note:popover-open"), "section[aria-labelledby=sums-title]"
    tap_on(settled, sums, "Topf")
    expect(note).to_contain_text(meaning("pot"))
    expect(note.locator("a")).to_have_attribute("href", re.compile("/help/words/#pot$"))
    settled.keyboard.press("Escape")
    expect(note).to_have_count(0)
    # The word beside it has no meaning.
    tap_on(settled, sums, "Der")
    settled.evaluate("() => new Promise((done) => setTimeout(done, 0))")
    expect(note).to_have_count(0)


@pytest.mark.parametrize(
    ("meant", "ordinary", "key"),
    [
        ("<p>metcho oder weg", "<p>Nimm das Häkchen weg", "out"),
        ("<p>weg", "<p><b>Anna</b> weg <b>Beni</b>", "out"),
        ("<p>Beni ging nicht mit", "<p>Saisons mit Beträgen", "with"),
        ("<p>mit, ohne", "<p>Karten ohne Namen", "without"),
        ("<p>Anna spielt Oder", "<p>Jetzt. Oder am Schluss", "oder"),
        ("<p>Alle\n weiter", "<p>Es geht weiter", "weiter"),
        ("<p>Niemand geht mit; Anna ist die Susi", "<p>Susi", "susi"),
        ("<p>3.50 offen", "<p>Der Tisch ist offen", "outstanding"),
        ("<p>Der Abend ist endgültig", "<p>Der Name wird endgültig gelöscht", "final"),
    ],
)
def test_a_word_of_every_day_is_explained_where_it_is_meant(settled: Page, meant: str, ordinary: str, key: str) -> None:
    with translation.override("de"):
        term = str(ALL[key].term)
    note = settled.locator(".word-note:popover-open")
    for text, shown in ((ordinary, 0), (meant, 1)):
        settled.evaluate("(html) => { document.querySelector('main').innerHTML = html }", text)
        tap_on(settled, "main", term)
        settled.evaluate("() => new Promise((done) => setTimeout(done, 0))")
        expect(note).to_have_count(shown)
    expect(note).to_contain_text(meaning(key))


def test_without_a_network_the_list_at_the_foot_of_the_page_is_read(settled: Page) -> None:
    settled.goto("/c/roessli/rules/?game=chratze")
    note = settled.locator(".word-note:popover-open")
    settled.route("**/help/words/", lambda route: route.abort())
    tap_on(settled, "main", "Einsatz")
    expect(note).to_contain_text(meaning("ante"))
    settled.keyboard.press("Escape")
    # Twin: without the list the page says nothing, and the page of the words is asked for again.
    settled.evaluate("() => document.querySelector('.legend').remove()")
    with settled.expect_event("requestfailed"):
        tap_on(settled, "main", "Einsatz")
    expect(note).to_have_count(0)
    settled.unroute_all()
    tap_on(settled, "main", "Einsatz")
    expect(note).to_contain_text(meaning("ante"))


def test_the_word_of_a_heading_that_sorts_is_in_the_sentence_below_the_table(page: Page, home: House) -> None:
    home.season.ranking = "balance"
    home.season.save()
    enter(create_table(club=home.club, season=home.season, author=home.recorder), MADE, author=home.recorder)
    count_season(home.season.pk)
    sign_in(page, f"/c/roessli/s/{home.season.slug}/", "owner")
    assert "Saldo" not in page.evaluate(MARKED)
    page.locator("#standings th", has_text="Saldo").locator("a").tap()
    page.wait_for_url(re.compile(r"sort=balance#standings$"))
    assert "Saldo" in page.evaluate(MARKED)
    tap_on(page, "#standings > p", "Saldo")
    expect(page.locator(".word-note:popover-open")).to_contain_text(meaning("balance"))
