"""Every screen on a phone of 360 px: no sideways scrolling, every target large enough for a thumb, no fault found by
axe, light and dark; also on a wide window. `make test` looks at a third of them, without axe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.http import HttpResponse
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, StorageState

from tests.factories import UserFactory
from tests.permissions import ROUTES, Anyone, Club, Linked, Own, Route
from tests.screens import pages
from tests.screens.clubs import PASSWORD, PEOPLE, build
from tests.screens.pages import SCREENS
from tests.screens.screen import Screen, World, without_the_pencil
from tests.sizes import THIRDS, third_of_today

from .conftest import EXPECTED, PHONE
from .crowded import TALL, too_many_actions, too_many_controls

# Each part builds the whole database again, which is slow: one for each of two cores.
PARTS = {
    "evening": (
        *(*pages.RECORDING, *pages.SEATING, *pages.CORRECTIONS, *pages.CLOSINGS),
        *(*pages.CARDS, *pages.OUTBOX, *pages.STORIES, *pages.NIGHT_SEATS),
        *(*pages.TOURNAMENT_FILES, *pages.TABLE_CARDS, *pages.PUB_SCREEN, *pages.ATTENDANCE, *pages.MESSAGES),
    ),
    "around": (
        *(*pages.ACCOUNTS, *pages.FRONT, *pages.CALCULATOR, *pages.HAND_WORTH),
        *(
            *pages.READING,
            *pages.RULES,
            *pages.POINTS,
            *pages.PRIVACY,
            *pages.WEBHOOKS,
            *pages.ONE_TIME_PAGES,
            *pages.ROSTER,
            *pages.DISPUTED,
        ),
        *(*pages.HANDING_OVER, *pages.YEAR_REVIEW, *pages.CUPS),
        *(*pages.API_KEYS, *pages.CLUB_ADMIN, *pages.TREASURY, *pages.TOURNAMENT_ROOM),
        *(*pages.TOURNAMENT_DESK, *pages.IMPORTS, *pages.HELP),
    ),
}
WIDE = {"width": 1280, "height": 800}
MAIN_ROUTES = frozenset({"club", "club-pages", "evening", "season", "debts", "club-people", "treasury"})
SHORT_ROUTES, SHORT_SCREENS = frozenset({"season-statistics"}), 3
"""Long pages whose parts are folded, and the most screens of a phone that they take."""
NO_SCREEN = {
    "healthz", "readyz", "metrics", "standings-csv", "results-csv", "ledger-csv", "hands-csv", "debts-csv",
    "evenings-csv", "log-csv", "luck-csv", "member-fees-csv", "statements-pdf", "bill-mine-pdf", "club-file",
    "import-sample",
    "api-openapi", "outbox", "push-renew", "worker", "manifest", "account-data-file",
    "account_login", "account_logout", "join-opened", "mfa_login_webauthn", "mfa_download_recovery_codes",
    "season-standings", "season-chances-live", "evening-live", "table-live", "night", "table-night", "evening-sheet",
    "sheet-code", "language", "club-standings",
    # tests/browser/test_opening.py sees it: the server of the screens has accounts.
    "set-up",
    "club-calendar", "coming-calendar", "club-results-atom", "standings-json", "club-feeds-renew",
    "cup-csv", "cup-atom",
    "tournament-clock", "tournament-seat-find", "tournament-desk-live", "tournament-file", "tournament-paper",
    "club-logo-picture", "player-picture",
    "site-picture", "club-picture", "season-picture", "champions-picture", "evening-picture",
    "hand-picture", "tournament-picture",
    "club-records-picture", "season-records-picture", "statistics-picture", "chances-picture",
    "club-year-picture", "player-year-picture",
}  # fmt: skip
"""Routes without a screen: files, answers to programs, fragments of pages, redirects, and the page of a server without
accounts."""

WIDER = """() => [...document.querySelectorAll("body *")]
  .filter((node) => node.checkVisibility() && !node.closest("svg, .scroll-x, .year-screens, .visually-hidden, .skip"))
  .filter((node) => node.getBoundingClientRect().right > window.innerWidth + 1)
  .map((node) => `${node.tagName}.${node.className}: ${node.textContent.trim().slice(0, 40)}`)"""
# A table may scroll sideways, but no amount is beyond the edge. The cells of a file to import are as in the file.
HIDDEN_AMOUNTS = """() => {
  const folded = [...document.querySelectorAll(".as-table:not([open])")];
  for (const table of folded) table.open = true;
  const found = [...document.querySelectorAll(".scroll-x table:not(.cells) :is(td, th)")]
    .filter((cell) => /^[+−]?(\\S+\\s)?\\d[\\d’]*\\.\\d\\d$/.test(cell.textContent.trim()) && cell.checkVisibility())
    .filter((cell) => cell.getBoundingClientRect().right > window.innerWidth + 1)
    .map((cell) => cell.textContent.trim());
  for (const table of folded) table.open = false;
  return found;
}"""
# A link within a sentence is as high as its line; every other target must fit a thumb. A tick box is tapped on
# its label.
TOO_SMALL = """() => {
  const inSentence = (node) => node.tagName === "A" && getComputedStyle(node).display === "inline"
    && node.closest("p, dd") && node.closest("p, dd").textContent.trim() !== node.textContent.trim();
  const label = (node) => ["checkbox", "radio"].includes(node.type) && node.labels.length ? node.labels[0] : node;
  return [...document.querySelectorAll("a, button, input, select, textarea, summary")]
    .filter((node) => node.checkVisibility({ visibilityProperty: true }) && node.type !== "hidden")
    .filter((node) => !node.closest(".skip, .visually-hidden") && !inSentence(node))
    .map((node) => [label(node), label(node).getBoundingClientRect()])
    .filter(([, box]) => box.width < 43.5 || box.height < 43.5)
    .map(([node, box]) => `${node.tagName}.${node.className} ${node.textContent.trim().slice(0, 20)}: `
      + `${Math.round(box.width)} x ${Math.round(box.height)}`);
}"""
# These have a fixed height, so that nothing moves: their text must fit into it.
CUT = """() => [...document.querySelectorAll(".bar .preview > div, .outbox-line [data-sentence]")]
  .filter((node) => node.checkVisibility() && node.scrollHeight > node.clientHeight + 1)
  .map((node) => node.textContent.trim().slice(0, 40))"""
# A name wraps between its words; only a word that fits no line is broken.
BROKEN_NAMES = """() => [...document.querySelectorAll(
  `.rivals a, .form-nights a, .records span,
  :is(.heat, .standings, .streaks, .profiles, .ratings, .evening-list) tbody th`
)].flatMap((cell) => {
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), broken = [];
  while (texts.nextNode()) {
    for (const word of texts.currentNode.data.matchAll(/[^\\s–-]+/g)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, word.index);
      range.setEnd(texts.currentNode, word.index + word[0].length);
      const parts = [...range.getClientRects()].filter((box) => box.width);
      const wide = parts.reduce((sum, box) => sum + box.width, 0) > cell.clientWidth;
      if (!wide && new Set(parts.map((box) => Math.round(box.top))).size > 1) broken.push(word[0]);
    }
  }
  return broken;
})"""
TOUCHING_VALUES = """() => [...document.querySelectorAll(".evening-bars")].flatMap((chart) =>
  [".axis text", "g:not(.axis) > text"].flatMap((of) => {
    const texts = [...chart.querySelectorAll(of)].map((text) => [text.textContent, text.getBoundingClientRect()]);
    return texts.slice(1).filter(([, box], nth) => box.left < texts[nth][1].right).map(([text]) => text);
  }))"""
# Axe has checked the visible parts on the phone: in a wide window the rest is checked.
ON_A_PHONE = """() => document.querySelectorAll("body *").forEach((node) => {
  node.seenOnAPhone = node.checkVisibility({ visibilityProperty: true });
})"""
ONLY_WIDE = """() => {
  const isNew = (node) => node.seenOnAPhone === false && node.checkVisibility({ visibilityProperty: true });
  const found = [...document.querySelectorAll("body *")].filter((node) => isNew(node) && !isNew(node.parentElement));
  for (const node of found) node.dataset.onlyWide = "";
  return found.length;
}"""
# Each text with its colours, its size, and the element behind it. Two rules of axe, which take four times as
# long as all others together, look only at texts with a combination that was on no screen before, light or dark.
COLOURS_SHOWN = """() => {
  const behind = (node) => {
    const layers = [];
    let covered = false;
    for (let at = node; at; at = at.parentElement) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(at);
      if (opacity !== "1") layers.push(opacity);
      if (!covered && backgroundColor !== "rgba(0, 0, 0, 0)") layers.push(backgroundColor);
      if (!covered && backgroundImage !== "none") layers.push(backgroundImage);
      covered ||= backgroundColor.startsWith("rgb(");
    }
    return layers;
  };
  const hasText = (node) => [...node.childNodes].some((each) => each.nodeType === Node.TEXT_NODE && each.data.trim());
  const shown = [...document.querySelectorAll("body *")]
    .filter((node) => (hasText(node) || node.matches("input, select, textarea")) && node.checkVisibility());
  for (const node of shown) {
    const { color, fontSize, fontWeight, textDecorationLine } = getComputedStyle(node);
    // For WCAG a text of 18 points is large, a bold one of 14 points.
    const large = parseFloat(fontSize) >= (Number(fontWeight) >= 700 ? 18.66 : 24);
    const inText = node.tagName === "A" && [textDecorationLine, getComputedStyle(node.parentElement).color];
    node.coloursShown = JSON.stringify([color, large, inText, ...behind(node)]);
  }
  return [...new Set(shown.map((node) => node.coloursShown))];
}"""
MARK_NEW_COLOURS = """(combinations) => {
  const wanted = new Set(combinations);
  for (const node of document.querySelectorAll("body *")) {
    node.toggleAttribute("data-new-colours", wanted.has(node.coloursShown));
  }
}"""
# By default axe leaves out the rule that the name of a button contains its text. Null: the part is gone.
AXE = """([rules, part]) => part && !document.querySelector(part) ? null
  : axe.run(part ?? document, { resultTypes: ["violations"],
    ...(rules ? { runOnly: rules } : { rules: { "label-content-name-mismatch": { enabled: true },
      "color-contrast": { enabled: false }, "link-in-text-block": { enabled: false } } }) })
  .then((found) => found.violations.flatMap((each) => each.nodes.map((node) =>
    `${each.id}: ${node.target.join(" ")} ${node.any.concat(node.all).map((check) => check.message)[0] ?? ""}`)))"""
# Half a megabyte: the browser keeps it, and compiles it only on a page that calls it.
AXE_WHEN_CALLED = f"window.loadAxe = () => {{ {AXE_SCRIPT} }};"
COLOURS = ["color-contrast", "link-in-text-block"]


def is_page(route: Route) -> bool:
    """Return True if the route is a page for people: no API, no file, no address that only accepts forms."""
    if isinstance(route, Anyone | Own):
        return "GET" in route.methods
    return isinstance(route, Linked) or (isinstance(route, Club) and "GET" in route.rights)


def test_every_page_has_a_screen() -> None:
    asked = {name for name, route in ROUTES.items() if is_page(route)}
    assert asked - NO_SCREEN == {screen.route for screen in SCREENS} - {""}


def test_every_screen_is_in_a_part() -> None:
    assert sorted(screen.name for part in PARTS.values() for screen in part) == sorted(s.name for s in SCREENS)


def test_every_screen_has_its_own_name() -> None:
    assert len({screen.name for screen in SCREENS}) == len(SCREENS)


@pytest.fixture
def world(transactional_db: None) -> World:
    return build(hands=144)


@pytest.fixture
def people(chromium: Browser, live_server: Any, world: World, settings: Any) -> dict[str, StorageState | None]:
    """The stored cookies of each person after the sign-in. Each page has its one file of scripts, as in production."""
    settings.BUNDLED = True
    kept: dict[str, StorageState | None] = {"visitor": None}
    for who, address in PEOPLE.items():
        context = chromium.new_context(base_url=live_server.url, has_touch=True, service_workers="block")
        page = context.new_page()
        page.goto("/login/")
        page.fill("[name=username]", address)
        page.fill("[name=password]", PASSWORD)
        page.tap("main .btn:not(.quiet)")
        page.wait_for_url(lambda url: not url.endswith("/login/"))
        kept[who] = context.storage_state()
        context.close()
    return kept


@dataclass(frozen=True)
class Looker:
    """Opens screens in the browser and looks for faults."""

    chromium: Browser
    address: str
    world: World
    people: dict[str, StorageState | None]

    def faults_on(self, screens: Sequence[Screen], *, axe: bool) -> list[str]:
        """Return the faults of these screens, with those that only axe finds if it is wanted."""
        faults = []
        seen: set[str] | None = set() if axe else None
        kept: dict[str, Page] = {}
        for screen in screens:
            # One tab for each reader: a tab of its own costs more than the whole look.
            page = kept.get(screen.who) or kept.setdefault(screen.who, self._new_page(screen.who))
            faults += [f"{screen.name}: {fault}" for fault in _faults_on_screen(page, screen, self.world, seen)]
            if screen.act or screen.session or screen.answer:
                _forget(page, self.people[screen.who], self.address)
        for page in kept.values():
            page.context.close()
        return faults

    def _new_page(self, who: str) -> Page:
        context = self.chromium.new_context(
            base_url=self.address,
            storage_state=self.people[who],
            viewport=PHONE,
            has_touch=True,
            locale="de-CH",
            reduced_motion="reduce",
            service_workers="block",
        )
        context.set_default_timeout(10_000)
        context.add_init_script(AXE_WHEN_CALLED)
        without_the_pencil(context)
        return context.new_page()


@pytest.fixture
def looker(chromium: Browser, live_server: Any, world: World, people: dict[str, StorageState | None]) -> Looker:
    return Looker(chromium, live_server.url, world, people)


@pytest.mark.browser
@pytest.mark.core
@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_each_third_screen_fits_a_phone(looker: Looker) -> None:
    """Another third each day."""
    faults = looker.faults_on(SCREENS[third_of_today() :: THIRDS], axe=False)
    assert not faults, "\n".join(faults)


@pytest.mark.browser
@pytest.mark.long
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("part", PARTS)
def test_every_screen_fits_a_phone_and_is_accessible(part: str, looker: Looker) -> None:
    faults = looker.faults_on(PARTS[part], axe=True)
    assert not faults, "\n".join(faults)


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_violation_of_the_content_security_policy_is_a_fault(
    page: Page, console: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A style and a script inside the page violate the policy."""
    # A server without an account leads to its set-up page.
    UserFactory()
    inline = "<!doctype html><p style='color: red'>x</p><script>1</script>"
    monkeypatch.setattr("league.standings.views.render", lambda *args, **more: HttpResponse(inline))
    page.add_init_script(AXE_WHEN_CALLED)
    faults = _faults_on_screen(page, Screen("inline", "home", "/"), {}, set())
    assert sum("Content Security Policy" in fault for fault in faults) == 2
    console.clear()


