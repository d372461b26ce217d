"""Sample hands of Zwicken: legal, repeatable, and played as at a real table."""

import random
from collections import Counter
from typing import Any

import pytest

import engine
from engine import sample
from engine.sample import Temper
from engine.zwicken.players import trump_of
from engine.zwicken.sample import SimplePlayer, View, worth

EVEN = Temper(skill=0.7, daring=0.5)
SPADES = trump_of("Ts", seven=True)
Played = list[tuple[dict[str, Any], dict[str, Any]]]


def night(hands: int, *, seats: int, rules: dict[str, object], tempers: list[Temper] | None = None) -> Played:
    """Return consecutive hands of one table; each starts with the pot and dealer after the previous one."""
    rng = random.Random(f"{hands} {seats} {rules}")
    dealer, pot, played = 0, 0, []
    for _ in range(hands):
        record = sample.play_hand(
            rng,
            game="zwicken",
            rules=rules,
            seats=seats,
            dealer=dealer,
            pot_before=pot,
            players=tempers or [EVEN] * seats,
        )
        result = engine.replay(record)
        assert result["ok"], (record, result)
        dealer, pot = result["next"]["dealer"], result["pot_after"]
        played.append((record, result))
    return played


RULES: list[dict[str, object]] = [
    {"pot_limit": 500},
    {"seven": False, "must_beat": "trumps", "bete": "stake", "must_trump": False},
    {"cut_moves": False, "exchange": False, "must_beat": "off", "nobody": "stays", "seven_lost": "off"},
]


@pytest.mark.parametrize("seats", range(3, 7))
@pytest.mark.parametrize("rules", RULES)
def test_simple_players_play_legal_hands(seats: int, rules: dict[str, object]) -> None:
    assert len(night(120, seats=seats, rules=rules)) == 120


def test_the_same_seed_gives_the_same_hand() -> None:
    def hand(seed: int) -> dict[str, Any]:
        return sample.play_hand(
            random.Random(seed), game="zwicken", rules={}, seats=4, dealer=0, pot_before=100, players=[EVEN] * 4
        )

    assert hand(1) == hand(1)
    assert hand(1) != hand(2)


def test_hands_succeed_as_at_a_real_table() -> None:
    seen: Counter[str] = Counter()
    for record, result in night(3_000, seats=4, rules={}):
        seen[result["outcome"]] += 1
        seen["forced"] += result["muss"]
        seen["moved"] += len(record["cuts"]) > 1
        seen["seven lost"] += any(line["kind"] == "seven" for line in result["lines"])
        if result["outcome"] == "played" and not result["muss"]:
            seen["playing"] += len(result["joiners"])
            seen["made it"] += sum(result["tricks"][seat] > 0 for seat in result["joiners"])
    assert 0.55 < seen["made it"] / seen["playing"] < 0.9
    assert 0.1 < seen["forced"] / 3_000 < 0.6
    assert 8 / 32 - 0.03 < seen["moved"] / 3_000 < 8 / 32 + 0.03
    assert seen["seven lost"] > 20
    assert seen["walkover"] > 20


def test_pots_without_a_limit_are_won_in_the_end() -> None:
    pots = sorted(result["pot"] for _, result in night(2_000, seats=4, rules={}))
    assert pots[len(pots) // 2] < 1_000
    assert pots[-1] < 10_000_000


def test_skilled_players_win_more() -> None:
    tempers = [Temper(0.95, 0.4), Temper(0.05, 0.4)] * 2
    results = [result for _, result in night(3_000, seats=4, rules={"pot_limit": 300}, tempers=tempers)]
    balance = [sum(result["deltas"][seat] for result in results) for seat in range(4)]
    assert min(balance[0], balance[2]) > max(balance[1], balance[3])


def test_daring_players_play_more() -> None:
    tempers = [Temper(0.7, 0.95), Temper(0.7, 0.05)] * 2
    free = [result for _, result in night(2_000, seats=4, rules={"pot_limit": 300}, tempers=tempers)]
    playing = Counter(seat for result in free if not result["muss"] for seat in result["joiners"])
    assert min(playing[0], playing[2]) > 1.2 * max(playing[1], playing[3])


def test_the_last_seat_plays_if_nobody_else_does() -> None:
    player = SimplePlayer(random.Random(1), Temper(1.0, 0.0))
    weak = ["8c", "8h", "9d"]
    assert player.joins(View(weak, SPADES, 4, 0, True))
    assert not player.joins(View(weak, SPADES, 4, 1, True))
    assert not player.joins(View(weak, SPADES, 4, 0, False))


def test_the_seven_is_worth_almost_as_much_as_the_trump_ace() -> None:
    assert worth("Ks", SPADES) < worth("7d", SPADES) < worth("As", SPADES)
    plain = trump_of("Ts", seven=False)
    assert worth("7d", plain) == worth("7h", plain)
    assert worth("7d", trump_of("Td", seven=False)) < worth("Kd", trump_of("Td", seven=False))


def test_a_random_hand_takes_what_is_given() -> None:
    rng = random.Random(5)
    record = sample.random_hand(rng, game="zwicken", rules={"stake": 60}, seats=3, dealer=2, pot_before=75)
    expected = {"game": "zwicken", "rules": {"stake": 60}, "seats": 3, "dealer": 2, "pot_before": 75}
    assert {name: record[name] for name in expected} == expected


def test_random_rules_are_legal() -> None:
    rng = random.Random(6)
    seen: dict[str, set[object]] = {}
    for _ in range(500):
        rules = sample.random_rules(rng, game="zwicken")
        engine.effective_rules("zwicken", rules)
        for name, value in rules.items():
            seen.setdefault(name, set()).add(value)
    assert set(seen) == set(engine.RULE_DEFAULTS["zwicken"])
    assert all(len(values) > 1 for values in seen.values())


def test_random_hands_are_legal_and_their_tallies_give_the_same_result() -> None:
    outcomes: Counter[tuple[str, bool]] = Counter()
    for seed in range(1_500):
        record = sample.random_hand(random.Random(seed), game="zwicken")
        result = engine.replay(record)
        assert result["ok"], (record, result)
        tally = sample.tally_of(record, result)
        assert "deal" not in tally
        assert engine.replay(tally) == result
        outcomes[result["outcome"], result["muss"]] += 1
    assert set(outcomes) == {("played", True), ("played", False), ("walkover", False), ("passed_out", False)}
    assert min(outcomes.values()) > 50
