"""K6 Exchange."""

import pytest

from engine.kratzen.exchange import draw_count
from tests.engine.hands import Record, changed, fault, message, put, settled
from tests.engine.kratzen_hands import FULL, FULL_MUSS, PASSED_OUT, PLAY_MISSING, exchanging
from tests.engine.test_k5_choice import SIX_SEATS, STOCK_OF_TRUMPS

ZERO: Record = {"seat": 0, "drop": ["9d"]}
"""The dealer exchanges nothing."""

ALL: Record = {
    "seat": 1,
    "discard": ["Ks", "Qh", "8c", "Td"],
    "draw": ["6d", "9s", "7h", "7d", "Jh"],
    "drop": ["7d"],
}
"""Seat 1 exchanges its whole hand; the Weli and the nine are trumps."""

SHOWN: Record = ALL | {"show": ["6d", "9s"], "open": ["8s", "Jd", "Qd"], "drop": ["7d", "7h", "Jh", "Jd"]}
"""Seat 1 lays both open; one of the two cards for them is a trump and brings a third."""

ACE: Record = {
    "seat": 1,
    "discard": ["Ks", "Qh", "8c", "Td"],
    "draw": ["As", "9s", "7h", "7d", "Jh"],
    "show": ["9s", "As"],
    "open": ["Jd"],
    "hidden": ["8s", "Kc", "Qc", "Jc", "Tc"],
    "drop": ["7d", "7h", "Jh", "Jd", "Jc", "Tc", "Qc"],
}
"""The same with the trump ace, which the dealer does not hold here: five cards face down for it, none for the eight."""


def with_ace(entry: Record) -> Record:
    """Return the hand with the trump ace in the stock."""
    return put(exchanging(ZERO, entry), ("deal", "hands", 0, 0), "Ah")


def test_k6_1_nobody_exchanges_in_a_muss() -> None:
    for field in ("discard", "draw", "show", "open", "hidden"):
        assert fault(put(FULL_MUSS, ("exchanges", 0, field), ["9d"])) == ("K6.1", f"exchanges[0].{field}")
    assert settled(put(FULL_MUSS, ("exchanges", 0, "discard"), []))
    assert settled(changed(FULL_MUSS, exchanges=[*FULL_MUSS["exchanges"], {"seat": 1, "drop": []}]))


def test_k6_1_the_dealer_exchanges_first() -> None:
    assert fault(exchanging(ZERO, {"seat": 1}, {"seat": 2})) == PLAY_MISSING
    assert fault(exchanging(ZERO, {"seat": 2})) == PLAY_MISSING
    assert fault(exchanging({"seat": 1}, ZERO)) == ("K6.5", "exchanges")
    assert fault(exchanging(ZERO, {"seat": 2}, {"seat": 1})) == ("K6.1", "exchanges[2].seat")


def test_k6_1_without_the_dealer_the_next_active_seat_exchanges_first() -> None:
    out = {"answers": [[2, "mit"], [0, "ohne"]]}
    assert fault(exchanging({"seat": 1}, {"seat": 2}, **out)) == PLAY_MISSING
    assert fault(exchanging({"seat": 2}, {"seat": 1}, **out)) == ("K6.1", "exchanges[1].seat")
    assert fault(exchanging(ZERO, **out)) == ("K6.1", "exchanges[0].seat")
    assert fault(exchanging(**out)) == PLAY_MISSING, "who is out keeps his cards"


def test_k6_1_each_seat_exchanges_once() -> None:
    assert fault(exchanging(ZERO, {"seat": 1}, {"seat": 1})) == ("K6.1", "exchanges[2].seat")
    assert fault(exchanging(ZERO, ZERO)) == ("K6.1", "exchanges[1].seat")
    assert fault(exchanging(ZERO, {"seat": 3})) == ("R3", "exchanges[1].seat")
    assert fault(changed(FULL_MUSS, exchanges=[{"seat": 0, "drop": ["9d"]}] * 2)) == ("K6.1", "exchanges[1].seat")