NARROW = "<meta name=viewport content='width=device-width'>"
HEAD = "data:text/html;charset=utf-8,<html lang=en><title>A page</title><main><h1>One line</h1>"
PALE = "<style>@media (prefers-color-scheme: dark) { p { color: rgb(40,40,40); background: rgb(30,30,30) } }</style>"


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_looks_at_texts_with_colours_that_it_has_not_seen(page: Page, scheme: str) -> None:
    def pale_faults(html: str, seen: set[str]) -> list[str]:
        page.emulate_media(color_scheme="light")
        page.goto(HEAD + html)
        return [fault for fault in _faults_of(page, seen) if fault.startswith(f"{scheme}: color-contrast")]

    page.add_init_script(AXE_WHEN_CALLED)
    seen: set[str] = set()
    pale = PALE.replace("dark", scheme)
    assert pale_faults("<p>Plain</p>", seen) == []
    assert len(pale_faults(f"{pale}<p>Pale</p><div><p>Pale, too</p></div>", seen)) == 2
    # Seen colours are not checked again.
    assert pale_faults(f"{pale}<p>Pale as well</p>", seen) == []


@pytest.mark.browser
def test_a_broken_name_and_values_that_touch_are_faults(page: Page) -> None:
    name = (
        "<ul class=rivals style='width: 90px; word-break: {}'><li><a style='display: block'>Johanna Franziska</a></ul>"
    )
    page.goto(HEAD + name.format("break-all"))
    assert page.evaluate(BROKEN_NAMES) == ["Franziska"]
    page.goto(HEAD + name.format("normal"))
    assert page.evaluate(BROKEN_NAMES) == []
    bars = "<svg class=evening-bars><g><text x=0 y=20>12</text></g><g><text x={} y=20>13</text></g></svg>"
    page.goto(HEAD + bars.format(9))
    assert page.evaluate(TOUCHING_VALUES) == ["13"]
    page.goto(HEAD + bars.format(40))
    assert page.evaluate(TOUCHING_VALUES) == []


