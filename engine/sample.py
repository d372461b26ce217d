"""Sample hands for demos and tests: simple players deal, speak, exchange and play legal hands of any game.

All randomness comes from the given generator, so the same seed gives the same hands. A simple player estimates the
tricks of his cards, is careful when the pot is large, and makes more mistakes the less skill he has.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from engine.game import Record, Start, Wanted
from engine.games import BY_NAME, DEFAULT, game_of
from engine.sample_players import Temper

__all__ = ["Temper", "play_hand", "random_hand", "random_rules", "tally_of"]


def play_hand(
    rng: random.Random,
    *,
    game: str = DEFAULT,
    rules: Mapping[str, object],
    seats: int,
    dealer: int,
    pot_before: int,
    deal_number: int = 1,
    players: Sequence[Temper],
) -> Record:
    """Return a legal full record (docs/rulebook/hand-record.md), played by simple players, one temper for each seat.

    ``rules`` are the house rules that differ from the defaults, ``pot_before`` is in Rappen. In a game with cuts
    ``deal_number`` is ignored, and ``dealer`` is the seat that has the pack before them.

    Raises:
        Fault: R4 for an unknown house rule or a value that is not allowed.

    >>> record = play_hand(
    ...     random.Random(7), game="kratzen", rules={}, seats=4, dealer=0, pot_before=0, players=[Temper(0.9, 0.3)] * 4
    ... )
    >>> sorted(record)
    ['cuts', 'deal', 'dealer', 'exchanges', 'game', 'play', 'pot_before', 'seats']
    """
    played = game_of(game)
    if len(players) != seats:
        raise ValueError(f"{seats} seats need {seats} players, not {len(players)}")
    return played.sample.play_hand(rng, Start(rules, seats, dealer, pot_before, deal_number), players)


def random_hand(
    rng: random.Random,
    *,
    game: str = DEFAULT,
    rules: Mapping[str, object] | None = None,
    seats: int | None = None,
    dealer: int | None = None,
    pot_before: int | None = None,
    deal_number: int | None = None,
) -> Record:
    """Return a legal full record; everything that is not given is random among all legal values."""
    sample = game_of(game).sample
    rules = sample.random_rules(rng) if rules is None else rules
    return sample.random_hand(rng, Wanted(rules, seats, dealer, pot_before, deal_number))


def random_rules(rng: random.Random, *, game: str = DEFAULT) -> dict[str, object]:
    """Return random house rules; most keep their default."""
    return game_of(game).sample.random_rules(rng)


def tally_of(record: Mapping[str, Any], result: Mapping[str, Any]) -> Record:
    """Return the tally of a full record, from its result."""
    return BY_NAME[record["game"]].sample.tally_of(record, result)
