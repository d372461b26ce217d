"""A page polls less often the longer nothing happens, and at once at its own pace when something does."""

from __future__ import annotations

import pytest

from tests.node import Evaluate

POLLS = """async ({ minutes, events }) => {
  let now = 0;
  globalThis.document = new EventTarget();
  globalThis.window = new EventTarget();
  Object.defineProperty(globalThis, "performance", { value: { now: () => now } });
  const { due } = await import("/static/js/poll_pace.js");
  const polls = Array(minutes).fill(0);
  for (; now < minutes * 60000; now += 1500) {
    const minute = Math.floor(now / 60000);
    if (now % 60000 === 0 && events[minute]) document.dispatchEvent(new Event(events[minute]));
    polls[minute] += due();
  }
  return polls;
}"""


def test_a_page_polls_less_often_the_longer_nothing_happens(node: Evaluate) -> None:
    polls = node(POLLS, {"minutes": 10, "events": {}})
    assert polls[:2] == [40, 40]
    assert polls == sorted(polls, reverse=True)
    assert polls[5:] == [4, 4, 4, 4, 4]


@pytest.mark.parametrize("event", ["htmx:afterSwap", "pointerdown", "keydown", "visibilitychange"])
def test_news_or_a_tap_brings_the_first_pace_back(node: Evaluate, event: str) -> None:
    polls = node(POLLS, {"minutes": 10, "events": {"7": event}})
    assert (polls[6], polls[7], polls[8]) == (4, 40, 40)
