"""A whole evening on a phone of 360 × 640: ten hands, from the sign-in to the standings and the CSV files."""

from __future__ import annotations

import csv
import io
import re
import uuid
from typing import Any

import pytest
from playwright.sync_api import APIResponse, BrowserContext, Page, Route, expect

from games.evening.house_rules import house_rules_set
from games.models import Hand, Revision, Table
from games.seating.changes import Split
from games.seating.services import carry_out
from league.models import Evening, Player, Season
from league.standings.counting import count_season
from tests.cast import House
from tests.factories import PlayerFactory, create_table
from tests.page_events import next_frame_shown

from .conftest import house_with_five_players
from .sign_in import fill_in, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WHERE = """() => {
  const kept = document.querySelectorAll(".pot, [data-seat], .bar, [data-save], [data-pass], [data-counting]");
  return [...kept].map((node) => {
    const box = node.getBoundingClientRect();
    const y = node.closest(".bar") ? box.y : box.y + window.scrollY;
    return [box.x, y, box.width, box.height].map(Math.round).join(" ");
  });
}"""
TOO_SMALL = """() => [...document.querySelectorAll("main button, main a, main input, main select, main label.pick")]
  .filter((node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .filter((node) => node.type !== "checkbox" && node.type !== "radio")
  .map((node) => [node.textContent.trim().slice(0, 20), node.getBoundingClientRect()])
  .filter(([, box]) => box.width < 44 || box.height < 44)
  .map(([text, box]) => `${text}: ${Math.round(box.width)} x ${Math.round(box.height)}`)"""

CUT = """() => [...document.querySelectorAll(".js-only .name, .sum .name, .top h1 *, .declares b")]
  .filter((node) => node.checkVisibility())
  .filter((node) => node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 2)
  .map((node) => node.textContent)"""
"""The names that do not fit their places."""


