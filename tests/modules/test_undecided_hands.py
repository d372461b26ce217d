"""The entry on the phone books no penalty against a person whom nobody marked, unless the rules alone decide it: all
combinations of marks and counts of two to seven players, compared with the possible hands and with the server's form.
And every hand of four players takes at most five taps."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import combinations, compress, product
from typing import Any

import pytest

from games.game import goals
from tests.node import Evaluate
from tests.possible_hands import (
    TRICKS,
    Counts,
    Marks,
    all_marks,
    counts_of,
    others_made_it,
    possible_counts,
    possible_results,
    results_of,
)

SEATS = range(2, 8)

# The results of combinations of marks, with what is missing (null if the hand can be saved), and the seats that the
# page shows as decided by the rules. `before`: the stored result of a correction, or null. Seat 0 declares, all others
# join.
MARKED = """async (cases) => {
  const hand = await import("/static/js/hand_state.js");
  const { tallyOf } = await import("/static/js/night/tally.js");
  return cases.map(([before, marks]) => {
    const seats = marks.length;
    const start = hand.empty({ seats, dealer: seats - 1 });
    let state = marks.reduce((at, _, seat) => hand.tap(at, seat), start);
    if (before) {
      const rows = hand.fields(state).seats.map((row, seat) => ({ ...row, made: before[seat] ? "yes" : "no" }));
      state = hand.fromFields(start, { ...hand.fields(state), seats: rows });
    }
    marks.forEach((made, seat) => { if (made !== null) state = hand.mark(state, seat, made); });
    const missing = hand.missing(state);
    const made = marks.map((_, seat) => hand.madeOf(state)[seat]);
    return { missing, made, ruled: hand.ruledOf(state), tally: missing === null ? tallyOf(state).made : null };
  });
}"""

# Every combination of counts that have at most five tricks in all, of which the hand can be saved: [counts, tricks].
COUNTED = """async ({ game, seats, muss }) => {
  const hand = await import("/static/js/hand_state.js");
  const start = hand.setCounting(hand.empty({ seats, dealer: 0, game, muss }), true);
  const joined = Array.from({ length: seats }, (_, seat) => seat).reduce((at, seat) => hand.tap(at, seat), start);
  const found = [];
  const go = (state, seat, counts, left) => {
    if (seat === seats) {
      const shown = Array.from(counts, (_, each) => hand.tricksOf(state)[each]);
      if (hand.missing(state) === null) found.push([counts, shown]);
      return;
    }
    go(state, seat + 1, [...counts, null], left);
    for (let n = 0; n <= Math.min(4, left); n++) go(hand.count(state, seat, n), seat + 1, [...counts, n], left - n);
  };
  go(joined, 0, [], 5);
  return found;
}"""

# The tricks of a stored hand after counts that were tapped on it, [[stored, [[seat, count], ...]], ...]: what is
# missing, and the tricks by seat.
RECOUNTED = """async ({ game, cases }) => {
  const hand = await import("/static/js/hand_state.js");
  return cases.map(([stored, counts]) => {
    const seats = stored.length;
    const start = hand.setCounting(hand.empty({ seats, dealer: seats - 1, game }), true);
    const joined = stored.reduce((at, _, seat) => hand.tap(at, seat), start);
    const rows = hand.fields(joined).seats.map((row, seat) => ({ ...row, tricks: String(stored[seat]) }));
    const first = hand.fromFields(start, { ...hand.fields(joined), seats: rows });
    const state = counts.reduce((at, [seat, n]) => hand.count(at, seat, n), first);
    return { missing: hand.missing(state), tricks: stored.map((_, seat) => hand.tricksOf(state)[seat]) };
  });
}"""

# The fewest taps to each hand, the tap on 'save' included: {tally: taps}.
FEWEST_TAPS = """async ({ start, most }) => {
  const hand = await import("/static/js/hand_state.js");
  const { tapped } = await import("/static/js/entry_taps.js");
  const { tallyOf } = await import("/static/js/night/tally.js");
  const { entryOfGame } = await import("/static/js/entry/games.js");
  const counts = entryOfGame(start.game).alwaysCounts;
  const results = counts ? [{ step: "1" }, { step: "-1" }] : [{ mark: "yes" }, { mark: "no" }];
  const seats = [...Array(start.seats).keys()];
  const taps = seats.flatMap((seat) => [{ tap: "" }, ...results].map((dataset) => [{ dataset }, seat]));
  taps.push([{ dataset: { pass: "" } }, null]);
  const found = {};
  const seen = new Set();
  let states = [hand.empty(start)];
  for (let many = 0; many < most; many++) {
    const next = [];
    for (const state of states) {
      if (hand.missing(state) === null) {
        const { declarer = null, players = [], joiners = players, made, tricks } = tallyOf(state);
        found[JSON.stringify([declarer, joiners, made ?? tricks ?? null])] ??= many + 1;
      }
      for (const [button, seat] of taps) {
        const after = tapped(state, button, seat);
        const { declarer, joiners, marks, counts, passed } = after;
        const key = JSON.stringify([declarer, [...joiners].sort(), marks, [...counts].sort(), passed]);
        if (!seen.has(key)) { seen.add(key); next.push(after); }
      }
    }
    states = next;
  }
  return found;
}"""


def marked(node: Evaluate, cases: list[tuple[tuple[bool, ...] | None, Marks]]) -> list[Any]:
    results: list[Any] = node(MARKED, cases)
    assert len(results) == len(cases)
    return results


def check(marks: Marks, before: tuple[bool, ...] | None, shown: dict[str, Any]) -> None:
    """Check one combination: no mark is changed, and nothing but marks and rules changes a result."""
    possible = results_of(marks)
    usual = tuple(b if m is None else m for m, b in zip(marks, before or others_made_it(marks), strict=True))
    assert all(mark in (None, made) for mark, made in zip(marks, shown["made"], strict=True))
    if shown["missing"] is None:
        assert shown["tally"] == [seat for seat, made in enumerate(shown["made"]) if made]
    for seat, made in enumerate(shown["made"]):
        decided = {result[seat] for result in possible}
        if marks[seat] is None and made is not None:
            assert decided == {made} or made == usual[seat], (marks, before, shown)
        if marks[seat] is None and made is False and before is None:
            assert decided == {False}, "a penalty that neither a mark nor the rules decide"
        assert (seat in shown["ruled"]) == (marks[seat] is None and len(decided) == 1), (marks, before, shown)
    if usual in possible:
        assert tuple(shown["made"]) == usual
    assert shown["missing"] in (None, "made")
    if possible:
        assert (shown["missing"] == "made") == (None in shown["made"])


def test_no_mark_is_guessed(node: Evaluate) -> None:
    cases = [(None, marks) for seats in SEATS for marks in all_marks(seats)]
    for (before, marks), shown in zip(cases, marked(node, cases), strict=True):
        check(marks, before, shown)
        # The server reads the same from a form without scripts (tests/games/test_undecided_forms.py).
        made = goals.results(
            0, range(1, len(marks)), {seat: mark for seat, mark in enumerate(marks) if mark is not None}
        )
        assert list(made.values()) == shown["made"]
        assert goals.is_undecided(made) == (shown["missing"] is not None)


@pytest.mark.rest
def test_a_mark_in_a_correction_flips_nobody_else(node: Evaluate) -> None:
    """For every stored result, and every combination of marks on it; of six and seven players up to two marks."""
    cases: list[tuple[tuple[bool, ...] | None, Marks]] = [
        (before, marks)
        for seats in SEATS
        for before in sorted(possible_results(seats))
        for marks in all_marks(seats)
        if seats < 6 or marks.count(None) >= seats - 2
    ]
    for (before, marks), shown in zip(cases, marked(node, cases), strict=True):
        check(marks, before, shown)


@pytest.mark.rest
@pytest.mark.parametrize("game", ["chratze", "kratzen"])
def test_no_trick_is_guessed(node: Evaluate, game: str) -> None:
    """Counts that were tapped stay; the others follow from them, or everybody made it in the one way that is left."""
    for seats in range(3, 7) if game == "kratzen" else range(2, 7):
        results = node(COUNTED, {"game": game, "seats": seats, "muss": False})
        saved = {tuple(counts): tuple(shown) for counts, shown in results}
        assert len(saved) == len(results) > 0
        for counts, shown in saved.items():
            assert shown in counts_of(counts), (counts, shown)
            check_counts(game, counts, shown)
        decided = (
            [counts for counts in product([None, *range(TRICKS + 1)], repeat=seats) if one_way(counts)]
            if seats < 6
            else []
        )
        assert set(decided) <= set(saved), "a hand that the rules decide is no question"


@pytest.mark.rest
@pytest.mark.parametrize("game", ["chratze", "kratzen"])
def test_a_count_in_a_correction_changes_no_other_count(node: Evaluate, game: str) -> None:
    """For every stored hand of two to five players, and none, one or two counts on it (of five players one at most):
    the others keep what was stored, or have the only count that four tricks leave them; else it is a question."""
    cases = [
        (stored, list(zip(some, counts, strict=True)))
        for seats in range(3 if game == "kratzen" else 2, 6)
        for stored in possible_counts(seats)
        for many in range(3 if seats < 5 else 2)
        for some in combinations(range(seats), many)
        for counts in product(range(TRICKS + 1), repeat=many)
    ]
    for (stored, tapped), shown in zip(cases, node(RECOUNTED, {"game": game, "cases": cases}), strict=True):
        given = [dict(tapped).get(seat) for seat in range(len(stored))]
        possible = counts_of(tuple(given))
        for seat, n in enumerate(shown["tricks"]):
            if given[seat] is None and n not in (None, stored[seat]):
                assert {result[seat] for result in possible} == {n}, (stored, tapped, shown)
            assert given[seat] in (None, n), (stored, tapped, shown)
        assert (shown["missing"] is None) == (tuple(shown["tricks"]) in possible), (stored, tapped, shown)


def check_counts(game: str, counts: Counts, shown: tuple[int, ...]) -> None:
    """Check the tricks of one combination of counts."""
    if len(counts_of(counts)) == 1:
        return
    goals = [2, *[1] * (len(counts) - 1)]
    others = [seat for seat, n in enumerate(counts) if n is None]
    assert all(shown[seat] >= goals[seat] for seat in others), "a penalty that neither a count nor the rules decide"
    if game == "kratzen":
        ways = [result for result in counts_of(counts) if all(result[seat] >= goals[seat] for seat in others)]
        assert ways == [shown], "a trick is money in Kratzen"


def one_way(counts: Counts) -> bool:
    return len(counts_of(counts)) == 1


def written(declarer: int | None, joiners: list[int], result: list[int] | dict[str, int] | None) -> str:
    """A hand as FEWEST_TAPS writes it."""
    return json.dumps([declarer, joiners, result], separators=(",", ":"))


def hands_of_four(game: str, declarers: Sequence[int], many_joiners: Sequence[int]) -> Iterator[str]:
    """Every hand of four players with these declarers and numbers of joiners."""
    for declarer, many in product(declarers, many_joiners):
        for joiners in map(list, combinations([seat for seat in range(4) if seat != declarer], many)):
            active = [declarer, *joiners]
            if not joiners:
                yield written(declarer, joiners, None)
            elif game == "kratzen":
                for counts in possible_counts(len(active)):
                    yield written(declarer, joiners, dict(sorted(zip(map(str, active), counts, strict=True))))
            else:
                for made in possible_results(len(active)):
                    yield written(declarer, joiners, sorted(compress(active, made)))


def tricks_of(hand: str) -> list[int]:
    """The tricks of a hand of Kratzen, the most first."""
    return sorted((json.loads(hand)[2] or {}).values(), reverse=True)


def test_every_hand_of_four_players_takes_at_most_five_taps(node: Evaluate) -> None:
    """A blind declarer, a call, a seven and each card of a cut are a tap more. A hand of Kratzen in which two have two
    tricks each beside two without any takes six: these are 24 of 385."""

    def fewest(most: int = 5, **start: Any) -> dict[str, int]:
        taps: dict[str, int] = node(FEWEST_TAPS, {"start": {"seats": 4, "dealer": 3} | start, "most": most})
        return taps

    passed = written(None, [], None)
    assert {passed, *hands_of_four("chratze", range(4), range(4))} <= set(fewest())
    free = fewest(6, game="kratzen")
    assert set(free) == {passed, *hands_of_four("kratzen", range(4), range(4))}
    longer = {hand: taps for hand, taps in free.items() if taps > 5}
    assert set(longer.values()) == {6}
    assert set(longer) == {hand for hand in free if tricks_of(hand) == [2, 2, 0, 0]}
    assert set(fewest(game="kratzen", muss=True)) == set(hands_of_four("kratzen", [3], [3]))


def tricks_of_three(players: Sequence[int]) -> Iterator[dict[str, int]]:
    """Every way in which these players can take three tricks."""
    for counts in product(range(4), repeat=len(players)):
        if sum(counts) == 3:
            yield dict(zip(map(str, players), counts, strict=True))


def hands_of_zwicken(many_players: Sequence[int]) -> Iterator[str]:
    """Every free hand of four players in which so many play."""
    for many in many_players:
        for players in map(list, combinations(range(4), many)):
            for tricks in tricks_of_three(players) if many > 1 else [None]:
                yield written(None, players if many else [], tricks)


def test_a_hand_of_zwicken_takes_at_most_four_taps(node: Evaluate) -> None:
    """Save included. If all four play a free hand it takes six at most; a card of a cut is a tap more."""

    def fewest(most: int, **start: Any) -> dict[str, int]:
        given = {"seats": 4, "dealer": 3, "game": "zwicken"} | start
        taps: dict[str, int] = node(FEWEST_TAPS, {"start": given, "most": most})
        return taps

    assert set(fewest(4)) >= set(hands_of_zwicken(range(4)))
    assert set(fewest(6)) == set(hands_of_zwicken(range(5)))
    forced = {written(None, [], tricks) for tricks in tricks_of_three(range(4))}
    assert set(fewest(4, muss=True)) == forced
