"""Makes golden.jsonl: hands of many kinds, valid and invalid, with what the engine answered.

    python -m tests.data.make_golden > tests/data/golden.jsonl

The file is a promise: a stored hand replays to the same money in every later version. So it is written once;
new kinds of hands are added at its end, and a line that changes is a broken promise, not a new golden line. An
error's message is left out, as its wording may become better.
"""

import copy
import json
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

import engine
from engine import sample
from engine.cards import NAME
from engine.sample import Temper

Record = dict[str, Any]
Spoil = Callable[[random.Random, Record], None]

SEED = 1291
PLAYED_BY_LOT = 220
PLAYED_SIMPLY = 120
SPOILED_BY_EACH = 14


def by_lot(rng: random.Random) -> Record:
    return sample.random_hand(rng)


def simply_played(rng: random.Random) -> Record:
    seats = rng.randint(2, 7)
    return sample.play_hand(
        rng,
        rules=sample.random_rules(rng),
        seats=seats,
        dealer=rng.randrange(seats),
        pot_before=rng.choice((0, 15, 80, 240, 1105)),
        players=[Temper(rng.random(), rng.random()) for _ in range(seats)],
    )


def made_instead_of_tricks(record: Record, result: Record) -> Record:
    """The tally of a played hand in which nobody counted the tricks."""
    tally = sample.tally_of(record, result)
    tricks = tally.pop("tricks")
    goals = {str(result["declarer"]): 2}
    tally["made"] = [int(seat) for seat, count in tricks.items() if count >= goals.get(seat, 1)]
    return tally


def valid_hands(rng: random.Random) -> Iterator[tuple[str, Record]]:
    for source, count in ((by_lot, PLAYED_BY_LOT), (simply_played, PLAYED_SIMPLY)):
        for number in range(count):
            record = source(rng)
            result = engine.replay(record)
            name = f"{source.__name__} {number}, {result['outcome']}"
            yield name, record
            if number % 3 == 0:
                yield f"{name}, tally", sample.tally_of(record, result)
            if number % 3 == 1 and result["outcome"] == "played":
                yield f"{name}, who made it", made_instead_of_tricks(record, result)
            if number % 10 == 0:
                yield f"{name}, claimed", record | {"claimed": result["deltas"]}


def another_card(rng: random.Random, record: Record) -> None:
    trick = rng.choice(record["play"])
    trick[rng.randrange(len(trick))] = rng.choice(list(NAME.values()))


def two_cards_swapped(rng: random.Random, record: Record) -> None:
    one, other = rng.sample(range(4), 2)
    place = rng.randrange(len(record["play"][0]))
    play = record["play"]
    play[one][place], play[other][place] = play[other][place], play[one][place]


def a_trick_too_few(rng: random.Random, record: Record) -> None:
    record["play"].pop()


def a_card_dealt_twice(rng: random.Random, record: Record) -> None:
    hands = record["deal"]["hands"]
    hands[rng.randrange(1, len(hands))][0] = hands[0][1]


def a_short_hand(rng: random.Random, record: Record) -> None:
    rng.choice(record["deal"]["hands"]).pop()


def another_turned_card(rng: random.Random, record: Record) -> None:
    record["deal"]["turned"].append(rng.choice(list(NAME.values())))


def another_call(rng: random.Random, record: Record) -> None:
    rng.choice(record["calls"])[1] = rng.choice(("chratze", "metcho", "weg", "fort"))


def another_speaker(rng: random.Random, record: Record) -> None:
    rng.choice(record["calls"])[0] = rng.randint(0, 7)


def a_call_too_few(rng: random.Random, record: Record) -> None:
    record["calls"].pop()


def other_rules(rng: random.Random, record: Record) -> None:
    record["rules"] = sample.random_rules(rng)


def a_blind_hand(rng: random.Random, record: Record) -> None:
    record["blind"] = rng.choice(("blind", "double", None))


def another_discard(rng: random.Random, record: Record) -> None:
    rng.choice(record["exchanges"])["discard"].append(rng.choice(list(NAME.values())))


def another_draw(rng: random.Random, record: Record) -> None:
    draw = rng.choice([entry for entry in record["exchanges"] if entry["draw"]])["draw"]
    draw[0] = rng.choice(list(NAME.values()))


def a_blind_dealer_short(rng: random.Random, record: Record) -> None:
    if "blind" not in record:
        raise LookupError
    entry = record["exchanges"][0]
    if rng.random() < 0.5:
        record["exchanges"].pop(0)
    else:
        entry["draw"].append("9c")


