"""Two stories of a table: a phone without network recorded hands while another one stored its own."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.utils import translation
from playwright.sync_api import BrowserContext, Page, expect

from games.closing.services import evening_close
from games.corrections import replay
from games.integrity.verify import differences
from games.models import Correction, Place, Table
from games.night.story_texts import story_texts
from games.seating.changes import Merge
from league.audit import What, sentences
from league.models import AuditEntry
from tests.cast import House
from tests.factories import FAILED, FREE, MADE, MUSS, NO_CUT, WALKOVER, create_table, enter
from tests.games.test_seating import do, split, who
from tests.processes import wait_until

from .outbox_steps import NO_ANSWER, kept, load_again
from .sign_in import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BENI = {"declarer": 1, "joiners": [0, 2], "made": [1]}
CARLO = {"declarer": 2, "joiners": [3], "made": [2, 3]}
DORIS = {"declarer": 3}
THIRD = {"declarer": 3, "joiners": [4], "made": [3]}
EMIL = {"declarer": 4, "joiners": [0], "made": [0]}

RECORD = """async ([records, comes]) => {
  const outbox = await import("/static/js/outbox.js");
  const writes = await import("/static/js/night/writes.js");
  const { present, recordOf } = await import("/static/js/night/present.js");
  const { replay } = await import("/static/js/rules/index.js");
  const snapshot = JSON.parse(document.querySelector("#night-snapshot").textContent);
  const done = [];
  const put = async (write, number) => {
    done.push(write);
    const title = `Spiel ${number ?? write.kind}`;
    await outbox.put(outbox.itemOf(write, { url: snapshot.urls.night, title, summary: write.kind, number }));
  };
  for (const [place, record] of records.entries()) {
    if (place === comes) {
      const now = present(snapshot, done);
      await put(writes.comeWrite(now, { guest: "Fritz" }, now.seats.at(-1).player));
    }
    const now = present(snapshot, done);
    await put(writes.handWrite(now, record, replay(recordOf(now, record))), now.number);
  }
}"""
"""Record hands on the phone as the table screen does: the seats, pots and sums are those of the phone."""


# The name and the lines about waiting writes, read in one step: where a table takes the line over from the page, it
# hides the line of the page.
LINE_COVERS_NOTHING = """() => {
  const name = document.querySelector(".top h1").getBoundingClientRect();
  const shown = [...document.querySelectorAll(".outbox-line, #waiting")].filter((line) => line.checkVisibility());
  const covers = (line) => line.top < name.bottom && name.top < line.bottom;
  return shown.length === 1 && !covers(shown[0].getBoundingClientRect());
}"""
"""One line about waiting writes is shown, and none lies over the name of the page."""


@pytest.fixture
def expected(expected: tuple[str, ...]) -> tuple[str, ...]:
    """Requests that the test cuts off are no fault."""
    return (*expected, NO_ANSWER)


def played(*records: dict[str, Any], home: House, game: str = "chratze", seats: int = 5) -> Table:
    table = create_table(club=home.club, season=home.season, author=home.recorder, game=game, seats=seats)
    for record in records:
        enter(table, record, author=home.recorder)
    return Table.objects.get(pk=table.pk)


def record_offline(page: Page, phone: BrowserContext, table: Table, *records: dict[str, Any], comes: int = -1) -> None:
    """Open the table with a network, then record hands without one."""
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    # The modules are fetched while there is a network.
    page.evaluate(RECORD, [[], -1])
    phone.set_offline(True)
    page.evaluate(RECORD, [list(records), comes])


def come_back(page: Page, phone: BrowserContext, table: Table, first: int) -> None:
    """The network is back: the phone sends, is refused, and its recorder opens the page of both stories."""
    phone.set_offline(False)
    page.goto(f"/c/roessli/t/{table.pk}/")
    wait_until(lambda: any(item["status"] == "refused" for item in kept(page)), 20, "the refusal")
    refused = next(item for item in kept(page) if item["status"] == "refused")
    assert refused["answer"]["stories"] == f"/c/roessli/t/{table.pk}/stories/?from={first}"
    page.goto(refused["answer"]["stories"])
    expect(page.locator("[data-save]")).to_be_visible()


def choose(page: Page, way: str) -> None:
    page.locator(f"label[for=way-{way}]").tap()
    expect(page.locator(f"#way-{way}")).to_be_checked()
    page.locator("[data-save]").tap()


def nothing_waits(page: Page) -> None:
    wait_until(lambda: kept(page) == [], 20, "the outbox to be empty")
    expect(page.locator("[data-on]")).to_be_visible()


def story_of(table: Table) -> list[tuple[Any, ...]]:
    names = dict(table.evening.club.players.values_list("pk", "nickname"))
    fresh = Table.objects.get(pk=table.pk)
    hands = [
        (tuple(names[p] for p in hand.entry.players), hand.record, hand.result)
        for hand in replay.play(fresh, replay.read(fresh))
    ]
    return [*hands, (fresh.hands, fresh.pot_minor, names[fresh.dealer_id], fresh.deal_number)]


def assert_truth(table: Table, *records: dict[str, Any], home: House, game: str = "chratze", seats: int = 5) -> None:
    """The table is like one into which these hands were entered one after the other, and so is the ledger."""
    assert story_of(table) == story_of(played(*records, home=home, game=game, seats=seats))
    assert list(differences()) == []


def log_of_what_was_left_out() -> list[str]:
    entries = AuditEntry.objects.filter(what=What.HAND_LEFT_OUT).order_by("pk").select_related("actor")
    with translation.override("en"):
        return [line.sentence for line in sentences.lines_of(list(entries))]


def sums_on_the_page(page: Page) -> dict[str, str]:
    rows = page.locator("[data-sums] tr")
    return {row.locator("th").inner_text(): row.locator("td").nth(1).inner_text() for row in rows.all()}


def amounts(table: Table) -> dict[str, int]:
    names = dict(table.evening.club.players.values_list("pk", "nickname"))
    sums: dict[str, int] = {}
    for hand in replay.play(table, replay.read(table)):
        for player, change in zip(hand.entry.players, hand.result["deltas"], strict=True):
            sums[names[player]] = sums.get(names[player], 0) + change
    return sums


def assert_sums_were(shown: dict[str, str], table: Table) -> None:
    """The page showed these results before the choice."""
    read = {
        name: int(text.replace("−", "-").replace("+", "").replace(".", "").replace("’", ""))
        for name, text in shown.items()
    }
    assert read == {name: amounts(Table.objects.get(pk=table.pk)).get(name, 0) for name in shown}


MINE = (MADE, BENI, CARLO, DORIS, EMIL)
THEIRS = (MADE, FAILED, WALKOVER)


@pytest.fixture
def two(page: Page, phone: BrowserContext, home: House) -> Table:
    """A table with one hand; this phone recorded five without network, another one stored three, the first the same."""
    table = played(FAILED, home=home)
    record_offline(page, phone, table, *MINE)
    for record in THEIRS:
        enter(table, record, author=home.recorder)
    come_back(page, phone, table, 2)
    return table


def test_both_stories_are_shown_and_equal_hands_are_folded(page: Page, two: Table) -> None:
    expect(page.locator(".numbers .same")).to_have_count(1)
    expect(page.locator(".numbers .differs")).to_have_count(4)
    expect(page.locator(".differs .side.theirs")).to_have_count(2)
    expect(page.locator(".differs .side.mine")).to_have_count(4)
    expect(page.locator("#way-after")).to_be_checked()
    expect(page.locator("[data-hands] > li")).to_have_count(7)


@pytest.mark.core
def test_my_hands_follow_theirs(page: Page, phone: BrowserContext, home: House, two: Table) -> None:
    shown = sums_on_the_page(page)
    choose(page, "after")
    nothing_waits(page)
    assert_truth(two, FAILED, *THEIRS, *MINE[1:], home=home)
    assert_sums_were(shown, two)
    assert log_of_what_was_left_out() == []
    page.reload()
    expect(page.locator("[data-on]")).to_be_visible()
    assert Table.objects.get(pk=two.pk).hands == 8


def test_one_of_mine_is_left_out_and_named_in_the_log(
    page: Page, phone: BrowserContext, home: House, two: Table
) -> None:
    page.locator(".tick").nth(1).tap()
    expect(page.locator("[data-hands] .out")).to_have_count(1)
    shown = sums_on_the_page(page)
    choose(page, "after")
    nothing_waits(page)
    assert_truth(two, FAILED, *THEIRS, BENI, DORIS, EMIL, home=home)
    assert_sums_were(shown, two)
    [sentence] = log_of_what_was_left_out()
    assert "hand 4 of a phone" in sentence
    assert "Carlo declared, Doris joined" in sentence


def test_only_their_hands_are_kept(page: Page, phone: BrowserContext, home: House, two: Table) -> None:
    page.locator("label[for=way-alone]").tap()
    with page.expect_download() as saved:
        page.locator("[data-file-first] button").tap()
    assert saved.value.path().stat().st_size > 0
    choose(page, "alone")
    nothing_waits(page)
    assert_truth(two, FAILED, *THEIRS, home=home)
    logged = log_of_what_was_left_out()
    assert [re.findall(r"hand (\d) of a phone", sentence)[0] for sentence in logged] == ["3", "4", "5", "6"]
    assert not Correction.objects.exists()


def test_my_hands_replace_theirs_as_corrections(page: Page, phone: BrowserContext, home: House, two: Table) -> None:
    page.locator("label[for=way-corrected]").tap()
    shown = sums_on_the_page(page)
    choose(page, "corrected")
    nothing_waits(page)
    assert_truth(two, FAILED, *MINE, home=home)
    assert_sums_were(shown, two)
    assert Correction.objects.get().details["hands"][0]["number"] == 3
    expect(page.locator("[data-corrections]")).to_be_visible()


def test_the_choice_of_their_hands_waits_until_the_log_is_stored(
    page: Page, phone: BrowserContext, home: House, two: Table
) -> None:
    phone.route(re.compile(r"/night/$"), lambda route: route.abort())
    choose(page, "alone")
    expect(page.locator("[data-stories]")).to_have_attribute("data-state", "waits")
    assert sum(item["write"]["kind"] == "hand" for item in kept(page)) == 5
    assert log_of_what_was_left_out() == []
    # The table's own line says what waits: no bar covers its header.
    page.locator("[data-on]").tap()
    expect(page.locator("#waiting")).to_be_visible()
    page.wait_for_function(LINE_COVERS_NOTHING)
    page.go_back()
    phone.unroute(re.compile(r"/night/$"))
    load_again(page)
    nothing_waits(page)
    assert len(log_of_what_was_left_out()) == 4


def test_a_lost_answer_a_reload_and_a_second_tap_store_nothing_twice(
    page: Page, phone: BrowserContext, home: House, two: Table
) -> None:
    lost: list[str] = []

    def lose(route: Any) -> None:
        if len(lost) < 2:
            lost.append(route.fetch().text())
            route.abort()
        else:
            route.continue_()

    phone.route(re.compile(r"/night/$"), lose)
    page.locator("label[for=way-corrected]").tap()
    page.locator("[data-save]").dblclick()
    wait_until(lambda: bool(kept(page)) and len(lost) == 1, 20, "the first answer")
    load_again(page)
    nothing_waits(page)
    assert_truth(two, FAILED, *MINE, home=home)
    assert Correction.objects.count() == 1


def test_a_third_phone_meanwhile_shows_both_stories_again(
    page: Page, phone: BrowserContext, home: House, two: Table
) -> None:
    enter(two, THIRD, author=home.recorder)
    page.locator("label[for=way-corrected]").tap()
    page.locator("[data-save]").tap()
    expect(page.locator("[data-notice]")).to_be_visible()
    expect(page.locator(".differs .side.theirs")).to_have_count(3)
    assert not Correction.objects.exists()
    assert len(kept(page)) == 5


def test_a_third_phone_between_the_choice_and_its_arrival_is_not_overwritten(
    page: Page, phone: BrowserContext, home: House, two: Table
) -> None:
    phone.set_offline(True)
    choose(page, "corrected")
    expect(page.locator("[data-on]")).to_be_visible()
    enter(two, THIRD, author=home.recorder)
    before = story_of(two)
    phone.set_offline(False)
    page.evaluate("async () => { await (await import('/static/js/outbox.js')).flush(); }")
    expect(page.locator("[data-notice]")).to_be_visible()
    assert story_of(two) == before
    choose(page, "corrected")
    nothing_waits(page)
    assert_truth(two, FAILED, *MINE, home=home)
    assert Correction.objects.count() == 1


def test_the_same_on_both_phones_is_one_tap(page: Page, phone: BrowserContext, home: House) -> None:
    table = played(FAILED, home=home)
    record_offline(page, phone, table, MADE, BENI)
    for record in (MADE, BENI):
        enter(table, record)
    come_back(page, phone, table, 2)
    expect(page.locator("[data-ways]")).to_be_hidden()
    page.locator("[data-save]").tap()
    page.wait_for_url(f"**/t/{table.pk}/")
    assert kept(page) == []
    assert_truth(table, FAILED, MADE, BENI, home=home)
    assert log_of_what_was_left_out() == []


def test_a_single_hand_each_begins_with_theirs_and_can_be_added(page: Page, phone: BrowserContext, home: House) -> None:
    table = played(home=home)
    record_offline(page, phone, table, BENI)
    enter(table, MADE)
    come_back(page, phone, table, 1)
    expect(page.locator("#way-alone")).to_be_checked()
    choose(page, "after")
    nothing_waits(page)
    assert_truth(table, MADE, BENI, home=home)


def test_seats_that_changed_on_this_phone_are_carried(page: Page, phone: BrowserContext, home: House) -> None:
    """A guest came on this phone. After theirs the guest comes, too; the hands before keep their players."""
    table = played(FAILED, home=home)
    record_offline(page, phone, table, BENI, CARLO, comes=1)
    enter(table, MADE)
    come_back(page, phone, table, 2)
    expect(page.locator(".change .side.mine")).to_have_count(1)
    shown = sums_on_the_page(page)
    choose(page, "after")
    nothing_waits(page)
    fresh = Table.objects.get(pk=table.pk)
    assert fresh.hands == 4
    names = list(Place.objects.filter(table=table).order_by("seat").values_list("player__nickname", flat=True))
    assert names == ["Anna", "Beni", "Carlo", "Doris", "Emil", "Fritz"]
    assert [len(hand.entry.players) for hand in replay.play(fresh, replay.read(fresh))] == [5, 5, 5, 6]
    assert_sums_were(shown, table)
    assert list(differences()) == []


def test_seats_that_changed_on_this_phone_as_corrections(page: Page, phone: BrowserContext, home: House) -> None:
    table = played(FAILED, home=home)
    record_offline(page, phone, table, BENI, CARLO, DORIS, comes=1)
    enter(table, MADE)
    come_back(page, phone, table, 2)
    page.locator("label[for=way-corrected]").tap()
    shown = sums_on_the_page(page)
    choose(page, "corrected")
    nothing_waits(page)
    fresh = Table.objects.get(pk=table.pk)
    hands = replay.play(fresh, replay.read(fresh))
    assert [(len(hand.entry.players), hand.record["declarer"]) for hand in hands] == [(5, 0), (5, 1), (6, 2), (6, 3)]
    assert_sums_were(shown, table)


def test_kratzen_as_corrections(page: Page, phone: BrowserContext, home: House) -> None:
    """On the phone the free hand failed, so that the next hand was free, too; stored are a made one and a Muss."""
    failed = FREE | {"tricks": {"1": 1, "3": 3}}
    muss = {"cuts": NO_CUT, "declarer": 1, "joiners": [0, 2, 3], "tricks": {"0": 1, "1": 2, "2": 1}}
    table = played(MUSS, home=home, game="kratzen", seats=4)
    record_offline(page, phone, table, failed, FREE)
    for record in (FREE, muss):
        enter(table, record)
    come_back(page, phone, table, 2)
    page.locator("label[for=way-corrected]").tap()
    shown = sums_on_the_page(page)
    choose(page, "corrected")
    nothing_waits(page)
    assert_truth(table, MUSS, failed, FREE, home=home, game="kratzen", seats=4)
    assert_sums_were(shown, table)


def test_zwicken_as_corrections(page: Page, phone: BrowserContext, home: House) -> None:
    """On the phone one player of the free hand had no trick, so that the next hand was free, too; stored are a hand
    that was won and a forced one."""
    forced = {"cuts": ["x"], "tricks": {"0": 2, "1": 1}}
    won = {"cuts": ["x"], "players": [1, 2], "tricks": {"1": 2, "2": 1}}
    lost = won | {"tricks": {"1": 3}, "seven_lost": 2}
    table = played(forced, home=home, game="zwicken", seats=4)
    record_offline(page, phone, table, lost, {"cuts": ["A", "x"], "players": []})
    for record in (won, forced | {"cuts": ["A", "x"]}):
        enter(table, record)
    come_back(page, phone, table, 2)
    expect(page.locator("main")).to_contain_text("mit: Beni 3")
    page.locator("label[for=way-corrected]").tap()
    shown = sums_on_the_page(page)
    choose(page, "corrected")
    nothing_waits(page)
    assert_truth(table, forced, lost, {"cuts": ["A", "x"], "players": []}, home=home, game="zwicken", seats=4)
    assert_sums_were(shown, table)


def test_kratzen_after_theirs_keeps_impossible_hands_on_the_phone(
    page: Page, phone: BrowserContext, home: House
) -> None:
    """Theirs end so that a Muss follows: the free hand of this phone is impossible there, and stays."""
    table = played(MUSS, home=home, game="kratzen", seats=4)
    record_offline(page, phone, table, FREE | {"tricks": {"1": 4}})
    enter(table, FREE)
    come_back(page, phone, table, 2)
    page.locator("label[for=way-after]").tap()
    expect(page.locator("[data-remarks] li")).to_have_count(1)
    choose(page, "after")
    expect(page.locator("[data-on]")).to_be_visible()
    assert_truth(table, MUSS, FREE, home=home, game="kratzen", seats=4)
    [item] = kept(page)
    assert (item["status"], item["kept"]) == ("held", True)


def test_a_closed_evening_has_a_notice_and_offers_the_possible_choices(
    page: Page, phone: BrowserContext, home: House
) -> None:
    table = played(FAILED, home=home)
    record_offline(page, phone, table, MADE)
    evening_close(evening=table.evening, author=home.recorder, key=uuid.uuid4())
    come_back(page, phone, table, 2)
    expect(page.locator("#way-after")).to_be_disabled()
    choose(page, "alone")
    nothing_waits(page)
    assert len(log_of_what_was_left_out()) == 1


@pytest.fixture
def joined(page: Page, phone: BrowserContext, home: House) -> Table:
    """A second table: this phone recorded two hands without network, another one stored one and joined the tables."""
    table = played(FAILED, home=home, seats=7)
    gone = split(table, "Anna", "Doris", "Gian", dealer="Doris")
    record_offline(page, phone, gone, MADE, WALKOVER)
    enter(gone, BENI)
    do(gone, Merge(table.pk, who(table)["Emil"]))
    come_back(page, phone, gone, 1)
    return gone


def test_a_table_that_was_joined_to_another_one_says_so_and_takes_no_hand(
    page: Page, phone: BrowserContext, joined: Table
) -> None:
    before = story_of(joined)
    expect(page.locator("#way-after")).to_be_disabled()
    with translation.override("de"):
        why = story_texts("CHF")["stories.why-dissolved"]
    expect(page.locator('[data-way="after"] [data-more]')).to_have_text(why)
    page.locator("label[for=way-corrected]").tap()
    expect(page.locator("[data-remarks] li")).to_contain_text([why])
    choose(page, "alone")
    nothing_waits(page)
    assert story_of(joined) == before
    assert len(log_of_what_was_left_out()) == 2


@pytest.mark.parametrize(
    ("role", "line"), [("recorder", "#waiting"), ("owner", ".outbox-line")], ids=["who records", "who watches"]
)
def test_the_line_about_waiting_writes_covers_no_name(
    page: Page, phone: BrowserContext, home: House, role: str, line: str
) -> None:
    table = played(MADE, home=home)
    record_offline(page, phone, table, FAILED, MADE)
    page.route(re.compile("/night/$"), lambda route: route.abort())
    phone.set_offline(False)
    phone.clear_cookies(name="sessionid")
    sign_in(page, f"/c/roessli/t/{table.pk}/", role)
    expect(page.locator(line)).to_be_visible()
    page.wait_for_function(LINE_COVERS_NOTHING)
