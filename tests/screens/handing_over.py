"""Waiting writes as a file or a QR code, and the page that reads them on another phone."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from tests.screens.screen import Screen

READ = "/c/krone/night/read/"
NAMES = {"1": "Anna", "2": "Beni", "3": "Carlo", "4": "Doris"}
PUT = """async ([writes]) => {
  const outbox = await import("/static/js/outbox.js");
  window.fetch = () => Promise.reject(new TypeError("no network"));
  for (const one of writes) {
    const said = { title: `#${one.number}`, summary: "Anna chratzt 2, Beni metcho 2", number: one.number };
    await outbox.put(outbox.itemOf(one, { url: "/c/krone/t/1/night/", ...said }));
  }
}"""


def _hand(number: int) -> dict[str, Any]:
    record = {"declarer": 0, "joiners": [number % 3 + 1], "tricks": {"0": 2, str(number % 3 + 1): 2}}
    deltas = [10 * number, 0, 0, 0]
    deltas[number % 3 + 1] = -10 * number
    key, moment = f"{number:08x}-1111-4111-8111-{number * 7919:012x}", 1_795_000_000_000 + 100_000 * number
    common = {"format": 1, "key": key, "kind": "hand", "club": "krone", "table": 9_999_999, "at": moment}
    expected = {"deltas": deltas, "pot_after": 40}
    return common | {"number": number, "players": [1, 2, 3, 4], "record": record, "expected": expected}


def _come() -> dict[str, Any]:
    key = "00000000-1111-4111-8111-00000000abcd"
    common = {"format": 1, "key": key, "kind": "come", "club": "krone", "table": 9_999_999, "at": 1_795_000_900_000}
    return common | {"guest": "Maximilian-Ferdinand", "after": 4}


def _bundle(writes: list[dict[str, Any]], **others: Any) -> str:
    common = {"format": 1, "kind": "chratzete-night", "club": "krone", "saved_at": 1_795_000_000_000}
    return json.dumps({**common, "by": ["Ursina"], "players": NAMES, "writes": writes, "snapshots": [], **others})


def _reads(text: str, wait: str) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        page.tap("[data-night-read] summary")
        page.fill("#pasted", text)
        page.tap("[data-read]")
        page.wait_for_selector(wait)

    return act


def _takes(page: Page) -> None:
    page.evaluate("() => { window.fetch = () => Promise.reject(new TypeError('no network')); }")
    _reads(_bundle([_hand(1), _come()]), "[data-take]")(page)
    page.tap("[data-take]")
    page.wait_for_selector("[data-done]:not([hidden])")


def _reads_another_story(page: Page) -> None:
    """Another hand waits here under the same number."""
    page.evaluate(PUT, [[_hand(1), _hand(2)]])
    other = [_hand(1), _hand(2) | {"key": "0000000f-1111-4111-8111-0000000000ff", "players": [2, 1, 3, 4]}, _hand(3)]
    _reads(_bundle(other), "[data-two]:visible")(page)


def _waits(count: int) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        page.evaluate(PUT, [[_hand(number) for number in range(1, count + 1)]])
        page.tap("#outbox [data-line] button")
        page.wait_for_selector("#outbox-list [data-codes]:not([hidden])")

    return act


def _code(count: int) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        _waits(count)(page)
        page.tap("#outbox-list [data-codes]")
        page.wait_for_selector("#outbox-codes svg")

    return act


PART = "https://example.ch/c/krone/night/read/#1.2.3.0a1b2c3d.AAAA"
HANDING_OVER = (
    Screen("night-read", "night-read", READ),
    Screen("night-read-found", "night-read", READ, act=_reads(_bundle([_hand(1), _hand(2), _come()]), "[data-take]")),
    Screen("night-read-unreadable", "night-read", READ, act=_reads(_bundle([_hand(1), {}, _hand(3)]), "[data-take]")),
    Screen("night-read-club", "night-read", READ, act=_reads(_bundle([], club="adler"), "[data-problem]:visible")),
    Screen("night-read-part", "night-read", READ, act=_reads(PART, "[data-parts]:visible")),
    Screen("night-read-two-stories", "night-read", READ, act=_reads_another_story),
    Screen("night-read-taken", "night-read", READ, act=_takes),
    Screen("waits-writes", "night-read", READ, act=_waits(2), whole=False),
    Screen("waits-code", "night-read", READ, act=_code(3), whole=False),
    Screen("waits-codes", "night-read", READ, act=_code(40), whole=False),
)
