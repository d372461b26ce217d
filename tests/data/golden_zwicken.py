"""The golden hands of Zwicken; see make_golden.py."""

import copy
import random
from collections.abc import Iterator

import engine
from engine import sample
from engine.cards import NAME
from engine.sample import Temper
from tests.data.golden_hands import (
    Damage,
    Record,
    a_card_dealt_twice,
    a_field_of_chratze,
    a_play_of_nobody,
    a_short_hand,
    a_trick_too_few,
    a_wrong_claim,
    an_exchange_twice,
    another_answer,
    another_answerer,
    another_card,
    another_dealer,
    another_discard,
    another_draw,
    other_seats,
)

ZWICKEN_SEED = 52
ZWICKEN_RANDOM_HANDS = 160
ZWICKEN_SIMPLE_HANDS = 80
ZWICKEN_NUMBER_OF_EACH = 8


def zwicken_by_lot(rng: random.Random) -> Record:
    return sample.random_hand(rng, game="zwicken")


def zwicken_simply_played(rng: random.Random) -> Record:
    seats = rng.randint(3, 6)
    rules = sample.random_rules(rng, game="zwicken")
    return sample.play_hand(
        rng,
        game="zwicken",
        rules=rules,
        seats=seats,
        dealer=rng.randrange(seats),
        pot_before=rng.choice((0, 10, 30, 97, 240, 1210)),
        players=[Temper(rng.random(), rng.random()) for _ in range(seats)],
    )


def valid_zwicken_hands(rng: random.Random) -> Iterator[tuple[str, Record]]:
    for source, count in ((zwicken_by_lot, ZWICKEN_RANDOM_HANDS), (zwicken_simply_played, ZWICKEN_SIMPLE_HANDS)):
        for number in range(count):
            record = source(rng)
            result = engine.replay(record)
            name = f"{source.__name__} {number}, {result['outcome']}"
            yield name, record
            if number % 2 == 0:
                yield f"{name}, tally", sample.tally_of(record, result)
            if number % 10 == 0:
                yield f"{name}, claimed", record | {"claimed": result["deltas"]}


def another_single_cut(rng: random.Random, record: Record) -> None:
    words = ("A", "7", "B", "x", "As", "7d", "7h", "Kh", "6h")
    record["cuts"] = [rng.choice(words) for _ in range(rng.randint(0, 2))] + rng.choice((["Ts"], ["x"], []))


def another_only_turned_card(rng: random.Random, record: Record) -> None:
    record["deal"]["turned"] = rng.choice((None, *NAME.values()))


def an_answer_too_few(rng: random.Random, record: Record) -> None:
    record["answers"].pop()


def answers_in_a_forced_hand(rng: random.Random, record: Record) -> None:
    if "answers" in record:
        raise LookupError
    record["answers"] = [[(record["dealer"] + 1) % record["seats"], "mit"]]


def other_zwicken_rules(rng: random.Random, record: Record) -> None:
    record["rules"] = sample.random_rules(rng, game="zwicken")


def a_bad_zwicken_rule(rng: random.Random, record: Record) -> None:
    record["rules"] = rng.choice(({"coin": 0}, {"stake": 20}, {"unit": 10}, {"seven": 1}, {"pot_limit": 1}))


def another_pot(rng: random.Random, record: Record) -> None:
    record["pot_before"] = rng.choice((0, 1, 29, 30, 365, -1))


def three_swapped_against(clause: str, rng: random.Random, record: Record) -> None:
    """Swap two cards so that the play breaks the given clause."""
    play = record["play"]
    (seat, other), places = rng.sample(range(3), 2), rng.choices(range(len(play[0])), k=2)
    play[seat][places[0]], play[other][places[1]] = play[other][places[1]], play[seat][places[0]]
    if engine.replay(record).get("error", {}).get("clause") != clause:
        raise LookupError


def zwicken_not_following(rng: random.Random, record: Record) -> None:
    three_swapped_against("Z6.2", rng, record)


def zwicken_not_trumping(rng: random.Random, record: Record) -> None:
    three_swapped_against("Z6.3", rng, record)


def zwicken_not_beating(rng: random.Random, record: Record) -> None:
    three_swapped_against("Z6.4", rng, record)


ZWICKEN_FULL_DAMAGES: tuple[Damage, ...] = (
    another_card, a_trick_too_few, a_card_dealt_twice, a_short_hand, another_only_turned_card, another_single_cut,
    another_answer, another_answerer, an_answer_too_few, answers_in_a_forced_hand, another_discard, another_draw,
    an_exchange_twice, a_play_of_nobody, other_zwicken_rules, a_bad_zwicken_rule, another_pot, a_field_of_chratze,
    a_wrong_claim, other_seats, another_dealer, zwicken_not_following, zwicken_not_trumping, zwicken_not_beating,
)  # fmt: skip


def other_three_tricks(rng: random.Random, record: Record) -> None:
    record["tricks"] = {str(rng.randint(0, record["seats"])): rng.randint(-1, 3) for _ in range(3)}


def other_players(rng: random.Random, record: Record) -> None:
    record["players"] = [rng.randint(0, record["seats"]) for _ in range(rng.randint(0, 4))]


def another_lost_seven(rng: random.Random, record: Record) -> None:
    record["seven_lost"] = rng.choice((None, *range(record["seats"] + 1)))


ZWICKEN_TALLY_DAMAGES: tuple[Damage, ...] = (
    other_three_tricks, other_players, another_lost_seven, another_single_cut, other_zwicken_rules, another_pot,
    a_wrong_claim, another_dealer, a_field_of_chratze,
)  # fmt: skip


def damaged_zwicken_hands(rng: random.Random) -> Iterator[tuple[str, Record]]:
    for kind, damages in (("full", ZWICKEN_FULL_DAMAGES), ("tally", ZWICKEN_TALLY_DAMAGES)):
        for damage in damages:
            done = 0
            while done < ZWICKEN_NUMBER_OF_EACH:
                record = copy.deepcopy(zwicken_by_lot(rng))
                if kind == "tally":
                    record = sample.tally_of(record, engine.replay(record))
                try:
                    damage(rng, record)
                except LookupError:  # the hand has nothing to damage in this way, for example no answer
                    continue
                done += 1
                yield f"zwicken {kind}, {damage.__name__} {done}", record
