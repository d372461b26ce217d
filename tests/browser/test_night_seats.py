"""Arrivals, departures, swaps, dealers and the pause without a network: the sheet on the table screen, and the stored
changes."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from games.models import Hand, Happening, Table
from league.models import Player
from tests.processes import wait_until

from .sign_in import sign_in
from .test_seating import seated
from .test_seating import table as table  # a fixture

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WAITING = "async () => (await (await import('/static/js/outbox.js')).all()).map((item) => item.write.kind)"
LINES = "(lines) => lines.map((line) => [...line.children].map((one) => one.textContent).join(' '))"


def opened(page: Page) -> None:
    """Open the sheet from the menu."""
    page.locator("[popovertarget=more]").tap()
    page.get_by_role("link", name="Kommt / geht").tap()
    expect(page.locator("#seats")).to_be_visible()


def stored(page: Page) -> None:
    page.locator("#seats [data-store]").tap()
    expect(page.locator("#seats")).to_be_hidden()


def comes(page: Page, name: str) -> None:
    page.locator("#seats [data-who]").fill(name)
    page.locator("#seats [data-typed]").tap()


def rows(page: Page) -> list[str]:
    names = page.locator("[data-seat] .js-only .name")
    # The page of an evening that waits is empty at first.
    expect(names.first).not_to_be_empty()
    return names.all_inner_texts()


def hand_saved(page: Page, *seats: int) -> None:
    """Save a hand: the first of the seats declares, the others join, all make it. Then go to the next hand."""
    for seat in seats:
        page.locator(f'[data-seat="{seat}"] [data-tap]').tap()
    page.locator("[data-save]").tap()
    page.locator("[data-next-hand]").tap()


@pytest.mark.core
def test_changes_between_hands_arrive_as_they_were_made(page: Page, phone: BrowserContext, table: Table) -> None:
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    phone.set_offline(True)
    opened(page)
    comes(page, "  Zoé ")
    expect(page.locator("#seats-title")).to_have_text("Zoé kommt und sitzt nach Emil")
    page.locator("#seats .fresh [data-move='-1']").tap()
    expect(page.locator("#seats-title")).to_have_text("Zoé kommt und sitzt nach Doris")
    stored(page)
    assert rows(page) == ["Anna", "Beni", "Carlo", "Doris", "Zoé", "Emil"]
    hand_saved(page, 4, 0)
    opened(page)
    page.get_by_role("button", name="Anna geht").tap()
    stored(page)
    opened(page)
    page.get_by_role("button", name="Beni: einen Platz nach unten").tap()
    expect(page.locator("#seats-title")).to_have_text("Beni und Carlo tauschen die Plätze")
    stored(page)
    opened(page)
    page.locator("#seats [data-dealers]").get_by_text("Zoé").tap()
    stored(page)
    hand_saved(page, 0, 3)
    opened(page)
    page.locator("#seats [data-do=pause]").tap()
    stored(page)
    dealer = page.locator("[data-seat]:has(.js-only [data-deals]:not([hidden])) .js-only .name").inner_text()
    order = ["Carlo", "Beni", "Doris", "Zoé", "Emil"]
    assert rows(page) == order
    assert Hand.objects.count() == 1
    phone.set_offline(False)
    wait_until(lambda: Table.objects.get(pk=table.pk).paused_at is not None, 20, "the pause arrives")
    assert seated(table) == order
    wait_until(lambda: page.evaluate(WAITING) == [], 20, "the last answer arrives")
    now = Table.objects.get(pk=table.pk)
    assert (now.hands, now.dealer.nickname) == (3, dealer)
    guest = Player.objects.get(nickname="Zoé")
    assert guest.guest
    assert Hand.objects.get(number=2).revisions.get().seats.filter(player=guest).exists()


SWAPPED = """async () => {
  const { all } = await import("/static/js/outbox.js");
  const { ITEMS, run } = await import("/static/js/database.js");
  const [one, other] = await all();
  await run(ITEMS, "readwrite", (store) => {
    store.put({ ...one, place: other.place });
    return store.put({ ...other, place: one.place });
  });
}"""
"""Let the second item go up before the first."""


def test_a_hand_before_the_guest_whom_it_names_is_refused(page: Page, phone: BrowserContext, table: Table) -> None:
    """The twin of the test above: without the order of the outbox the guest is unknown."""
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    phone.set_offline(True)
    opened(page)
    comes(page, "Zoé")
    stored(page)
    hand_saved(page, 5, 0)
    page.evaluate(SWAPPED)
    phone.set_offline(False)
    refused = (
        "async () => (await (await import('/static/js/outbox.js')).all()).map((item) => item.answer?.refused?.code)"
    )
    wait_until(lambda: "reference" in page.evaluate(refused), 20, "the hand is refused")
    assert Hand.objects.count() == 1


CHANGES: dict[str, tuple[Callable[[Page], None], Callable[[Table], dict[str, object]]]] = {
    "come": (
        lambda page: comes(page, "Zoé"),
        lambda table: {"do": "come", "name": "Zoé"},
    ),
    "leave": (
        lambda page: page.get_by_role("button", name="Anna geht").tap(),
        lambda table: {"do": "leave", "player": table.places.get(seat=0).player_id},
    ),
    "dealer": (
        lambda page: page.locator("#seats [data-dealers]").get_by_text("Carlo").tap(),
        lambda table: {"do": "dealer", "player": table.places.get(seat=2).player_id},
    ),
    "order": (
        lambda page: page.get_by_role("button", name="Anna: einen Platz nach unten").tap(),
        lambda table: {
            "do": "order",
            "order": ",".join(str(table.places.get(seat=seat).player_id) for seat in (1, 0, 2, 3, 4)),
        },
    ),
    "pause": (
        lambda page: page.locator("#seats [data-do=pause]").tap(),
        lambda table: {"do": "pause"},
    ),
}


def test_the_sheet_says_the_same_as_the_page_of_the_server(page: Page, phone: BrowserContext, table: Table) -> None:
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    said = {}
    phone.set_offline(True)
    opened(page)
    for name, (act, _) in CHANGES.items():
        act(page)
        said[name] = (
            page.locator("#seats-title").inner_text(),
            page.locator("#seats [data-lines] > div").evaluate_all(LINES),
            page.locator("#seats [data-back]").inner_text(),
            page.locator("#seats [data-store]").inner_text(),
        )
        page.locator("#seats [data-cancel]").tap()
    phone.set_offline(False)
    for name, (_, query) in CHANGES.items():
        page.goto(f"/c/roessli/t/{table.pk}/seating/?{urlencode(query(table))}")
        lines = page.locator("#preview .will > div").evaluate_all(LINES)
        shown = (
            page.locator("h1").inner_text(),
            lines,
            page.locator("#preview .ready").inner_text(),
            page.locator("[data-do]").inner_text(),
        )
        assert _open_coins_aside(shown) == said[name]


def _open_coins_aside(shown: tuple[str, list[str], str, str]) -> tuple[str, list[str], str, str]:
    """The page of the server without its question about open coins: without a network it is not asked."""
    title, lines, back, button = shown
    return title, [line.split(" Gibt dann ")[0].split(" Bekommt dann ")[0] for line in lines], back, button


def test_a_refused_change_is_shown_as_a_sentence_and_nothing_waits(
    page: Page, phone: BrowserContext, table: Table
) -> None:
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    phone.set_offline(True)
    opened(page)
    problem = page.locator("#seats [data-problem]")
    comes(page, "anna")
    expect(problem).to_have_text("Anna ist schon da.")
    comes(page, "x" * 40)
    expect(page.locator("#seats-title")).to_contain_text("kommt und sitzt nach Emil")
    page.locator("#seats [data-cancel]").tap()
    expect(problem).to_be_hidden()
    for _ in range(3):
        page.locator("#seats [data-leaves]").first.tap()
        stored(page)
        opened(page)
    page.locator("#seats [data-leaves]").first.tap()
    expect(problem).to_contain_text("Chratze")
    assert page.evaluate(WAITING) == ["leave"] * 3


def test_a_nickname_of_the_roster_is_that_player(page: Page, phone: BrowserContext, table: Table) -> None:
    gone = table.places.get(seat=4).player
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    phone.set_offline(True)
    opened(page)
    page.get_by_role("button", name="Emil geht").tap()
    stored(page)
    opened(page)
    comes(page, "EMIL")
    expect(page.locator("#seats-title")).to_have_text("Emil kommt und sitzt nach Doris")
    stored(page)
    write = page.evaluate("async () => (await (await import('/static/js/outbox.js')).all()).at(-1).write")
    assert write["player"] == gone.pk
    phone.set_offline(False)
    wait_until(lambda: Happening.objects.filter(table=table).count() == 2, 20, "both changes arrive")
    assert seated(table)[-1] == "Emil"
    assert not Player.objects.filter(guest=True).exists()


def test_another_page_names_the_change_that_waits(page: Page, table: Table) -> None:
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    page.route("**/night/", lambda route: route.abort("internetdisconnected"))
    page.evaluate("Object.defineProperty(navigator, 'onLine', { value: false })")
    opened(page)
    page.get_by_role("button", name="Emil geht").tap()
    stored(page)
    page.goto("/c/roessli/")
    expect(page.locator("#outbox [data-line]")).to_contain_text("Emil geht")


def test_an_action_that_needs_a_network_shows_a_notice_and_opens_no_page(
    page: Page, phone: BrowserContext, table: Table
) -> None:
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    here = page.url
    phone.set_offline(True)
    for name in ("Karte für Karte", "Abend abschliessen"):
        page.locator("[popovertarget=more]").tap()
        page.locator("#more").get_by_role("link", name=name).tap()
        expect(page.locator("#needs-network")).to_contain_text(name)
        page.locator("#needs-network button").tap()
        assert page.url == here
    page.locator(".undo > [popovertarget=undo]").tap()
    expect(page.locator("#needs-network")).to_be_visible()
    expect(page.locator("#undo")).to_be_hidden()
    page.locator("#needs-network button").tap()
    phone.set_offline(False)
    page.locator("[popovertarget=more]").tap()
    page.get_by_role("link", name="Kommt / geht").tap()
    page.wait_for_url(f"**/t/{table.pk}/seating/")
