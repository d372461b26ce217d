"""Hands that another phone hands over, compared with those of this phone (`static/js/night/read_compare.js`)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.night_walk import snapshot_of
from tests.browser.test_night_stories import BENI, CARLO, DORIS
from tests.factories import FAILED, MADE, WALKOVER, create_table, enter
from tests.node import Evaluate

pytestmark = pytest.mark.django_db

ROSA = {"guest": "Rosa"}
ALSO_MADE = {"declarer": 1, "joiners": [0], "made": [0, 1]}
SEATS_OF_OTHERS = [{"player": 10**9 + seat, "name": "x", "sum": 0} for seat in range(5)]
COMPARED = """async ([snapshot, cases]) => {
  const { compared } = await import("/static/js/night/read_compare.js");
  const { expectedOf, present, recordOf } = await import("/static/js/night/present.js");
  const { comeWrite, handWrite } = await import("/static/js/night/writes.js");
  const { replay } = await import("/static/js/rules/index.js");
  const recorded = (from, records) => {
    const writes = [];
    for (const record of records) {
      const now = present(from, writes);
      if (record.guest) writes.push(comeWrite(now, record, now.seats[0].player));
      else writes.push(handWrite(now, record, replay(recordOf(now, record))));
    }
    return writes;
  };
  const newerThan = (from, changes) => ({ ...from, table: { ...from.table, position: 99 }, ...changes });
  // The snapshot once the server has these writes.
  const stored = (from, writes) => {
    const now = present(from, writes);
    const hands = now.done.map(({ write: { number, key, players, record } }) => (
      { number, keys: [key], voided: false, players, record }
    ));
    const [many, { potBefore: pot_before, dealer, dealNumber: deal_number }] = [now.number - 1, now];
    const table = { ...from.table, hands: many, position: many, pot_before, dealer, deal_number };
    return { ...from, table, seats: now.seats, stored: [...hands.reverse(), ...from.stored] };
  };
  return cases.map(({ here, own = [], before, file, keys, without, pot = 0, newer = null }) => {
    const theirs = recorded(snapshot, before ?? []);
    const handed = stored(snapshot, theirs);
    const lines = recorded(handed, file);
    let kept = stored(snapshot, keys ? lines.slice(0, keys) : recorded(snapshot, here ?? []));
    kept.table.pot_before += pot;
    const writes = recorded(kept, own);
    if (without === "stored") kept = { ...kept, stored: undefined };
    const items = writes.map((write) => ({ key: write.key, write, table: String(write.table) }));
    const snapshots = without === "snapshots" ? [] : [newer ? newerThan(handed, newer) : handed];
    const found = compared({ lines, snapshots }, { items, kept: without === "state" ? [] : [kept] });
    return [found.states, found.usable.length, found.stories.map(({ gives }) => gives && gives.length)];
  });
}"""
"""Compare handed hands with a phone. `here`: hands that are stored besides, as this phone knows; `own`: those that wait
on it; `before`: hands that the other phone knows as stored; `file`: those that it hands over; `keys`: so many of them
are stored; `pot`: so much more is in the pot here; `newer`: what differs in the snapshot of the file, which is newer;
`without`: what is missing."""


def test_handed_hands_are_matched_by_key_and_content(node: Evaluate) -> None:
    table = create_table()
    enter(table, FAILED)
    cases: list[tuple[dict[str, Any], list[Any]]] = [
        ({"file": (MADE, BENI)}, [["new", "new"], 0]),
        ({"file": (MADE, BENI), "keys": 2}, [["stored", "stored"], 0]),
        # Under their number another hand is stored, or waits.
        ({"here": (WALKOVER,), "file": (MADE, BENI)}, [["other", "other"], 0]),
        ({"own": (CARLO,), "file": (MADE, BENI)}, [["other", "other"], 0]),
        # The same hand is stored, or waits, under another key: what follows goes on from it.
        ({"here": (MADE,), "file": (MADE, BENI)}, [["same", "new"], 0]),
        ({"own": (MADE,), "file": (MADE, BENI)}, [["same", "new"], 0]),
        # One of them differs: the whole story is kept.
        ({"here": (MADE,), "own": (CARLO,), "file": (MADE, BENI, DORIS)}, [["other", "other", "other"], 0]),
        # A snapshot of an older version has only the number: that proves nothing.
        ({"here": (WALKOVER,), "file": (MADE, BENI), "without": "stored"}, [["other", "other"], 0]),
        # This phone has no state of the table, but hands of its own.
        ({"own": (CARLO,), "file": (MADE, BENI), "without": "state"}, [["other", "other"], 1]),
        # A phone without a state does not take one in which another hand has the number of its own.
        ({"own": (CARLO,), "before": (FAILED,), "file": (BENI,), "without": "state"}, [["other"], 0]),
        # A newer state in which others sit, or that is damaged: this phone goes on from its own.
        ({"own": (CARLO,), "file": (BENI,), "newer": {"seats": SEATS_OF_OTHERS}}, [["other"], 0]),
        ({"file": (MADE,), "newer": {"stored": [{"number": 1}]}}, [["new"], 0]),
        ({"file": (MADE,), "newer": {"seats": None}}, [["new"], 0]),
        # The first hand is the same; after it the amounts are other ones here.
        ({"here": (MADE,), "file": (MADE, BENI), "pot": 100}, [["other", "other"], 0]),
        # The same newcomer has another key here: the hand after that names the other one.
        ({"own": (ROSA, MADE), "file": (ROSA, MADE, BENI)}, [["other", "other", "other"], 0]),
        # Another hand with the same amounts: what follows goes on from another story.
        ({"own": (MADE,), "before": (ALSO_MADE,), "file": (DORIS,)}, [["other"], 0]),
        # A hand after one that only the other phone knows as stored: it goes on there, or the hand here is another one.
        ({"before": (FAILED,), "file": (BENI,)}, [["new"], 1]),
        ({"own": (CARLO,), "before": (FAILED,), "file": (BENI,)}, [["other"], 0]),
        # A QR code has no snapshot: the amounts show it.
        ({"own": (CARLO,), "before": (FAILED,), "file": (BENI,), "without": "snapshots"}, [["other"], 0]),
    ]
    results = node(COMPARED, [snapshot_of(table), [case for case, _found in cases]])
    assert [(case, [states, usable]) for (case, _), (states, usable, _) in zip(cases, results, strict=True)] == cases


def test_writes_of_this_phone_give_way_only_where_no_server_is_needed(node: Evaluate) -> None:
    table = create_table()
    enter(table, FAILED)
    cases: list[tuple[dict[str, Any], list[int | None]]] = [
        ({"own": (CARLO,), "file": (MADE, BENI)}, [1]),
        ({"own": (CARLO, DORIS), "file": (MADE, BENI)}, [2]),
        # Nobody came in the other story.
        ({"own": (ROSA, CARLO), "file": (MADE, BENI)}, [2]),
        # The first hand is the same: it goes with the others, and comes with them.
        ({"own": (MADE, CARLO), "file": (MADE, BENI)}, [2]),
        # Another hand is stored, also where this phone knows no more than its number.
        ({"here": (WALKOVER,), "file": (MADE, BENI)}, [None]),
        ({"here": (WALKOVER,), "file": (MADE, BENI), "without": "stored"}, [None]),
        # The other story comes to other amounts here.
        ({"own": (CARLO,), "file": (MADE, BENI), "pot": 100}, [None]),
        # It follows a hand that this phone does not have.
        ({"own": (CARLO,), "before": (FAILED,), "file": (BENI,), "without": "snapshots"}, [None]),
    ]
    results = node(COMPARED, [snapshot_of(table), [case for case, _gives in cases]])
    assert [(case, gives) for (case, _), (_, _, gives) in zip(cases, results, strict=True)] == cases
