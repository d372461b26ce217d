"""A bad network for every other form of an evening: each save waits on the phone for its answer and is stored once."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import BrowserContext, Page, Request, Route, expect

from games.closing.services import evening_close
from games.disputes.services import dispute_raise
from games.models import Correction, Dispute, Hand, Happening, Revision, Table
from league.models import Closing, Transfer
from tests.cast import House
from tests.factories import FAILED, MADE, create_table, enter
from tests.processes import wait_until

from .outbox_steps import NO_ANSWER, kept, line, load_again, no_posts, nothing_kept, save_without_network
from .sign_in import fill_in, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def table(home: House) -> Table:
    table = create_table(club=home.club, season=home.season, author=home.recorder)
    for record in (MADE, FAILED):
        enter(table, record, author=home.recorder)
    return table


@pytest.fixture
def expected(expected: tuple[str, ...]) -> tuple[str, ...]:
    """Requests that the test cuts off are no fault, nor are answers of a server that is out of order."""
    return (*expected, NO_ANSWER, "status of 5")


@dataclass(frozen=True)
class Case:
    """A page, its last button, and a count of the stored rows.

    `tests/games/test_hands_resend.py` sends every form of an evening twice; here is one of each kind: a form with the
    mark of the outbox, a button with it, and a form whose fields a script writes.
    """

    page: Callable[[Table], str]
    button: str
    stored: Callable[[], int]
    before: Callable[[Page], None] = lambda page: None


def undo(page: Page) -> None:
    page.locator(".undo > [popovertarget=undo]").tap()


def paste(page: Page) -> None:
    """Paste a tally, so that the page shows its result."""
    page.fill("#text", json.dumps(MADE))
    page.locator(".paste [type=submit]").tap()
    expect(page.locator(".hand-end [value=save]")).to_be_visible()


CASES = {
    "a pasted tally": Case(lambda table: f"t/{table.pk}/paste/", "[value=save]", lambda: Hand.objects.count(), paste),
    "undo": Case(
        lambda table: f"t/{table.pk}/",
        "#undo [type=submit]",
        lambda: Revision.objects.filter(kind="voided").count(),
        undo,
    ),
    "a hand taken out": Case(
        lambda table: f"t/{table.pk}/h/1/out/", "[value=save]", lambda: Correction.objects.count()
    ),
}


class Network:
    """The server stores the first save but its answer is lost; no other request arrives until the network is back."""

    def __init__(self, *, back: bool = False) -> None:
        self.back = back
        self.sent: list[str] = []

    def __call__(self, route: Route) -> None:
        if "/live/" in route.request.url and self.sent and not self.back:
            route.abort()
            return
        # Only saves have this header.
        if "outbox" not in route.request.headers:
            route.continue_()
            return
        body = route.request.post_data or ""
        self.sent.append(body)
        if len(self.sent) == 1:
            route.fetch(max_redirects=0)
            route.abort()
        elif not self.back:
            route.abort()
        else:
            route.continue_()


def save_without_an_answer(case: Case, page: Page, phone: BrowserContext, table: Table, network: Network) -> int:
    """Tap a page's last button over this network; return the number of rows stored before."""
    sign_in(page, f"/c/roessli/{case.page(table)}")
    before = case.stored()
    phone.route(re.compile(r"/c/roessli/"), network)
    case.before(page)
    page.locator(case.button).tap()
    expect(page.locator(".waits-note")).to_be_attached()
    return before


@pytest.mark.parametrize("name", CASES)
def test_after_a_lost_answer_nothing_is_stored_twice(
    page: Page, phone: BrowserContext, table: Table, name: str
) -> None:
    """The answer is lost, the page is closed and the network comes back: stored once, and shown as stored."""
    case, network = CASES[name], Network()
    before = save_without_an_answer(case, page, phone, table, network)
    assert case.stored() == before + 1
    (item,) = kept(page)
    assert item["status"] == "waiting"
    page.goto("/")
    network.back = True
    expect(line(page).locator("a")).to_be_visible()
    nothing_kept(page)
    assert case.stored() == before + 1
    assert len({re.search(r"key=([0-9a-f-]+)", body).group(1) for body in network.sent}) == 1  # type: ignore[union-attr]


