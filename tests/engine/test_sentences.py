"""The exact message of every fault of Chratze."""

import pytest

from tests.engine.hands import BLIND, DOUBLE, FULL, PASSED_OUT, WALKOVER, Record, changed, full, message, put, tally
from tests.engine.test_c4_exchange import entry, exchanging, robbing, seven_seats

ALL_FOUR = {"discard": ["As", "Ks", "9h", "7d"], "draw": ["Ah", "Kh", "Qh", "Jh", "Th"]}
REDEAL = {"rules": {"no_taker": "redeal"}}

SENTENCES: list[tuple[Record, str]] = [
    (tally(game="jass"), 'There is no game "jass": it is "chratze", "kratzen" or "zwicken".'),
    ({}, "The field game is missing."),
    (tally(seats=8), "Chratze is played by 2 to 7 seats, not 8."),
    (tally(dealer=5), "There is no seat 5 at this table: seats are 0 to 4."),
    (tally(deal_number=4, **REDEAL), "A dealer deals 3 times in a row at most; this would be deal 4."),
    (
        tally(claimed=[0]),
        "The sums written down are not those of the hand, which are: "
        "seat 0 +60, seat 1 -10, seat 2 -10, seat 3 -20, seat 4 -20.",
    ),
    (put(FULL, ("deal", "hands"), []), "Each of the 3 seats has a hand; there are 0."),
    (put(FULL, ("deal", "hands", 1), ["As"]), "Seat 1 is dealt 4 cards, not 1."),
    (put(DOUBLE, ("deal", "hands", 0), ["As"]), "Seat 0 is dealt 5 cards, not 1."),
    (put(FULL, ("deal", "hands", 1, 0), "As"), "The card As was dealt twice."),
    (put(FULL, ("deal", "turned"), []), "One to 3 cards are turned, not 0."),
    (put(full(**REDEAL), ("deal", "turned"), []), "One card is turned in a deal, not 0."),
    (put(BLIND, ("deal", "turned"), []), "In a blind hand one card is turned, not 0."),
    (put(PASSED_OUT, ("deal", "turned"), ["9s"]), "Nobody declared, so card 2 of 2 is turned; it is missing."),
    (put(FULL, ("deal", "turned"), ["9s", "8c"]), "Seat 0 declared after card 1, so no other card is turned."),
    (put(FULL, ("calls", 0, 1), "fort"), 'Seat 0 says chratze or weg, not "fort".'),
    (put(FULL, ("calls", 0, 0), 1), "It is seat 0's turn to speak, not seat 1's."),
    (put(FULL, ("calls", 0, 0), 3), "There is no seat 3 at this table: seats are 0 to 2."),
    (full(calls=[]), "Seat 0 has not spoken."),
    (
        changed(PASSED_OUT, calls=[*PASSED_OUT["calls"], [0, "weg"]]),
        "Everybody has said weg to the last turned card: nobody speaks any more.",
    ),
    (
        full(calls=[*FULL["calls"], [1, "weg"]]),
        "Every seat but the declarer (seat 0) has given its one answer already.",
    ),
    (put(FULL, ("calls", 1, 1), "chratze"), "Seat 1 says chratze, but the hand has its declarer."),
    (put(FULL, ("calls", 1, 1), "dabei"), 'Seat 1 answers metcho or weg, not "dabei".'),
    (changed(BLIND, rules={"blind": "none"}), "The house rules do not let the dealer, seat 0, declare blind."),
    (changed(DOUBLE, rules={"blind": "blind"}), "The house rules do not let the dealer, seat 0, declare double blind."),
    (tally(blind="blind"), "Only the dealer, seat 4, can declare blind; he is the declarer then."),
    (tally(declarer=None), "Nobody declared, so nobody can join."),
    (tally(joiners=[1, 0]), "Seat 0 is the declarer and cannot join as well."),
    (tally(joiners=[1, 1]), "Seat 1 is named twice among the joiners."),
    (changed(WALKOVER, rules={"susi": "forced"}), "Susi is forced: nobody has joined, so seat 0 must."),
    (changed(WALKOVER, play=FULL["play"]), "Nobody joined, so the field play must be empty."),
    (changed(PASSED_OUT, exchanges=FULL["exchanges"]), "The hand is passed out, so the field exchanges must be empty."),
    (changed(BLIND, exchanges=[]), "Seat 0 declared blind and puts away down to four; its entry is missing."),
    (full(exchanges=[*FULL["exchanges"], FULL["exchanges"][0]]), "Only seat 2 can still exchange, not seat 0."),
    (exchanging(FULL, 0, discard=["Qs"]), "Seat 0 discards Qs but holds Ks As 9h 7d."),
    (exchanging(BLIND, 0, discard=["As", "Ks", "9h", "7d", "9s", "As"]), "Seat 0 discards As but holds no card."),
    (exchanging(FULL, 0, draw=[]), "Seat 0 discards 1 of 4 cards and draws 1, not 0."),
    (exchanging(BLIND, 0, draw=[]), "Seat 0 discards 2 of 5 cards and draws 1, not 0."),
    (exchanging(FULL, 0, discard=[], draw=["Ah"]), "Seat 0 discards 0 of 4 cards and draws 0, not 1."),
    (exchanging(FULL, 0, draw=["Qs"]), "Seat 0 draws Qs, which is not in the stock any more."),
    (
        exchanging(FULL, 0, draw=["1s"]),
        'There is no card "1s" in this game: a card is a rank of AKQJT9876 and a suit of shdc.',
    ),
    (exchanging(DOUBLE, 0, discard=["7d"], draw=[]), "Seat 0 holds 6 cards and puts away 2 or more, not 1."),
    (exchanging(DOUBLE, 0, discard=[]), "Seat 0 holds 6 cards and puts away 2 or more, not 0."),
    (exchanging(FULL, 0, drop="Ah"), "Seat 0 has not drawn five cards and drops none."),
    (exchanging(FULL, 0, **ALL_FOUR), "Seat 0 has drawn five cards and drops one of them."),
    (exchanging(FULL, 0, **ALL_FOUR, drop="As"), "Seat 0 drops As but has drawn Th Jh Qh Kh Ah."),
    (seven_seats(entry(0, 3, ["Kc"]), turned=6), "Seat 0 needs 3 cards for those it puts away, but the stock has 2."),
    (changed(robbing(), rules={"rob": False}), "The house rules do not let the six of trumps take the turned card."),
    (changed(BLIND, rob={"seat": 1}), "The turned card belongs to seat 0, who declared blind."),
    (
        put(put(robbing(seat=2), ("calls", 2, 1), "weg"), ("play",), []),
        "Seat 2 is out and cannot take the turned card.",
    ),
    (robbing(seat=2), "Seat 2 does not hold 6s and cannot take 9s for it."),
    (put(FULL, ("play", 1), ["Ks"]), "Each of seats 0, 1, 2 plays one card to the trick: 3 cards, not 1."),
    (put(FULL, ("play", 1, 2), "Js"), "Seat 2 plays Js but holds 7h Kd 9c."),
    (put(FULL, ("play", 0, 1), "8h"), "Seat 1 plays 8h but must follow suit: 8s Qs."),
    (full(play=[]), "A hand has 4 tricks, not 0."),
    (tally(tricks={"0": 5}), "There are 4 tricks in a hand, not 5."),
    (tally(tricks={"0": 5, "1": -1}), "Seat 1 cannot have taken -1 tricks."),
    (tally(tricks={"3": 4}), "Seat 3 is out and can take no trick."),
    (tally(tricks={"0": 10**30}), "There are 4 tricks in a hand, not a huge number."),
    (tally(tricks={"one": 4}), 'The field tricks.one must be named after a seat, such as "0".'),
    (tally(tricks=..., made=[3]), "Seat 3 is out and has no goal to reach."),
    (tally(tricks=..., made=[1, 1]), "Seat 1 is named twice among those who made it."),
    (
        tally(tricks=..., made=[0, 1, 2, 3], joiners=[1, 2, 3]),
        "Beside the declarer's two tricks at most two joiners can have made one, not 3.",
    ),
    (
        tally(seats=7, dealer=6, tricks=..., joiners=[1, 2, 3, 4, 5], made=[1, 2, 3, 4, 5]),
        "Four joiners at most can have made a trick, not 5.",
    ),
    (tally(made=[0]), "A tally says either the tricks or who made it, not both."),
    (tally(joiners=[]), "The hand is a walkover, so nobody took a trick."),
    (tally(rules={"stake": 0}), "The house rule stake is a whole number of Rappen from 1 to 1000000000000, not 0."),
    (
        tally(rules={"pot_limit": False}),
        "The house rule pot_limit is null or a whole number of Rappen from 1 to 1000000000000, "
        "not below the stake, not true or false.",
    ),
    (tally(rules={"no_taker": 1}), "The house rule no_taker is one of turn, redeal, not 1."),
    (tally(rules={"blind": None}), "The house rule blind is one of none, blind, both, not null."),
    (tally(deal_number=0), "The field deal_number is a whole number from 1 to 1000000000000, not 0."),
    (full(calls=[1]), "The field calls[0] is a list of a seat and a call, not 1."),
    (full(calls=[[1, 1]]), "The field calls[0][1] is a word, not 1."),
    (put(FULL, ("deal", "turned"), [1]), "The field deal.turned[0] is a card's name, not 1."),
    (full(rob={"seat": 0, "when": "now"}), 'The field rob.when is "before" or "after", not "now".'),
    (full(exchanges=[*FULL["exchanges"], {"seat": 2}, {"seat": 0}]), "Nobody can still exchange, not seat 0."),
    (
        put(robbing(), ("exchanges",), [{"seat": 0, "discard": ["6x"], "draw": ["Ah"]}]),
        'There is no card "6x" in this game: a card is a rank of AKQJT9876 and a suit of shdc.',
    ),
    (
        exchanging(FULL, 0, **ALL_FOUR, drop="Xh"),
        'There is no card "Xh" in this game: a card is a rank of AKQJT9876 and a suit of shdc.',
    ),
    (
        put(FULL, ("play", 0, 1), "Xs"),
        'There is no card "Xs" in this game: a card is a rank of AKQJT9876 and a suit of shdc.',
    ),
    (tally(tricks={"3": 0, "0": 4}), "Seat 3 is out and can take no trick."),
    (tally(tricks={"7": 4}), "There is no seat 7 at this table: seats are 0 to 4."),
    (tally(joiners=[5]), "There is no seat 5 at this table: seats are 0 to 4."),
    (tally(joiners=[10**15]), "There is no seat 1000000000000000 at this table: seats are 0 to 4."),
    (tally(joiners=[10**15 + 1]), "There is no seat a huge number at this table: seats are 0 to 4."),
    (tally(tricks={"1" * 12: 4}), "There is no seat 111111111111 at this table: seats are 0 to 4."),
]


@pytest.mark.parametrize(("record", "sentence"), SENTENCES, ids=[sentence for _, sentence in SENTENCES])
def test_the_message_of_a_fault(record: Record, sentence: str) -> None:
    assert message(record) == sentence