@pytest.mark.parametrize(
    ("discard", "draw"),
    [
        ([], []),
        (["8c"], ["6d"]),
        (["8c", "Td"], ["6d", "Kd"]),
        (["8c", "Td", "Qh"], ["6d", "Kd", "Kc"]),
    ],
)
def test_k6_2_one_to_three_cards_may_be_discarded(discard: list[str], draw: list[str]) -> None:
    entry = {"seat": 1, "discard": discard, "draw": draw}
    assert fault(exchanging(ZERO, entry)) == PLAY_MISSING
    assert fault(exchanging(ZERO, entry | {"draw": [*draw, "9c"]})) == ("K6.2", "exchanges[1].draw")
    if draw:
        assert fault(exchanging(ZERO, entry | {"draw": draw[1:]})) == ("K6.2", "exchanges[1].draw")


def test_k6_2_the_whole_hand_is_exchanged_for_five_cards() -> None:
    assert fault(exchanging(ZERO, ALL)) == PLAY_MISSING
    assert fault(exchanging(ZERO, ALL | {"draw": ALL["draw"][:4], "drop": []})) == ("K6.2", "exchanges[1].draw")


@pytest.mark.parametrize("away", [1, 2, 3])
def test_k6_2_the_dealers_fifth_card_belongs_to_his_hand(away: int) -> None:
    held, stock = ["As", "Kh", "9d", "7c", "Ts"], ["Qs", "8h", "7h", "Jh", "Kd"]
    entry = {"seat": 0, "discard": held[:away], "draw": stock[:away], "drop": ["Ts"]}
    assert fault(exchanging(entry)) == PLAY_MISSING


def test_k6_2_the_dealer_discards_up_to_three_cards_or_all() -> None:
    held, stock = ["As", "Kh", "9d", "7c", "Ts"], ["Qs", "8h", "7h", "Jh", "Kd"]
    four = {"seat": 0, "discard": held[:4], "draw": stock[:4], "drop": ["Ts"]}
    assert fault(exchanging(four)) == ("K6.2", "exchanges[0].discard")
    assert fault(exchanging({"seat": 0, "discard": held, "draw": stock, "drop": ["8h"]})) == PLAY_MISSING
    six = put(exchanging({"seat": 0, "discard": [*held, "6d"], "draw": stock, "drop": ["8h"]}), ("deal", "turned"), [])
    six["deal"]["turned"] = ["6d", "Ts"]
    assert fault(six) == PLAY_MISSING
    five = {"seat": 0, "discard": held, "draw": stock, "drop": ["8h"]}
    assert fault(six | {"exchanges": [five]}) == ("K6.2", "exchanges[0].discard")


@pytest.mark.parametrize(
    ("discard", "place"),
    [(["As"], 0), (["8c", "8c"], 1), (["Qs"], 0), (["Ks", "6d"], 1), (["Ks", "Qh", "8c", "9d"], 3)],
)
def test_k6_2_a_discard_must_be_in_the_hand(discard: list[str], place: int) -> None:
    entry = {"seat": 1, "discard": discard, "draw": ["Ah"]}
    assert fault(exchanging(ZERO, entry)) == ("K6.2", f"exchanges[1].discard[{place}]")


def test_k6_3_each_trump_laid_open_brings_a_card() -> None:
    assert fault(exchanging(ZERO, SHOWN)) == PLAY_MISSING
    exchange = ALL | {"show": ["9s"], "open": ["Jd"], "drop": ["7d", "7h"]}
    assert fault(exchanging(ZERO, exchange)) == PLAY_MISSING
    assert fault(exchanging(ZERO, ALL | {"show": []})) == PLAY_MISSING, "nobody must"


@pytest.mark.parametrize(
    ("changes", "location"),
    [
        ({"open": ["Jd", "Qd", "Kd"]}, "open[2]"),
        ({"open": ["8s", "Jd"]}, "open"),
        ({"open": ["Jd"]}, "open"),
        ({"open": []}, "open"),
        ({"open": ["8s", "Jd", "Qd", "Kd"]}, "open[3]"),
        ({"hidden": ["Kd"]}, "hidden"),
        ({"show": ["6d", "9s", "7h"]}, "show[2]"),
        ({"show": ["6d", "6d"]}, "show[1]"),
        ({"show": ["Ts"]}, "show[0]"),
        ({"show": ["8s"]}, "show[0]"),
        ({"show": []}, "open[0]"),
    ],
)
def test_k6_3_the_number_of_extra_cards_must_be_right(changes: Record, location: str) -> None:
    assert fault(exchanging(ZERO, SHOWN | changes)) == ("K6.3", f"exchanges[1].{location}")