@pytest.mark.browser
def test_a_first_screen_with_thirteen_controls_is_a_fault(page: Page) -> None:
    links = NARROW + "<table><tr><td><a href='/'>A row</a><tr><td><ul><li><a href='/'>Another</a></ul></table>"
    below = "<p style='margin-top: 740px'><button>Below</button></p><p hidden><button>Hidden</button></p>"
    page.goto(HEAD + links + "<button>One</button> " * 11 + below)
    assert too_many_controls(page) == []
    page.goto(HEAD + links + "<button>One</button> " * 12 + below)
    assert [fault.partition(":")[0] for fault in too_many_controls(page)] == ["13 controls"]


@pytest.mark.browser
def test_a_page_with_four_actions_is_a_fault(page: Page) -> None:
    rows = "<ul><li><button class='btn quiet'>In a row</button></ul><button class=btn>Main</button>"
    group = "<p role=group><button class='btn quiet'>Less</button><button class='btn quiet'>More</button></p>"
    same = "<button class='btn quiet'>Copy 1</button><button class='btn quiet'>Copy 2</button>"
    page.goto(f"{HEAD}<main>{rows}{group}{same}<a class='btn quiet'>Third</a>")
    assert too_many_actions(page) == []
    page.goto(f"{HEAD}<main>{rows}{group}{same}<a class='btn quiet'>Third</a><a class='btn quiet'>Fourth</a>")
    assert too_many_actions(page) == ["4 actions: LessMore | Copy | Third | Fourth"]


