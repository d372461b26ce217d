"""C4 Exchange."""

import pytest

from engine.chratze.exchange import draw_count
from tests.engine.hands import BLIND, DOUBLE, FULL, WALKOVER, Record, changed, fault, full, message, put, settled


def exchanging(record: Record, number: int, **entry: object) -> Record:
    """Return the record with one exchange changed."""
    return put(record, ("exchanges", number), record["exchanges"][number] | entry)


def test_c4_1_the_declarer_exchanges_first_and_the_others_in_order() -> None:
    assert fault(full(exchanges=FULL["exchanges"][::-1])) == ("C4.1", "exchanges[1].seat")


def test_c4_1_each_seat_exchanges_once() -> None:
    again = {"seat": 1, "discard": [], "draw": []}
    assert fault(full(exchanges=[*FULL["exchanges"], again])) == ("C4.1", "exchanges[2].seat")


def test_c4_1_only_active_seats_exchange() -> None:
    record = put(FULL, ("calls", 1, 1), "weg")
    assert fault(record) == ("C4.1", "exchanges[1].seat")
    assert "Only seat 2 can still exchange" in message(record)


def test_c4_1_an_empty_entry_equals_a_missing_one() -> None:
    for entry in ({"seat": 2}, {"seat": 2, "discard": [], "draw": []}):
        assert settled(full(exchanges=[*FULL["exchanges"], entry])) == settled(full())


def test_c4_1_nobody_needs_to_exchange() -> None:
    play = [["As", "Qs", "Js"], ["Ks", "8h", "7h"], ["9h", "Td", "Kd"], ["7d", "6c", "9c"]]
    assert settled(full(exchanges=..., play=play))["tricks"] == [4, 0, 0]


def test_c4_1_a_seat_discards_only_cards_that_it_holds() -> None:
    assert fault(exchanging(FULL, 0, discard=["Qs"])) == ("C4.1", "exchanges[0].discard[0]")
    twice = exchanging(FULL, 1, discard=["6c", "6c"])
    assert fault(twice) == ("C4.1", "exchanges[1].discard[1]")
    assert message(twice) == "Seat 1 discards 6c but holds Qs 8h Td."


def test_c4_1_an_unknown_card_is_r2_in_every_field() -> None:
    assert fault(exchanging(FULL, 0, discard=["7x"])) == ("R2", "exchanges[0].discard[0]")
    assert fault(exchanging(FULL, 1, draw=["8s", "zz"])) == ("R2", "exchanges[1].draw[1]")
    with_a_six = put(FULL, ("deal", "hands", 0, 3), "6s")
    assert fault(exchanging(with_a_six, 0, discard=["6x"])) == ("R2", "exchanges[0].discard[0]")
    assert fault(put(with_a_six, ("exchanges",), []) | {"play": [["6x", "8h", "7h"]]}) == ("R2", "play[0][0]")
    five = {"discard": ["As", "Ks", "9h", "7d"], "draw": ["Ah", "Kh", "Qh", "Jh", "Th"]}
    assert fault(exchanging(FULL, 0, **five, drop="xx")) == ("R2", "exchanges[0].drop")


def test_c4_1_a_seat_that_does_not_exist_is_r3() -> None:
    assert fault(exchanging(FULL, 1, seat=3)) == ("R3", "exchanges[1].seat")
    assert fault(exchanging(FULL, 0, seat=-1)) == ("R3", "exchanges[0].seat")


@pytest.mark.parametrize("draw", [[], ["Ah", "Kh"]])
def test_c4_2_as_many_are_drawn_as_discarded(draw: list[str]) -> None:
    assert fault(exchanging(FULL, 0, draw=draw)) == ("C4.2", "exchanges[0].draw")


def test_c4_2_for_four_discards_five_cards_are_drawn_and_one_is_dropped() -> None:
    away = {"discard": ["As", "Ks", "9h", "7d"], "draw": ["Ah", "Kh", "Qh", "Jh", "Th"]}
    play = [["Ah", "8h", "7h"], ["Kh", "8s", "Js"], ["Kd", "Qh", "6d"], ["9c", "Th", "Qs"]]
    record = full(play=play)
    assert settled(exchanging(record, 0, **away, drop="Jh"))["tricks"] == [1, 1, 2]
    assert fault(exchanging(record, 0, **away, drop="Qh")) == ("C5.1", "play[2][1]")
    assert fault(exchanging(record, 0, **away)) == ("C4.2", "exchanges[0].drop")
    assert fault(exchanging(record, 0, **away, drop="As")) == ("C4.2", "exchanges[0].drop")
    assert fault(exchanging(record, 0, **(away | {"draw": away["draw"][:4]}))) == ("C4.2", "exchanges[0].draw")


