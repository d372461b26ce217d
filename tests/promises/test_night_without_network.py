"""A whole night on a phone without a network: after any faults of phone, server and line, the ledger equals the plain
model.

A run plays one night at random; `NIGHTS` plays more of them.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.test import override_settings
from playwright.sync_api import Browser, Page, expect

from games.models import Revision, Table
from league.models import Evening, Player
from tests.browser.conftest import new_phone
from tests.browser.sign_in import fill_in, sign_in
from tests.browser.test_night_begin import NEW, begun, chosen
from tests.cast import House, house
from tests.factories import PlayerFactory, create_table
from tests.faulty_line import FaultyLine
from tests.processes import Process, wait_until
from tests.sizes import sized

from . import night_kratzen
from .night_kratzen import KratzenPhone
from .night_phone import NightPhone
from .night_story import Step, after, hands_of, random_night
from .night_truth import check_evening, faults_of

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.django_db(transaction=True)]

NIGHTS = int(os.environ.get("NIGHTS", "1"))
HANDS = sized(12, 40)
"""The hands of a hard night; three of them are another phone's."""
NEWER = "0.2.0"
THEIRS = ("Anna: Beni", "", "Doris-: Emil Anna-")


@pytest.fixture
def home(transactional_db: None) -> House:
    home = house("roessli")
    home.club.publishes_money = True
    home.club.save()
    return home


class Cellar:
    """The server, the line to it, and the phones."""

    def __init__(self, chromium: Browser, start: Callable[..., Process], folder: Path, **more: str) -> None:
        self.chromium, self.start, self.folder, self.more = chromium, start, folder, more
        self.server = start(**more)
        self.line = FaultyLine(("127.0.0.1", self.port))

    @property
    def port(self) -> int:
        return int(self.server.url.rpartition(":")[2])

    def phone(self) -> NightPhone:
        return NightPhone(self.chromium, self.line, self.folder / "phone")

    def kratzen_phone(self) -> KratzenPhone:
        return KratzenPhone(self.chromium, self.line, self.folder / "phone", first=night_kratzen.FIRST)

    def other(self) -> Page:
        """The page of somebody else, an owner, on a phone with a network."""
        return new_phone(self.chromium, self.server.url).new_page()

    def new_version(self) -> None:
        self.server.stop()
        self.server = self.start(TEST_VERSION=NEWER, **self.more)
        self.line.lead_to(self.port)


@pytest.fixture
def cellar(chromium: Browser, web_server: Callable[..., Process], tmp_path: Path) -> Iterator[Cellar]:
    cellar = Cellar(chromium, web_server, tmp_path)
    yield cellar
    cellar.line.close()


@pytest.fixture
def collected(tmp_path: Path) -> str:
    """A folder with the static files under their hashed names, as production serves them."""
    folder = tmp_path / "collected"
    backend = {"BACKEND": "league.config.static.HashedStaticFilesStorage"}
    with override_settings(STATIC_ROOT=folder, STORAGES=settings.STORAGES | {"staticfiles": backend}):
        call_command("collectstatic", interactive=False, verbosity=0)
    return str(folder)


@pytest.fixture
def production(
    collected: str, chromium: Browser, web_server: Callable[..., Process], tmp_path: Path
) -> Iterator[Cellar]:
    """A server that names its scripts as production does."""
    cellar = Cellar(chromium, web_server, tmp_path, TEST_COLLECTED=collected)
    yield cellar
    cellar.line.close()


def parts_of(steps: list[Step], *hands: int) -> list[list[Step]]:
    """Divide a night: the first part ends after the first of these hands, and so on."""
    ends = [place for place in range(len(steps) + 1) for many in hands if hands_of(steps[:place]) == many]
    ends = [0, *(min(end for end in ends if hands_of(steps[:end]) == many) for many in hands), len(steps)]
    return [steps[start:other] for start, other in itertools.pairwise(ends)]


