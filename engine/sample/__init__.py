"""Sample hands for demos and tests: simple players deal, speak, exchange and play legal hands of either game.

All randomness comes from the given generator, so the same seed gives the same hands. A simple player estimates the
tricks of his cards, is careful when the pot is large, and makes more mistakes the less skill he has.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.chratze.players import FEWEST_SEATS, MOST_SEATS
from engine.kratzen.players import FEWEST_SEATS as KRATZEN_FEWEST
from engine.kratzen.players import MOST_SEATS as KRATZEN_MOST
from engine.rules import check_game, house_rules, kratzen_rules
from engine.sample import chratze, kratzen
from engine.sample.chratze import RandomPlayer, SimplePlayer, View
from engine.sample.players import Temper

__all__ = ["RandomPlayer", "SimplePlayer", "Temper", "View", "play_hand", "random_hand", "random_rules", "tally_of"]

Record = dict[str, Any]

_POTS: Final = (0, 0, 20, 35, 100, 335, 1005, 12345)
_POTS_IN_COINS: Final = (0, 0, 3, 4, 9, 20, 67, 201, 2469)


def play_hand(
    rng: random.Random,
    *,
    game: str = "chratze",
    rules: Mapping[str, object],
    seats: int,
    dealer: int,
    pot_before: int,
    deal_number: int = 1,
    players: Sequence[Temper],
) -> Record:
    """Return a legal full record (docs/rulebook/hand-record.md), played by simple players, one temper for each seat.

    ``rules`` are the house rules that differ from the defaults, ``pot_before`` is in Rappen. In Kratzen ``deal_number``
    is ignored, and ``dealer`` is the seat that has the pack before the cuts.

    Raises:
        Fault: R4 for an unknown house rule or a value that is not allowed.

    >>> record = play_hand(
    ...     random.Random(7), game="kratzen", rules={}, seats=4, dealer=0, pot_before=0, players=[Temper(0.9, 0.3)] * 4
    ... )
    >>> sorted(record)
    ['cuts', 'deal', 'dealer', 'exchanges', 'game', 'play', 'pot_before', 'seats']
    """
    check_game(game)
    if len(players) != seats:
        raise ValueError(f"{seats} seats need {seats} players, not {len(players)}")
    record = _start(game, rules, seats, dealer, pot_before, deal_number)
    if game == "kratzen":
        kratzen_players = [kratzen.SimplePlayer(rng, temper) for temper in players]
        return kratzen.KratzenHand(rng, record, kratzen_rules(rules), kratzen_players).play()
    chratze_players = [SimplePlayer(rng, temper) for temper in players]
    return chratze.ChratzeHand(rng, record, house_rules(rules), chratze_players).play()


def random_hand(
    rng: random.Random,
    *,
    game: str = "chratze",
    rules: Mapping[str, object] | None = None,
    seats: int | None = None,
    dealer: int | None = None,
    pot_before: int | None = None,
    deal_number: int | None = None,
) -> Record:
    """Return a legal full record; everything that is not given is random among all legal values."""
    check_game(game)
    rules = random_rules(rng, game=game) if rules is None else rules
    if game == "kratzen":
        effective_rules = kratzen_rules(rules)
        seats = rng.randint(KRATZEN_FEWEST, KRATZEN_MOST) if seats is None else seats
        dealer = rng.randrange(seats) if dealer is None else dealer
        pot_before = effective_rules.coin * rng.choice(_POTS_IN_COINS) if pot_before is None else pot_before
        record = _start(game, rules, seats, dealer, pot_before, 1)
        return kratzen.KratzenHand(rng, record, effective_rules, [kratzen.RandomPlayer(rng)] * seats).play()
    chratze_rules = house_rules(rules)
    seats = rng.randint(FEWEST_SEATS, MOST_SEATS) if seats is None else seats
    dealer = rng.randrange(seats) if dealer is None else dealer
    pot_before = rng.choice(_POTS) if pot_before is None else pot_before
    if deal_number is None:
        deal_number = rng.randint(1, chratze_rules.max_turns) if rng.random() < 0.3 else 1
    record = _start(game, rules, seats, dealer, pot_before, deal_number)
    return chratze.ChratzeHand(rng, record, chratze_rules, [RandomPlayer(rng)] * seats).play()


def random_rules(rng: random.Random, *, game: str = "chratze") -> dict[str, object]:
    """Return random house rules; most keep their default."""
    return kratzen.random_rules(rng) if game == "kratzen" else chratze.random_rules(rng)


def tally_of(record: Mapping[str, Any], result: Mapping[str, Any]) -> Record:
    """Return the tally of a full record, from its result."""
    kept = ("game", "rules", "seats", "dealer", "pot_before", "deal_number", "blind", "cuts")
    tally = {name: record[name] for name in kept if name in record}
    if record["game"] == "kratzen":
        tally |= kratzen.kind_of(record, result)
    tally["declarer"] = result["declarer"]
    if result["joiners"]:
        tally["joiners"] = result["joiners"]
        tally["tricks"] = {str(seat): count for seat, count in enumerate(result["tricks"]) if count}
    return tally


def _start(
    game: str, rules: Mapping[str, object], seats: int, dealer: int, pot_before: int, deal_number: int
) -> Record:
    record: Record = {"game": game, "seats": seats, "dealer": dealer, "pot_before": pot_before}
    if rules:
        record["rules"] = dict(rules)
    if deal_number != 1 and game != "kratzen":
        record["deal_number"] = deal_number
    return record