@pytest.mark.browser
def test_an_amount_beyond_the_edge_is_a_fault(page: Page) -> None:
    row = "<tr><td style='min-width: {}px'>Anna<td>−1’250.00"
    table = f"{NARROW}<div class=scroll-x style='overflow: auto'><table>{row}</table>"
    page.goto(HEAD + table.format(340))
    assert page.evaluate(HIDDEN_AMOUNTS) == ["−1’250.00"]
    page.goto(HEAD + table.format(100))
    assert page.evaluate(HIDDEN_AMOUNTS) == []


@pytest.mark.browser
def test_a_page_of_more_than_three_screens_is_a_fault(page: Page) -> None:
    part = NARROW + "<details{}><summary>Part</summary><p style='height: 2200px'>"
    page.goto(HEAD + part.format(""))
    assert _too_high(page) == []
    page.goto(HEAD + part.format(" open"))
    assert _too_high(page) == ["3.1 screens"]


def _forget(page: Page, cookies: StorageState | None, address: str) -> None:
    """Take a tab back to its state after the sign-in."""
    page.evaluate("() => sessionStorage.clear()")
    page.goto("about:blank")
    tools = page.context.new_cdp_session(page)
    tools.send("Storage.clearDataForOrigin", {"origin": address, "storageTypes": "local_storage,indexeddb"})
    tools.detach()
    # Now no page is left that would send its kept items.
    page.unroute_all()
    page.context.set_offline(False)
    page.context.clear_cookies()
    page.context.add_cookies((cookies or {}).get("cookies", []))  # type: ignore[arg-type]