def take_the_pencil(page: Page) -> None:
    """Go on in place of the last recorder."""
    page.locator(".halves [popovertarget=take-over]").tap()
    page.locator("#take-over [value=over]").tap()
    expect(page.locator("#hand[data-heard]")).to_be_visible()


def another_phone_stores(cellar: Cellar, table: Table, *lines: str) -> list[Step]:
    """Another recorder goes on at the same table, with a network."""
    page = cellar.other()
    sign_in(page, f"/c/roessli/t/{table.pk}/", "owner")
    take_the_pencil(page)
    other = NightPhone.of(page, [])
    for line in lines:
        other.tap_hand(line)
        other.screen.save()
    page.context.close()
    return [Step("play", (line,)) for line in lines]


def all_is_sent(phone: NightPhone) -> None:
    """Wait until nothing waits. A busy machine may be slow, but each write goes within 30 s."""

    def fewer() -> bool:
        return len(phone.items) < len(items)

    while items := phone.items:
        waiting = [(item["status"], item.get("why"), item.get("url")) for item in items]
        wait_until(fewer, 30, f"the next is sent of {waiting}")


# --- The hard night --------------------------------------------------------------------------------------------


def begin_in_the_dark(phone: NightPhone, steps: list[Step]) -> None:
    """Ten hands; one is taken back, one changed, and the page is loaded again."""
    phone.lose_network()
    phone.record(*steps)
    phone.record(f"{phone.players[0]}: {phone.players[1]}")
    phone.undo()
    phone.change(3, f"{phone.players_before(3)[1]}")
    phone.reopen()
    phone.check()


def lose_answers(cellar: Cellar, phone: NightPhone) -> None:
    """The first hand is stored, but each answer is lost; the phone sends it again and again, with the same key."""
    cellar.line.lose_answers()
    phone.find_network()
    wait_until(lambda: cellar.line.lost >= 2, 30, "two answers are lost")
    phone.lose_network()
    cellar.line.lose_answers(False)
    assert Revision.objects.count() == 1
    phone.check()


def come_back(phone: NightPhone) -> None:
    """The network is back; the phone asks for a sign-in."""
    phone.find_network()
    page = phone.page
    wait_until(lambda: {"sign-in"} <= {item["status"] for item in phone.items}, 30, "a sign-in is asked for")
    page.locator("#waiting").tap()
    page.locator("#waiting-list [data-sign-in]:not([hidden])").first.tap()
    page.wait_for_url(re.compile("/login/"))
    fill_in(page)
    page.wait_for_url(f"**{phone.table}")


def mine_after_theirs(phone: NightPhone, version: str) -> None:
    """The page of both stories is offered; the recorder's hands follow the others. With
    nothing left to send the next page is of the newer version, which takes over."""
    page = phone.page
    wait_until(lambda: "refused" in {item["status"] for item in phone.items}, 30, "the second story is refused")
    page.locator("#outbox [data-line] button").tap()
    page.locator("#outbox-list [data-look]:not([hidden])").first.tap()
    page.wait_for_url(re.compile("/stories/"))
    page.locator("label[for=way-after]").tap()
    page.locator("[data-save]").tap()
    all_is_sent(phone)
    # The page says so, too, before the link is tapped: its place has not settled before.
    expect(page.locator("[data-stories][data-state=done]")).to_be_visible()
    page.locator("[data-on]").tap()
    page.wait_for_url(f"**{phone.table}")
    take_the_pencil(page)
    phone.leaves_version(version)


