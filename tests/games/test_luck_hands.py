"""Luck, without a database: what was to be expected of a hand adds up, whatever the game and its house rules."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from bench import luck_rows
from engine import sample
from games import engine_bridge
from games.evening.luck_hands import hand_of
from league.luck import evening as evenings
from league.luck.evening import EQUAL, FINE, Hand, Past, balanced, night_of
from league.luck.rates import OTHERS, Rates
from league.luck.services import counts_of
from league.luck.situations import NOBODY, Situation, Tally, guess, packed, unpacked
from tests.sizes import sized

HANDS = 60


def hands_at_random(game: str, seed: int, number: int = HANDS) -> list[Hand]:
    """Hands with cards, as tallies, and, in Chratze, with goals in place of tricks, under house rules at random."""
    dice, hands = random.Random(f"{game} {seed}"), []
    while len(hands) < number:
        record = sample.random_hand(dice, game=game)
        result = engine_bridge.replay(record)
        if dice.random() < 0.6:
            record = sample.tally_of(record, result)
            if game == "chratze" and "tricks" in record and dice.random() < 0.5:
                active = engine_bridge.active_seats(result)
                made = [seat for seat in active if engine_bridge.made_goal(record, result, seat)]
                record = {name: value for name, value in record.items() if name != "tricks"} | {"made": made}
            result = engine_bridge.replay(record)
            assert result["ok"], result
        players = dice.sample(range(1, 9), record["seats"])
        hands.append(hand_of(record, result, players))
    return hands


@pytest.mark.parametrize("game", engine_bridge.GAMES)
def test_each_hand_is_settled_by_its_own_outcome_as_it_was(game: str) -> None:
    played = [hand for hand in hands_at_random(game, 1) if hand.situation is not None]
    assert len(played) > 20
    for hand in played:
        assert hand.situation is not None
        assert hand.settle is not None
        assert hand.outcome in guess(hand.situation)
        assert list(hand.settle(hand.outcome)) == list(hand.changes)
        assert {hand.situation.active, len(hand.outcome)} == {len(hand.active)}


def test_what_a_lost_belli_costs_is_paid_in_every_outcome() -> None:
    record = {"game": "zwicken", "seats": 4, "dealer": 3, "pot_before": 90, "cuts": ["x"], "players": [0, 1]}
    record |= {"tricks": {"0": 2, "1": 1}, "seven_lost": 1}
    hand = hand_of(record, engine_bridge.replay(record), [1, 2, 3, 4])
    assert hand.settle is not None
    assert list(hand.changes) == [80, 10, 0, -30]
    # With all three tricks the seat could not have lost it; with none it pays the bete besides.
    assert list(hand.settle((0, 3))) == [-120, 90, 0, -30]
    assert list(hand.settle((3, 0))) == [120, -150, 0, -30]


def check_adds_up(hands: Sequence[Hand], rates: Rates) -> None:
    night = night_of(hands, rates, "seed")
    assert sum(player.actual for player in night.players.values()) + night.pot_actual == 0
    assert sum(player.expected for player in night.players.values()) + night.pot_expected == 0
    for hand in hands:
        alone = night_of([hand], rates, "seed")
        assert sum(player.expected for player in alone.players.values()) + alone.pot_expected == 0


@pytest.mark.parametrize("game", engine_bridge.GAMES)
def test_what_was_to_be_expected_adds_up_to_nothing_over_players_and_pot(game: str) -> None:
    earlier, hands = hands_at_random(game, 2), hands_at_random(game, 3)
    check_adds_up(hands, Rates(counts_of(earlier), counts_of(hands)))


def test_shares_of_each_player_alone_would_not_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: each player's own rate in place of one for the whole hand."""

    def of_each_alone(hand: Hand, weights: Any, settled: Sequence[Sequence[int]]) -> dict[int, int]:
        parts = {}
        for seat, player in enumerate(hand.players):
            own = [weight * (1 + player * nth % 3) for nth, weight in enumerate(weights.weights)]
            mean = sum(w * changes[seat] for w, changes in zip(own, settled, strict=True)) * FINE // sum(own)
            parts[player] = mean
        return {**parts, 0: -sum(hand.changes) * FINE}

    monkeypatch.setattr(evenings, "_means", of_each_alone)
    with pytest.raises(AssertionError):
        check_adds_up(hands_at_random("chratze", 3), Rates({}, {}))


def test_rounding_keeps_the_sum() -> None:
    dice = random.Random(5)
    for _try in range(300):
        parts = {key: dice.randint(-(10**9), 10**9) for key in range(1, dice.randint(2, 8))}
        parts[0] = -sum(parts.values())
        whole = balanced(parts, 1000)
        assert sum(whole.values()) == 0
        assert all(abs(whole[key] * 1000 - part) < 1000 for key, part in parts.items())


