"""Z5 Exchange."""

from typing import Any

import pytest

from tests.engine.hands import Record, changed, fault, message, settled
from tests.engine.zwicken_hands import FULL, FULL_FORCED, PLAY_MISSING, exchanging, full


def entry(seat: int, discard: list[str], draw: list[str]) -> Record:
    return {"seat": seat, "discard": discard, "draw": draw}


ONE = entry(1, ["8c"], ["Ah"])


@pytest.mark.parametrize(
    "entries",
    [
        [],
        [ONE],
        [entry(1, ["Ks", "7d", "8c"], ["Ah", "Qh", "Jh"])],
        [{"seat": 1}, {"seat": 2, "discard": []}, {"seat": 0, "draw": []}],
        [ONE, entry(2, ["9h", "Js"], ["8h", "7h"]), entry(0, ["As"], ["7s"])],
        [entry(0, ["As"], ["7s"])],
    ],
)
def test_z5_1_one_to_three_cards_are_replaced_from_the_dealers_left(entries: list[Record]) -> None:
    assert fault(exchanging(*entries)) == PLAY_MISSING
    assert fault(changed(exchanging(*entries), pot_before=0, answers=...)) == PLAY_MISSING


@pytest.mark.parametrize(
    ("entries", "clause", "location"),
    [
        ([entry(0, [], []), ONE], "Z5.1", "exchanges[1].seat"),
        ([ONE, ONE], "Z5.1", "exchanges[1].seat"),
        ([{"seat": 3}], "R3", "exchanges[0].seat"),
        ([{"seat": -1}], "R3", "exchanges[0].seat"),
        ([entry(1, ["As"], ["Ah"])], "Z5.1", "exchanges[0].discard[0]"),
        ([entry(1, ["8c", "8c"], ["Ah", "Qh"])], "Z5.1", "exchanges[0].discard[1]"),
        ([entry(1, ["8c", "6c"], ["Ah", "Qh"])], "R2", "exchanges[0].discard[1]"),
        ([entry(1, ["8c"], [])], "Z5.1", "exchanges[0].draw"),
        ([entry(1, ["8c"], ["Ah", "Qh"])], "Z5.1", "exchanges[0].draw"),
        ([entry(1, [], ["Ah"])], "Z5.1", "exchanges[0].draw"),
        ([entry(1, ["8c", "7d"], ["Ah", "Ah"])], "Z5.1", "exchanges[0].draw[1]"),
        ([entry(1, ["8c"], ["6h"])], "R2", "exchanges[0].draw[0]"),
    ],
)
def test_z5_1_an_exchange_that_is_wrong(entries: list[Record], clause: str, location: str) -> None:
    assert fault(exchanging(*entries)) == (clause, location)


@pytest.mark.parametrize("name", ["As", "Ks", "Ts", "8c", "Ah"])
def test_z5_1_a_card_seen_before_is_not_drawn(name: str) -> None:
    second = entry(2, ["9h"], [name])
    assert fault(exchanging(ONE, second)) == ("Z5.1", "exchanges[1].draw[0]")


def test_z5_1_a_seat_that_does_not_play_does_not_exchange() -> None:
    out = [[1, "weg"], [2, "mit"], [0, "mit"]]
    assert fault(exchanging(ONE, answers=out)) == ("Z5.1", "exchanges[0].seat")


def six_seats(*entries: Record, **changes: Any) -> Record:
    """Return a forced hand of six seats, with 13 cards in the stock: all clubs and five hearts."""
    pack = [rank + suit for suit in "sdhc" for rank in "AKQJT987"]
    hands = [pack[3 * seat : 3 * seat + 3] for seat in range(6)]
    return changed(
        FULL_FORCED, seats=6, deal={"hands": hands, "turned": pack[18]}, exchanges=[*entries], play=..., **changes
    )


def test_z5_1_no_more_than_the_stock_can_replace() -> None:
    pack = [rank + suit for suit in "sdhc" for rank in "AKQJT987"]
    stock = pack[19:]
    entries = [entry(seat, pack[3 * seat : 3 * seat + 3], stock[3 * seat - 3 : 3 * seat]) for seat in range(1, 5)]
    assert fault(six_seats(*entries)) == PLAY_MISSING
    assert fault(six_seats(*entries, entry(5, pack[15:16], stock[12:]))) == PLAY_MISSING
    last = entry(5, pack[15:17], stock[12:])
    assert fault(six_seats(*entries, last)) == ("Z5.1", "exchanges[4].discard")
    assert message(six_seats(*entries, last)) == "Seat 5 needs 2 cards for those it lays away; the stock has 1."


def test_z5_1_without_the_house_rule_nobody_exchanges() -> None:
    assert fault(full(rules={"exchange": False})) == ("Z5.1", "exchanges")
    assert fault(exchanging(rules={"exchange": False})) == PLAY_MISSING


def test_z5_1_it_costs_nothing() -> None:
    assert settled(FULL)["pot"] == 130


def test_z5_1_the_messages() -> None:
    assert message(exchanging(ONE, ONE)) == "Only seats 0, 2 can still exchange, not seat 1."
    assert message(exchanging({"seat": 0}, ONE)) == "Nobody can still exchange, not seat 1."
    assert message(exchanging(entry(1, ["As"], []))) == "Seat 1 lays As away but holds Ks 7d 8c."
    three = entry(1, ["Ks", "7d", "8c", "As"], [])
    assert message(exchanging(three)) == "Seat 1 lays As away but holds no card."
    assert message(exchanging(entry(1, ["8c"], []))) == "Seat 1 lays 1 cards away and draws as many, not 0."
    assert message(exchanging(entry(1, ["8c"], ["As"]))) == ("Seat 1 draws As, which is not in the stock any more.")
    assert message(full(rules={"exchange": False})) == "The house rules do not let anybody exchange."
