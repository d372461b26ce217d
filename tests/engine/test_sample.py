"""The simple players: legal hands from a seed, with success rates like those of a real table."""

import random
from collections import Counter

import pytest

import engine
from engine import sample
from engine.cards import BIT, SUIT_OF
from engine.chratze.sample import SimplePlayer, View
from engine.sample import Temper

EVEN = Temper(skill=0.7, daring=0.5)
SPADES = SUIT_OF[BIT["As"]]


def night(
    hands: int, *, seats: int, rules: dict[str, object], tempers: list[Temper] | None = None
) -> list[tuple[dict, dict]]:
    """Return consecutive hands of one table; each starts with the pot and dealer after the previous one."""
    rng = random.Random(f"{hands} {seats} {rules}")
    dealer, pot, deal_number = 0, 0, 1
    played = []
    for _ in range(hands):
        record = sample.play_hand(
            rng,
            rules=rules,
            seats=seats,
            dealer=dealer,
            pot_before=pot,
            deal_number=deal_number,
            players=tempers or [EVEN] * seats,
        )
        result = engine.replay(record)
        assert result["ok"], (record, result)
        dealer, deal_number = result["next"]["dealer"], result["next"]["deal_number"]
        pot = result["pot_after"]
        played.append((record, result))
    return played


@pytest.mark.parametrize("seats", range(2, 8))
@pytest.mark.parametrize("rules", [{}, {"no_taker": "redeal", "susi": "forced"}, {"max_turns": 8, "pot_limit": 500}])
def test_simple_players_play_legal_hands(seats: int, rules: dict[str, object]) -> None:
    assert len(night(150, seats=seats, rules=rules)) == 150


def test_the_same_seed_gives_the_same_hand() -> None:
    def hand(seed: int) -> dict[str, object]:
        return sample.play_hand(
            random.Random(seed), rules={}, seats=4, dealer=0, pot_before=0, players=[Temper(0.2, 0.9)] * 4
        )

    assert hand(1) == hand(1)
    assert hand(1) != hand(2)


def test_hands_succeed_as_at_a_real_table() -> None:
    seen: Counter[str] = Counter()
    for record, result in night(4_000, seats=5, rules={"pot_limit": 1000}):
        seen[result["outcome"]] += 1
        seen[f"{result['blind']}"] += 1
        seen[f"rob {record.get('rob', {}).get('when')}"] += 1
        seen[f"turned {len(record['deal']['turned'])}"] += 1
        if result["outcome"] == "played":
            seen["declarer made it"] += result["tricks"][result["declarer"]] >= 2
            seen["joined"] += len(result["joiners"])
            seen["joiner made it"] += sum(result["tricks"][seat] > 0 for seat in result["joiners"])
    assert 0.50 < seen["declarer made it"] / seen["played"] < 0.72
    assert 0.45 < seen["joiner made it"] / seen["joined"] < 0.68
    assert 0.02 < seen["passed_out"] / 4_000 < 0.20
    for rare in ("walkover", "blind", "double", "rob before", "rob after", "turned 2", "turned 3"):
        assert seen[rare] > 5, rare