def test_k6_3_the_trump_ace_laid_open_brings_five_cards_face_down() -> None:
    assert fault(with_ace(ACE)) == PLAY_MISSING
    assert fault(with_ace(ACE | {"hidden": ACE["hidden"][:4]})) == ("K6.3", "exchanges[1].hidden")
    assert fault(with_ace(ACE | {"hidden": [*ACE["hidden"], "Kd"]})) == ("K6.3", "exchanges[1].hidden")
    assert fault(with_ace(ACE | {"open": ["Jd", "Qd"]})) == ("K6.3", "exchanges[1].open[1]")
    alone = ACE | {"show": ["As"], "open": [], "drop": ["7d", "7h", "Jh", "Jc", "Tc", "Qc"]}
    assert fault(with_ace(alone)) == PLAY_MISSING


def test_k6_3_an_ace_among_the_extra_cards_counts_as_any_other_trump() -> None:
    entry = ALL | {"show": ["9s"], "open": ["As", "Jd"], "drop": ["7d", "7h", "Jh"]}
    assert fault(with_ace(entry)) == PLAY_MISSING
    assert fault(with_ace(entry | {"open": ["As"]})) == ("K6.3", "exchanges[1].open")
    assert fault(with_ace(entry | {"hidden": ["8s"]})) == ("K6.3", "exchanges[1].hidden")


@pytest.mark.parametrize("field", ["show", "open", "hidden"])
def test_k6_3_an_unknown_card_is_r2(field: str) -> None:
    entry = ACE | {field: ["6h", *ACE[field][1:]]}
    assert fault(with_ace(entry)) == ("R2", f"exchanges[1].{field}[0]")


def test_k6_3_trumps_are_laid_open_only_after_five_were_drawn() -> None:
    entry = {"seat": 1, "discard": ["8c"], "draw": ["9s"], "show": ["9s"], "open": ["Kd"], "drop": ["Td"]}
    assert fault(exchanging(ZERO, entry)) == ("K6.3", "exchanges[1].show")
    assert fault(exchanging(ZERO, {"seat": 1, "show": ["Ks"]})) == ("K6.3", "exchanges[1].show")


def test_k6_3_the_house_rules_may_forbid_laying_trumps_open() -> None:
    rules = {"open_trumps": False}
    assert fault(exchanging(ZERO, SHOWN, rules=rules)) == ("K6.3", "exchanges[1].show")
    assert fault(exchanging(ZERO, ALL, rules=rules)) == PLAY_MISSING


@pytest.mark.parametrize("name", ["As", "Ts", "9d", "8c"])
def test_k6_4_only_cards_of_the_stock_are_drawn(name: str) -> None:
    entry = {"seat": 1, "discard": ["8c"], "draw": [name]}
    assert fault(exchanging(ZERO, entry)) == ("K6.4", "exchanges[1].draw[0]")
    assert fault(exchanging(ZERO, SHOWN | {"open": [name]})) == ("K6.4", "exchanges[1].open[0]")
    if name != "As":
        hidden = ["8s", "Kc", "Qc", "Jc", name]
        assert fault(with_ace(ACE | {"hidden": hidden})) == ("K6.4", "exchanges[1].hidden[4]")


def test_k6_4_no_card_is_drawn_twice() -> None:
    first = {"seat": 1, "discard": ["8c"], "draw": ["6d"]}
    assert fault(exchanging(ZERO, first, {"seat": 2, "discard": ["8d"], "draw": ["6d"]})) == (
        "K6.4",
        "exchanges[2].draw[0]",
    )
    assert fault(exchanging(ZERO, SHOWN | {"open": ["8s", "8s"]})) == ("K6.4", "exchanges[1].open[1]")


def crowded(*entries: Record) -> Record:
    """Return a hand of six seats and a stock of eight cards: the spades but the ace, and the Weli."""
    return {
        **SIX_SEATS,
        "calls": [[0, "schlagen"]],
        "answers": [[seat, "mit"] for seat in range(1, 6)],
        "exchanges": [{"seat": 0, "drop": ["Jh"]}, *entries],
    }


TWO = {"seat": 1, "discard": ["Th", "9h"], "draw": ["Ks", "Qs"]}
THREE = {"seat": 1, "discard": ["Th", "9h", "8h"], "draw": ["Ks", "Qs", "Js"]}
OTHER_THREE = {"seat": 2, "discard": ["Ad", "Kd", "Qd"], "draw": ["6d", "Ts", "9s"]}
WHOLE = {"seat": 2, "discard": ["Ad", "Kd", "Qd", "Jd"]}