def test_a_waiting_form_is_shown_and_sent_later_by_itself(page: Page, phone: BrowserContext, table: Table) -> None:
    sign_in(page, f"/c/roessli/t/{table.pk}/seating/?do=come&name=Zoe")
    label = page.locator("[data-do]").inner_text()
    phone.set_offline(True)
    page.locator("[data-do]").tap()
    expect(page.locator(".waits-note")).to_be_visible()
    expect(page.locator("[data-do]")).to_have_text(label)
    expect(line(page)).to_be_hidden()
    phone.set_offline(False)
    page.wait_for_url(re.compile(r"/t/\d+/$"))
    expect(page.locator("#preview")).to_contain_text("Zoe")
    nothing_kept(page)
    assert Happening.objects.count() == 1


def test_after_a_reload_the_form_still_waits_and_a_tap_sends_it_with_its_key(
    page: Page, phone: BrowserContext, table: Table
) -> None:
    sign_in(page, f"/c/roessli/t/{table.pk}/seating/?do=pause")
    phone.route(re.compile(r"/seating/"), no_posts)
    page.locator("[data-do]").tap()
    expect(page.locator(".waits-note")).to_be_visible()
    (item,) = kept(page)
    page.reload()
    expect(page.locator(".waits-note")).to_be_visible()
    with page.expect_event("requestfailed", lambda request: request.method == "POST"):
        page.locator("[data-do]").tap()
    assert [waiting["key"] for waiting in kept(page)] == [item["key"]]
    phone.unroute_all()
    page.wait_for_url(re.compile(r"/t/\d+/$"))
    assert Happening.objects.count() == 1


def test_a_form_waits_if_the_session_ends(page: Page, table: Table) -> None:
    sign_in(page, f"/c/roessli/e/{table.evening_id}/close/")
    Session.objects.all().delete()
    page.locator("#closing [type=submit]").tap()
    page.wait_for_url(re.compile("/login/"))
    assert len(kept(page)) == 1
    fill_in(page)
    expect(page.locator("#payments")).to_be_visible()
    nothing_kept(page)
    assert Closing.objects.count() == 1


@pytest.mark.core
def test_a_double_tap_is_one_save(page: Page, table: Table) -> None:
    sign_in(page, f"/c/roessli/t/{table.pk}/seating/?do=come&name=Zoe")
    page.locator("[data-do]").dblclick()
    page.wait_for_url(re.compile(r"/t/\d+/$"))
    assert Happening.objects.count() == 1


def test_a_refusal_is_shown_on_its_page_and_the_form_no_longer_waits(page: Page, table: Table, home: House) -> None:
    sign_in(page, f"/c/roessli/t/{table.pk}/h/1/out/")
    page.locator("[name=reason]").fill("nie gespielt")
    enter(table, MADE, author=home.owner)
    page.locator("[value=save]").tap()
    expect(page.locator("#problem")).to_be_visible()
    expect(page.locator("[name=reason]")).to_have_value("nie gespielt")
    expect(line(page)).to_be_hidden()
    nothing_kept(page)
    # The page has been renewed with the new hands: the same tap stores the form.
    page.locator("[value=save]").tap()
    page.wait_for_url(re.compile("/history/"))
    assert Correction.objects.count() == 1


def test_a_form_refused_in_the_background_stays_until_it_is_seen(
    page: Page, phone: BrowserContext, table: Table, home: House
) -> None:
    sign_in(page, f"/c/roessli/e/{table.evening_id}/close/")
    phone.set_offline(True)
    page.locator("#closing [type=submit]").tap()
    expect(page.locator(".waits-note")).to_be_visible()
    evening_close(evening=table.evening, author=home.owner, key=uuid.uuid4(), pot="carry")
    page.goto("about:blank")
    phone.set_offline(False)
    page.goto("/c/roessli/")
    expect(line(page)).to_have_class(re.compile("bad"))
    line(page).locator("button").tap()
    expect(page.locator("#outbox-list [data-summary]")).to_have_text(re.compile("Abend (ab)?schliessen"))
    page.locator("#outbox-list [data-look]").tap()
    expect(page.locator("#problem")).to_be_visible()
    nothing_kept(page)
    assert Closing.objects.count() == 1


