"""The simple players of Kratzen: legal hands from a seed, with success rates like those of a real table."""

import random
from collections import Counter
from typing import Any

import pytest

import engine
from engine import sample
from engine.kratzen.players import DECKS, WELI, trumps
from engine.kratzen.rules import house_rules
from engine.kratzen.sample import KratzenHand, RandomPlayer, SimplePlayer, View, worth
from engine.sample import Temper

EVEN = Temper(skill=0.7, daring=0.5)
SPADES = next(deck for deck in DECKS.values() if trumps(deck) & deck.bit["As"])
Played = list[tuple[dict[str, Any], dict[str, Any]]]


def night(hands: int, *, seats: int, rules: dict[str, object], tempers: list[Temper] | None = None) -> Played:
    """Return consecutive hands of one table; each starts with the pot and dealer after the previous one."""
    rng = random.Random(f"{hands} {seats} {rules}")
    dealer, pot, played = 0, 0, []
    for _ in range(hands):
        record = sample.play_hand(
            rng,
            game="kratzen",
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
    {"seven_muss": "any", "must_beat": "always", "split_over": 100, "pot_limit": 1000},
    {"seven_muss": "off", "open_trumps": False, "last_word": False, "remainder": "declarer"},
]


@pytest.mark.parametrize("seats", range(3, 7))
@pytest.mark.parametrize("rules", RULES)
def test_simple_players_play_legal_hands(seats: int, rules: dict[str, object]) -> None:
    assert len(night(120, seats=seats, rules=rules)) == 120


def test_the_same_seed_gives_the_same_hand() -> None:
    def hand(seed: int) -> dict[str, Any]:
        return sample.play_hand(
            random.Random(seed), game="kratzen", rules={}, seats=4, dealer=0, pot_before=100, players=[EVEN] * 4
        )

    assert hand(1) == hand(1)
    assert hand(1) != hand(2)


def test_hands_succeed_as_at_a_real_table() -> None:
    seen: Counter[str] = Counter()
    played = night(3_000, seats=4, rules={"seven_muss": "any"})
    for record, result in played:
        tally = sample.tally_of(record, result)
        seen[result["outcome"]] += 1
        seen["muss"] += result["muss"]
        seen["free, " + str(tally.get("game_type"))] += not result["muss"]
        seen["seven"] += tally.get("seven", False)
        seen["seven after a call"] += bool(tally.get("seven") and "calls" in record)
        seen["cuts"] += len(record["cuts"]) > 1
        seen["last word"] += "last_word" in record
        seen["weli turned"] += len(record["deal"]["turned"]) > 1
        seen["open"] += any("open" in entry for entry in record.get("exchanges", []))
        seen["hidden"] += any("hidden" in entry for entry in record.get("exchanges", []))
        if result["outcome"] == "played" and not result["muss"]:
            seen["free"] += 1
            seen["declarer made it"] += result["tricks"][result["declarer"]] >= 2
            seen["joined"] += len(result["joiners"])
            seen["joiner made it"] += sum(result["tricks"][seat] > 0 for seat in result["joiners"])
    assert 0.50 < seen["declarer made it"] / seen["free"] < 0.75
    assert 0.50 < seen["joiner made it"] / seen["joined"] < 0.80
    assert 0.2 < seen["muss"] / 3_000 < 0.5
    assert 9 / 33 - 0.03 < seen["cuts"] / 3_000 < 9 / 33 + 0.03
    rare = [
        "walkover",
        "passed_out",
        "free, schlagen",
        "free, oder",
        "free, weiter-oder",
        "seven",
        "seven after a call",
    ]
    for kind in [*rare, "last word", "weli turned", "open", "hidden"]:
        assert seen[kind] > 2, kind