def test_c4_2_nothing_is_dropped_otherwise() -> None:
    assert fault(exchanging(FULL, 0, drop="Ah")) == ("C4.2", "exchanges[0].drop")


def test_c4_3_a_blind_dealer_draws_up_to_four_cards() -> None:
    assert fault(exchanging(BLIND, 0, draw=[])) == ("C4.3", "exchanges[0].draw")
    assert fault(exchanging(BLIND, 0, draw=["Ah", "Kh"])) == ("C4.3", "exchanges[0].draw")
    assert fault(exchanging(DOUBLE, 0, draw=["Kh"])) == ("C4.3", "exchanges[0].draw")


def test_c4_3_a_blind_dealer_discards_down_to_four_cards() -> None:
    assert fault(exchanging(BLIND, 0, discard=[], draw=[])) == ("C4.3", "exchanges[0].discard")
    assert fault(exchanging(DOUBLE, 0, discard=["7d"], draw=[])) == ("C4.3", "exchanges[0].discard")


@pytest.mark.parametrize("exchanges", [..., [], FULL["exchanges"][1:], [{"seat": 2}]])
def test_c4_3_a_blind_dealer_always_has_an_entry(exchanges: object) -> None:
    assert fault(changed(BLIND, exchanges=exchanges)) == ("C4.3", "exchanges")
    assert fault(changed(DOUBLE, exchanges=exchanges)) == ("C4.3", "exchanges")


@pytest.mark.parametrize("record", [BLIND, DOUBLE])
def test_c4_3_a_seat_that_discards_all_draws_five_and_drops_one(record: Record) -> None:
    held = [*record["deal"]["hands"][0], "9s"]
    drawn = ["Kh", "Qh", "Jh", "Th", "7s"]
    assert fault(exchanging(record, 0, discard=held, draw=drawn)) == ("C4.3", "exchanges[0].drop")
    assert fault(exchanging(record, 0, discard=held, draw=drawn, drop="9s")) == ("C4.2", "exchanges[0].drop")
    assert fault(exchanging(record, 0, discard=held, draw=drawn[:4])) == ("C4.3", "exchanges[0].draw")
    good = exchanging(record, 0, discard=held, draw=drawn, drop="7s")
    good["play"] = [["Kh", "8h", "7h"], ["Qh", "8s", "Js"], ["Kd", "Jh", "6d"], ["9c", "Th", "Qs"]]
    assert settled(good)["tricks"] == [1, 1, 2]


def test_c4_3_nothing_is_dropped_unless_five_were_drawn() -> None:
    assert fault(exchanging(BLIND, 0, drop="9h")) == ("C4.3", "exchanges[0].drop")


@pytest.mark.parametrize("card", ["As", "Qs", "9s", "7d", "Kd"])
def test_c4_4_a_card_dealt_turned_or_discarded_is_not_drawn(card: str) -> None:
    # Cards dealt to the seat itself, to another seat, turned, discarded, dealt to a third seat.
    assert fault(exchanging(FULL, 0, draw=[card])) == ("C4.4", "exchanges[0].draw[0]")


@pytest.mark.parametrize("card", ["Ah", "7d"])
def test_c4_4_discards_are_not_reshuffled(card: str) -> None:
    # A card that the previous seat drew, and one that it discarded.
    assert fault(exchanging(FULL, 1, draw=["8s", card])) == ("C4.4", "exchanges[1].draw[1]")


def test_c4_4_a_dropped_card_is_not_drawn_again() -> None:
    away = {"discard": ["As", "Ks", "9h", "7d"], "draw": ["Ah", "Kh", "Qh", "Jh", "Th"], "drop": "Jh"}
    record = exchanging(exchanging(FULL, 0, **away), 1, draw=["8s", "Jh"])
    assert fault(record) == ("C4.4", "exchanges[1].draw[1]")


def test_c4_4_a_card_is_not_drawn_twice() -> None:
    assert fault(exchanging(FULL, 1, draw=["8s", "8s"])) == ("C4.4", "exchanges[1].draw[1]")