def _faults_on_screen(page: Page, screen: Screen, world: World, seen: set[str] | None) -> list[str]:
    faults: list[str] = []

    def note(message: ConsoleMessage) -> None:
        is_fault = message.type in ("error", "warning") and not any(known in message.text for known in EXPECTED)
        if is_fault and "status of 50" not in message.text:
            faults.append(f"console: {message.text}")

    def failed(fault: Error) -> None:
        faults.append(f"fault: {fault}")

    page.unroute_all()
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="light")
    page.on("console", note)
    page.on("pageerror", failed)
    try:
        screen.open(page, world)
        is_main = screen.route in MAIN_ROUTES and not screen.act and "?" not in screen.address
        crowd = too_many_controls(page) if is_main else []
        actions = [] if screen.act else too_many_actions(page)
        high = _too_high(page) if screen.route in SHORT_ROUTES and not screen.act else []
        return crowd + actions + high + _faults_of(page, seen) + faults
    except (AssertionError, Error) as error:
        return [f"did not open: {error}"]
    finally:
        page.remove_listener("console", note)
        page.remove_listener("pageerror", failed)


def _too_high(page: Page) -> list[str]:
    screens: float = page.evaluate("() => document.documentElement.scrollHeight") / TALL["height"]
    return [f"{screens:.1f} screens"] if screens > SHORT_SCREENS else []


