"""A bad network for every other save of a night: kept on the phone until it has an answer, and stored once."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import BrowserContext, Page, Request, Route, expect

from games.closing.services import evening_close
from games.models import Correction, Happening, Revision, Table
from league.models import Closing, Evening, Transfer
from tests.cast import House, house
from tests.factories import FAILED, MADE, enter, open_table

from .signing import fill_in, sign_in
from .test_outbox import NO_ANSWER, kept, line, no_posts, nothing_kept

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def home(transactional_db: None) -> House:
    return house("roessli")


@pytest.fixture
def table(home: House) -> Table:
    table = open_table(club=home.club, season=home.season, author=home.recorder)
    for record in (MADE, FAILED):
        enter(table, record, author=home.recorder)
    return table


@pytest.fixture
def phone(phone: BrowserContext, said: list[str]) -> Iterator[BrowserContext]:
    yield phone
    said[:] = [line for line in said if NO_ANSWER not in line and "status of 5" not in line]


@dataclass(frozen=True)
class Case:
    """A page with what is tapped last there, and how often what it does is stored."""

    page: Callable[[Table], str]
    button: str
    stored: Callable[[], int]
    before: Callable[[Page], None] = lambda page: None


def undo(page: Page) -> None:
    page.locator(".undo > [popovertarget=undo]").tap()


def seat_guest(page: Page) -> None:
    page.locator("[data-guest]").fill("Zoe")
    page.locator("[data-add-guest]").tap()
    page.locator("[data-roster] label").first.tap()
    page.locator("[name=first_dealer]").last.check(force=True)


CASES = {
    "undo": Case(
        lambda table: f"t/{table.pk}/",
        "#undo [type=submit]",
        lambda: Revision.objects.filter(kind="voided").count(),
        undo,
    ),
    "a guest comes": Case(
        lambda table: f"t/{table.pk}/night/?do=come&name=Zoe", "[data-do]", lambda: Happening.objects.count()
    ),
    "pause": Case(lambda table: f"t/{table.pk}/night/?do=pause", "[data-do]", lambda: Happening.objects.count()),
    "a hand taken out": Case(
        lambda table: f"t/{table.pk}/h/1/out/", "[value=save]", lambda: Correction.objects.count()
    ),
    "last hand": Case(
        lambda table: f"e/{table.evening_id}/close/", "form[action$='/last/'] button", lambda: Happening.objects.count()
    ),
    "close": Case(
        lambda table: f"e/{table.evening_id}/close/", "#closing [type=submit]", lambda: Closing.objects.count()
    ),
    "a new evening": Case(
        lambda table: "e/new/", "[data-start]", lambda: Evening.objects.exclude(number=1).count(), seat_guest
    ),
}


class Network:
    """The server stores the first save and the phone never hears; nothing else gets through until it is back.

    With `other_key` what goes out then is another save, as if the phone had made a new key for it.
    """

    def __init__(self, *, other_key: bool = False, back: bool = False) -> None:
        self.other_key = other_key
        self.back = back
        self.sent: list[str] = []

    def __call__(self, route: Route) -> None:
        if "/live/" in route.request.url and self.sent and not self.back:
            route.abort()
            return
        if route.request.method != "POST" or "/preview/" in route.request.url:
            route.continue_()
            return
        body = route.request.post_data or ""
        self.sent.append(body)
        if len(self.sent) == 1:
            route.fetch(max_redirects=0)
            route.abort()
        elif not self.back:
            route.abort()
        elif self.other_key:
            fields = [(name, str(uuid.uuid4()) if name == "key" else value) for name, value in parse_qsl(body)]
            route.continue_(post_data=urlencode(fields))
        else:
            route.continue_()


@pytest.mark.parametrize("name", CASES)
def test_an_answer_that_was_lost_stores_nothing_twice(
    page: Page, phone: BrowserContext, table: Table, name: str
) -> None:
    """Cut off after the server has stored it, the page gone, and the network back: stored once, and said so."""
    case = CASES[name]
    sign_in(page, f"/c/roessli/{case.page(table)}")
    before = case.stored()
    network = Network()
    phone.route(re.compile(r"/c/roessli/"), network)
    case.before(page)
    page.locator(case.button).tap()
    expect(page.locator(".waits-note")).to_be_attached()
    assert case.stored() == before + 1
    (item,) = kept(page)
    assert item["status"] == "waiting"
    page.goto("/")
    network.back = True
    expect(line(page).locator("a")).to_be_visible()
    nothing_kept(page)
    assert case.stored() == before + 1
    assert len({re.search(r"key=([0-9a-f-]+)", body).group(1) for body in network.sent}) == 1  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["undo", "pause", "a hand taken out", "a new evening"])
def test_its_twin_with_another_key_is_refused_or_stored_twice(
    page: Page, phone: BrowserContext, table: Table, name: str
) -> None:
    case = CASES[name]
    sign_in(page, f"/c/roessli/{case.page(table)}")
    before = case.stored()
    network = Network(other_key=True)
    phone.route(re.compile(r"/c/roessli/"), network)
    case.before(page)
    page.locator(case.button).tap()
    expect(page.locator(".waits-note")).to_be_attached()
    page.goto("/")
    network.back = True
    expect(line(page)).to_have_class(re.compile("good|bad"))
    refused = [item["status"] for item in kept(page)] == ["refused"]
    assert refused or case.stored() == before + 2


def test_it_says_what_waits_and_goes_out_by_itself(page: Page, phone: BrowserContext, table: Table) -> None:
    sign_in(page, f"/c/roessli/t/{table.pk}/night/?do=come&name=Zoe")
    said = page.locator("[data-do]").inner_text()
    phone.set_offline(True)
    page.locator("[data-do]").tap()
    expect(page.locator(".waits-note")).to_be_visible()
    expect(page.locator("[data-do]")).to_have_text(said)
    expect(line(page)).to_be_hidden()
    phone.set_offline(False)
    page.wait_for_url(re.compile(r"/t/\d+/$"))
    expect(page.locator("#told")).to_contain_text("Zoe")
    nothing_kept(page)
    assert Happening.objects.count() == 1


def test_after_a_reload_the_form_still_waits_and_a_tap_sends_the_same(
    page: Page, phone: BrowserContext, table: Table
) -> None:
    sign_in(page, f"/c/roessli/t/{table.pk}/night/?do=pause")
    phone.route(re.compile(r"/night/"), no_posts)
    page.locator("[data-do]").tap()
    expect(page.locator(".waits-note")).to_be_visible()
    (item,) = kept(page)
    page.reload()
    expect(page.locator(".waits-note")).to_be_visible()
    page.locator("[data-do]").tap()
    page.wait_for_timeout(300)
    assert [one["key"] for one in kept(page)] == [item["key"]]
    phone.unroute_all()
    page.wait_for_url(re.compile(r"/t/\d+/$"))
    assert Happening.objects.count() == 1


def test_a_lapsed_login_keeps_it(page: Page, table: Table) -> None:
    sign_in(page, f"/c/roessli/e/{table.evening_id}/close/")
    Session.objects.all().delete()
    page.locator("#closing [type=submit]").tap()
    page.wait_for_url(re.compile("/login/"))
    assert len(kept(page)) == 1
    fill_in(page)
    expect(page.locator("#payments")).to_be_visible()
    nothing_kept(page)
    assert Closing.objects.count() == 1


def test_a_double_tap_is_one_save(page: Page, table: Table) -> None:
    sign_in(page, f"/c/roessli/t/{table.pk}/night/?do=come&name=Zoe")
    page.locator("[data-do]").dblclick()
    page.wait_for_url(re.compile(r"/t/\d+/$"))
    assert Happening.objects.count() == 1


def test_what_the_server_refuses_is_said_on_its_page_and_no_longer_waits(page: Page, table: Table, home: House) -> None:
    sign_in(page, f"/c/roessli/t/{table.pk}/h/1/out/")
    page.locator("[name=reason]").fill("nie gespielt")
    enter(table, MADE, author=home.owner)
    page.locator("[value=save]").tap()
    expect(page.locator("#problem")).to_be_visible()
    expect(page.locator("[name=reason]")).to_have_value("nie gespielt")
    expect(line(page)).to_be_hidden()
    nothing_kept(page)
    # The page knows the hands as they are now: the same tap stores it.
    page.locator("[value=save]").tap()
    page.wait_for_url(re.compile("/history/"))
    assert Correction.objects.count() == 1


def test_refused_behind_ones_back_it_stays_until_somebody_looks(
    page: Page, phone: BrowserContext, table: Table, home: House
) -> None:
    sign_in(page, f"/c/roessli/e/{table.evening_id}/close/")
    phone.set_offline(True)
    page.locator("#closing [type=submit]").tap()
    expect(page.locator(".waits-note")).to_be_visible()
    page.goto("about:blank")
    evening_close(evening=table.evening, author=home.owner, key=uuid.uuid4(), pot="carry")
    phone.set_offline(False)
    page.goto("/c/roessli/")
    expect(line(page)).to_have_class(re.compile("bad"))
    line(page).locator("button").tap()
    expect(page.locator("#outbox-list [data-told]")).to_have_text(re.compile("Abend (ab)?schliessen"))
    page.locator("#outbox-list [data-look]").tap()
    expect(page.locator("#problem")).to_be_visible()
    nothing_kept(page)
    assert Closing.objects.count() == 1


def test_what_comes_after_a_hand_goes_out_after_it(page: Page, phone: BrowserContext, table: Table) -> None:
    """A hand waits, and somebody leaves: in the other order the hand would be one of a seating that was not there."""
    other = phone.new_page()
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    first = table.places.order_by("seat").values_list("player_id", flat=True)[0]
    other.goto(f"/c/roessli/t/{table.pk}/night/?do=leave&player={first}")
    for seat in (0, 1):
        page.locator(f'[data-seat="{seat}"] [data-tap]').tap()
    expect(page.locator("#told [data-accepted]")).to_be_visible()
    phone.set_offline(True)
    page.locator("[data-save]").tap()
    expect(page.locator("#told [data-change]")).to_be_visible()
    other.locator("[data-do]").tap()
    expect(other.locator(".waits-note")).to_be_visible()
    page.close()
    phone.set_offline(False)
    other.wait_for_url(re.compile(r"/t/\d+/$"))
    assert Revision.objects.filter(hand__number=3).count() == 1
    assert Happening.objects.get().after == 3


def test_a_form_behind_a_refused_hand_says_so_and_leads_there(
    page: Page, phone: BrowserContext, table: Table, home: House
) -> None:
    """Nothing after it goes out before somebody has said what becomes of it."""
    other = phone.new_page()
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    other.goto(f"/c/roessli/t/{table.pk}/night/?do=pause")
    for seat in (0, 1):
        page.locator(f'[data-seat="{seat}"] [data-tap]').tap()
    expect(page.locator("#told [data-accepted]")).to_be_visible()
    phone.set_offline(True)
    page.locator("[data-save]").tap()
    expect(page.locator("#told [data-change]")).to_be_visible()
    enter(table, FAILED, author=home.owner)
    phone.set_offline(False)
    expect(page.locator(".versus")).to_be_visible()
    other.locator("[data-do]").tap()
    note = other.locator(".waits-note")
    expect(note).to_contain_text(re.compile("abgelehnt|refused"))
    assert not Happening.objects.exists()
    expect(line(other)).to_contain_text(re.compile("Buch|book"))
    note.locator("button").tap()
    expect(other.locator(".versus")).to_be_visible()
    # Thrown away, what waited behind it goes out.
    other.locator("[data-drop]").tap()
    nothing_kept(other)
    assert Happening.objects.count() == 1


def test_somebody_else_who_signs_in_does_not_become_its_author(
    page: Page, phone: BrowserContext, table: Table, home: House
) -> None:
    """The page is still open as the recorder's when another tab signs in the owner."""
    sign_in(page, f"/c/roessli/t/{table.pk}/night/?do=pause")
    phone.route(re.compile(r"/night/"), no_posts)
    page.locator("[data-do]").tap()
    expect(page.locator(".waits-note")).to_be_visible()
    other = phone.new_page()
    phone.clear_cookies(name="sessionid")
    sign_in(other, "/c/roessli/", "owner")
    phone.unroute_all()
    page.evaluate("() => window.dispatchEvent(new Event('online'))")
    page.wait_for_timeout(500)
    assert not Happening.objects.exists()
    assert len(kept(page)) == 1


