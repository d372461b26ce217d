"""The state machine of the table screen in a browser: the meaning of taps, compared with the engine."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import pytest
from playwright.sync_api import Page

import engine

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

# Taps by name on an empty table of five whose dealer is seat 4, and the fields of the form then: roles (d, j, -), made,
# tricks, missing parts.
CASES: dict[str, tuple[list[list[Any]], dict[str, Any]]] = {
    "the first tap declares": ([["tap", 1]], {"roles": "-d---", "missing": None}),
    "the next ones join": ([["tap", 1], ["tap", 3], ["tap", 0]], {"roles": "jd-j-", "made": "yy-y-"}),
    "a joiner tapped again is out": ([["tap", 1], ["tap", 3], ["tap", 3]], {"roles": "-d---"}),
    "the declarer tapped again clears all": (
        [["tap", 1], ["tap", 3], ["tap", 1]],
        {"roles": "-----", "missing": "declarer"},
    ),
    "nobody declares": ([["pass"]], {"roles": "-----", "passed": True, "missing": None}),
    "a tap after that declares": ([["pass"], ["tap", 2]], {"roles": "--d--", "passed": False}),
    "a third joiner cannot have made it beside the declarer": (
        [["tap", 0], ["tap", 1], ["tap", 2], ["tap", 3]],
        {"roles": "djjj-", "made": "yyyn-"},
    ),
    "marked made, he takes the place of the one who joined last before him": (
        [["tap", 0], ["tap", 1], ["tap", 2], ["tap", 3], ["mark", 3, True]],
        {"made": "yyny-"},
    ),
    "three joiners marked made: the declarer failed": (
        [["tap", 0], ["tap", 1], ["tap", 2], ["tap", 3], ["mark", 1, True], ["mark", 2, True], ["mark", 3, True]],
        {"made": "nyyy-"},
    ),
    "a declarer who failed leaves tricks for four": (
        [["tap", 0], ["tap", 1], ["tap", 2], ["tap", 3], ["tap", 4], ["mark", 0, False]],
        {"made": "nyyyy"},
    ),
    "a mark is forgotten with the seat": (
        [["tap", 0], ["tap", 1], ["mark", 1, False], ["tap", 1], ["tap", 1]],
        {"made": "yy---"},
    ),
    "the last count follows": (
        [["setCounting", True], ["tap", 0], ["tap", 1], ["step", 0, 1]],
        {"tricks": "31---", "missing": None},
    ),
    "four given out leave none for the rest": (
        [["setCounting", True], ["tap", 0], ["tap", 1], ["tap", 2], ["count", 1, 4]],
        {"tricks": "040--", "missing": None},
    ),
    "two joiners have one trick each unless it is tapped otherwise": (
        [["setCounting", True], ["tap", 0], ["tap", 1], ["tap", 2]],
        {"tricks": "211--", "missing": None},
    ),
    "a lone joiner has two": ([["setCounting", True], ["tap", 0], ["tap", 1]], {"tricks": "22---", "missing": None}),
    "one trick more for the declarer is one less for the last joiner": (
        [["setCounting", True], ["tap", 0], ["tap", 2], ["tap", 1], ["step", 0, 1]],
        {"tricks": "301--", "missing": None},
    ),
    "a joiner without a trick gives it to the declarer": (
        [["setCounting", True], ["tap", 0], ["tap", 1], ["tap", 2], ["step", 1, -1]],
        {"tricks": "301--", "missing": None},
    ),
    "two tricks of one joiner are none of the other": (
        [["setCounting", True], ["tap", 0], ["tap", 1], ["tap", 2], ["step", 2, 1]],
        {"tricks": "202--", "missing": None},
    ),
    "a declarer with one trick leaves the others three": (
        [["setCounting", True], ["tap", 0], ["tap", 1], ["tap", 2], ["step", 0, -1]],
        {"tricks": "121--", "missing": None},
    ),
    "three tricks of one joiner leave the declarer one": (
        [["setCounting", True], ["tap", 0], ["tap", 1], ["tap", 2], ["count", 1, 3]],
        {"tricks": "130--", "missing": None},
    ),
    "of three joiners nobody knows who has none": (
        [["setCounting", True], ["tap", 0], ["tap", 1], ["tap", 2], ["tap", 3], ["count", 0, 2]],
        {"tricks": "2   -", "missing": "tricks"},
    ),
    "once one of the three has none the rest is filled in": (
        [["setCounting", True], ["tap", 0], ["tap", 1], ["tap", 2], ["tap", 3], ["step", 2, -1]],
        {"tricks": "2101-", "missing": None},
    ),
    "so it is once the declarer has one": (
        [["setCounting", True], ["tap", 0], ["tap", 1], ["tap", 2], ["tap", 3], ["step", 0, 1]],
        {"tricks": "1111-", "missing": None},
    ),
    "a new count that fits no more pushes out the oldest": (
        [["setCounting", True], ["tap", 0], ["tap", 1], ["count", 0, 3], ["count", 1, 2]],
        {"tricks": "22---", "missing": None},
    ),
    "nobody counts for a walkover": ([["setCounting", True], ["tap", 0]], {"roles": "d----", "missing": None}),
    "the dealer may be blind": ([["tap", 4], ["setBlind", "double"]], {"roles": "----d", "blind": "double"}),
    "nobody else may": ([["tap", 3], ["setBlind", "blind"]], {"roles": "---d-", "blind": ""}),
}

RUN = """async ([url, cases]) => {
  const hand = await import(url);
  return cases.map(([start, taps]) => {
    let state = hand.empty(start);
    for (const [name, ...values] of taps) state = hand[name](state, ...values);
    const fields = hand.fields(state);
    const back = hand.fields(hand.fromFields(hand.empty(start), fields));
    return { fields, missing: hand.missing(state), back };
  });
}"""
FIVE = {"seats": 5, "dealer": 4, "blinds": "both"}
Case = tuple[dict[str, Any], list[list[Any]]]
"""The start of a table, and the taps."""


def run(page: Page, cases: list[Case]) -> list[Any]:
    """Run all cases on one page: a page costs far more than a case."""
    page.goto("/login/")
    results: list[Any] = page.evaluate(RUN, ["/static/js/hand_state.js", cases])
    assert len(results) == len(cases)
    return results


def shown(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields in the short form of the cases."""
    seats = fields["seats"]
    plays = [seat["role"] != "out" for seat in seats]
    return {
        "roles": "".join({"declarer": "d", "joiner": "j", "out": "-"}[seat["role"]] for seat in seats),
        "made": "".join(seat["made"][0] if on else "-" for seat, on in zip(seats, plays, strict=True)),
        "tricks": "".join((seat["tricks"] or " ") if on else "-" for seat, on in zip(seats, plays, strict=True)),
        "passed": fields["passed"],
        "blind": fields["blind"],
    }