def test_pots_without_a_limit_are_won_in_the_end() -> None:
    pots = sorted(result["pot"] for _, result in night(3_000, seats=4, rules={}))
    assert pots[len(pots) // 2] < 50 * 20
    assert pots[-1] < 5_000 * 20


def test_skilled_players_win_more() -> None:
    tempers = [Temper(0.95, 0.4), Temper(0.05, 0.4)] * 2
    results = [result for _, result in night(4_000, seats=4, rules={"pot_limit": 200}, tempers=tempers)]
    balance = [sum(result["deltas"][seat] for result in results) for seat in range(4)]
    assert min(balance[0], balance[2]) > max(balance[1], balance[3])


def test_daring_players_declare_more() -> None:
    tempers = [Temper(0.7, 0.95), Temper(0.7, 0.05)] * 2
    declared = Counter(
        result["declarer"] for _, result in night(2_000, seats=4, rules={"pot_limit": 200}, tempers=tempers)
    )
    assert min(declared[0], declared[2]) > 1.5 * max(declared[1], declared[3])


def test_fewer_players_declare_for_a_large_pot() -> None:
    def takers(pot_before: int) -> int:
        rng = random.Random(3)
        hands = [
            sample.play_hand(rng, rules={}, seats=5, dealer=0, pot_before=pot_before, players=[EVEN] * 5)
            for _ in range(500)
        ]
        return sum("play" in hand for hand in hands)

    assert takers(50_000) < 0.7 * takers(0)


def test_every_seat_needs_a_player() -> None:
    with pytest.raises(ValueError, match="5 seats need 5 players, not 4"):
        sample.play_hand(random.Random(1), rules={}, seats=5, dealer=0, pot_before=0, players=[EVEN] * 4)


def test_unknown_house_rules_are_refused() -> None:
    with pytest.raises(engine.Fault, match=r"R4 at rules\.joker"):
        sample.play_hand(random.Random(1), rules={"joker": 1}, seats=2, dealer=0, pot_before=0, players=[EVEN] * 2)


def bits(cards: str) -> list[int]:
    return [BIT[name] for name in cards.split()]


@pytest.mark.parametrize(
    ("legal", "led", "lying", "is_last", "played"),
    [
        ("6h 9h Ah", "", "", False, "Ah"),
        ("6h 9h Ks", "", "", False, "Ks"),
        ("6h 9h Ah", "Th", "Th", False, "Ah"),
        ("6h Jh Ah", "Th", "Th", True, "Jh"),
        ("6h 9h Qh", "Kh", "Kh", True, "6h"),
        ("6h 9h Ah", "Th", "Th 7s", True, "6h"),
        ("8s Js", "Th", "Th 7s", True, "8s"),
        ("8s Js", "Th", "Th 9s", True, "Js"),
        ("8s 9s", "Th", "Th Js", True, "8s"),
        ("6d Kd", "Th", "Th", True, "6d"),
    ],
)
def test_a_skilled_player_takes_a_trick_or_plays_a_low_card(
    legal: str, led: str, lying: str, is_last: bool, played: str
) -> None:
    player = SimplePlayer(random.Random(1), Temper(1.0, 0.5))
    suit = SUIT_OF[BIT[led]] if led else 0
    assert player.plays(bits(legal), SPADES, suit, sum(bits(lying)), is_last) == BIT[played]


def test_a_skilled_player_keeps_trumps_and_plain_aces() -> None:
    player = SimplePlayer(random.Random(1), Temper(1.0, 0.5))
    assert sorted(player.discards(bits("6s Ah 9d Kc"), SPADES, range(5))) == sorted(bits("9d Kc"))
    assert player.discards(bits("6s 7s 8s Ah"), SPADES, range(5)) == []
    assert sorted(player.discards(bits("6s 7s 8s Ah Kc"), SPADES, range(1, 6))) == bits("Kc")
    assert sorted(player.discards(bits("6s 7s 8s Ah As"), SPADES, range(1, 6))) == bits("6s")
    assert len(player.discards(bits("6h 7h 8d 9d"), SPADES, [0, 1, 2])) == 2, "no more than the stock replaces"
    assert player.drops(bits("6s 7h 8d Ah As"), SPADES) in bits("7h 8d")


def test_the_six_of_trumps_counts_as_the_turned_card() -> None:
    def declares(turned: str, chances: int = 200) -> int:
        player = SimplePlayer(random.Random(1), Temper(0.0, 0.5))
        view = View(bits("6s 7s Kd 9h"), SPADES, BIT[turned], 1, 0, False)
        return sum(player.declares(view) for _ in range(chances))

    assert declares("As") > declares("8s") + 20


def test_the_last_seat_joins_more_often_to_avoid_being_susi() -> None:
    def joins(is_last: bool) -> int:
        player = SimplePlayer(random.Random(1), Temper(0.0, 0.5))
        view = View(bits("8s 7d Kd 9h"), SPADES, BIT["Ts"], 1, 0, is_last)
        return sum(player.joins(view) for _ in range(500))

    assert joins(True) > joins(False) + 20


def test_a_random_hand_has_the_given_values() -> None:
    rng = random.Random(5)
    record = sample.random_hand(rng, rules={"stake": 50}, seats=3, dealer=2, pot_before=77, deal_number=2)
    assert record["rules"] == {"stake": 50}
    assert [record[name] for name in ("seats", "dealer", "pot_before", "deal_number")] == [3, 2, 77, 2]
    assert "deal_number" not in sample.random_hand(rng, deal_number=1)


def test_random_rules_are_valid() -> None:
    rng = random.Random(6)
    for _ in range(2_000):
        engine.effective_rules("chratze", sample.random_rules(rng))


def test_the_tally_of_a_full_record_has_roles_and_tricks() -> None:
    kept = {"game", "rules", "seats", "dealer", "pot_before", "deal_number", "blind", "declarer", "joiners", "tricks"}
    for seed in range(200):
        record = sample.random_hand(random.Random(seed))
        result = engine.replay(record)
        tally = sample.tally_of(record, result)
        assert set(tally) <= kept
        assert engine.replay(tally) == result