def test_k6_4_discards_do_not_exceed_the_stock() -> None:
    assert fault(crowded(THREE, OTHER_THREE)) == PLAY_MISSING
    last = {"seat": 3, "discard": ["Td", "9d"], "draw": ["8s", "7s"]}
    assert fault(crowded(THREE, OTHER_THREE, last)) == PLAY_MISSING
    more = {"seat": 3, "discard": ["Td", "9d", "8d"], "draw": ["8s", "7s"]}
    assert fault(crowded(THREE, OTHER_THREE, more)) == ("K6.4", "exchanges[3].discard")


def test_k6_4_a_seat_that_discards_all_needs_four_cards_in_the_stock() -> None:
    five = WHOLE | {"draw": ["6d", "Ts", "9s", "8s", "7s"], "drop": ["7s"]}
    assert fault(crowded(THREE, five)) == PLAY_MISSING
    exchange = {"seat": 1, "discard": ["Th", "9h", "8h", "7h"], "draw": ["Ks", "Qs", "Js", "6d", "Ts"], "drop": ["Ts"]}
    assert fault(crowded(exchange, WHOLE)) == ("K6.4", "exchanges[2].discard")
    assert [draw_count(4, 4, stock) for stock in (3, 4, 5, 9)] == [4, 4, 5, 5]
    assert [draw_count(5, away, 9) for away in range(4)] == [0, 1, 2, 3]


def test_k6_4_with_four_cards_left_four_are_drawn_and_no_trump_is_laid_open() -> None:
    dealer = {"seat": 0, "discard": ["Jh"], "draw": ["7s"], "drop": ["Qh"]}
    four = WHOLE | {"draw": ["6d", "Ts", "9s", "8s"]}
    record = crowded(THREE, four) | {"exchanges": [dealer, THREE, four]}
    assert fault(record) == PLAY_MISSING
    assert fault(record | {"exchanges": [dealer, THREE, four | {"show": ["6d"]}]}) == ("K6.3", "exchanges[2].show")


def test_k6_4_extra_cards_stop_at_the_end_of_the_stock() -> None:
    whole = {"seat": 1, "discard": ["Th", "9h", "8h", "7h"], "draw": ["Ks", "Qs", "Js", "6d", "Ts"]}
    shown = whole | {
        "show": ["Ks", "Qs", "Js", "6d", "Ts"],
        "open": ["9s", "8s", "7s"],
        "drop": ["9s", "8s", "7s", "Ts"],
    }
    assert fault(crowded(shown)) == PLAY_MISSING
    short = shown | {"open": ["9s", "8s"], "drop": ["9s", "8s", "Ts"]}
    assert fault(crowded(short)) == ("K6.3", "exchanges[1].open")


def test_k6_4_cards_for_the_ace_stop_at_the_end_of_the_stock() -> None:
    deal = {
        "hands": [["Ks", "Kh", "Qh", "Jh"], *STOCK_OF_TRUMPS["hands"][1:]],
        "turned": ["Qs"],
    }
    entry = {
        "seat": 1,
        "discard": ["Th", "9h", "8h", "7h"],
        "draw": ["As", "Js", "6d", "Ts", "Ah"],
        "show": ["As"],
        "hidden": ["9s", "8s", "7s"],
        "drop": ["Ah", "9s", "8s", "7s"],
    }
    record = crowded(entry) | {"deal": deal}
    assert fault(record) == PLAY_MISSING
    assert fault(put(record, ("exchanges", 1, "hidden"), ["9s", "8s"])) == ("K6.3", "exchanges[1].hidden")


@pytest.mark.parametrize(
    ("record", "location"),
    [
        (exchanging(), "exchanges"),
        (exchanging({"seat": 1}), "exchanges"),
        (exchanging({"seat": 0}), "exchanges[0].drop"),
        (exchanging({"seat": 0, "drop": ["9d", "7c"]}), "exchanges[0].drop"),
        (exchanging({"seat": 0, "drop": ["Ks"]}), "exchanges[0].drop[0]"),
        (exchanging(ZERO, {"seat": 1, "drop": ["Td"]}), "exchanges[1].drop"),
        (exchanging(ZERO, ALL | {"drop": []}), "exchanges[1].drop"),
        (exchanging(ZERO, ALL | {"drop": ["Td"]}), "exchanges[1].drop[0]"),
        (exchanging(ZERO, SHOWN | {"drop": ["7d", "7d", "7h", "Jh"]}), "exchanges[1].drop[1]"),
        (changed(FULL_MUSS, exchanges=...), "exchanges"),
        (changed(FULL_MUSS, exchanges=[{"seat": 0}]), "exchanges[0].drop"),
    ],
)
def test_k6_5_everybody_drops_down_to_four(record: Record, location: str) -> None:
    assert fault(record) == ("K6.5", location)