def seven_seats(*exchanges: Record, turned: int = 1) -> Record:
    """Return a hand of seven seats that all play; the stock is 8 less the turned cards."""
    pack = [rank + suit for suit in "shdc" for rank in "6789TJQKA"]
    return {
        "game": "chratze",
        "seats": 7,
        "dealer": 6,
        "pot_before": 0,
        "rules": {"max_turns": 8},
        "deal": {"hands": [pack[4 * seat : 4 * seat + 4] for seat in range(7)], "turned": pack[28 : 28 + turned]},
        "calls": [[seat, "weg"] for _ in range(turned - 1) for seat in range(7)]
        + [[0, "chratze"]]
        + [[seat, "metcho"] for seat in range(1, 7)],
        "exchanges": list(exchanges),
        "play": [],
    }


def entry(seat: int, count: int, draw: list[str], **more: str) -> Record:
    hand: list[str] = seven_seats()["deal"]["hands"][seat]
    return {"seat": seat, "discard": hand[:count], "draw": draw, **more}


def test_c4_4_discards_do_not_exceed_the_stock() -> None:
    # Six turned cards leave a stock of two.
    assert fault(seven_seats(entry(0, 3, ["Kc"]), turned=6)) == ("C4.4", "exchanges[0].discard")
    assert fault(seven_seats(entry(0, 2, ["Kc", "Ac"]), turned=6))[0] == "C5.1"
    assert fault(seven_seats(entry(0, 2, ["Kc", "Ac"]), entry(1, 1, []), turned=6)) == ("C4.4", "exchanges[1].discard")


def test_c4_4_a_seat_that_discards_all_needs_four_cards_in_the_stock() -> None:
    assert fault(seven_seats(entry(0, 4, ["Jc", "Qc", "Kc"]), turned=5)) == ("C4.4", "exchanges[0].discard")


def test_c4_4_a_seat_that_discards_all_draws_four_if_the_stock_has_four() -> None:
    four = ["Jc", "Qc", "Kc", "Ac"]
    assert fault(seven_seats(entry(0, 4, four), turned=4)) == ("C5.1", "play")
    assert fault(seven_seats(entry(0, 4, four, drop="Jc"), turned=4)) == ("C4.2", "exchanges[0].drop")
    assert fault(seven_seats(entry(0, 4, [*four, "Tc"]), turned=4)) == ("C4.2", "exchanges[0].draw")
    five = ["Tc", *four]
    assert fault(seven_seats(entry(0, 4, five, drop="Tc"), turned=3)) == ("C5.1", "play")
    assert fault(seven_seats(entry(0, 4, four), turned=3)) == ("C4.2", "exchanges[0].draw")


@pytest.mark.parametrize(
    ("held", "discarded", "stock", "due"),
    [
        (4, 0, 0, 0),
        (4, 3, 20, 3),
        (4, 4, 20, 5),
        (4, 4, 5, 5),
        (4, 4, 4, 4),
        (4, 4, 3, 4),
        (5, 1, 20, 0),
        (5, 4, 20, 3),
        (5, 5, 20, 5),
        (5, 5, 4, 4),
        (6, 2, 20, 0),
        (6, 4, 20, 2),
        (6, 5, 20, 3),
        (6, 6, 20, 5),
    ],
)
def test_c4_4_number_of_cards_drawn(held: int, discarded: int, stock: int, due: int) -> None:
    assert draw_count(held, discarded, stock) == due


def robbing(**rob: object) -> Record:
    """Return the hand in which seat 0 holds the six of trumps instead of the seven of diamonds."""
    record = put(FULL, ("deal", "hands", 0, 3), "6s")
    record["exchanges"] = record["exchanges"][1:]
    record["rob"] = {"seat": 0} | rob
    record["play"] = [["As", "8s", "Js"], ["Ks", "Qs", "9c"], ["9s", "8h", "7h"], ["9h", "6d", "Kd"]]
    return record


@pytest.mark.parametrize("when", [{}, {"when": "before"}, {"when": "after"}])
def test_c4_5_the_six_of_trumps_takes_the_turned_card(when: Record) -> None:
    assert settled(robbing(**when))["tricks"] == [4, 0, 0]
    assert fault(changed(robbing(**when), rob=...)) == ("C5.1", "play[2][0]")
    assert fault(put(robbing(**when), ("play", 2, 0), "6s")) == ("C5.1", "play[2][0]")