def _faults_of(page: Page, seen: set[str] | None) -> list[str]:
    """Return the faults of a page. `seen` are the colours that axe has seen; None: axe does not look at the page."""
    faults = [f"wide: {each}" for each in page.evaluate(WIDER)]
    faults += [f"hidden amount: {each}" for each in page.evaluate(HIDDEN_AMOUNTS)]
    faults += [f"small: {each}" for each in page.evaluate(TOO_SMALL)]
    faults += [f"cut: {each}" for each in page.evaluate(CUT)]
    faults += [f"broken name: {each}" for each in page.evaluate(BROKEN_NAMES)]
    faults += [f"touching value: {each}" for each in page.evaluate(TOUCHING_VALUES)]
    if seen is not None:
        faults += _axe_faults_on_a_phone(page, seen)
    page.set_viewport_size(WIDE)
    for looks in (WIDER, HIDDEN_AMOUNTS, BROKEN_NAMES):
        faults += [f"wide screen: {each}" for each in page.evaluate(looks)]
    return faults if seen is None else faults + _axe_faults_in_a_wide_window(page, seen)


def _axe_faults_on_a_phone(page: Page, seen: set[str]) -> list[str]:
    page.evaluate("() => window.loadAxe()")
    faults = [f"light: {each}" for each in page.evaluate(AXE, [None, None])]
    faults += [f"light: {each}" for each in _colour_faults(page, seen)]
    page.emulate_media(color_scheme="dark")
    faults += [f"dark: {each}" for each in _colour_faults(page, seen)]
    page.evaluate(ON_A_PHONE)
    return faults


def _axe_faults_in_a_wide_window(page: Page, seen: set[str]) -> list[str]:
    faults: list[str] = []
    # A part that the page renews just now was looked at on the phone.
    if page.evaluate(ONLY_WIDE):
        faults += [f"wide screen: {each}" for each in page.evaluate(AXE, [None, "[data-only-wide]"]) or []]
    faults += [f"wide screen: {each}" for each in _colour_faults(page, seen)]
    return faults


def _colour_faults(page: Page, seen: set[str]) -> list[str]:
    """Return the findings of axe in the colours that it has not `seen`."""
    while new := set(page.evaluate(COLOURS_SHOWN)) - seen:
        page.evaluate(MARK_NEW_COLOURS, list(new))
        faults: list[str] | None = page.evaluate(AXE, [COLOURS, "[data-new-colours]"])
        # A page that renews itself may take the marks away.
        if faults is not None:
            seen |= new
            return faults
    return []