@pytest.mark.parametrize("arrives", [True, False], ids=["late", "never"])
def test_a_tap_before_the_scripts_are_there_waits_for_them(page: Page, table: Table, arrives: bool) -> None:
    held: list[Route] = []
    sign_in(page, "/c/roessli/")
    page.route(re.compile(r"outbox_form.*\.js"), lambda route: route.continue_() if held else held.append(route))
    posts: list[str | None] = []

    def heard(request: Request) -> None:
        if request.method == "POST" and "/night/" in request.url:
            posts.append(request.headers.get("outbox"))

    page.on("request", heard)
    page.goto(f"/c/roessli/t/{table.pk}/night/?do=pause", wait_until="commit")
    page.locator("[data-do]").tap(no_wait_after=True)
    expect(page.locator("[data-do]")).to_have_attribute("aria-busy", "true")
    assert not Happening.objects.exists()
    assert len(held) == 1
    if arrives:
        held[0].continue_()
    else:
        held[0].abort()
    page.wait_for_url(re.compile(r"/t/\d+/$"))
    # With them it goes by way of what keeps it; without them it is a form like any other.
    assert posts == (["1"] if arrives else [None])
    assert Happening.objects.count() == 1


def test_payments_are_marked_once(page: Page, phone: BrowserContext, table: Table) -> None:
    evening_close(evening=table.evening, author=None, key=uuid.uuid4(), pot="carry")
    sign_in(page, f"/c/roessli/e/{table.evening_id}/close/")
    phone.route(re.compile(r"/paid/"), Network(back=True))
    page.locator(".pays [value=yes]").first.tap()
    # The answer is lost; what goes out again gets the same one.
    expect(page.locator(".pays .done")).to_be_visible(timeout=30_000)
    nothing_kept(page)
    assert Transfer.objects.filter(kind=Transfer.Kind.PAID).count() == 1