def test_c4_5_the_six_may_be_drawn_before_the_rob() -> None:
    record = exchanging(FULL, 0, draw=["6s"])
    record["rob"] = {"seat": 0}
    record["play"] = [["As", "8s", "Js"], ["Ks", "Qs", "9c"], ["9s", "8h", "7h"], ["9h", "6d", "Kd"]]
    assert settled(record)["tricks"] == [4, 0, 0]
    assert fault(put(record, ("rob",), {"seat": 0, "when": "before"})) == ("C4.5", "rob.seat")


def test_c4_5_a_robbed_card_may_be_discarded() -> None:
    record = robbing(when="before")
    record["exchanges"] = [{"seat": 0, "discard": ["9s"], "draw": ["Ah"]}, *record["exchanges"]]
    record["play"] = FULL["play"]
    assert settled(record)["tricks"] == [4, 0, 0]
    assert fault(put(record, ("rob", "when"), "after")) == ("C4.1", "exchanges[0].discard[0]")


def test_c4_5_the_rob_may_come_before_the_exchange_of_a_later_seat() -> None:
    # Seat 1 takes the turned card first and discards it at once.
    record = put(FULL, ("deal", "hands", 1, 3), "6s")
    record["rob"] = {"seat": 1, "when": "before"}
    assert settled(exchanging(record, 1, discard=["9s", "Td"]))["tricks"] == [4, 0, 0]
    assert fault(exchanging(record, 1, discard=["6s", "Td"])) == ("C4.1", "exchanges[1].discard[0]")


def test_c4_5_the_robbed_six_is_not_in_the_stock() -> None:
    record = robbing(when="before")
    record["exchanges"] = [{"seat": 0, "discard": ["9h"], "draw": ["6s"]}]
    assert fault(record) == ("C4.4", "exchanges[0].draw[0]")


@pytest.mark.parametrize("when", ["before", "after"])
def test_c4_5_the_robber_must_hold_the_six(when: str) -> None:
    assert fault(robbing(seat=2, when=when)) == ("C4.5", "rob.seat")
    assert fault(full(rob={"seat": 0, "when": when})) == ("C4.5", "rob.seat")


@pytest.mark.parametrize("when", ["before", "after"])
def test_c4_5_the_robber_must_be_active(when: str) -> None:
    record = put(robbing(when=when), ("calls", 2, 1), "weg")
    record["rob"]["seat"] = 2
    assert fault(record) == ("C4.5", "rob.seat")
    assert fault(put(record, ("rob", "seat"), 3)) == ("R3", "rob.seat")


def test_c4_5_the_house_rules_may_forbid_the_rob() -> None:
    assert fault(changed(robbing(), rules={"rob": False})) == ("C4.5", "rob")


@pytest.mark.parametrize("record", [BLIND, DOUBLE])
def test_c4_5_there_is_no_rob_in_a_blind_hand(record: Record) -> None:
    for when in ("before", "after"):
        assert fault(changed(record, rob={"seat": 0, "when": when})) == ("C4.5", "rob")


def test_c4_5_an_empty_rob_equals_a_missing_one() -> None:
    assert settled(full(rob={})) == settled(full())
    assert settled(changed(WALKOVER, rob={}, exchanges=[], play=[])) == settled(WALKOVER)


def test_c4_5_faults_come_in_the_order_of_play() -> None:
    # The rob before seat 1's exchange is illegal, and so is seat 0's earlier draw.
    record = full(rob={"seat": 1, "when": "before"})
    assert fault(record) == ("C4.5", "rob.seat")
    assert fault(exchanging(record, 0, draw=["As"])) == ("C4.4", "exchanges[0].draw[0]")
    assert fault(exchanging(record, 1, draw=["As", "6d"])) == ("C4.5", "rob.seat")
    late = full(rob={"seat": 1})
    assert fault(exchanging(late, 1, draw=["As", "6d"])) == ("C4.4", "exchanges[1].draw[0]")


def test_c4_6_everyone_active_plays_four_cards() -> None:
    for record in (FULL, BLIND, DOUBLE):
        assert settled(record)["tricks"] == [4, 0, 0]
        assert [len(trick) for trick in record["play"]] == [3, 3, 3, 3]
        extra = changed(record, play=[*record["play"], ["7d", "6c", "9d"]])
        assert fault(extra) == ("C5.1", "play")