SENTENCES = [
    (exchanging(), "Seat 0 holds 5 cards and drops down to 4."),
    (exchanging({"seat": 0}), "Seat 0 drops 1 to keep 4 cards, not 0."),
    (exchanging({"seat": 0, "drop": ["Ks"]}), "Seat 0 drops Ks but holds Ts As Kh 9d 7c."),
    (exchanging(ZERO, ZERO), "Only seats 1, 2 can still exchange, not seat 0."),
    (exchanging(ZERO, {"seat": 2}, {"seat": 2}), "Nobody can still exchange, not seat 2."),
    (exchanging(ZERO, {"seat": 1, "discard": ["As"]}), "Seat 1 discards As but holds Ks Qh Td 8c."),
    (
        exchanging(ZERO, {"seat": 1, "discard": [*ALL["discard"], "As"]}),
        "Seat 1 discards As but holds no card.",
    ),
    (
        exchanging({"seat": 0, "discard": ["As", "Kh", "9d", "7c"]}),
        "Seat 0 discards up to 3 cards or all 5 of its hand, not 4.",
    ),
    (
        put(exchanging({"seat": 0, "discard": ["As"]}), ("deal", "hands", 0, 0), "6d"),
        "Seat 0 discards As but holds Ts Kh 9d 7c 6d.",
    ),
    (
        put(put(FULL_MUSS, ("deal", "hands", 0, 0), "6d"), ("exchanges", 0, "drop"), ["As"]),
        "Seat 0 drops As but holds Ts Kh 9d 7c 6d.",
    ),
    (exchanging(ZERO, {"seat": 1, "discard": ["8c"]}), "Seat 1 draws 1 cards, not 0."),
    (
        crowded(THREE, OTHER_THREE, {"seat": 3, "discard": ["Td", "9d", "8d"]}),
        "Seat 3 needs 3 cards for those it discards, but the stock has 2.",
    ),
    (
        exchanging(ZERO, {"seat": 1, "discard": ["8c"], "draw": ["As"]}),
        "Seat 1 gets As, which is not in the stock any more.",
    ),
    (exchanging(ZERO, SHOWN | {"show": ["7h"]}), "Seat 1 lays 7h open, but of the five drawn it has 9s 6d."),
    (
        exchanging(ZERO, SHOWN | {"show": ["6d", "9s", "7h"]}),
        "Seat 1 lays 7h open, but of the five drawn it has no trump.",
    ),
    (exchanging(ZERO, SHOWN | {"open": []}), "Seat 1 gets 2 cards face up, not 0."),
    (exchanging(ZERO, SHOWN | {"open": ["Jd", "Qd", "Kd"]}), "Seat 1 gets 2 cards face up, not Kd too."),
    (exchanging(ZERO, SHOWN | {"hidden": ["Kd"]}), "Seat 1 gets face down 0 cards, not 1."),
    (
        exchanging(ZERO, SHOWN, rules={"open_trumps": False}),
        "The house rules give no cards for trumps laid open.",
    ),
    (exchanging(ZERO, {"seat": 1, "show": ["Ks"]}), "Seat 1 has not drawn five cards and lays no trump open."),
    (
        put(FULL_MUSS, ("exchanges", 0, "draw"), ["Qs"]),
        "The hand is a Muss: nobody exchanges, only a drop is left.",
    ),
    (changed(PASSED_OUT, exchanges=[ZERO]), "The hand is passed out, so the field exchanges must be empty."),
]


@pytest.mark.parametrize(("record", "sentence"), SENTENCES, ids=[sentence for _, sentence in SENTENCES])
def test_the_message_of_a_fault(record: Record, sentence: str) -> None:
    assert message(record) == sentence


def test_k6_5_a_complete_hand_after_its_exchange() -> None:
    assert settled(FULL)["tricks"] == [3, 1, 0]
