"""The golden hands of Chratze and Kratzen, and ways to damage a hand; see make_golden.py."""

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

import engine
from engine import sample
from engine.cards import NAME
from engine.sample import Temper

Record = dict[str, Any]
Damage = Callable[[random.Random, Record], None]

SEED = 1291
RANDOM_HANDS = 220
SIMPLE_HANDS = 120
NUMBER_OF_EACH = 14


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
    """Return the tally of a played hand with the field ``made`` instead of ``tricks``."""
    tally = sample.tally_of(record, result)
    tricks = tally.pop("tricks")
    goals = {str(result["declarer"]): 2}
    tally["made"] = [int(seat) for seat, count in tricks.items() if count >= goals.get(seat, 1)]
    return tally


def valid_hands(rng: random.Random) -> Iterator[tuple[str, Record]]:
    for source, count in ((by_lot, RANDOM_HANDS), (simply_played, SIMPLE_HANDS)):
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
    seat, other = rng.sample(range(4), 2)
    place = rng.randrange(len(record["play"][0]))
    play = record["play"]
    play[seat][place], play[other][place] = play[other][place], play[seat][place]


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


FULL_DAMAGES: tuple[Damage, ...] = (
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


TALLY_DAMAGES: tuple[Damage, ...] = (
    other_tricks, other_joiners, another_declarer, another_made, other_rules, a_blind_hand, a_wrong_claim,
    another_dealer, a_late_deal, a_bad_rule,
)  # fmt: skip


def damaged_hands(rng: random.Random) -> Iterator[tuple[str, Record]]:
    for kind, damages in (("full", FULL_DAMAGES), ("tally", TALLY_DAMAGES)):
        for damage in damages:
            done = 0
            while done < NUMBER_OF_EACH:
                record = sample.random_hand(rng)
                if kind == "tally":
                    record = sample.tally_of(record, engine.replay(record))
                try:
                    damage(rng, record)
                except LookupError:  # the hand has nothing to damage in this way, for example no draw
                    continue
                done += 1
                yield f"{kind}, {damage.__name__} {done}", record


# Kratzen comes last and has its own random generator, so that the lines of Chratze do not change.

KRATZEN_SEED = 33
KRATZEN_RANDOM_HANDS = 160
KRATZEN_SIMPLE_HANDS = 80
KRATZEN_NUMBER_OF_EACH = 10


def kratzen_by_lot(rng: random.Random) -> Record:
    return sample.random_hand(rng, game="kratzen")


def kratzen_simply_played(rng: random.Random) -> Record:
    seats = rng.randint(3, 6)
    rules = sample.random_rules(rng, game="kratzen")
    coin = engine.effective_rules("kratzen", rules)["coin"]
    return sample.play_hand(
        rng,
        game="kratzen",
        rules=rules,
        seats=seats,
        dealer=rng.randrange(seats),
        pot_before=rng.choice((0, 3, 4, 16, 48, 221)) * int(coin or 0),
        players=[Temper(rng.random(), rng.random()) for _ in range(seats)],
    )


def valid_kratzen_hands(rng: random.Random) -> Iterator[tuple[str, Record]]:
    for source, count in ((kratzen_by_lot, KRATZEN_RANDOM_HANDS), (kratzen_simply_played, KRATZEN_SIMPLE_HANDS)):
        for number in range(count):
            record = source(rng)
            result = engine.replay(record)
            name = f"{source.__name__} {number}, {result['outcome']}"
            yield name, record
            if number % 2 == 0:
                yield f"{name}, tally", sample.tally_of(record, result)
            if number % 10 == 0:
                yield f"{name}, claimed", record | {"claimed": result["deltas"]}


def other_cuts(rng: random.Random, record: Record) -> None:
    words = ("A", "7", "W", "x", "As", "7d", "6d", "Kh", "6h")
    record["cuts"] = [rng.choices(words, k=rng.randint(1, 2)) for _ in range(rng.randint(0, 2))] + [["Ts"]]


def another_kratzen_call(rng: random.Random, record: Record) -> None:
    rng.choice(record["calls"])[1] = rng.choice(("schlagen", "oder", "weiter-oder", "weiter", "mit"))


def another_answer(rng: random.Random, record: Record) -> None:
    rng.choice(record["answers"])[1] = rng.choice(("mit", "ohne", "weg"))


def another_answerer(rng: random.Random, record: Record) -> None:
    rng.choice(record["answers"])[0] = rng.randint(0, 6)


def another_last_word(rng: random.Random, record: Record) -> None:
    if "answers" not in record:
        raise LookupError
    record["last_word"] = rng.randint(0, record["seats"])


def nobody_joins(rng: random.Random, record: Record) -> None:
    for answer in record["answers"]:
        answer[1] = "ohne"


def another_new_trump(rng: random.Random, record: Record) -> None:
    if "calls" not in record:
        raise LookupError
    record["new_trump"] = rng.sample(list(NAME.values()), rng.randint(0, 2))


def speech_in_a_muss(rng: random.Random, record: Record) -> None:
    if "calls" in record:
        raise LookupError
    record.update(rng.choice(({"calls": [[0, "oder"]]}, {"last_word": 0}, {"answers": [[1, "mit"]]})))


def an_exchange_in_a_muss(rng: random.Random, record: Record) -> None:
    if "calls" in record:
        raise LookupError
    record["exchanges"][0]["discard"] = record["deal"]["hands"][record["exchanges"][0]["seat"]][:1]


def another_drop(rng: random.Random, record: Record) -> None:
    entry = rng.choice([entry for entry in record["exchanges"] if "drop" in entry])
    if rng.random() < 0.5:
        entry["drop"].pop()
    else:
        entry["drop"][0] = rng.choice(list(NAME.values()))


def another_extra_card(rng: random.Random, record: Record) -> None:
    entry = rng.choice([entry for entry in record["exchanges"] if "show" in entry])
    field = rng.choice(("show", "open", "hidden"))
    entry[field] = [*entry.get(field, []), rng.choice(list(NAME.values()))]


def another_kratzen_discard(rng: random.Random, record: Record) -> None:
    entry = rng.choice([entry for entry in record["exchanges"] if "discard" in entry])
    entry["discard"].append(rng.choice(list(NAME.values())))


def another_kratzen_draw(rng: random.Random, record: Record) -> None:
    entry = rng.choice([entry for entry in record["exchanges"] if "draw" in entry])
    entry["draw"][0] = rng.choice(list(NAME.values()))


def too_many_discards(rng: random.Random, record: Record) -> None:
    """Discard more cards than the stock can replace."""
    seats = [entry["seat"] for entry in record["exchanges"] if "draw" in entry and record["seats"] == 6]
    last = max(seats, default=-1)
    if last < 0:
        raise LookupError
    entry = next(entry for entry in record["exchanges"] if entry["seat"] == last)
    entry["discard"] = record["deal"]["hands"][last][:3]


def other_kratzen_rules(rng: random.Random, record: Record) -> None:
    record["rules"] = sample.random_rules(rng, game="kratzen")


def a_broken_pot(rng: random.Random, record: Record) -> None:
    record["pot_before"] += rng.choice((1, 5, 20, 100))


def a_bad_kratzen_rule(rng: random.Random, record: Record) -> None:
    record["rules"] = rng.choice(({"coin": 0}, {"unit": 7}, {"stake": 20}, {"seven_muss": True}, {"split_over": 1}))


def a_field_of_chratze(rng: random.Random, record: Record) -> None:
    record[rng.choice(("deal_number", "blind", "rob", "made", "colour"))] = None


def _swap_against(clause: str, rng: random.Random, record: Record) -> None:
    """Swap two cards so that the play breaks the given clause."""
    play = record["play"]
    (seat, other), places = rng.sample(range(4), 2), rng.choices(range(len(play[0])), k=2)
    play[seat][places[0]], play[other][places[1]] = play[other][places[1]], play[seat][places[0]]
    if engine.replay(record).get("error", {}).get("clause") != clause:
        raise LookupError


def not_following(rng: random.Random, record: Record) -> None:
    _swap_against("K7.2", rng, record)


def not_trumping(rng: random.Random, record: Record) -> None:
    _swap_against("K7.3", rng, record)


def not_beating(rng: random.Random, record: Record) -> None:
    _swap_against("K7.4", rng, record)


KRATZEN_FULL_DAMAGES: tuple[Damage, ...] = (
    another_card, two_cards_swapped, a_trick_too_few, a_card_dealt_twice, a_short_hand, another_turned_card, other_cuts,
    another_kratzen_call, another_speaker, a_call_too_few, another_answer, another_answerer, another_last_word,
    nobody_joins, another_new_trump, speech_in_a_muss, an_exchange_in_a_muss, another_drop, another_extra_card,
    another_kratzen_discard, another_kratzen_draw, too_many_discards, an_exchange_twice, a_play_of_nobody,
    other_kratzen_rules, a_broken_pot, a_bad_kratzen_rule, a_field_of_chratze, a_wrong_claim, other_seats,
    another_dealer, not_following, not_trumping, not_beating,
)  # fmt: skip


def another_kind(rng: random.Random, record: Record) -> None:
    record["game_type"] = rng.choice((None, "schlagen", "oder", "weiter-oder"))
    record["seven"] = rng.random() < 0.5


KRATZEN_TALLY_DAMAGES: tuple[Damage, ...] = (
    other_tricks, other_joiners, another_declarer, another_kind, other_cuts, other_kratzen_rules, a_broken_pot,
    a_wrong_claim, another_dealer, a_field_of_chratze,
)  # fmt: skip


def damaged_kratzen_hands(rng: random.Random) -> Iterator[tuple[str, Record]]:
    for kind, damages in (("full", KRATZEN_FULL_DAMAGES), ("tally", KRATZEN_TALLY_DAMAGES)):
        for damage in damages:
            done = 0
            while done < KRATZEN_NUMBER_OF_EACH:
                record = copy.deepcopy(kratzen_by_lot(rng))
                if kind == "tally":
                    record = sample.tally_of(record, engine.replay(record))
                try:
                    damage(rng, record)
                except LookupError:  # the hand has nothing to damage in this way, for example no answer
                    continue
                done += 1
                yield f"kratzen {kind}, {damage.__name__} {done}", record