@pytest.mark.sized
@pytest.mark.parametrize("seed", range(NIGHTS))
def test_a_hard_night(seed: int, cellar: Cellar, home: House) -> None:
    table = create_table(club=home.club, season=home.season, author=home.recorder)
    phone = cellar.phone()
    phone.open_table(table.pk)
    version = phone.version
    first, second, third = parts_of(random_night(seed, HANDS - 3), HANDS // 4, HANDS // 2)

    begin_in_the_dark(phone, first)
    lose_answers(cellar, phone)
    phone.battery_ends()
    phone.turn_on_again()
    # Chromium may write to the disk a minute later that an entry was cleared: then that entry is in the form again.
    phone.clear_entry()
    phone.check()
    phone.record(*second)
    theirs = another_phone_stores(cellar, table, *THEIRS)
    cellar.new_version()
    Session.objects.all().delete()
    assert phone.version == version
    come_back(phone)
    mine_after_theirs(phone, version)
    phone.steps[1:1] = theirs
    phone.check()
    assert phone.version != version

    phone.lose_network()
    phone.record(*third)
    phone.find_network()
    all_is_sent(phone)
    truth = after(phone.steps)
    assert len(truth.hands) == HANDS
    assert faults_of(truth) == []
    other = cellar.other()
    sign_in(other, "/c/roessli/", "owner")
    check_evening(other, Table.objects.get(), truth, home.owner, "Anna")
    phone.context.close()


# --- An evening that begins without a network ------------------------------------------------------------------


HASHED = re.compile(r"\.[0-9a-f]{12}\.(js|css)$")


def test_an_evening_begun_without_a_network_is_stored_once(production: Cellar, home: House) -> None:
    """Eight hands of an evening that is not stored on the server; it gets its number when it arrives. The service
    worker
    has the scripts and styles under the names of production."""
    cellar = production
    for name in ("Anna", "Beni", "Carlo"):
        PlayerFactory(club=home.club, nickname=name)
    phone = cellar.phone()
    sign_in(phone.page, NEW)
    phone.keeps(NEW)
    scripts = [name for name in phone.kept_files() if name.endswith((".js", ".css"))]
    assert {"evening_new", "night_table"} <= {Path(name).name.split(".")[0] for name in scripts}
    assert [name for name in scripts if not HASHED.search(name)] == []
    phone.lose_network()
    phone.page.goto(NEW)
    chosen(phone.page, "Anna", "Beni", "Carlo", guests=("Zita",))
    begun(phone.page)
    phone.first, phone.dealer = ("Anna", "Beni", "Carlo", "Zita"), "Anna"
    phone.record("Beni: Zita", "Zita-: Anna Carlo-", Step("arrive", ("Rosa", "Beni")), "Rosa: Zita Anna-", "")
    phone.record(Step("swap", ("Anna", "Beni")), "Carlo", Step("leave", ("Zita",)), "Anna-: Rosa Beni", "Beni: Carlo")
    phone.page.reload()
    phone.heard()
    phone.record("Rosa-: Anna")
    cellar.line.lose_answers()
    phone.find_network()
    wait_until(lambda: cellar.line.lost >= 2, 30, "two answers are lost")
    cellar.line.lose_answers(False)
    all_is_sent(phone)
    assert Evening.objects.count() == 1
    assert sorted(Player.objects.filter(guest=True).values_list("nickname", flat=True)) == ["Rosa", "Zita"]
    assert faults_of(after(phone.steps, phone.first, phone.dealer)) == []
    phone.context.close()


# --- Kratzen ---------------------------------------------------------------------------------------------------

KRATZEN = (
    "|| Doris 2 Anna 1 Beni 1",
    "Ax | oder | Beni 3 Doris 1",
    Step("arrive", ("Fritz", "Beni")),
    "7xWx || Anna 2 Beni 1 Fritz 1",
    "||",
    "A7 || Fritz",
    "|| Carlo 1 Doris 1 Beni 2",
    "WA | seven | Anna 1 Fritz 3",
    Step("pause"),
    Step("resume"),
    "| oder seven | Anna 2 Beni 1 Fritz 1",
    Step("leave", ("Carlo",)),
    "| weiter-oder | Doris 1 Anna 2 Beni 1",
    "|| Fritz 3 Doris 1",
)
KINDS = {"a Muss", "a Siebenermuss", "a called seven", "passed_out", "walkover"}
KINDS |= {"free: schlagen", "free: oder", "free: weiter-oder"}


def test_a_night_of_kratzen_equals_the_plain_model(cellar: Cellar, home: House) -> None:
    """Every kind of a hand; a guest comes, somebody leaves, the page is loaded again, and the browser is killed."""
    rules, author = night_kratzen.RULES, home.recorder
    table = create_table(club=home.club, season=home.season, seats=4, game="kratzen", rules=rules, author=author)
    phone = cellar.kratzen_phone()
    phone.open_table(table.pk)
    phone.lose_network()
    phone.record(*KRATZEN[:5])
    phone.reopen()
    phone.check()
    phone.record(*KRATZEN[5:7])
    phone.battery_ends()
    phone.turn_on_again()
    phone.check()
    phone.record(*KRATZEN[7:])
    assert not Revision.objects.exists()
    # Chromium writes cookies to the disk every 30 s: a sign-in just before the battery ended may be lost, or not.
    Session.objects.all().delete()
    come_back(phone)
    all_is_sent(phone)
    truth = phone.truth(phone.steps)
    assert {hand.kind for hand in truth.played} == KINDS
    assert faults_of(truth) == []
    other = cellar.other()
    sign_in(other, "/c/roessli/", "owner")
    check_evening(other, Table.objects.get(), truth, home.owner, "Anna")
    phone.context.close()


# --- Without a guard -------------------------------------------------------------------------------------------

GUARDS = {
    "the order": (
        "js/outbox.js",
        "async function sendNext(seen) {\n  const items = await store.all();",
        "async function sendNext(seen) {\n  const items = (await store.all()).reverse();",
    ),
    "the keys": (
        "js/outbox_requests.js",
        "const writeOf = ({ write }) => write;",
        "const writeOf = ({ write }) => ({ ...write, key: crypto.randomUUID() });",
    ),
    "the version": ("built/worker.js", "if(here&&isOther(answer)", "if(false&&isOther(answer)"),
}
"""The script of each guard, its text, and the text without it."""


def without(guard: str, folder: Path) -> str:
    """Write the script without one of its guards; return the folder of static files."""
    name, text, instead = GUARDS[guard]
    script = (settings.BASE_DIR / "static" / name).read_text()
    assert script.count(text) == 1, guard
    (folder / name).parent.mkdir(parents=True)
    (folder / name).write_text(script.replace(text, instead))
    return str(folder)


def all_sent_or_refused(items: list[dict[str, Any]]) -> bool:
    return not items or any(item["status"] == "refused" for item in items)


@pytest.mark.parametrize("guard", [None, *GUARDS])
def test_without_a_guard_a_night_differs_from_the_plain_model(
    guard: str | None, chromium: Browser, web_server: Callable[..., Process], tmp_path: Path, home: House
) -> None:
    """The order of the outbox, the keys, the check of the version: without each the check of the night fails."""
    more = {"TEST_STATIC": without(guard, tmp_path / "static")} if guard else {}
    cellar = Cellar(chromium, web_server, tmp_path, **more)
    table = create_table(club=home.club, season=home.season, author=home.recorder)
    phone = cellar.phone()
    phone.open_table(table.pk)
    version = phone.version
    phone.lose_network()
    phone.record("Anna: Beni", Step("leave", ("Doris",)), "Beni-: Carlo")
    cellar.line.lose_answers()
    phone.find_network()
    wait_until(lambda: cellar.line.lost >= 2, 30, "two answers are lost")
    # The version matters only for its own guard; a start of the server takes seconds.
    if guard in (None, "the version"):
        cellar.new_version()
    phone.page.reload()
    mixed = phone.version != version
    cellar.line.lose_answers(False)
    wait_until(lambda: all_sent_or_refused(phone.items), 30, "everything is sent, or something refused")
    faults = [*(["mixed versions"] if mixed else []), *phone.items, *faults_of(after(phone.steps))]
    assert bool(faults) == bool(guard), faults
    phone.context.close()
    cellar.line.close()
