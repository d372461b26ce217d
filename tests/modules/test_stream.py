"""The event stream on a phone: when it is open, what a silent or cut one does, and how often the page polls."""

from __future__ import annotations

from typing import Any

import pytest

from tests.node import Evaluate

PHONE = """async ({ steps }) => {
  let now = 0, timers = [], next = 0;
  const part = { dataset: { stream: "/stream/", seldom: "120" }, getAttribute: () => "/c/a/e/1/live/" };
  const sources = [], looks = [], shown = [];
  class Source extends EventTarget {
    constructor(url) { super(); this.url = url; this.closed = false; sources.push(this); }
    close() { this.closed = true; }
  }
  const has = { part };
  globalThis.EventSource = Source;
  globalThis.document = Object.assign(new EventTarget(), { hidden: false, querySelector: () => has.part });
  globalThis.window = Object.assign(new EventTarget(), { htmx: { trigger: () => looks.push(now) } });
  Object.defineProperty(globalThis, "navigator", { value: { onLine: true }, configurable: true });
  Object.defineProperty(globalThis, "performance", { value: { now: () => now } });
  globalThis.setTimeout = (call, ms = 0, ...args) => { timers.push([now + ms, ++next, call, args]); return next; };
  globalThis.clearTimeout = (id) => { timers = timers.filter((one) => one[1] !== id); };
  const { due } = await import("/static/js/poll_pace.js");
  await import("/static/js/stream.js");
  const pass = (ms) => {
    const until = now + ms;
    for (;;) {
      const [first] = timers.filter((one) => one[0] <= until).sort((a, b) => a[0] - b[0]);
      if (!first) break;
      timers = timers.filter((one) => one !== first);
      now = first[0];
      first[2](...first[3]);
    }
    now = until;
  };
  const last = () => sources.at(-1);
  const hear = (kind) => last().dispatchEvent(new Event(kind));
  const polls = (ms) => { let sent = 0; for (const end = now + ms; now < end; pass(1500)) sent += due(); return sent; };
  const does = {
    beat: () => hear("beat"), news: () => hear("news"), error: () => hear("error"), pass,
    polls: (ms) => shown.push(polls(ms)),
    streams: () => shown.push([sources.length, sources.filter((one) => !one.closed).length]),
    looks: () => shown.push(looks.splice(0).length),
    hide: () => { document.hidden = true; document.dispatchEvent(new Event("visibilitychange")); },
    show: () => { document.hidden = false; document.dispatchEvent(new Event("visibilitychange")); },
    away: () => window.dispatchEvent(new Event("pagehide")),
    back: () => window.dispatchEvent(new Event("pageshow")),
    over: () => { has.part = null; document.dispatchEvent(new Event("htmx:afterSettle")); },
    fault: () => { const event = new Event("htmx:sendError");
      Object.defineProperty(event, "target", { value: part }); document.dispatchEvent(event); },
  };
  for (const [what, value] of steps) does[what](value);
  return shown;
}"""
OPEN: list[list[Any]] = [["beat"], ["pass", 1000], ["looks"], ["polls", 1500]]
"""The stream is open, and the page has polled once after that."""
SILENT = 50_000 - 2500 + 1
"""Until the page misses the next beat, and not until it opens another stream, a second later or more."""


def run(node: Evaluate, *steps: list[Any]) -> list[Any]:
    shown: list[Any] = node(PHONE, {"steps": [list(step) for step in steps]})
    return shown


def test_beside_a_stream_the_page_polls_seldom(node: Evaluate) -> None:
    beats = [step for _ in range(6) for step in (["polls", 20_000], ["beat"])]
    shown = run(node, *OPEN, *beats)
    assert shown[:2] == [1, 1]
    assert sum(shown[2:]) == 1


def test_before_a_stream_is_heard_the_page_polls_as_ever(node: Evaluate) -> None:
    assert run(node, ["polls", 15_000]) == [10]


def test_news_are_one_poll_within_a_second(node: Evaluate) -> None:
    shown = run(node, *OPEN, ["news"], ["news"], ["pass", 1000], ["looks"], ["polls", 15_000])
    assert shown[2:] == [1, 1]


@pytest.mark.parametrize("cut", [["error"], ["pass", SILENT], ["fault"]], ids=["cut", "silent", "poll fails"])
def test_without_a_stream_the_page_polls_as_ever(node: Evaluate, cut: list[Any]) -> None:
    shown = run(node, *OPEN, cut, ["streams"], ["pass", 900], ["polls", 9000])
    assert shown[2] == [1, 0]
    assert shown[3] == 6


def test_a_refused_stream_is_tried_again_later_and_later(node: Evaluate) -> None:
    tries = [step for _ in range(12) for step in (["error"], ["pass", 300_000])]
    shown = run(node, *tries, ["streams"], ["error"], ["pass", 74_000], ["streams"])
    assert shown[0] == [13, 1]
    assert shown[1][0] == 13


@pytest.mark.parametrize(("goes", "comes"), [("hide", "show"), ("away", "back")])
def test_a_page_that_nobody_sees_has_no_stream(node: Evaluate, goes: str, comes: str) -> None:
    shown = run(node, *OPEN, [goes], ["pass", 600_000], ["streams"], [comes], ["streams"])
    assert shown[2:] == [[1, 0], [2, 1]]


def test_a_part_that_is_over_has_no_stream(node: Evaluate) -> None:
    assert run(node, *OPEN, ["over"], ["streams"])[2:] == [[1, 0]]
