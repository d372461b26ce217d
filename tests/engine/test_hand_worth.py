"""What a hand is worth: the classes of hands, and the table against hands that are simulated apart."""

from __future__ import annotations

import random
from collections import Counter
from functools import lru_cache
from itertools import combinations
from pathlib import Path

import pytest

from engine.cards import BIT, SUITS
from engine.hand_worth import (
    AFTER,
    BEFORE,
    FEWEST_PLAYERS,
    PACKS,
    WHOLE,
    Chances,
    Table,
    cell,
    classes,
    ranks_of,
)
from engine.kratzen.players import DECK as KRATZEN_DECK
from tests.engine.simulated_hands import Simulated, cards_of_class

FOLDER = Path(__file__).parents[2] / "static/hand_worth"
GAMES = ("chratze", "kratzen")
CARDS = {"chratze": list(BIT), "kratzen": list(KRATZEN_DECK.bit)}
MOST_BYTES = 400_000


@lru_cache
def table(game: str) -> Table:
    return Table(game, (FOLDER / f"{game}.bin").read_bytes())


@pytest.mark.parametrize(("game", "hands", "count"), [("chratze", 58_905, 12_123), ("kratzen", 40_920, 8_634)])
def test_all_hands_of_the_pack_are_in_so_many_classes(game: str, hands: int, count: int) -> None:
    sizes = Counter(classes(game)[ranks_of(game, cards, "h")] for cards in combinations(CARDS[game], 4))
    assert (sum(sizes.values()), len(sizes), len(classes(game))) == (hands, count, count)
    assert set(sizes) == set(range(count))
    # The plain suits of a hand can be named in one, three or six ways.
    assert set(sizes.values()) <= {1, 3, 6}


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_is_worth_the_same_whatever_its_suits_are_called(game: str) -> None:
    rng = random.Random(1)
    for _ in range(300):
        cards, trump = rng.sample(CARDS[game], 4), rng.choice(SUITS)
        names = dict(zip(SUITS, rng.sample(SUITS, 4), strict=True))
        # The Weli is a trump whatever its letter.
        renamed = [card if game == "kratzen" and card == "6d" else card[0] + names[card[1]] for card in cards]
        assert ranks_of(game, renamed[::-1], names[trump]) == ranks_of(game, cards, trump)


@pytest.mark.parametrize(
    ("cards", "trump"),
    [
        (["As", "Ks", "Qs"], "s"),
        (["As", "Ks", "Qs", "Js", "Ts"], "s"),
        (["As", "As", "Qs", "Js"], "s"),
        (["As", "Ks", "Qs", "6h"], "s"),
        (["As", "Ks", "Qs", "Ws"], "s"),
        (["As", "Ks", "Qs", "Js"], "x"),
        (["As", "Ks", "Qs", ""], "s"),
    ],
)
def test_what_is_no_hand_is_refused(cards: list[str], trump: str) -> None:
    with pytest.raises(ValueError, match=r"card|hand|twice"):
        ranks_of("kratzen", cards, trump)


def test_the_files_are_small_enough_for_a_phone() -> None:
    assert sum((FOLDER / f"{game}.bin").stat().st_size for game in GAMES) <= MOST_BYTES


@pytest.mark.parametrize("game", GAMES)
def test_a_file_of_the_other_game_is_no_table(game: str) -> None:
    other = GAMES[1 - GAMES.index(game)]
    with pytest.raises(ValueError, match="no table"):
        Table(other, (FOLDER / f"{game}.bin").read_bytes())


@pytest.mark.parametrize("game", GAMES)
def test_the_best_trumps_make_two_tricks_and_the_worst_cards_almost_none(game: str) -> None:
    best = ["As", "Ks", "Qs", "6d" if game == "kratzen" else "Js"]
    worst = ["7h", "8h", "7d", "7c"]
    for players in range(FEWEST_PLAYERS, PACKS[game].most_players + 1):
        for place in range(players):
            for stage in (BEFORE, AFTER):
                assert min(table(game).chances(best, "s", players, place, stage)) > 9_850
            after = table(game).chances(worst, "s", players, place, AFTER)
            assert after.one < table(game).chances(worst, "s", players, place, BEFORE).one
            assert after.two <= after.one