def check(results: list[Any], expected: dict[str, dict[str, Any]]) -> None:
    """Compare the result of each case, by its name, with the expected one."""
    found, back = {}, {}
    for (case, wanted), result in zip(expected.items(), results, strict=True):
        fields = result["fields"]
        whole = shown(fields) | {name: fields.get(name) for name in ("cuts", "game_type", "seven")}
        whole["missing"] = result["missing"]
        found[case] = {name: whole[name] for name in wanted}
        back[case] = shown(result["back"]) == shown(fields)
    assert found == expected
    assert all(back.values()), f"the form does not lead back to the same state: {back}"


def test_taps(page: Page) -> None:
    results = run(page, [(FIVE, taps) for taps, _ in CASES.values()])
    check(results, {case: expected for case, (_, expected) in CASES.items()})


# The same on a table of four of Kratzen whose seat 3 has the pack: a Muss, and a free hand.
MUSS = {"seats": 4, "dealer": 3, "game": "kratzen", "muss": True, "sevens": "deal"}
FREE = MUSS | {"muss": False}
ANY = FREE | {"sevens": "any"}
KRATZEN_CASES: dict[str, tuple[dict[str, Any], list[list[Any]], dict[str, Any]]] = {
    "in a free hand of two joiners the tricks are filled in": (
        FREE,
        [["tap", 1], ["tap", 3], ["tap", 0]],
        {"tricks": "12-1", "missing": None},
    ),
    "in a Muss they never are": (MUSS, [["tap", 3], ["tap", 3]], {"tricks": "   2", "missing": "tricks"}),
    "in a Muss all play and the dealer declares": (MUSS, [], {"roles": "jjjd", "missing": "tricks"}),
    "a tap is a trick": (MUSS, [["tap", 3], ["tap", 3], ["tap", 0], ["tap", 1]], {"tricks": "1102", "missing": None}),
    "a count that follows is confirmed, not raised": (
        MUSS,
        [["tap", 0], ["tap", 1], ["tap", 2], ["tap", 3]],
        {"tricks": "1111", "missing": None},
    ),
    "an ace gives the pack to the left": (MUSS, [["cut", "A"], ["cut", "x"]], {"roles": "djjj", "cuts": "Ax"}),
    "a seven to the right": (MUSS, [["cut", "7"], ["cut", "7"]], {"roles": "jdjj", "cuts": "77"}),
    "the Weli leaves it where it is": (MUSS, [["cut", "W"], ["cut", "x"]], {"roles": "jjjd"}),
    "there is one Weli": (MUSS, [["cut", "W"], ["cut", "W"], ["cut", "7"]], {"cuts": "W7"}),
    "half a cut is missing something": (MUSS, [["cut", "W"]], {"missing": "cut"}),
    "a card without effect that comes first needs no tap": (MUSS, [["cut", "x"]], {"cuts": "", "missing": "tricks"}),
    "a card is taken back": (MUSS, [["cut", "A"], ["cut", "7"], ["uncut"], ["uncut"]], {"cuts": "", "roles": "jjjd"}),
    "a Muss cannot be passed out": (MUSS, [["pass"]], {"passed": False}),
    "in a free hand the first tap plays": (FREE, [["tap", 1], ["tap", 3]], {"roles": "-d-j", "game_type": "schlagen"}),
    "what was called": (FREE, [["tap", 1], ["setCall", "oder"]], {"game_type": "oder", "missing": None}),
    "all weiter keeps the cuts": (FREE, [["cut", "A"], ["cut", "x"], ["pass"]], {"passed": True, "cuts": "Ax"}),
    "a seven makes all play": (FREE, [["tap", 1], ["toggleSeven"]], {"roles": "jjjd", "seven": True}),
    "a seven that a call turned leaves the caller declarer": (
        ANY,
        [["tap", 1], ["setCall", "oder"], ["toggleSeven"]],
        {"roles": "jdjj", "game_type": "oder"},
    ),
    "taken back, all is open again": (FREE, [["toggleSeven"], ["toggleSeven"]], {"roles": "----", "seven": False}),
}