def test_pots_without_a_limit_are_won_in_the_end() -> None:
    pots = sorted(result["pot"] for _, result in night(2_000, seats=4, rules={}))
    assert pots[len(pots) // 2] < 1_000
    assert pots[-1] < 10_000_000


def test_skilled_players_win_more() -> None:
    tempers = [Temper(0.95, 0.4), Temper(0.05, 0.4)] * 2
    results = [result for _, result in night(3_000, seats=4, rules={"pot_limit": 200}, tempers=tempers)]
    balance = [sum(result["deltas"][seat] for result in results) for seat in range(4)]
    assert min(balance[0], balance[2]) > max(balance[1], balance[3])


def test_daring_players_declare_more() -> None:
    tempers = [Temper(0.7, 0.95), Temper(0.7, 0.05)] * 2
    free = [result for _, result in night(2_000, seats=4, rules={"pot_limit": 200}, tempers=tempers)]
    declared = Counter(result["declarer"] for result in free if not result["muss"])
    assert min(declared[0], declared[2]) > 1.3 * max(declared[1], declared[3])


def test_fewer_players_join_for_a_large_pot() -> None:
    def joined(pot_before: int) -> int:
        rng = random.Random(3)
        hands = [
            sample.play_hand(
                rng, game="kratzen", rules={}, seats=5, dealer=0, pot_before=pot_before, players=[EVEN] * 5
            )
            for _ in range(400)
        ]
        return sum([answer for _, answer in hand.get("answers", [])].count("mit") for hand in hands)

    assert joined(50_000) < 0.5 * joined(50)


def test_the_weli_is_worth_more_than_the_king_and_less_than_the_ace() -> None:
    assert worth("Ks", SPADES) < worth("6d", SPADES) < worth("As", SPADES)
    assert worth("Ah", SPADES) < worth("8s", SPADES) + 0.2


@pytest.mark.parametrize(
    ("legal", "led", "lying", "is_last", "played"),
    [
        ("7h 9h Ah", "", "", False, "Ah"),
        ("7s 9h 6d", "", "", False, "6d"),
        ("7h Jh Ah", "Th", "Th", True, "Jh"),
        ("7h Jh Ah", "Th", "Th", False, "Ah"),
        ("7h 9h Qh", "Kh", "Kh", True, "7h"),
        ("7d Kd", "Th", "Th", True, "7d"),
    ],
)
def test_a_skilled_player_takes_a_trick(legal: str, led: str, lying: str, is_last: bool, played: str) -> None:
    player = SimplePlayer(random.Random(1), Temper(1.0, 0.5))
    suit = SPADES.suit_of[SPADES.bit[led]] if led else 0
    lies = sum(SPADES.bit[card] for card in lying.split())
    assert player.plays(legal.split(), SPADES, suit, lies, is_last) == played


def test_a_skilled_player_keeps_trumps_and_plain_aces() -> None:
    player = SimplePlayer(random.Random(1), Temper(1.0, 0.5))
    assert sorted(player.discards("7s Ah 9d Kc".split(), SPADES, range(4))) == ["9d", "Kc"]
    assert player.discards("7s 8s 6d Ah".split(), SPADES, range(4)) == []
    assert len(player.discards("7h 8h 9d 7d".split(), SPADES, [0, 1, 2, 3, 4])) == 4
    assert player.drops("7h 6d As Ks 8s 9c".split(), SPADES, 2) == ["7h", "9c"]


def test_a_good_hand_calls_schlagen_and_a_poor_one_passes() -> None:
    player = SimplePlayer(random.Random(1), Temper(1.0, 0.5))
    assert player.calls(View("As 6d Ks 7h".split(), "Ts", 1, "weiter", 0, False)) == "schlagen"
    assert player.calls(View("7h 8d 9c Th".split(), "Ts", 1, "weiter", 0, False)) == "weiter"


def test_the_trump_stays_if_the_stock_has_no_other_suit() -> None:
    class FixedDeal(random.Random):
        """Deals the other suits to six seats; spades and the Weli are left."""

        def shuffle(self, x: Any) -> None:
            x.sort(key=lambda card: card[1] != "s" and card != WELI)

    class AlwaysOder(RandomPlayer):
        def calls(self, view: View) -> str:
            return "oder"

    rng = FixedDeal(4)
    rules = {"seven_muss": "off"}
    record = {"game": "kratzen", "rules": rules, "seats": 6, "dealer": 0, "pot_before": 100}
    hand = KratzenHand(rng, record, house_rules(rules), [AlwaysOder(rng)] * 6).play()
    assert {card[1] for card in hand["new_trump"] if card != WELI} == {"s"}
    assert len(hand["new_trump"]) + len(hand["deal"]["turned"]) == 9
    assert engine.replay(hand)["ok"]


def test_a_random_hand_has_the_given_values() -> None:
    rng = random.Random(5)
    record = sample.random_hand(rng, game="kratzen", rules={"unit": 50}, seats=3, dealer=2, pot_before=75)
    assert record["rules"] == {"unit": 50}
    assert [record[name] for name in ("game", "seats", "dealer", "pot_before")] == ["kratzen", 3, 2, 75]
    assert "deal_number" not in record


def test_random_rules_are_valid() -> None:
    rng = random.Random(6)
    for _ in range(1_000):
        engine.effective_rules("kratzen", sample.random_rules(rng, game="kratzen"))


def test_the_tally_of_a_full_record_gives_the_same_result() -> None:
    for seed in range(300):
        record = sample.random_hand(random.Random(seed), game="kratzen")
        result = engine.replay(record)
        tally = sample.tally_of(record, result)
        assert "deal" not in tally
        assert engine.replay(tally) == result


def test_missing_players_and_unknown_games_are_refused() -> None:
    with pytest.raises(ValueError, match="5 seats need 5 players, not 4"):
        sample.play_hand(
            random.Random(1), game="kratzen", rules={}, seats=5, dealer=0, pot_before=0, players=[EVEN] * 4
        )
    with pytest.raises(engine.Fault, match="R1 at game"):
        sample.random_hand(random.Random(1), game="jass")