@pytest.mark.parametrize("game", GAMES)
def test_a_higher_trump_in_place_of_a_lower_one_is_worth_more(game: str) -> None:
    rest = ["9h", "8d", "7c"]
    for players in (2, 4, PACKS[game].most_players):
        values = [table(game).chances([trump + "s", *rest], "s", players, 1, AFTER).one for trump in "8JQKA"]
        assert values == sorted(values)
        assert values[-1] > 9_850


@pytest.mark.parametrize("game", GAMES)
def test_more_of_five_leave_fewer_tricks(game: str) -> None:
    """With more than five at the table the stock is short, and its hands are weaker again."""
    hand = ["Qs", "9s", "Ah", "7c"]
    leading = [table(game).chances(hand, "s", n, 0, AFTER).two for n in range(2, 6)]
    assert leading == sorted(leading, reverse=True)


@pytest.mark.parametrize(
    ("game", "one", "two", "declares", "share"),
    [
        # Two tricks in half of all hands: each other hand costs the pot twice.
        ("chratze", 9000, 5000, True, None),
        ("chratze", 9000, 6667, True, 100),
        ("chratze", 9000, 8000, True, 50),
        ("chratze", 5000, 0, False, 100),
        ("chratze", 8000, 0, False, 25),
        ("chratze", 0, 0, False, None),
        ("chratze", WHOLE, WHOLE, True, 0),
        # A fifth of the hands fails: 2 P each, but a quarter comes back in half of those.
        ("kratzen", 9000, 8000, True, 47),
        ("kratzen", 8000, 0, False, 25),
    ],
)
def test_the_share_of_the_pot_with_which_a_call_neither_wins_nor_loses(
    game: str, one: int, two: int, declares: bool, share: int | None
) -> None:
    assert Chances(one, two).share_to_break_even(game, declares=declares) == share


def distances(game: str, hands: int, samples: int, most_players: int, seed: int) -> list[tuple[float, float]]:
    """Return for random classes and seats how far the table is from simulated hands, and the variance of that."""
    rng = random.Random(seed)
    every, differences = list(classes(game)), []
    for _ in range(hands):
        trump, ranks = rng.choice(SUITS), rng.choice(every)
        players = rng.randint(FEWEST_PLAYERS, most_players)
        place, stage = rng.randrange(players), rng.choice((BEFORE, AFTER))
        simulated = Simulated(rng, game, trump, players, place, over=stage == AFTER)
        cards = cards_of_class(rng, ranks, game, trump)
        tricks = [simulated.tricks(cards) for _ in range(samples)]
        chances = table(game).chances(cards, trump, players, place, stage)
        for goal, chance in zip((1, 2), chances, strict=True):
            p = min(max(chance / WHOLE, 0.005), 0.995)
            share = sum(taken >= goal for taken in tricks) / samples
            differences.append((share - chance / WHOLE, p * (1 - p) / samples))
    return differences


def pooled(differences: list[tuple[float, float]]) -> tuple[float, float]:
    """Return the sum of the differences in standard errors, and the mean square of each in its own."""
    variance = sum(each for _, each in differences)
    return sum(apart for apart, _ in differences) / variance**0.5, sum(a * a / v for a, v in differences) / len(
        differences
    )


@pytest.mark.parametrize("game", GAMES)
def test_the_table_agrees_with_hands_that_the_engine_replays(game: str) -> None:
    differences = distances(game, hands=25, samples=12, most_players=4, seed=3)
    mean, square = pooled(differences)
    # One and two tricks of one hand go together: the sum has up to twice the variance.
    assert abs(mean) < 5
    assert square < 2


@pytest.mark.rest
@pytest.mark.parametrize("game", GAMES)
def test_the_table_agrees_for_three_hundred_classes(game: str) -> None:
    differences = distances(game, hands=300, samples=100, most_players=PACKS[game].most_players, seed=4)
    mean, square = pooled(differences)
    assert abs(mean) < 4
    assert square < 1.3


@pytest.mark.parametrize("game", GAMES)
def test_the_cells_follow_one_another(game: str) -> None:
    places = [
        cell(players, place, stage)
        for players in range(FEWEST_PLAYERS, PACKS[game].most_players + 1)
        for place in range(players)
        for stage in (BEFORE, AFTER)
    ]
    assert places == [2 * number for number in range(len(places))]
    assert len(table(game).values(0)) == 2 * len(places)