def test_few_hands_of_a_club_lean_on_all_clubs_and_these_on_the_guess() -> None:
    situation = Situation("chratze", 2, 0, "chratze")
    plain = guess(situation)
    share = Fraction(plain[1, 0], sum(plain.values()))

    def rate(own: dict[Any, int], everybody: dict[Any, int]) -> Fraction:
        distribution = Rates({situation: own}, {situation: everybody}).of(situation)
        return Fraction(distribution.weights[distribution.outcomes.index((1, 0))], distribution.total)

    assert rate({}, {}) == share
    base = (30 + OTHERS * share) / (60 + OTHERS)
    assert rate({}, {(1, 0): 30, (0, 1): 30}) == base
    any_pot = (9 + OTHERS * base) / (10 + OTHERS)
    own = {(1, 0): 9, (1, 1): 1}
    assert rate(own, {(1, 0): 30, (0, 1): 30}) == (9 + OTHERS * any_pot) / (10 + OTHERS)
    other_pot = Rates({situation._replace(pot=2): own}, {situation: {(1, 0): 30, (0, 1): 30}}).of(situation)
    assert Fraction(other_pot.weights[other_pot.outcomes.index((1, 0))], other_pot.total) == any_pot


def test_the_guess_has_each_outcome_that_the_rules_allow_and_no_other() -> None:
    for active in range(2, 8):
        situation = Situation("chratze", active, active - 1, "chratze")
        for outcome, weight in guess(situation).items():
            made = [place for place, part in enumerate(outcome) if part]
            record = {"game": "chratze", "seats": active, "dealer": active - 1, "pot_before": 0, "made": made}
            record |= {"declarer": active - 1, "joiners": list(range(active - 1))}
            assert weight > 0
            assert engine_bridge.replay(record)["ok"], record
    tricks = guess(Situation("kratzen", 3, 0, "schlagen"))
    assert len(tricks) == 15
    assert sum(tricks.values()) == 11 * 12 * 13 * 14
    nobody_declares = guess(Situation("zwicken", 3, NOBODY, "mit"))
    assert len(nobody_declares) == 10
    assert nobody_declares[3, 0, 0] == nobody_declares[0, 0, 3]


def test_the_same_seed_gives_the_same_band_and_another_one_nearly_the_same() -> None:
    hands, rates = hands_at_random("chratze", 7, 40), Rates({}, {})
    first, again, other = (night_of(hands, rates, seed) for seed in ("a", "a", "b"))
    assert first == again
    assert first != other
    for player, band in first.players.items():
        assert band.expected == other.players[player].expected
        assert abs(band.spread - other.players[player].spread) <= band.spread // 5
        assert band.low <= band.expected <= band.high


def test_the_band_is_as_much_wider_as_earlier_evenings_were_and_never_narrower() -> None:
    hands, rates = hands_at_random("chratze", 7, 40), Rates({}, {})
    plain, wide, narrow = (
        night_of(hands, rates, "a", Past(squares * FINE, 160)).players for squares in (160, 160 * 9 + EQUAL * 8, 10)
    )
    assert narrow == plain
    for player, band in plain.items():
        other = wide[player]
        assert (band.actual, band.expected, band.calls) == (other.actual, other.expected, other.calls)
        for bound in ("low", "high"):
            away = getattr(band, bound) - band.expected
            assert abs(getattr(other, bound) - band.expected - 3 * away) <= 1
        assert abs(other.spread - 3 * band.spread) <= 1


def test_counts_are_the_same_after_json() -> None:
    tally = Tally()
    tally.add_all(counts_of([hand for game in engine_bridge.GAMES for hand in hands_at_random(game, 8)]))
    assert unpacked(packed(tally.counts)) == tally.counts
    twice = Tally()
    for _nth in range(2):
        twice.add_all(unpacked(packed(tally.counts)))
    total = sum(sum(outcomes.values()) for outcomes in tally.counts.values())
    assert sum(sum(outcomes.values()) for outcomes in twice.counts.values()) == 2 * total


@pytest.mark.sized
@pytest.mark.parametrize("game", engine_bridge.GAMES)
def test_nine_of_ten_sums_of_the_next_evening_lie_in_the_band(game: str) -> None:
    """`make bench` tries more leagues (part `luck`)."""
    nights = luck_rows.leagues(game, *sized((3, 12, 30), (12, 20, 40)))
    low, high = sized((0.83, 0.96), (luck_rows.LEAST, luck_rows.MOST))
    part, wide, whole = luck_rows.judge(nights)
    assert low <= part <= high
    assert 0.5 * whole < wide < 1.1 * whole, "a band that is wide enough always holds"
