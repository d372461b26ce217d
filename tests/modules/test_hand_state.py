"""The state machine of the table screen: the meaning of taps, compared with the engine."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import engine
from tests.node import Evaluate

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
    "beside a declarer and three joiners somebody has failed": (
        [["tap", 0], ["tap", 1], ["tap", 2], ["tap", 3]],
        {"roles": "djjj-", "made": "    -", "missing": "made"},
    ),
    "one who made it leaves that open": (
        [["tap", 0], ["tap", 1], ["tap", 2], ["tap", 3], ["mark", 3, True]],
        {"made": "   y-", "missing": "made"},
    ),
    "one who failed does not": (
        [["tap", 0], ["tap", 1], ["tap", 2], ["tap", 3], ["mark", 3, False]],
        {"made": "yyyn-", "missing": None},
    ),
    "a declarer and two joiners leave no trick": (
        [["tap", 0], ["tap", 1], ["tap", 2], ["tap", 3], ["mark", 0, True], ["mark", 1, True], ["mark", 3, True]],
        {"made": "yyny-", "missing": None},
    ),
    "a mark makes a player declare, the next one join": (
        [["mark", 1, False], ["mark", 3, True]],
        {"roles": "-d-j-", "made": "-n-y-", "missing": None},
    ),
    "a declarer who failed is not alone": ([["mark", 1, False]], {"roles": "-d---", "missing": "joiners"}),
    "three joiners marked made: the declarer failed": (
        [["tap", 0], ["tap", 1], ["tap", 2], ["tap", 3], ["mark", 1, True], ["mark", 2, True], ["mark", 3, True]],
        {"made": "nyyy-"},
    ),
    "a declarer who failed leaves tricks for four": (
        [["tap", 0], ["tap", 1], ["tap", 2], ["tap", 3], ["tap", 4], ["mark", 0, False]],
        {"made": "nyyyy"},
    ),
    "the key m says of an open seat that it failed": (
        [["tap", 0], ["tap", 1], ["tap", 2], ["tap", 3], ["toggleMade", 2]],
        {"made": "yyny-", "missing": None},
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
    "one trick more for the declarer is one less for somebody": (
        [["setCounting", True], ["tap", 0], ["tap", 2], ["tap", 1], ["step", 0, 1]],
        {"tricks": "3  --", "missing": "tricks"},
    ),
    "a joiner without a trick gives it to the declarer": (
        [["setCounting", True], ["tap", 0], ["tap", 1], ["tap", 2], ["step", 1, -1]],
        {"tricks": "301--", "missing": None},
    ),
    "two tricks of one joiner leave open who lacks one": (
        [["setCounting", True], ["tap", 0], ["tap", 1], ["tap", 2], ["step", 2, 1]],
        {"tricks": "  2--", "missing": "tricks"},
    ),
    "a declarer with one trick leaves the others three": (
        [["setCounting", True], ["tap", 0], ["tap", 1], ["tap", 2], ["step", 0, -1]],
        {"tricks": "121--", "missing": None},
    ),
    "so do three": (
        [["setCounting", True], ["tap", 0], ["tap", 1], ["tap", 2], ["count", 1, 3]],
        {"tricks": " 3 --", "missing": "tricks"},
    ),
    "of three joiners nobody knows who has two": (
        [["setCounting", True], ["tap", 0], ["tap", 1], ["tap", 2], ["tap", 3], ["count", 0, 0]],
        {"tricks": "0   -", "missing": "tricks"},
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
    "counts that do not fit stay as they were tapped": (
        [["setCounting", True], ["tap", 0], ["tap", 1], ["count", 0, 3], ["count", 1, 2]],
        {"tricks": "32---", "missing": "tricks"},
    ),
    "whoever counts from now on knows who failed": (
        [["tap", 0], ["tap", 1], ["tap", 2], ["mark", 2, False], ["setCounting", True]],
        {"tricks": "310--", "missing": None},
    ),
    "and whoever marks from now on knows the counts": (
        [["setCounting", True], ["tap", 0], ["tap", 1], ["count", 0, 1], ["setCounting", False]],
        {"made": "ny---", "missing": None},
    ),
    "nobody counts for a walkover": ([["setCounting", True], ["tap", 0]], {"roles": "d----", "missing": None}),
    "the dealer may be blind": ([["tap", 4], ["setBlind", "double"]], {"roles": "----d", "blind": "double"}),
    "nobody else may": ([["tap", 3], ["setBlind", "blind"]], {"roles": "---d-", "blind": ""}),
}

RUN = """async (cases) => {
  const hand = await import("/static/js/hand_state.js");
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


def run(node: Evaluate, cases: list[Case]) -> list[Any]:
    """Run all cases in one process: a process costs far more than a case."""
    results: list[Any] = node(RUN, cases)
    assert len(results) == len(cases)
    return results


def test_a_declarer_who_failed_is_given_no_tricks_by_counting(node: Evaluate) -> None:
    taps = [["tap", 0], ["tap", 1], ["tap", 2], ["mark", 0, False], ["setCounting", True]]
    (state,) = run(node, [(FIVE, taps)])
    assert [row["tricks"] for row in state["fields"]["seats"]] == [""] * 5
    assert state["missing"] == "tricks"


def shown(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields in the short form of the cases."""
    seats = fields["seats"]
    plays = [seat["role"] != "out" for seat in seats]
    return {
        "roles": "".join({"declarer": "d", "joiner": "j", "out": "-"}[seat["role"]] for seat in seats),
        "made": "".join((seat["made"] or " ")[0] if on else "-" for seat, on in zip(seats, plays, strict=True)),
        "tricks": "".join((seat["tricks"] or " ") if on else "-" for seat, on in zip(seats, plays, strict=True)),
        "passed": fields["passed"],
        "blind": fields["blind"],
    }


def check(results: list[Any], expected: dict[str, dict[str, Any]]) -> None:
    """Compare the result of each case, by its name, with the expected one."""
    actual, back = {}, {}
    for (case, wanted), result in zip(expected.items(), results, strict=True):
        fields = result["fields"]
        whole = shown(fields) | {name: fields.get(name) for name in ("cuts", "game_type", "seven", "seven_lost")}
        whole["missing"] = result["missing"]
        actual[case] = {name: whole[name] for name in wanted}
        back[case] = shown(result["back"]) == shown(fields)
    assert actual == expected
    assert all(back.values()), f"the form does not lead back to the same state: {back}"


def test_taps(node: Evaluate) -> None:
    results = run(node, [(FIVE, taps) for taps, _ in CASES.values()])
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
    "those of one joiner are not: each is money": (
        FREE,
        [["tap", 1], ["tap", 3]],
        {"tricks": "- - ", "missing": "tricks"},
    ),
    "in a Muss they never are": (MUSS, [["step", 3, 1], ["step", 3, 1]], {"tricks": "   2", "missing": "tricks"}),
    "in a Muss all play and the dealer declares": (MUSS, [], {"roles": "jjjd", "missing": "tricks"}),
    "a name is no trick there": (MUSS, [["tap", 3], ["tap", 0]], {"roles": "jjjd", "tricks": "    "}),
    "three have the four tricks": (
        MUSS,
        [["step", 3, 1], ["step", 3, 1], ["step", 0, 1], ["step", 1, 1]],
        {"tricks": "1102", "missing": None},
    ),
    "a count that follows is confirmed, not raised": (
        MUSS,
        [["step", 0, 1], ["step", 1, 1], ["step", 2, 1], ["step", 3, 1]],
        {"tricks": "1111", "missing": None},
    ),
    "a trick makes a player play, the next one join": (
        FREE,
        [["step", 1, 1], ["step", 3, -1]],
        {"roles": "-d-j", "tricks": "-1-0", "missing": "tricks"},
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
    "a name changes nothing there, not the caller's own either": (
        ANY,
        [["tap", 1], ["setCall", "oder"], ["toggleSeven"], ["tap", 1], ["tap", 2]],
        {"roles": "jdjj", "game_type": "oder", "seven": True},
    ),
    "taken back, all is open again": (FREE, [["toggleSeven"], ["toggleSeven"]], {"roles": "----", "seven": False}),
}


def test_taps_of_kratzen(node: Evaluate) -> None:
    results = run(node, [(start, taps) for start, taps, _ in KRATZEN_CASES.values()])
    check(results, {case: expected for case, (*_, expected) in KRATZEN_CASES.items()})


# A table of four of Zwicken whose seat 3 has the pack: a forced hand, and a free one.
FORCED = {"seats": 4, "dealer": 3, "game": "zwicken", "muss": True}
OPEN = FORCED | {"muss": False}
ZWICKEN_CASES: dict[str, tuple[dict[str, Any], list[list[Any]], dict[str, Any]]] = {
    "in a forced hand all play": (FORCED, [], {"roles": "jjjj", "missing": "tricks"}),
    "a name is no trick there, and nobody can stay out": (
        FORCED,
        [["tap", 1], ["pass"]],
        {"roles": "jjjj", "passed": False, "tricks": "    "},
    ),
    "two have the three tricks": (
        FORCED,
        [["step", 1, 1], ["step", 1, 1], ["step", 3, 1]],
        {"tricks": "0201", "missing": None},
    ),
    "in a free hand each tap joins": (OPEN, [["tap", 1], ["tap", 3]], {"roles": "-j-j", "missing": "tricks"}),
    "a second tap takes it back, of the first one too": (OPEN, [["tap", 1], ["tap", 3], ["tap", 1]], {"roles": "---j"}),
    "one alone is complete": (OPEN, [["tap", 2]], {"roles": "--j-", "missing": None}),
    "three players have a trick each": (
        OPEN,
        [["tap", 0], ["tap", 1], ["tap", 3]],
        {"tricks": "11-1", "missing": None},
    ),
    "four cannot": (OPEN, [["tap", 0], ["tap", 1], ["tap", 2], ["tap", 3]], {"tricks": "    ", "missing": "tricks"}),
    "a trick makes a player play, and the last count follows": (
        OPEN,
        [["tap", 0], ["step", 2, 1]],
        {"roles": "j-j-", "tricks": "2-1-", "missing": None},
    ),
    "no trick does, too": (OPEN, [["step", 2, -1], ["tap", 0]], {"roles": "j-j-", "tricks": "3-0-", "missing": None}),
    "four tricks are too many": (
        OPEN,
        [["tap", 0], ["tap", 1], ["count", 0, 4]],
        {"tricks": "  --", "missing": "tricks"},
    ),
    "nobody plays": (OPEN, [["tap", 0], ["pass"]], {"roles": "----", "passed": True, "missing": None}),
    "a tap after that joins": (OPEN, [["pass"], ["tap", 2]], {"roles": "--j-", "passed": False}),
    "a cut needs no second card": (
        FORCED,
        [["cut", "A"], ["cut", "B"], ["cut", "x"]],
        {"cuts": "AB", "missing": "tricks"},
    ),
    "without moving cuts none is shown": (FORCED | {"moves": False}, [["cut", "A"]], {"cuts": ""}),
    "who lost Belli": (OPEN, [["tap", 0], ["step", 2, 1], ["setLost", 2]], {"seven_lost": "2", "missing": None}),
    "not a player with all tricks": (OPEN, [["tap", 0], ["step", 2, -1], ["setLost", 0]], {"seven_lost": ""}),
    "nor one who is out": (OPEN, [["tap", 0], ["tap", 2], ["setLost", 1]], {"seven_lost": ""}),
    "nor one alone": (OPEN, [["tap", 0], ["setLost", 0]], {"seven_lost": ""}),
    "nor where nobody pays for it": (
        OPEN | {"pays": False},
        [["tap", 0], ["tap", 2], ["setLost", 2]],
        {"seven_lost": ""},
    ),
    "it is forgotten with the seat": (
        OPEN,
        [["tap", 0], ["tap", 1], ["tap", 2], ["setLost", 2], ["tap", 2]],
        {"seven_lost": ""},
    ),
    "a call, a seven and a blind are not of this game": (
        OPEN,
        [["tap", 3], ["setCall", "oder"], ["toggleSeven"], ["setBlind", "blind"]],
        {"roles": "---j", "seven": None, "game_type": None, "blind": ""},
    ),
}


def test_taps_of_zwicken(node: Evaluate) -> None:
    results = run(node, [(start, taps) for start, taps, _ in ZWICKEN_CASES.values()])
    check(results, {case: expected for case, (*_, expected) in ZWICKEN_CASES.items()})


CUT_UNITS = """async (starts) => {
  const hand = await import("/static/js/hand_state.js");
  return starts.map((start) => [hand.dealerOf(hand.empty(start)), hand.cutUnits(hand.empty(start))]);
}"""


def test_dealer_and_payments_after_the_cuts_are_those_of_the_engine(node: Evaluate) -> None:
    """For every list of up to four cards, and every seat that has the pack."""
    pairs = [first + second for first, second in product("A7W", "A7Wx") if first + second != "WW"]
    shown = ["", "A", "7", "W", *pairs, *("".join(two) for two in product(pairs, pairs))]
    starts = [MUSS | {"dealer": dealer, "cuts": cuts} for cuts in shown for dealer in range(4)]
    results = node(CUT_UNITS, starts)
    for start, (dealer, units) in zip(starts, results, strict=True):
        cuts = [list(start["cuts"][index : index + 2]) for index in range(0, len(start["cuts"]), 2)]
        expected = engine.after_cuts({}, seats=4, dealer=start["dealer"], cuts=cuts)
        assert (dealer, tuple(10 * n for n in units)) == expected, start


@pytest.mark.parametrize("jumps", [True, False])
def test_dealer_and_stakes_after_the_cuts_of_zwicken_are_those_of_the_engine(node: Evaluate, jumps: bool) -> None:
    """For every list of up to four cards, every number of seats, and every seat that has the pack."""
    shown = ["".join(cards) for many in range(5) for cards in product("A7B", repeat=many)]
    tables = [(seats, dealer) for seats in range(3, 7) for dealer in range(seats)]
    starts = [
        FORCED | {"seats": seats, "dealer": dealer, "cuts": cuts, "jumps": jumps}
        for cuts in shown
        for seats, dealer in tables
    ]
    for start, (dealer, units) in zip(starts, node(CUT_UNITS, starts), strict=True):
        rules, cuts = {"seven": jumps}, list(start["cuts"])
        expected = engine.after_cuts(rules, seats=start["seats"], dealer=start["dealer"], cuts=cuts, game="zwicken")
        assert (dealer, tuple(30 * n for n in units)) == expected, start