class Screen:
    """The table screen with the actions of a recorder."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def tap(self, *seats: int) -> None:
        for seat in seats:
            self.page.locator(f'[data-seat="{seat}"] [data-tap]').tap()

    def failed(self, seat: int) -> None:
        self.page.locator(f'[data-seat="{seat}"] [data-mark="no"]').tap()

    def one_more(self, seat: int) -> None:
        self.page.locator(f'[data-seat="{seat}"] [data-step="1"]').tap()

    def tricks(self, *seats: int) -> None:
        """Tap a trick for each of these seats."""
        for seat in seats:
            self.one_more(seat)

    def preview(self) -> Any:
        return self.page.locator("#preview")

    def ready(self) -> None:
        """Wait until the entry has begun: its draft is back, and keys are heard."""
        expect(self.page.locator("html.js #hand:not([data-heard])")).to_have_count(0)

    def roles(self) -> list[str]:
        self.ready()
        return [text.strip() for text in self.page.locator("[data-role]").all_text_contents()]

    def save(self) -> None:
        """Save the hand, check that the coins are shown, and go to the next hand."""
        number = self.number()
        expect(self.preview().locator("[data-accepted]")).to_be_visible()
        self.page.locator("[data-save]").tap()
        self.page.wait_for_url(re.compile(rf"/h/{number}/$"))
        self.page.locator("[data-go]").tap()
        self.page.wait_for_url(re.compile(r"/t/\d+/$"))
        assert self.number() == number + 1

    def number(self) -> int:
        return int(self.page.locator("#hand").get_attribute("data-number") or 0)

    def check_layout(self) -> None:
        wide = self.page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth")
        assert wide <= 0, f"scrolls sideways by {wide}"
        assert self.page.evaluate(TOO_SMALL) == []


@pytest.fixture
def home(transactional_db: None) -> House:
    return house_with_five_players()


def begin_evening(page: Page) -> None:
    """Begin an evening of Anna, a guest, Beni, Doris and Carlo in this order; Carlo deals first."""
    for name in ("Carlo", "Anna", "Beni", "Doris"):
        page.locator(f'[data-roster] [data-name="{name}"]').check()
    page.fill("[data-guest]", "Fritz")
    page.locator("[data-add-guest]").tap()
    page.locator('[data-order] [data-key="gFritz"] [data-move="-1"]').tap()
    page.locator('[data-order] [data-key="gFritz"] [data-move="-1"]').tap()
    drag_to_the_end(page, "Carlo")
    page.locator('[data-order] [data-name="Carlo"] .deals').tap()
    order = page.locator("[data-order] > li").evaluate_all("rows => rows.map((row) => row.dataset.name)")
    assert order == ["Anna", "Fritz", "Beni", "Doris", "Carlo"]
    page.locator("[data-start]").tap()
    page.wait_for_url(re.compile(r"/t/\d+/$"))


def drag_to_the_end(page: Page, name: str) -> None:
    row, last = page.locator(f'[data-order] [data-name="{name}"]').first, page.locator("[data-order] > li").last
    row.scroll_into_view_if_needed()
    page.evaluate("() => document.querySelector('[data-order]').scrollIntoView({ block: 'center' })")
    start, end = row.locator("[data-grip]").bounding_box(), last.bounding_box()
    assert start
    assert end
    page.mouse.move(start["x"] + 8, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(start["x"] + 8, end["y"] + end["height"] - 4, steps=12)
    page.mouse.up()


def play_ten_hands(page: Page, screen: Screen) -> None:
    # 1: declared with two joiners, of whom one fails.
    screen.tap(0, 1, 2)
    screen.failed(2)
    screen.save()
    # 2: nobody declares; the same dealer deals again.
    page.locator("[data-pass]").tap()
    expect(screen.preview()).to_contain_text("Anna")
    screen.save()
    # 3: the dealer declares blind.
    dealer = int(page.locator("#hand").get_attribute("data-dealer") or 0)
    screen.tap(dealer)
    page.locator('[data-blind="blind"]').tap()
    screen.tap((dealer + 1) % 5)
    screen.save()
    # 4: a walkover.
    screen.tap(2)
    screen.save()
    # 5: counted tricks; those of two joiners are filled in.
    page.locator("[data-counting]").tap()
    screen.tap(3, 0, 4)
    expect(page.locator('[data-seat="4"] [data-count]')).to_have_text("1")
    screen.save()
    # 6: the way of counting is remembered; the declarer fails.
    expect(page.locator("[data-counting]")).to_have_attribute("aria-pressed", "true")
    page.locator("[data-counting]").tap()
    screen.tap(1, 2)
    screen.failed(1)
    # Nobody else is left who made it: shown as decided by the rules.
    expect(page.locator(".made.follows")).to_have_count(1)
    expect(page.locator('[data-seat="2"] .made.follows [data-follows]')).to_have_text(re.compile("."))
    screen.save()


def undo_and_enter_again(page: Page, screen: Screen) -> None:
    """Hand 7: three joiners, saved, undone, corrected, saved again."""
    screen.tap(4, 0, 1, 2)
    expect(screen.preview()).to_contain_text("Wer hat keinen Stich?")
    expect(page.locator(".made.undecided")).to_have_count(4)
    expect(page.locator("[data-save]")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Enter")
    screen.failed(2)
    screen.save()
    page.locator(".undo > [popovertarget=undo]").tap()
    page.locator("#undo .danger").tap()
    expect(page.locator("#hand")).to_have_attribute("data-number", "7")
    assert screen.roles() == ["metcho", "metcho", "metcho", "", "chratzt"]
    screen.tap(2)
    screen.save()


def tap_twice(page: Page, screen: Screen) -> None:
    """Hand 8: two taps on 'save' within a moment."""
    screen.tap(3, 1)
    expect(screen.preview().locator("[data-accepted]")).to_be_visible()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(f"{request.method} {request.url}"))
    save = f"POST {page.url}night/"
    page.evaluate("() => { const save = document.querySelector('[data-save]'); save.click(); save.click(); }")
    page.wait_for_url(re.compile(r"/h/8/$"))
    assert sent.count(save) == 1, "the second tap was sent too"
    page.reload()
    page.locator("[data-go]").tap()
    page.wait_for_url(re.compile(r"/t/\d+/$"))
    assert screen.number() == 9


def reload_and_lose_the_network(page: Page, phone: BrowserContext, screen: Screen) -> None:
    """Hand 9: reloaded when half entered, then saved without a network. Hand 10 is entered as usual."""
    screen.tap(0, 4)
    screen.failed(4)
    page.reload()
    assert screen.roles() == ["chratzt", "", "", "", "metcho"]
    expect(page.locator('[data-seat="4"] [data-mark="no"]')).to_have_attribute("aria-pressed", "true")
    expect(screen.preview().locator("[data-accepted]")).to_be_visible()
    phone.set_offline(True)
    page.locator("[data-save]").tap()
    expect(page.locator("#saved")).to_contain_text(re.compile("Spiel 9|Hand 9"))
    phone.set_offline(False)
    expect(page.locator("#waiting")).to_be_hidden()
    page.locator("[data-next-hand]").tap()
    expect(page.locator("#hand")).to_have_attribute("data-number", "10")
    screen.tap(1, 0, 2, 3)
    screen.failed(3)
    screen.save()


RECORDS: list[dict[str, Any]] = [
    {"declarer": 0, "joiners": [1, 2], "made": [0, 1]},
    {"declarer": None},
    {"declarer": 0, "joiners": [1], "made": [0, 1], "blind": "blind"},
    {"declarer": 2, "joiners": []},
    {"declarer": 3, "joiners": [0, 4], "tricks": {"0": 1, "3": 2, "4": 1}},
    {"declarer": 1, "joiners": [2], "made": [2]},
    {"declarer": 4, "joiners": [0, 1], "made": [0, 1, 4]},
    {"declarer": 3, "joiners": [1], "made": [1, 3]},
    {"declarer": 0, "joiners": [4], "made": [0]},
    {"declarer": 1, "joiners": [0, 2, 3], "made": [0, 1, 2]},
]


@pytest.mark.core
def test_an_evening_of_ten_hands_from_the_sign_in_to_the_csv(page: Page, phone: BrowserContext, home: House) -> None:
    sign_in(page, "/c/roessli/e/new/")
    begin_evening(page)
    screen = Screen(page)
    screen.check_layout()
    play_ten_hands(page, screen)
    undo_and_enter_again(page, screen)
    tap_twice(page, screen)
    reload_and_lose_the_network(page, phone, screen)
    screen.check_layout()

    stored = [hand.revisions.order_by("-number")[0] for hand in Hand.objects.order_by("number")]
    assert [
        {name: revision.record.get(name) for name in sent} for revision, sent in zip(stored, RECORDS, strict=True)
    ] == RECORDS
    assert Revision.objects.count() == 12  # ten hands, and one of them undone and entered again
    balances = page.locator("[data-balance]").all_text_contents()
    evening = Evening.objects.get()
    count_season(home.season.pk)
    check_reading(page, home, evening, balances)


def check_reading(page: Page, home: House, evening: Evening, balances: list[str]) -> None:
    """Check that standings and files have the amounts that the table showed."""
    page.goto("/c/roessli/s/2026/")
    for name in ("Anna", "Fritz", "Beni", "Doris", "Carlo"):
        expect(page.locator("#standings")).to_contain_text(name)
    answer = page.request.get("/c/roessli/s/2026/standings.csv")
    standings = {row["player"]: row for row in csv.DictReader(io.StringIO(answer.text()))}
    assert {row["hands"] for row in standings.values()} == {"10"}
    # Declared and made (but for walkovers), joined and made: from RECORDS, by hand.
    assert (standings["Anna"]["declared"], standings["Anna"]["declared_made"]) == ("3", "3")
    assert (standings["Fritz"]["declared"], standings["Fritz"]["joined"]) == ("2", "4")
    assert standings["Beni"]["walkovers"] == "1"
    assert standings["Anna"]["blinds"] == "1"
    # The table has the ante of 0.20 for the next hand in the pot.
    shown = [int(re.sub(r"[^0-9−]", "", text).replace("−", "-")) + 20 for text in balances]
    order = ("Anna", "Fritz", "Beni", "Doris", "Carlo")
    assert [int(standings[name]["balance_minor"]) for name in order] == shown
    assert sum(shown) + Table.objects.get().pot_minor == 0
    answer = page.request.get(f"/c/roessli/e/{evening.pk}/hands.csv")
    hands = list(csv.DictReader(io.StringIO(answer.text())))
    changes = {name: sum(int(row["change_minor"]) for row in hands if row["player"] == name) for name in order}
    assert [changes[name] for name in order] == shown


@pytest.mark.core
def test_nothing_moves_while_a_hand_is_entered(page: Page, home: House) -> None:
    table = create_table(club=home.club, season=home.season, author=home.recorder)
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    screen = Screen(page)
    before = page.evaluate(WHERE)
    bottom = page.evaluate("() => document.querySelector('.bar').getBoundingClientRect().bottom")
    assert bottom <= 640, "five seats, the sums and the button do not fit"
    for step in (
        lambda: screen.tap(1),
        lambda: screen.tap(0, 2, 3, 4),
        lambda: screen.failed(1),
        lambda: page.locator("[data-counting]").tap(),
        lambda: screen.one_more(1),
        lambda: screen.tap(1),
        lambda: screen.tap(4),
        lambda: page.locator('[data-blind="double"]').tap(),
        lambda: page.locator("[data-pass]").tap(),
    ):
        step()
        next_frame_shown(page)
        assert page.evaluate(WHERE) == before
    screen.check_layout()


def test_long_names_and_seven_seats_stay_on_the_phone(page: Page, home: House) -> None:
    names = ["Bartholomäus Christoph von Arx-Oberdorf", "Maximiliana-Theresia", "W" * 40, "Jo", "Emil", "Ueli", "Zita"]
    players = [PlayerFactory(club=home.club, nickname=name) for name in names if name != "Emil"]
    table = create_table(club=home.club, season=home.season, players=players)
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    screen = Screen(page)
    before = page.evaluate(WHERE)
    screen.tap(*range(len(players)))
    for seat in (3, 4, 5):
        screen.failed(seat)
    expect(screen.preview().locator("[data-accepted]")).to_be_visible()
    screen.check_layout()
    assert page.evaluate(WHERE) == before


def test_usual_names_are_never_cut(page: Page, home: House) -> None:
    home.club.name = "Kartenrunde Unterstrass Zürich"
    home.club.save()
    names = ["Marie-Louise", "Agathe", "Sebastian", "Anna-Katharina-Sophie", "Hans-Ueli", "Franziska"]
    players = [PlayerFactory(club=home.club, nickname=name) for name in names]
    table = create_table(club=home.club, season=home.season, players=players, author=home.recorder)
    people = tuple(player.pk for player in players[4:])
    carry_out(table=table, change=Split(people, people[0]), author=None, key=uuid.uuid4())
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    screen = Screen(page)
    expect(page.locator(".top h1").get_by_text("Tisch 1")).to_be_visible()
    # The dealer with both marks and with counted tricks, then the longest name; the declarer tapped again clears all.
    screen.tap(0, 1)
    page.locator("[data-counting]").tap()
    expect(page.locator('[data-seat="0"] [data-count]')).to_be_visible()
    assert page.evaluate(CUT) == []
    page.locator("[data-counting]").tap()
    screen.tap(0, 3, 2)
    expect(screen.preview().locator(".sum .name").filter(has_text=names[3])).to_be_visible()
    assert page.evaluate(CUT) == []
    page.locator("[data-save]").tap()
    page.wait_for_url(re.compile(r"/h/1/$"))
    assert page.locator("[data-declares]").count() == 5
    assert page.evaluate(CUT) == []


def test_a_broken_clause_is_shown_and_its_row_marked(page: Page, home: House) -> None:
    house_rules_set(club=home.club, game="chratze", values={"susi": "forced"}, author=None)
    table = create_table(club=home.club, season=home.season)
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    screen = Screen(page)
    screen.tap(2)
    expect(screen.preview().locator("[data-refused]")).to_contain_text("Susi")
    expect(page.locator('[data-seat="1"]')).to_have_class(re.compile("marked"))
    expect(page.locator("[data-save]")).to_have_attribute("aria-disabled", "true")
    page.locator("[data-save]").dispatch_event("click")
    screen.tap(1)
    expect(screen.preview().locator("[data-accepted]")).to_be_visible()
    assert not Hand.objects.exists()


def test_of_two_recorders_of_one_hand_the_second_can_continue(page: Page, phone: BrowserContext, home: House) -> None:
    table = create_table(club=home.club, season=home.season)
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    other = phone.new_page()
    other.goto(f"/c/roessli/t/{table.pk}/")
    first, second = Screen(page), Screen(other)
    first.tap(0, 1)
    second.tap(0, 2)
    expect(second.preview().locator("[data-accepted]")).to_be_visible()
    first.save()
    other.locator("[data-save]").tap()
    other.wait_for_url(re.compile(r"/stories/\?from=1$"))
    assert Hand.objects.count() == 1


def test_keys_have_the_same_effect_as_taps(page: Page, home: House) -> None:
    table = create_table(club=home.club, season=home.season)
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    screen = Screen(page)
    screen.ready()
    for key in ("1", "2", "3", "m"):
        page.keyboard.press(key)
    assert screen.roles() == ["chratzt", "metcho", "metcho", "", ""]
    expect(screen.preview().locator("[data-accepted]")).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/h/1/$"))
    assert Revision.objects.get().record["made"] == [0, 1]
    # On the saved screen a number names the next declarer.
    page.keyboard.press("3")
    page.wait_for_url(re.compile(r"/t/\d+/$"))
    assert screen.roles() == ["", "", "chratzt", "", ""]


def test_tricks_are_counted_by_the_clubs_rule_or_by_the_choice_on_this_phone(page: Page, home: House) -> None:
    home.club.counts_tricks = True
    home.club.save()
    table = create_table(club=home.club, season=home.season)
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    counting = page.locator("[data-counting]")
    expect(counting).to_have_attribute("aria-pressed", "true")
    screen = Screen(page)
    screen.tap(0, 1)
    screen.one_more(0)
    expect(page.locator('[data-seat="1"] [data-count]')).to_have_text("1")
    counting.tap()
    page.reload()
    expect(counting).to_have_attribute("aria-pressed", "false")


def test_a_recorder_who_is_signed_out_meanwhile_loses_nothing(page: Page, phone: BrowserContext, home: House) -> None:
    table = create_table(club=home.club, season=home.season)
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    screen = Screen(page)
    screen.tap(0, 1, 3)
    expect(screen.preview().locator("[data-accepted]")).to_be_visible()
    phone.clear_cookies(name="sessionid")
    page.locator("[data-save]").tap()
    page.wait_for_url(re.compile("/login/"))
    fill_in(page)
    page.wait_for_url(re.compile(r"/t/\d+/$"))
    expect(page.locator("#outbox [data-line] a")).to_be_visible()
    assert Revision.objects.get().record["joiners"] == [1, 3]


def test_a_refused_evening_form_keeps_guests_order_and_dealer(page: Page, home: House) -> None:
    PlayerFactory(club=home.club, nickname="Gian", active=False)
    sign_in(page, "/c/roessli/e/new/")
    page.locator('[data-roster] [data-name="Beni"]').check()
    for guest in ("Gian", "Fritz"):
        page.fill("[data-guest]", guest)
        page.locator("[data-add-guest]").tap()
    page.locator('[data-order] [data-key="gFritz"] .deals').tap()
    Season.every.filter(pk=home.season.pk).delete()
    page.locator("[data-start]").tap()
    expect(page.locator("#problem")).to_be_visible()
    order = page.locator("[data-order] > li").evaluate_all("rows => rows.map((row) => row.dataset.name)")
    assert order == ["Beni", "Gian", "Fritz"]
    expect(page.locator('[data-order] [data-key="gFritz"] [name=first_dealer]')).to_be_checked()
    home.season.save(force_insert=True)
    page.locator("[data-start]").tap()
    page.wait_for_url(re.compile(r"/t/\d+/$"))
    places = Evening.objects.get().tables.get().places.order_by("seat")
    assert list(places.values_list("player__nickname", flat=True)) == order
    # A guest with the nickname of a player who left the roster is that player.
    assert Player.objects.filter(nickname="Gian", guest=False).count() == 1


def test_an_evening_like_last_time_begins_in_two_taps(page: Page, home: House) -> None:
    players = [PlayerFactory(club=home.club, nickname=name) for name in ("Zita", "Urs", "Gian")]
    create_table(club=home.club, season=home.season, players=players)
    sign_in(page, "/c/roessli/e/new/")
    # Whoever was ticked before does not stay.
    page.locator('[data-roster] [data-name="Beni"]').check()
    page.locator("[data-last]").tap()
    page.locator("[data-start]").tap()
    page.wait_for_url(re.compile(r"/t/\d+/$"))
    table = Evening.objects.latest("pk").tables.get()
    assert list(table.places.order_by("seat").values_list("player", flat=True)) == [player.pk for player in players]
    assert table.first_dealer == players[-1]


@pytest.mark.core
def test_without_the_script_file_the_plain_controls_work(page: Page, home: House, console: list[str]) -> None:
    table = create_table(club=home.club, season=home.season)
    page.route("**/hand_state.js", lambda route: route.abort())
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    expect(page.locator("[name=role-0]")).to_be_visible()
    page.select_option("[name=role-0]", "declarer")
    page.locator("[data-save]").tap()
    page.wait_for_url(re.compile(r"/h/1/$"))
    console.clear()


def test_a_poll_does_not_replace_the_answer_of_a_form(page: Page, home: House, console: list[str]) -> None:
    """A form without scripts is stored; a poll sees the new hand before the form's answer arrives."""
    table = create_table(club=home.club, season=home.season)
    page.route("**/hand_state.js", lambda route: route.abort())
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    stored: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        if route.request.method == "POST":
            stored.append((route, route.fetch(max_redirects=0)))
        else:
            route.continue_()

    page.route(re.compile(r"/t/\d+/$"), hold)
    page.select_option("[name=role-0]", "declarer")
    page.locator("[data-save]").tap(no_wait_after=True)
    # At the second poll the result of the first one is already on the page.
    for _ in range(2):
        page.wait_for_event("response", lambda answer: "/live/" in answer.url and bool(stored))
    ((route, answer),) = stored
    route.fulfill(response=answer)
    page.wait_for_url(re.compile(r"/h/1/$"))
    console.clear()