def test_taps_of_kratzen(page: Page) -> None:
    results = run(page, [(start, taps) for start, taps, _ in KRATZEN_CASES.values()])
    check(results, {case: expected for case, (*_, expected) in KRATZEN_CASES.items()})


CUT_UNITS = """async ([url, starts]) => {
  const hand = await import(url);
  return starts.map((start) => [hand.dealerOf(hand.empty(start)), hand.cutUnits(hand.empty(start))]);
}"""


def test_dealer_and_payments_after_the_cuts_are_those_of_the_engine(page: Page) -> None:
    """For every list of up to four cards, and every seat that has the pack."""
    pairs = [first + second for first, second in product("A7W", "A7Wx") if first + second != "WW"]
    shown = ["", "A", "7", "W", *pairs, *("".join(two) for two in product(pairs, pairs))]
    starts = [MUSS | {"dealer": dealer, "cuts": cuts} for cuts in shown for dealer in range(4)]
    page.goto("/login/")
    found = page.evaluate(CUT_UNITS, ["/static/js/hand_state.js", starts])
    for start, (dealer, units) in zip(starts, found, strict=True):
        cuts = [list(start["cuts"][at : at + 2]) for at in range(0, len(start["cuts"]), 2)]
        expected = engine.after_cuts({}, seats=4, dealer=start["dealer"], cuts=cuts)
        assert (dealer, tuple(10 * n for n in units)) == expected, start


def record_of(fields: dict[str, Any], dealer: int) -> dict[str, Any]:
    seats = fields["seats"]
    made = [number for number, seat in enumerate(seats) if seat["role"] != "out" and seat["made"] == "yes"]
    joiners = [number for number, seat in enumerate(seats) if seat["role"] == "joiner"]
    declarer = next(number for number, seat in enumerate(seats) if seat["role"] == "declarer")
    record = {"game": "chratze", "seats": len(seats), "dealer": dealer, "pot_before": 0}
    return record | {"declarer": declarer, "joiners": joiners} | ({"made": made} if joiners else {})


def test_the_engine_accepts_every_hand_that_taps_alone_give(page: Page) -> None:
    """For every declarer, joiners and result of the declarer the filled-in marks are possible ones."""
    cases: list[Case] = []
    for seats in (2, 5, 7):
        start = {"seats": seats, "dealer": seats - 1, "blinds": "both"}
        for many in range(seats):
            for joiners in combinations(range(1, seats), many):
                for failed in ([], [["mark", 0, False]])[: 2 if joiners else 1]:
                    cases.append((start, [["tap", 0], *[["tap", seat] for seat in joiners], *failed]))
    for (start, _), result in zip(cases, run(page, cases), strict=True):
        record = record_of(result["fields"], start["dealer"])
        assert engine.replay(record)["ok"], record