def test_a_form_saved_after_a_hand_is_sent_after_it(page: Page, phone: BrowserContext, table: Table) -> None:
    """A hand waits, then a player leaves: in the other order the hand would not match the seating."""
    other = phone.new_page()
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    first = table.places.order_by("seat").values_list("player_id", flat=True)[0]
    other.goto(f"/c/roessli/t/{table.pk}/seating/?do=leave&player={first}")
    save_without_network(page, phone, 0, 1)
    other.locator("[data-do]").tap()
    expect(other.locator(".waits-note")).to_be_visible()
    page.close()
    phone.set_offline(False)
    # A player who leaves with open coins is asked to settle up.
    other.wait_for_url(re.compile(r"/cash-out/"))
    assert Revision.objects.filter(hand__number=3).count() == 1
    assert Happening.objects.get().after == 3


def test_a_form_behind_a_refused_hand_says_so_and_links_to_it(
    page: Page, phone: BrowserContext, table: Table, home: House
) -> None:
    """Later items are sent only after the refused hand is saved or discarded."""
    other = phone.new_page()
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    other.goto(f"/c/roessli/t/{table.pk}/seating/?do=pause")
    save_without_network(page, phone, 0, 1)
    enter(table, FAILED, author=home.owner)
    phone.set_offline(False)
    expect(page.locator("#waiting")).to_have_class(re.compile("bad"))
    other.locator("[data-do]").tap()
    note = other.locator(".waits-note")
    expect(note).to_contain_text(re.compile("abgelehnt|refused"))
    assert not Happening.objects.exists()
    expect(line(other)).to_contain_text(re.compile("2 (Einträge|entries)"))
    note.locator("button").tap()
    other.wait_for_url(re.compile(r"/stories/\?from=3$"))
    # After the hand is left out, the items behind it are sent.
    other.locator("label[for=way-alone]").tap()
    other.locator("[data-save]").tap()
    nothing_kept(other)
    assert Happening.objects.count() == 1


def test_a_hand_that_another_tab_sent_and_the_server_refused_is_shown_where_it_was_entered(
    page: Page, phone: BrowserContext, table: Table, home: House
) -> None:
    """Only the tab that sent the hand has the answer; the tab with the entry shows it, too."""
    other = phone.new_page()
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    other.goto("/c/roessli/")
    save_without_network(page, phone, 0, 1)
    enter(table, FAILED, author=home.owner)
    page.route(re.compile(r"/night/$"), no_posts)
    phone.set_offline(False)
    expect(page.locator("#waiting")).to_have_class(re.compile("bad"))
    assert kept(other)[0]["status"] == "refused"


def kept_with(page: Page, status: str) -> None:
    """Wait until the only waiting item has this status."""
    wait_until(lambda: [item["status"] for item in kept(page)] == [status], 20, f"one item that is {status}")


def test_another_user_who_signs_in_does_not_become_its_author(
    page: Page, phone: BrowserContext, table: Table, home: House
) -> None:
    """The recorder's page is still open when the owner signs in on another tab."""
    sign_in(page, f"/c/roessli/t/{table.pk}/seating/?do=pause")
    phone.route(re.compile(r"/seating/"), no_posts)
    page.locator("[data-do]").tap()
    expect(page.locator(".waits-note")).to_be_visible()
    other = phone.new_page()
    phone.clear_cookies(name="sessionid")
    sign_in(other, "/c/roessli/", "owner")
    phone.unroute_all()
    page.evaluate("() => window.dispatchEvent(new Event('online'))")
    kept_with(page, "sign-in")
    assert not Happening.objects.exists()