def a_drop_too_many(rng: random.Random, record: Record) -> None:
    rng.choice(record["exchanges"])["drop"] = rng.choice(list(NAME.values()))


def an_exchange_twice(rng: random.Random, record: Record) -> None:
    record["exchanges"].append(copy.deepcopy(rng.choice(record["exchanges"])))


def another_robber(rng: random.Random, record: Record) -> None:
    record["rob"] = {"seat": rng.randint(0, 7), "when": rng.choice(("before", "after"))}


def a_play_of_nobody(rng: random.Random, record: Record) -> None:
    if "play" in record:
        raise LookupError
    record["play"] = [["As"]]


def susi_forced(rng: random.Random, record: Record) -> None:
    if "play" in record or record["calls"][-1][1] != "weg" or all(word == "weg" for _, word in record["calls"]):
        raise LookupError
    record["rules"] = {"susi": "forced"} if rng.random() < 0.5 else record.get("rules", {}) | {"susi": "forced"}


def a_wrong_claim(rng: random.Random, record: Record) -> None:
    record["claimed"] = [rng.randrange(-50, 50) for _ in range(record["seats"])]


def other_seats(rng: random.Random, record: Record) -> None:
    record["seats"] += rng.choice((-1, 1, 5))


def another_dealer(rng: random.Random, record: Record) -> None:
    record["dealer"] = rng.randint(0, 8)


def a_late_deal(rng: random.Random, record: Record) -> None:
    record["deal_number"] = rng.randint(0, 9)


def a_bad_rule(rng: random.Random, record: Record) -> None:
    record["rules"] = rng.choice(({"coin": 0}, {"rounding": 7}, {"stake": "20"}, {"joker": True}, {"pot_limit": 1}))


def an_unknown_field(rng: random.Random, record: Record) -> None:
    record[rng.choice(("colour", "cuts", "declarer", "muss"))] = None


def a_wrong_type(rng: random.Random, record: Record) -> None:
    record[rng.choice(("seats", "pot_before", "deal", "calls"))] = rng.choice((1.5, "4", None, True))


FULL_SPOILS: tuple[Spoil, ...] = (
    another_card, two_cards_swapped, a_trick_too_few, a_card_dealt_twice, a_short_hand, another_turned_card,
    another_call, another_speaker, a_call_too_few, other_rules, a_blind_hand, another_discard, another_draw,
    a_drop_too_many, an_exchange_twice, another_robber, susi_forced, a_play_of_nobody, a_wrong_claim, other_seats,
    another_dealer, a_blind_dealer_short, a_late_deal, a_bad_rule, an_unknown_field, a_wrong_type,
)  # fmt: skip


def other_tricks(rng: random.Random, record: Record) -> None:
    record["tricks"] = {str(rng.randint(0, record["seats"])): rng.randint(-1, 4) for _ in range(3)}


def other_joiners(rng: random.Random, record: Record) -> None:
    record["joiners"] = [rng.randint(0, record["seats"]) for _ in range(rng.randint(0, 4))]


def another_declarer(rng: random.Random, record: Record) -> None:
    record["declarer"] = rng.choice((None, *range(record["seats"] + 1)))


def another_made(rng: random.Random, record: Record) -> None:
    record.pop("tricks", None)
    record["made"] = [rng.randint(0, record["seats"]) for _ in range(rng.randint(0, 4))]


TALLY_SPOILS: tuple[Spoil, ...] = (
    other_tricks, other_joiners, another_declarer, another_made, other_rules, a_blind_hand, a_wrong_claim,
    another_dealer, a_late_deal, a_bad_rule,
)  # fmt: skip


def spoiled_hands(rng: random.Random) -> Iterator[tuple[str, Record]]:
    for kind, spoils in (("full", FULL_SPOILS), ("tally", TALLY_SPOILS)):
        for spoil in spoils:
            done = 0
            while done < SPOILED_BY_EACH:
                record = sample.random_hand(rng)
                if kind == "tally":
                    record = sample.tally_of(record, engine.replay(record))
                try:
                    spoil(rng, record)
                except LookupError:  # this hand has nothing of the kind, such as a draw
                    continue
                done += 1
                yield f"{kind}, {spoil.__name__} {done}", record


def golden() -> Iterator[Record]:
    rng = random.Random(SEED)
    for hands in (valid_hands, spoiled_hands):
        for name, record in hands(rng):
            result = engine.replay(record)
            result.get("error", {}).pop("message", None)
            yield {"name": name, "record": record, "result": result}


if __name__ == "__main__":
    for case in golden():
        sys.stdout.write(json.dumps(case, separators=(",", ":")) + "\n")