@pytest.mark.parametrize("arrives", [True, False], ids=["late", "never"])
def test_a_tap_before_the_scripts_are_loaded_waits_for_them(page: Page, table: Table, arrives: bool) -> None:
    held: list[Route] = []
    sign_in(page, "/c/roessli/")
    page.route(re.compile(r"outbox_form.*\.js"), lambda route: route.continue_() if held else held.append(route))
    posts: list[str | None] = []

    def note(request: Request) -> None:
        if request.method == "POST" and "/seating/" in request.url:
            posts.append(request.headers.get("outbox"))

    page.on("request", note)
    with page.expect_request(re.compile(r"outbox_form.*\.js")):
        page.goto(f"/c/roessli/t/{table.pk}/seating/?do=pause", wait_until="commit")
    page.locator("[data-do]").tap(no_wait_after=True)
    expect(page.locator("[data-do]")).to_have_attribute("aria-busy", "true")
    assert not Happening.objects.exists()
    assert len(held) == 1
    if arrives:
        held[0].continue_()
    else:
        held[0].abort()
    page.wait_for_url(re.compile(r"/t/\d+/$"))
    # With the scripts the outbox sends it, perhaps once more if the page has just sent all waiting items; without them
    # it is a plain form.
    assert set(posts) == ({"1"} if arrives else {None})
    assert Happening.objects.count() == 1


def test_payments_are_marked_once(page: Page, phone: BrowserContext, table: Table) -> None:
    evening_close(evening=table.evening, author=None, key=uuid.uuid4(), pot="carry")
    sign_in(page, f"/c/roessli/e/{table.evening_id}/close/")
    phone.route(re.compile(r"/paid/"), Network(back=True))
    page.locator(".pays [value=yes]").first.tap()
    # The answer is lost; the repeated request gets the same answer.
    expect(page.locator(".pays .paid")).to_be_visible(timeout=30_000)
    nothing_kept(page)
    assert Transfer.objects.filter(kind=Transfer.Kind.PAID).count() == 1


def test_a_waiting_correction_is_shown_by_its_form_alone(page: Page, phone: BrowserContext, table: Table) -> None:
    page.clock.install()
    sign_in(page, f"/c/roessli/t/{table.pk}/h/1/out/")
    phone.set_offline(True)
    # The next try, which reads the waiting items again, does not come.
    page.clock.pause_at(datetime.now(tz=UTC) + timedelta(minutes=1))
    page.locator("[value=save]").tap()
    expect(page.locator(".waits-note")).to_be_visible()
    expect(line(page)).to_be_hidden(timeout=5_000)


def test_answers_to_two_disputes_of_a_hand_wait_side_by_side(page: Page, phone: BrowserContext, table: Table) -> None:
    """Each form holds its own answer, also after a reload."""
    for player in table.places.order_by("seat")[:2]:
        how = {"table": table, "number": 1, "player_id": player.player_id, "author": None, "key": uuid.uuid4()}
        dispute_raise(**how, text=f"Not so, says {player.player_id}")
    sign_in(page, f"/c/roessli/t/{table.pk}/h/1/dispute/")
    phone.route(re.compile(r"/dispute/$"), no_posts)
    forms = page.locator("form:has([value=settle])")
    for place, answer in enumerate(("First", "Second")):
        forms.nth(place).locator("textarea").fill(answer)
        forms.nth(place).locator("[value=settle]").tap()
        expect(forms.nth(place).locator(".waits-note")).to_be_visible()
    items = kept(page)
    assert len(items) == 2
    page.reload()
    for place, item in enumerate(items):
        expect(forms.nth(place)).to_have_attribute("data-waits", item["key"])
    # The first answer is stored, and its form is gone: the other one still has its own.
    phone.unroute_all()
    phone.route(re.compile(r"/dispute/$"), lambda route: refuse_other(route, items[0]["body"]))
    load_again(page)
    expect(forms).to_have_count(1)
    expect(forms).to_have_attribute("data-waits", items[1]["key"])
    phone.unroute_all()
    page.evaluate("window.dispatchEvent(new Event('online'))")
    nothing_kept(page)
    settled = Dispute.objects.filter(kind=Dispute.Kind.SETTLED).values_list("player__nickname", "text")
    assert set(settled) == {("Anna", "First"), ("Beni", "Second")}


def refuse_other(route: Route, body: str) -> None:
    """Let only one request arrive."""
    sent = route.request.post_data
    if sent is None or body in sent:
        route.continue_()
    else:
        route.abort()
